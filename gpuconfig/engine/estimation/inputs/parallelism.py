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
from gpuconfig.engine.workloads.hardware import Hardware, Parallelism

Columns = Mapping[str, Value]


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
    data = p.data if p.data is not None else max(1, gpus // (p.tensor * p.pipeline * p.context))
    return {
        "gpus": float(gpus),
        "gpus_per_node": float(hardware.gpus_per_node),
        "tensor_parallel": float(p.tensor),
        "sequence_parallel": float(p.sequence and p.tensor > 1),
        "pipeline_parallel": float(p.pipeline),
        "virtual_pipeline": float(
            p.virtual_pipeline if p.pipeline > 1 else 1
        ),  # recipes leave it on at one stage
        "context_parallel": float(p.context),
        "expert_parallel": float(p.expert),
        "expert_tensor_parallel": float(p.expert_tensor),
        "data_parallel": float(data),
        "zero_stage": float(p.zero_stage),
        "pipeline_stage": 0.0,
    }


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
