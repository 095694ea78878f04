"""Fixes make the run fit, cost something, and come cheapest first."""

from collections.abc import Mapping
from typing import Any

import pytest

from gpuconfig.engine.estimation.answer import Verdict
from gpuconfig.engine.estimation.inputs.device import usable_memory
from gpuconfig.engine.estimation.memory.answer import memory_verdict
from gpuconfig.engine.estimation.memory.fixes import cheapest_fixes, with_fixes
from gpuconfig.engine.estimation.memory.remarks import memory_warnings
from gpuconfig.engine.estimation.memory.rules_of_thumb import rules_of_thumb
from gpuconfig.engine.workloads.hardware import Hardware
from tests.estimation.memory.memory_bench import A100, LLAMA_2_7B, LLAMA_2_70B, Bench

FULL = {"method": "full", "sequence_length": 4096, "master_weights": True, "checkpointing": "full"}
LONG_LORA = {"method": "lora", "sequence_length": 8192, "checkpointing": "full", "loss": "full_logits"}


def test_the_first_fix_of_a_loss_bound_run_is_the_loss(bench: Bench) -> None:
    case = bench.case("qwen2.5-7b", LONG_LORA, {"gpu": "nvidia-rtx-4090-24"})
    first = cheapest_fixes(case, bench.coefficients)[0]
    assert first.change == {"workload.loss": "fused_linear"}
    assert first.saves_bytes > 10e9
    assert str(first.cost)


def test_each_fix_makes_the_run_fit_when_asked_again(bench: Bench) -> None:
    work = {"method": "full", "sequence_length": 4096, "master_weights": True, "checkpointing": "full"}
    case = bench.case(LLAMA_2_7B, work, A100)
    fixes = cheapest_fixes(case, bench.coefficients)
    *changes, card = fixes
    assert changes
    assert card.change == {"hardware.gpu": "nvidia-h200-sxm-141"}
    for fix in changes:
        changed = {**work, **{k.split(".")[1]: v for k, v in fix.change.items() if k.startswith("workload.")}}
        changed["framework"] = case.settings.framework.value
        if all(k.startswith("workload.") for k in fix.change):
            if fix.change.get("workload.method"):
                changed.pop("master_weights")
            assert bench.verdict(LLAMA_2_7B, changed, A100) is Verdict.FITS, fix.change


def applied(request: dict[str, Any], change: Mapping[str, object]) -> dict[str, Any]:
    """The request with the fields of a fix set, as a person would."""
    result: dict[str, Any] = {part: dict(fields) for part, fields in request.items()}
    for path, value in change.items():
        part, name = path.split(".")
        result[part][name] = value
    if "workload.method" in change:
        for open_again in ("master_weights", "weight_storage"):
            result["workload"].pop(open_again, None)
    return result


@pytest.mark.parametrize(
    ("model", "work", "hardware", "split"),
    [
        (LLAMA_2_7B, FULL, A100, {"data": 1}),
        (LLAMA_2_7B, FULL, {**A100, "gpus_per_node": 4}, {"data": 4}),
        (LLAMA_2_7B, LONG_LORA, {"gpu": "nvidia-rtx-4090-24"}, {"data": 1}),
        (LLAMA_2_70B, {**LONG_LORA, "method": "qlora"}, A100, {"data": 1}),
        ("qwen2.5-7b", LONG_LORA, {"gpu": "nvidia-rtx-4090-24"}, {"data": 1}),
    ],
)
def test_every_fix_can_be_applied_to_the_request_and_then_it_fits(
    bench: Bench, model: Any, work: Any, hardware: Any, split: Any
) -> None:
    case = bench.case(model, work, hardware, split)
    fixes = cheapest_fixes(case, bench.coefficients)
    assert fixes
    assert any("hardware.gpu" in fix.change for fix in fixes)
    for fix in fixes:
        request = {"workload": dict(work), "hardware": dict(hardware), "parallelism": dict(split)}
        request["workload"].setdefault("framework", case.settings.framework.value)
        again = applied(request, fix.change)
        memory = bench.memory(model, again["workload"], again["hardware"], again["parallelism"])
        assert memory_verdict(memory) is Verdict.FITS, fix.change


def test_the_larger_cards_are_those_of_the_catalogue(bench: Bench) -> None:
    rows = [r for r in bench.coefficients.rows if r.name == "larger_card"]
    assert len(rows) >= 5
    for row in rows:
        card = bench.catalogue.accelerator(row.scope)
        assert row.note == card.name
        usable = usable_memory(card, Hardware(gpu=card.id), bench.coefficients)
        assert row.value == pytest.approx(usable, rel=1e-4)


def test_runs_that_fit_are_left_alone(bench: Bench) -> None:
    case = bench.case(LLAMA_2_7B, {"method": "qlora", "sequence_length": 512}, A100)
    assert with_fixes([case], bench.coefficients) == [case.answer]


def test_the_old_rules_differ_and_say_why() -> None:
    by_item, spread, factor = rules_of_thumb(7e9)
    assert by_item.low_bytes == pytest.approx(84e9)
    assert (spread.low_bytes, spread.high_bytes) == (28e9, 140e9)
    assert factor.low_bytes == pytest.approx(14e9 * 1.35)
    assert all(str(rule.difference) for rule in (by_item, spread, factor))


def test_warnings_name_host_memory_and_memory_that_does_not_pool(bench: Bench) -> None:
    offloaded = {"method": "full", "sequence_length": 512, "framework": "deepspeed", "offload": "optimizer"}
    case = bench.case(LLAMA_2_7B, offloaded, A100)
    assert [w.code for w in memory_warnings(case.answer, case.columns, 16 * 2**30)] == ["host_memory_short"]
    assert [w.code for w in memory_warnings(case.answer, case.columns, None)] == ["host_memory_needed"]
    assert memory_warnings(case.answer, case.columns, 2.0**40) == ()
    four = {"gpu": "nvidia-rtx-4090-24", "gpus_per_node": 4}
    case = bench.case(LLAMA_2_7B, {"method": "full", "sequence_length": 512}, four, {"data": 4})
    assert [w.code for w in memory_warnings(case.answer, case.columns, None)] == ["memory_does_not_pool"]
