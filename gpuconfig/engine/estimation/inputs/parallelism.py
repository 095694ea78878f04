"""Columns of the strategy, and the rules that say which mixes of degrees exist.

One set of rules serves both a request (the first broken one becomes an InputError) and the search
(`valid_mixes`, a mask over arrays).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuconfig.engine.estimation.graph import Value
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.hardware import Hardware, Parallelism, PipelineSchedule

Columns = Mapping[str, Value]


SCHEDULES = {
    PipelineSchedule.ONE_FORWARD_ONE_BACKWARD: (0.0, 1.0, 0.0),
    PipelineSchedule.INTERLEAVED: (0.0, 1.0, 0.0),
    PipelineSchedule.ZERO_BUBBLE_H1: (2.0, 1.0, 0.0),
    PipelineSchedule.ZERO_BUBBLE_H2: (3.0, 2.0, 0.0),
    PipelineSchedule.ZERO_BUBBLE_V: (3.0, 1.0, 1.0),
}
"""Weight-gradient passes in the bubble, micro-batches held for each stage behind, held evenly (arXiv 2401.10241)."""
CHUNKS_OF_V = 2
"""ZB-V runs down the ranks with the first half of the layers and up again with the second."""


@dataclass(frozen=True, slots=True)
class MixRule:
    """One condition on the degrees.

    Attributes:
        field: the request's field that is blamed.
        column: the column that holds its value.
        holds: condition on the columns, for floats and arrays alike.
        reason: why a mix that breaks it is refused.
        accepted: what would be accepted; placeholders are column names.
    """

    field: str
    column: str
    holds: Callable[[Columns], Any]
    reason: str
    accepted: str


def _divides(part: Value, whole: Value) -> Any:
    return np.remainder(whole, np.maximum(part, 1)) == 0


def _spare_chunks(c: Columns) -> Any:
    stages = c["pipeline_parallel"]
    return np.maximum(stages * (c["virtual_pipeline"] - 1), stages - 1)


def interleaves_evenly(c: Columns) -> Any:
    """Whether the micro-batches of a step fill the groups of interleaved stages; ZB-V, which holds evenly, has none."""
    if "gradient_accumulation" not in c:
        return True  # the mix alone, before a batch is chosen for it
    interleaved = (np.asarray(c["virtual_pipeline"]) > 1) & (np.asarray(c["held_evenly"]) == 0)
    return ~interleaved | _divides(c["pipeline_parallel"], c["gradient_accumulation"])


DENSE = N_("the model is dense: it has no experts to spread")
ONE = N_("1")
RULES = (
    MixRule(
        "parallelism.tensor", "tensor_parallel", lambda c: _divides(c["tensor_parallel"], c["heads"]),
        N_("the attention heads must divide evenly over the tensor-parallel ranks"), N_("a divisor of {heads}"),
    ),
    MixRule(
        "parallelism.tensor", "tensor_parallel",
        lambda c: _divides(c["tensor_parallel"], c["kv_heads"]) | _divides(c["kv_heads"], c["tensor_parallel"]),
        N_("key and value heads can neither be split nor repeated over the tensor-parallel ranks"),
        N_("a divisor or multiple of {kv_heads}"),
    ),
    MixRule(
        "parallelism.tensor", "tensor_parallel",
        lambda c: _divides(c["tensor_parallel"], c["ffn"]) | (np.asarray(c["moe_layers"]) >= c["layers"]),
        N_("the feed-forward size must divide evenly over the tensor-parallel ranks"), N_("a divisor of {ffn}"),
    ),
    MixRule(
        "parallelism.pipeline", "pipeline_parallel",
        # embedding and loss may count as layers, so the last chunks may be empty
        lambda c: _spare_chunks(c) < c["layers"],
        N_("there are fewer layers than pipeline stages"), N_("at most {layers} stages"),
    ),
    MixRule(
        "parallelism.expert", "expert_parallel",
        lambda c: (np.asarray(c["experts"]) > 0) | (np.asarray(c["expert_parallel"]) == 1),
        DENSE, ONE,
    ),
    MixRule(
        "parallelism.expert_tensor", "expert_tensor_parallel",
        lambda c: (np.asarray(c["experts"]) > 0) | (np.asarray(c["expert_tensor_parallel"]) == 1),
        DENSE, ONE,
    ),
    MixRule(
        "parallelism.expert", "expert_parallel",
        lambda c: np.where(
            np.asarray(c["experts"]) > 0,
            _divides(c["expert_parallel"], c["experts"]),
            np.asarray(c["expert_parallel"]) == 1,
        ),
        N_("the experts must divide evenly over the expert-parallel ranks"), N_("a divisor of {experts}"),
    ),
    MixRule(
        "parallelism.expert_tensor", "expert_tensor_parallel",
        lambda c: (np.asarray(c["expert_tensor_parallel"]) == 1) | (
            (np.asarray(c["experts"]) > 0) & _divides(c["expert_tensor_parallel"], c["expert_ffn"])
        ),
        N_("the size of an expert must divide evenly over its tensor-parallel ranks"),
        N_("a divisor of {expert_ffn}"),
    ),
    MixRule(
        "parallelism.context", "context_parallel",
        lambda c: np.asarray(c["context_parallel"]) <= c["sequence_length"],
        N_("there are fewer tokens than context-parallel ranks"), N_("at most {sequence_length}"),
    ),
    MixRule(
        "parallelism.context", "context_parallel",
        lambda c: (np.asarray(c["context_parallel"]) == 1)
        | _divides(2.0 * c["context_parallel"], c["sequence_length"]),
        N_("the sequence must divide evenly into two pieces for each context-parallel rank"),
        N_("workload.sequence_length a multiple of 2 x {context_parallel}"),
    ),
    MixRule(
        "parallelism.virtual_pipeline", "virtual_pipeline", lambda c: interleaves_evenly(c),
        N_("interleaved stages take micro-batches in groups of as many as there are stages"),
        N_("workload.gradient_accumulation a multiple of {pipeline_parallel}"),
    ),
    MixRule(
        "parallelism.data", "data_parallel",
        lambda c: c["tensor_parallel"] * c["pipeline_parallel"] * c["context_parallel"] * c["data_parallel"]
        == c["gpus"],
        N_("the degrees do not multiply to the number of accelerators"),
        N_("tensor x pipeline x context x data = {gpus}"),
    ),
    MixRule(
        "parallelism.expert", "expert_parallel",
        lambda c: _divides(
            c["expert_parallel"] * c["expert_tensor_parallel"],
            c["tensor_parallel"] * c["context_parallel"] * c["data_parallel"],
        ),
        N_("expert x expert_tensor must divide the accelerators of one pipeline stage"),
        N_("a divisor of {gpus} / {pipeline_parallel}"),
    ),
)  # fmt: skip
"""Which mixes exist, in the order they are checked."""


def strategy_columns(parallelism: Parallelism, hardware: Hardware) -> dict[str, float]:
    """One row of the columns named in `names.STRATEGY`; a data degree left open takes what the others leave."""
    p, gpus = parallelism, hardware.gpu_count
    _check_schedule(p)
    schedule = schedule_columns(p.schedule, float(p.pipeline))
    chunks = CHUNKS_OF_V if schedule["held_evenly"] else p.virtual_pipeline
    data = p.data if p.data is not None else max(1, gpus // (p.tensor * p.pipeline * p.context))
    return {
        "gpus": float(gpus),
        "gpus_per_node": float(hardware.gpus_per_node),
        "tensor_parallel": float(p.tensor),
        "sequence_parallel": float(p.sequence and p.tensor > 1),
        "pipeline_parallel": float(p.pipeline),
        "virtual_pipeline": float(chunks if p.pipeline > 1 else 1),  # recipes leave it on at one stage
        **{name: float(value) for name, value in schedule.items()},
        "context_parallel": float(p.context),
        "expert_parallel": float(p.expert),
        "expert_tensor_parallel": float(p.expert_tensor),
        "data_parallel": float(data),
        "zero_stage": float(p.zero_stage),
        "pipeline_stage": 0.0,
    }


def schedule_columns(schedule: PipelineSchedule | None, pipeline: Value) -> dict[str, Value]:
    """What a schedule fills and holds, where there is a pipeline."""
    none = SCHEDULES[PipelineSchedule.ONE_FORWARD_ONE_BACKWARD]
    names = ("bubble_filling_passes", "held_behind", "held_evenly")
    asked = none if schedule is None else SCHEDULES[schedule]
    return {n: np.where(np.asarray(pipeline) > 1, a, b) for n, a, b in zip(names, asked, none, strict=True)}


def chunks_of(schedule: PipelineSchedule | None, divisors: tuple[int, ...]) -> tuple[int, ...]:
    """Chunks a stage may be cut into under a schedule; left open, 1F1B and interleaving are both there."""
    if schedule is None:
        return divisors
    if schedule is PipelineSchedule.INTERLEAVED:
        return tuple(d for d in divisors if d > 1)
    return (CHUNKS_OF_V,) if schedule is PipelineSchedule.ZERO_BUBBLE_V else (1,)


def _check_schedule(p: Parallelism) -> None:
    """Chunks belong to interleaving (and, two of them, to ZB-V); a schedule needs stages."""
    if p.schedule is None:
        return
    interleaved = p.schedule is PipelineSchedule.INTERLEAVED
    if p.pipeline == 1:
        reason, accepted = N_("there is no pipeline to schedule"), N_("parallelism.pipeline over 1")
    elif interleaved and p.virtual_pipeline == 1:
        reason, accepted = N_("interleaving needs chunks"), N_("parallelism.virtual_pipeline over 1")
    elif not interleaved and p.virtual_pipeline > 1 + (p.schedule is PipelineSchedule.ZERO_BUBBLE_V):
        reason, accepted = N_("only the interleaved schedule runs several chunks"), N_("interleaved")
    else:
        return
    raise InputError(
        "impossible", "parallelism.schedule", p.schedule.value, Message(reason), Message(accepted)
    )


def valid_mixes(columns: Columns) -> Any:
    """True for each row whose degrees fit the model and the machine; all columns are floats or arrays."""
    valid: Any = True
    for rule in RULES:
        valid = valid & np.asarray(rule.holds(columns))
    return valid


def check_mix(columns: Mapping[str, float]) -> None:
    """Refuse a mix that does not exist.

    Raises:
        InputError: naming the first field that breaks a rule, the reason and what is accepted.
    """
    for rule in RULES:
        if not bool(np.all(rule.holds(columns))):
            shown = {name: f"{value:g}" for name, value in columns.items() if f"{{{name}}}" in rule.accepted}
            raise InputError(
                "impossible", rule.field, int(columns[rule.column]), Message(rule.reason),
                Message(rule.accepted, shown),
            )  # fmt: skip
