"""Nearest measurements: the same configuration has distance nothing, another card is farther."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from gpuconfig.engine.catalogue.record import Measurement
from gpuconfig.engine.estimation.nearest import MOST_KEPT, NearestIndex, nearest_measurements
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind

QUANTITY = "training.tokens_per_s"


def _data(gpu: str, length: int = 4096) -> dict[str, Any]:
    return {
        "id": "m", "model": {"parameters_b": 7},
        "workload": {"kind": "training", "method": "full", "sequence_length": length},
        "hardware": {"gpu": gpu}, "parallelism": {"data": 1},
    }  # fmt: skip


def _measurement(name: str, data: dict[str, Any]) -> Measurement:
    return Measurement(
        id=name, task="training_throughput", quantity=QUANTITY, value=1000.0, unit="token/s", request=json.dumps(data),
        evidence=Evidence(f"https://example.org/{name}", "2025", EvidenceKind.MEASURED),
    )  # fmt: skip


def test_same_configuration_comes_first(read: Any) -> None:
    same, other, longer = (
        _data("nvidia-a100-sxm4-80"),
        _data("nvidia-rtx-4090-24"),
        _data("nvidia-a100-sxm4-80", 8192),
    )
    index = NearestIndex.build(
        [_measurement(n, d) for n, d in (("c", other), ("b", longer), ("a", same))], read
    )
    near = nearest_measurements(index, read(same), (QUANTITY,))
    assert [n.source[-1] for n in near] == ["a", "b", "c"]
    assert near[0].distance == 0
    assert near[1].distance < near[2].distance


def test_nothing_known_is_nothing_shown(read: Any) -> None:
    assert nearest_measurements(None, read(_data("nvidia-a100-sxm4-80")), (QUANTITY,)) == ()
    index = NearestIndex.build([], read)
    assert nearest_measurements(index, read(_data("nvidia-a100-sxm4-80")), (QUANTITY,)) == ()


def test_a_request_that_cannot_be_read_is_left_out(read: Any) -> None:
    broken = {**_data("nvidia-a100-sxm4-80"), "hardware": {"gpu": "no such card"}}
    index = NearestIndex.build([_measurement("x", broken)], read)
    assert nearest_measurements(index, read(_data("nvidia-a100-sxm4-80")), (QUANTITY,)) == ()


def test_a_long_session_keeps_a_bounded_number_of_answers(read: Any) -> None:
    """What was asked often is answered from memory, what was asked long ago is forgotten and answered the same."""
    index = NearestIndex.build([_measurement("a", _data("nvidia-a100-sxm4-80"))], read)
    request = read(_data("nvidia-a100-sxm4-80", 1024))
    first = index.near(request, (QUANTITY,))
    for length in range(2048, 2048 + MOST_KEPT + 50):
        index.near(replace(request, workload=replace(request.workload, sequence_length=length)), (QUANTITY,))
        assert len(index._memo) <= MOST_KEPT
    assert index.near(request, (QUANTITY,)) == first
