"""How a served model lies on several cards: what is tried, and that the best of it is offered."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gpuconfig.engine.estimation.answer import Estimate, Verdict
from gpuconfig.engine.selection.candidates import Candidate
from gpuconfig.engine.selection.demand import demand_of, estimate_request
from gpuconfig.engine.selection.layouts import layouts
from gpuconfig.i18n import Language, load
from gpuconfig.i18n.rendering import render
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import answer, estimator, request

SERVE: dict[str, Any] = {
    "model": "llama-3.1-70b",
    "workload": {"kind": "serving", "prompt_tokens": 7168, "output_tokens": 1024},
    "target": {"users": 20, "tpot_ms": 50},
    "budget": {"amount": "150000", "currency": "USD"},
    "constraints": {"region": "US"},
}


def tried(card: str, per_node: int, nodes: int, **work: Any) -> set[tuple[int, int, int]]:
    coefficients = estimator().coefficients
    body = {**SERVE, "workload": {**SERVE["workload"], **work}}
    candidate = Candidate(bundled_catalogue().accelerator(card), per_node, nodes)
    asked = estimate_request(demand_of(request(body), coefficients), candidate, coefficients)
    found = [r.parallelism for r in layouts(asked, coefficients)]
    return {(p.tensor, p.pipeline, p.data or 0) for p in found if p is not None}


def test_every_layout_uses_all_cards_and_no_copy_straddles_machines() -> None:
    for per_node, nodes in ((1, 1), (2, 1), (3, 1), (8, 1), (8, 2), (4, 4)):
        found = tried("nvidia-rtx-5090-32", per_node, nodes)
        assert bool(found) is (per_node * nodes > 1)
        for tensor, pipeline, data in found:
            assert tensor * pipeline * data == per_node * nodes
            assert per_node % tensor == 0
            assert 64 % tensor == 0  # attention heads
            group = tensor * pipeline
            assert per_node % group == 0 or group % per_node == 0


def test_copies_layer_splits_and_tensor_widths_are_tried() -> None:
    assert {(8, 1, 1), (4, 1, 2), (4, 2, 1), (1, 1, 8)} <= tried("nvidia-rtx-5090-32", 8, 1)
    assert (3, 1, 1) not in tried("nvidia-rtx-5090-32", 3, 1)
    assert tried("nvidia-rtx-5090-32", 4, 1, engine="llama_cpp") == {(1, 1, 4), (1, 2, 2), (1, 4, 1)}


def test_the_offered_layout_is_the_best_of_all_that_fit() -> None:
    """For every single machine that is offered no other layout meets the targets with a clearly higher rate."""
    found = answer(SERVE)
    made = estimator()
    gain, doubt = (made.coefficients.value("selection", name) for name in ("layout_gain", "stages_doubt"))
    looked_at = 0
    for option in [o for o in found.considered if o.nodes == 1 and o.count > 1][:12]:
        asked = replace(option.estimate_request, parallelism=None)
        rate = _counted(option.estimate, doubt)
        for other in made.estimate(list(layouts(asked, made.coefficients))):
            met = isinstance(other, Estimate) and other.verdict is Verdict.FITS and _tpot(other) <= 50
            assert not met or _counted(other, doubt) <= rate * gain * 1.001, option.accelerator.id
            looked_at += 1
    assert looked_at > 10


def test_one_machine_serves_what_was_said_to_need_two() -> None:
    """Eight cards as one tensor group over PCIe are slower than two stages of four, which one machine holds as well."""
    found = answer(SERVE)
    first = found.options[0]
    assert first.nodes == 1
    assert first.estimate.parallelism["tensor"] < first.count


@pytest.mark.parametrize("language", list(Language))
def test_copies_are_told(language: Language) -> None:
    body = {
        "model": "qwen2.5-7b", "workload": {"kind": "serving"}, "target": {"users": 64},
        "constraints": {"accelerators": ["RTX 4090"], "gpu_count": 4},
    }  # fmt: skip
    first = answer(body).options[0]
    assert first.estimate.parallelism["data"] > 1
    words = " ".join(render(m, load(language)) for m in first.why)
    assert ("copies of the model" if language is Language.EN else "份模型副本") in words


def _counted(found: Any, doubt: float) -> float:
    """Tokens in a second; layouts with stages count for slower than they are told to be."""
    rate = float(found.serving.output_tokens_per_s.value)
    return rate if found.parallelism["pipeline"] == 1 else rate / doubt


def _tpot(found: Any) -> float:
    return float(found.serving.tpot_ms.value)
