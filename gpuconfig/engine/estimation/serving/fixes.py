"""The cheapest changes that make a model fit, computed by estimating the changed request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from gpuconfig.engine.estimation.answer import Estimate, Fix, Verdict, time_ratio
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.memory.answer import memory_verdict
from gpuconfig.engine.estimation.serving.graph import serving_graph
from gpuconfig.engine.estimation.serving.table import serving_row, stacked
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.serving import ServingEngine, ServingWorkload

SHOWN = 3
LARGEST = 64
TOKEN = N_("{cost}; a token takes {ratio} times as long")


def add_fixes(requests: Sequence[EstimateRequest], answers: list[Any], coefficients: CoefficientSet) -> None:
    """Put fixes into the answers that do not fit or are too close."""
    for i, answer in enumerate(answers):
        if (
            isinstance(answer, Estimate)
            and answer.memory
            and memory_verdict(answer.memory) in (Verdict.DOES_NOT_FIT, Verdict.TOO_CLOSE)
        ):
            fixes = tuple(_fixes(requests[i], coefficients))[:SHOWN]
            answers[i] = replace(answer, memory=replace(answer.memory, cheapest_fixes=fixes))


def _fixes(request: EstimateRequest, coefficients: CoefficientSet) -> Iterator[Fix]:
    """Changes by what they cost: cache format, shorter context, weight format, cards."""
    now = serving_row(request, coefficients)
    rows, kept = [], []
    for change, changed, cost in _changes(request, now.settings.engine):
        try:
            rows.append(serving_row(changed, coefficients))
            kept.append((change, cost))
        except UserError:
            continue
    if not rows:
        return
    asked = ("needed_bytes", "decode_tokens_per_s_per_user")
    found = serving_graph().evaluate(stacked([now, *rows]).columns, asked)
    values, rate = found["needed_bytes"], found["decode_tokens_per_s_per_user"]
    limit = now.columns["usable_memory_bytes"] * (
        now.settings.memory_utilization if now.columns["pooled"] else 1.0
    )
    for (change, cost), needed, changed_rate in zip(kept, values[1:], rate[1:], strict=True):
        if needed <= limit:
            ratio = time_ratio(float(rate[0]), float(changed_rate))
            words = cost if ratio is None else Message(TOKEN, {"cost": cost, "ratio": f"{ratio:.2f}"})
            yield Fix(change, float(round(values[0] - needed)), words, ratio)


def _changes(
    request: EstimateRequest, engine: ServingEngine
) -> Iterator[tuple[dict[str, object], EstimateRequest, Message]]:
    work = request.workload
    if not isinstance(work, ServingWorkload):
        return
    cpp = engine is ServingEngine.LLAMA_CPP
    kv = "q8_0" if cpp else "fp8"
    yield (
        {"workload.kv_dtype": kv},
        replace(request, workload=replace(work, kv_dtype=kv)),
        Message(N_("slightly less exact attention over long contexts")),
    )
    formats = ("gguf:q8_0", "gguf:q4_k_m", "gguf:q3_k_m") if cpp else ("fp8", "awq_int4")
    for name in formats:
        yield (
            {"workload.weight_format": name},
            replace(request, workload=replace(work, weight_format=name)),
            Message(N_("quantised weights: somewhat lower answer quality")),
        )
    cards = request.hardware.gpus_per_node
    while (cards := cards * 2) <= LARGEST:
        hardware = replace(request.hardware, gpus_per_node=cards)
        yield (
            {"hardware.gpus_per_node": cards},
            replace(request, hardware=hardware, parallelism=None),
            Message(N_("more cards to buy")),
        )
