"""What the wizard says of engines and weights agrees with the table that the estimates refuse by."""

from __future__ import annotations

import pytest

from gpuconfig.engine.estimation.serving.engines import GROUP, LEAST
from gpuconfig.engine.workloads.serving import ServingEngine
from gpuconfig.presentation.wizard.inference_step import SERVING
from tests.bundled_catalogue import bundled_catalogue

GENERATIONS = {7.0: "Volta", 7.5: "Turing", 8.0: "Ampere"}


def generation(scope: str) -> str:
    """The first generation of NVIDIA cards that a row of the table accepts."""
    rows = bundled_catalogue().coefficients(GROUP)
    least = next(row.value for row in rows if row.name == LEAST and row.scope == scope)
    assert least is not None
    return GENERATIONS[least]


def consequences(key: str) -> dict[str, str]:
    question = next(q for q in SERVING if q.key == key)
    return {choice.value: choice.consequence for choice in question.choices}


def test_every_engine_says_which_cards_it_runs_on() -> None:
    told = consequences("engine")
    assert set(told) == {engine.value for engine in ServingEngine}
    assert all(told.values())


@pytest.mark.parametrize("engine", ["vllm", "sglang", "tensorrt_llm", "lmdeploy"])
def test_the_first_generation_told_is_that_of_the_table(engine: str) -> None:
    assert f"from {generation(engine)} on" in consequences("engine")[engine]


@pytest.mark.parametrize(
    ("stored", "scope"),
    [
        ("awq_int4", "vllm|awq"),
        ("awq_int4", "lmdeploy|awq"),
        ("mxfp4", "vllm|mxfp4"),
        ("nvfp4", "vllm|nvfp4"),
        ("fp8", "vllm|fp8"),
    ],
)
def test_weights_name_the_first_generation_that_reads_them(stored: str, scope: str) -> None:
    assert generation(scope) in consequences("weight_format")[stored]
