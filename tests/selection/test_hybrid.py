"""What no machine within the budget holds on its cards: in the memory of a host that can hold and read it."""

from __future__ import annotations

from typing import Any

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.environment import Environment
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.selection.recommendation import OptionKind
from tests.selection.requests import answer, estimator

PATIENT: dict[str, Any] = {
    "model": "deepseek-r1",
    "workload": {"kind": "serving", "prompt_tokens": 200, "output_tokens": 500, "concurrency": 1},
    "budget": {"amount": "15000", "currency": "USD"},
    "target": {"tpot_ms": 350, "ttft_ms": 60000},
    "constraints": {"region": "US", "condition": "used_ok"},
}


FINE_TUNE: dict[str, Any] = {
    "model": "qwen2.5-7b",
    "workload": {"kind": "training", "method": "full", "sequence_length": 2048, "dataset_tokens": 20_000_000},
}


def test_a_patient_user_gets_one_card_beside_a_host_that_holds_the_experts() -> None:
    options = [o for o in answer(PATIENT).options if o.leaner.get("offload_experts")]
    assert options
    for option in options:
        assert option.kind is OptionKind.BUY
        assert option.build is not None
        assert option.estimate.memory is not None
        assert option.estimate.memory.host_bytes is not None
        machine = Machine(option.build, Environment(), estimator().coefficients)
        held = sum(kit.capacity_bytes() * count for kit, count in machine.kits)
        assert held >= option.estimate.memory.host_bytes.value > 300e9
        assert option.estimate_request.hardware.host_bandwidth_bytes_per_s == machine.memory_bytes_per_s()
        assert option.build.first(Kind.ACCELERATOR) is not None
        assert not any("more users" in message.english() for message in option.why)


def test_many_users_are_not_sent_to_host_memory() -> None:
    crowd = {**PATIENT, "workload": {**PATIENT["workload"], "concurrency": 32}, "target": {"tpot_ms": 100}}
    assert not any(o.leaner.get("offload_experts") for o in answer(crowd).options)


def test_a_computer_of_one_memory_gains_nothing_by_moving_weights() -> None:
    mac = {
        **PATIENT,
        "workload": {
            **PATIENT["workload"], "engine": "llama_cpp", "weight_format": "gguf:q4_k_m", "offload_layers": 61,
        },
        "constraints": {"region": "US", "vendors": ["Apple"], "software": "any"},
    }  # fmt: skip
    assert not answer(mac).options


def test_a_training_too_large_for_the_budget_keeps_its_states_in_the_host() -> None:
    found = answer({**FINE_TUNE, "budget": {"amount": "40000", "currency": "CNY"}})
    assert found.options
    for option in found.options:
        assert option.leaner["offload"] in ("optimizer", "optimizer_and_parameters")
        assert option.build is not None
        assert option.estimate.memory is not None
        assert option.estimate.memory.host_bytes is not None
        machine = Machine(option.build, Environment(), estimator().coefficients)
        held = sum(kit.capacity_bytes() * count for kit, count in machine.kits)
        assert held >= option.estimate.memory.host_bytes.value
        assert any("host's memory" in reason.english() for reason in option.why)


def test_with_money_for_the_cards_nothing_is_kept_in_the_host() -> None:
    rich = answer({**FINE_TUNE, "budget": {"amount": "400000", "currency": "CNY"}})
    assert rich.options
    assert not any(option.leaner for option in rich.options)
