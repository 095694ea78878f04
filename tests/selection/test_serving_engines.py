"""A serving engine is offered only on cards that it runs on; a card falls out for the engine, not as a whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gpuconfig.engine.selection.demand import demand_of
from gpuconfig.engine.selection.gates import engine_runs
from gpuconfig.engine.selection.leaner import QUANTISED, QUANTISED_GGUF, leaner
from gpuconfig.engine.selection.tally import Tally
from gpuconfig.engine.workloads.hardware import Hardware
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.serving import ServingEngine, ServingWorkload
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import answer, estimator, request

V100, RX_6800, RX_7900 = "nvidia-v100-pcie-32", "amd-rx-6800-16", "amd-rx-7900xtx-24"
SERVE: dict[str, Any] = {
    "model": "llama-3.1-8b",
    "workload": {"kind": "serving", "prompt_tokens": 1024, "output_tokens": 256},
    "target": {"users": 2},
    "budget": {"amount": "60000", "currency": "CNY"},
    "constraints": {"condition": "used_ok"},
}


def served(engine: str | None = None, version: str | None = None, **constraints: Any) -> dict[str, Any]:
    work = {"engine": engine, "engine_version": version}
    return {
        **SERVE,
        "workload": {**SERVE["workload"], **{k: v for k, v in work.items() if v is not None}},
        "constraints": {**SERVE["constraints"], **constraints},
    }


def test_an_open_engine_serves_on_cards_that_vllm_does_not_take() -> None:
    found = answer(served(accelerators=[V100, RX_6800, RX_7900]))
    engines = {
        (o.accelerator.id, a.value)
        for o in found.considered
        for a in o.estimate.assumptions
        if a.field == "workload.engine"
    }
    assert {engine for card, engine in engines if card in (V100, RX_6800)} == {"llama_cpp"}
    assert (RX_7900, "vllm") in engines


def test_a_named_engine_falls_out_by_its_name() -> None:
    found = answer(served("sglang", accelerators=[RX_6800, RX_7900]))
    assert not found.considered
    reasons = {r.accelerator: r for r in found.rejected}
    assert set(reasons) == {RX_6800, RX_7900}
    for row in reasons.values():
        assert row.code == "engine"
        assert row.reason.english().startswith("SGLang is not built for gfx1")


@pytest.mark.parametrize(
    ("engine", "version", "constraints", "card", "offered"),
    [
        ("vllm", None, {}, V100, False),
        ("vllm", "0.11.2", {}, V100, True),
        ("vllm", "0.25", {}, V100, False),
        ("vllm", None, {"accelerators": [V100]}, V100, True),
        ("vllm", None, {"accelerators": [RX_6800]}, RX_6800, False),
        ("vllm", None, {}, RX_7900, True),
        ("tensorrt_llm", None, {}, "nvidia-t4-16", False),
        ("tensorrt_llm", None, {}, "nvidia-rtx-3090-24", True),
        ("llama_cpp", None, {}, "nvidia-tesla-p40-24", True),
        (None, None, {}, RX_6800, True),
    ],
)
def test_a_purchase_counts_on_releases_of_today(
    engine: str | None, version: str | None, constraints: dict[str, Any], card: str, offered: bool
) -> None:
    """An older release serves where it is named, or where the card itself is: it may stand there already."""
    coefficients, tally = estimator().coefficients, Tally()
    demand = demand_of(request(served(engine, version, **constraints)), coefficients)
    assert engine_runs(bundled_catalogue().accelerator(card), demand, coefficients, tally) is offered
    assert bool(tally.rejected) is not offered


@pytest.mark.parametrize(
    ("card", "engine", "formats"),
    [
        ("nvidia-rtx-4090-24", None, QUANTISED),
        (V100, None, QUANTISED_GGUF),
        (RX_6800, None, QUANTISED_GGUF),
        (RX_7900, None, ("awq_int4",)),
        ("amd-ai-pro-r9700-32", None, QUANTISED),
        ("nvidia-rtx-4090-24", ServingEngine.LLAMA_CPP, QUANTISED_GGUF),
        ("nvidia-a100-pcie-80", ServingEngine.TENSORRT_LLM, ("awq_int4",)),
        ("apple-m3-ultra", None, QUANTISED_GGUF),
    ],
)
def test_leaner_weights_are_those_the_engine_reads_on_the_card(
    card: str, engine: ServingEngine | None, formats: tuple[str, ...]
) -> None:
    wanted, accelerator = request(SERVE), bundled_catalogue().accelerator(card)
    assert isinstance(wanted.workload, ServingWorkload)
    plain = EstimateRequest(
        id="x", kind=wanted.kind, model=wanted.model, accelerator=accelerator,
        workload=replace(wanted.workload, engine=engine), hardware=Hardware(gpu=card),
    )  # fmt: skip
    forms = [f.workload for f in leaner(plain, estimator().coefficients)]
    assert tuple(f.weight_format for f in forms if isinstance(f, ServingWorkload)) == formats


def test_training_is_not_offered_on_architectures_its_frameworks_left() -> None:
    body = {
        "model": "llama-3.1-8b",
        "workload": {"kind": "training", "method": "lora"},
        "budget": {"amount": "20000", "currency": "CNY"},
        "constraints": {"condition": "used_ok", "software": "rocm"},
    }
    found = answer(body)
    codes = {r.accelerator: r.code for r in found.rejected}
    assert codes["amd-mi50-32"] == codes["amd-rx-6700xt-12"] == "software"
    assert codes.get(RX_7900) != "software"


@pytest.mark.parametrize(
    ("engine", "stored", "card", "offered"),
    [
        ("vllm", "awq_int4", V100, False),
        (None, "awq_int4", V100, True),
        (None, "nvfp4", V100, False),
        ("vllm", "fp8", RX_7900, False),
        ("vllm", "fp8", "nvidia-rtx-4090-24", True),
    ],
)
def test_weights_that_the_engine_does_not_read_there_are_not_offered(
    engine: str | None, stored: str, card: str, offered: bool
) -> None:
    coefficients, tally = estimator().coefficients, Tally()
    body = served(engine, "0.11.2" if engine else None)
    body["workload"]["weight_format"] = stored
    assert (
        engine_runs(
            bundled_catalogue().accelerator(card), demand_of(request(body), coefficients), coefficients, tally
        )
        is offered
    )
    assert {r.code for r in tally.rejected} == (set() if offered else {"engine"})
