"""No field of machine or split is passed over: each moves the answer, or the answer says why it does not."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.estimation.answer import Estimate
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.training.estimate import estimate_training
from gpuconfig.engine.workloads.hardware import Hardware, InterNode, Parallelism, Pcie
from gpuconfig.engine.workloads.model_spec import model_from_object
from gpuconfig.engine.workloads.request import read_request
from gpuconfig.storage.repository import open_catalogue

A100, RTX_4090 = "nvidia-a100-sxm4-80", "nvidia-rtx-4090-24"
EIGHT = {"gpu": A100, "gpus_per_node": 8}
PAIR = {"gpu": RTX_4090, "gpus_per_node": 2}
TWO_NODES = {"gpu": A100, "gpus_per_node": 8, "nodes": 2}
ZERO = {"zero_stage": 2}
FULL = {"method": "full", "framework": "megatron", "sequence_length": 2048, "micro_batch_size": 1}
OFFLOADED = {**FULL, "framework": "deepspeed", "offload": "optimizer_and_parameters"}
LORA = {"method": "lora", "sequence_length": 2048, "micro_batch_size": 1}
SEEING = {**LORA, "image_tokens": 64, "sequence_length": 64, "micro_batch_size": 64}
DENSE, MOE = "llama-3-8b", "mixtral-8x7b"

Case = tuple[str, dict[str, Any], dict[str, Any], dict[str, Any], object, object]
MACHINE: dict[str, Case] = {
    "gpu": (DENSE, LORA, {}, {}, A100, RTX_4090),
    "gpus_per_node": (DENSE, FULL, {**EIGHT, "nodes": 2}, {}, 4, 8),
    "nodes": (DENSE, FULL, EIGHT, {}, 1, 2),
    "power_limit_w": (DENSE, FULL, EIGHT, ZERO, 250, 400),
    "os": (DENSE, LORA, {"gpu": RTX_4090}, {}, "linux", "windows"),
    "display_attached": (DENSE, LORA, {"gpu": RTX_4090}, {}, False, True),
    "intra_node": (DENSE, FULL, EIGHT, ZERO, "nvlink", "pcie"),
    "pcie.generation": (DENSE, FULL, PAIR, ZERO, 3, 4),
    "pcie.lanes": (DENSE, FULL, PAIR, ZERO, 4, 16),
    "pcie.peer_to_peer": (DENSE, FULL, PAIR, ZERO, False, True),
    "pcie.topology": (DENSE, FULL, {**PAIR, "pcie": {"peer_to_peer": True}}, ZERO, "root", "cross_socket"),
    "inter_node.gbit_per_s_per_gpu": (DENSE, FULL, TWO_NODES, ZERO, 25, 400),
    "inter_node.rdma": (DENSE, FULL, TWO_NODES, ZERO, False, True),
    "host_memory_bytes": (DENSE, OFFLOADED, {"gpu": A100}, {}, 1e10, 1e13),
    "host_bandwidth_bytes_per_s": (DENSE, OFFLOADED, {"gpu": A100}, {}, 1e10, 4e11),
    "cpu_cores": ("qwen2-vl-2b", SEEING, EIGHT, {}, 1, 64),
    "storage_bytes_per_s": (DENSE, {**OFFLOADED, "offload": "nvme"}, {"gpu": A100}, {}, 1e9, 2e10),
    "inlet_c": (DENSE, FULL, EIGHT, ZERO, None, 60),
    "host_rated_w": (DENSE, FULL, EIGHT, ZERO, 1000, 4000),
    "supply_efficiency": (DENSE, FULL, EIGHT, ZERO, 0.85, 0.95),
}
SPLIT: dict[str, Case] = {
    "zero_stage": (DENSE, FULL, EIGHT, {}, 0, 1),
    "tensor": (DENSE, FULL, EIGHT, {}, 1, 2),
    "sequence": (DENSE, FULL, EIGHT, {"tensor": 2}, False, True),
    "pipeline": (DENSE, FULL, EIGHT, {}, 1, 2),
    "virtual_pipeline": (DENSE, {**FULL, "gradient_accumulation": 8}, EIGHT, {"pipeline": 4}, 1, 2),
    "schedule": (DENSE, {**FULL, "gradient_accumulation": 8}, EIGHT, {"pipeline": 4}, "1f1b", "zb_h2"),
    "context": (DENSE, FULL, EIGHT, {}, 1, 2),
    "expert": (MOE, FULL, EIGHT, {}, 1, 8),
    "expert_tensor": (MOE, FULL, EIGHT, {"tensor": 2}, 1, 2),
    "data": (DENSE, FULL, EIGHT, {"tensor": 2}, None, 4),
}
STATED_ANYHOW = frozenset({"data"})
"""The degree that the others leave over: another value is refused, the same one changes nothing."""
WITHOUT_EFFECT: tuple[tuple[str, dict[str, Any], dict[str, Any]], ...] = (
    ("hardware.intra_node", {"intra_node": "nvlink"}, {}),
    ("hardware.pcie.generation", {"pcie": {"generation": 3}}, {}),
    ("hardware.pcie.lanes", {"pcie": {"lanes": 4}}, {}),
    ("hardware.pcie.peer_to_peer", {"pcie": {"peer_to_peer": True}}, {}),
    ("hardware.pcie.topology", {"pcie": {"topology": "root"}}, {}),
    ("hardware.inter_node.gbit_per_s_per_gpu", {"inter_node": {"gbit_per_s_per_gpu": 100}}, {}),
    ("hardware.inter_node.rdma", {"inter_node": {"rdma": True}}, {}),
    ("hardware.host_memory_bytes", {"host_memory_bytes": 1e11}, {}),
    ("hardware.host_bandwidth_bytes_per_s", {"host_bandwidth_bytes_per_s": 1e11}, {}),
    ("hardware.cpu_cores", {"cpu_cores": 8}, {}),
    ("parallelism.zero_stage", {}, {"zero_stage": 2}),
    ("parallelism.sequence", {}, {"sequence": True}),
    ("parallelism.virtual_pipeline", {}, {"virtual_pipeline": 2}),
)


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return open_catalogue()


@pytest.fixture(scope="module")
def coefficients(catalogue: Catalogue) -> CoefficientSet:
    return CoefficientSet.of(
        r for group in catalogue.coefficient_groups() for r in catalogue.coefficients(group)
    )


def _answer(
    catalogue: Catalogue, coefficients: CoefficientSet, model: str, work: dict[str, Any], machine: dict[str, Any],
    split: dict[str, Any],
) -> Estimate:  # fmt: skip
    data = {
        "model": model, "workload": {"kind": "training", **work}, "hardware": {"gpu": A100, **machine},
        "parallelism": split,
    }  # fmt: skip

    def read(spec: object) -> Any:
        return catalogue.model(spec) if isinstance(spec, str) else model_from_object(spec)  # type: ignore[arg-type]

    found = estimate_training([read_request(data, read, catalogue.accelerator)], coefficients)[0]
    assert isinstance(found, Estimate), found
    return found


def _with(base: dict[str, Any], name: str, value: object) -> dict[str, Any]:
    outer, _, inner = name.rpartition(".")
    return {**base, outer: {**base.get(outer, {}), inner: value}} if outer else {**base, name: value}


def test_the_walk_knows_every_field() -> None:
    own = {f.name for f in fields(Hardware) if "derived" not in f.metadata} - {"pcie", "inter_node"}
    nested = {f"pcie.{f.name}" for f in fields(Pcie)} | {f"inter_node.{f.name}" for f in fields(InterNode)}
    assert own | nested == MACHINE.keys()
    assert {f.name for f in fields(Parallelism) if "derived" not in f.metadata} == SPLIT.keys()


@pytest.mark.parametrize("name", MACHINE)
def test_each_field_of_the_machine_moves_the_answer(
    catalogue: Catalogue, coefficients: CoefficientSet, name: str
) -> None:
    model, work, machine, split, *values = MACHINE[name]
    one, other = (
        _answer(catalogue, coefficients, model, work, _with(machine, name, value), split) for value in values
    )
    assert (one.memory, one.training, one.power, one.warnings) != (
        other.memory, other.training, other.power, other.warnings,
    )  # fmt: skip


@pytest.mark.parametrize("name", sorted(SPLIT.keys() - STATED_ANYHOW))
def test_each_degree_moves_the_answer(catalogue: Catalogue, coefficients: CoefficientSet, name: str) -> None:
    model, work, machine, split, *values = SPLIT[name]
    one, other = (
        _answer(catalogue, coefficients, model, work, machine, {**split, name: value}) for value in values
    )
    assert (one.memory, one.training) != (other.memory, other.training)


@pytest.mark.parametrize(("field", "machine", "split"), WITHOUT_EFFECT)
def test_a_stated_field_without_effect_is_named_and_has_none(
    catalogue: Catalogue,
    coefficients: CoefficientSet,
    field: str,
    machine: dict[str, Any],
    split: dict[str, Any],
) -> None:
    plain = _answer(catalogue, coefficients, DENSE, LORA, {"gpu": RTX_4090}, {})
    stated = _answer(catalogue, coefficients, DENSE, LORA, {"gpu": RTX_4090, **machine}, split)
    assert field in {a.field for a in stated.assumptions}
    assert field not in {a.field for a in plain.assumptions}
    assert (stated.memory, stated.training) == (plain.memory, plain.training)
