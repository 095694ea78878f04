"""Where the time of a step goes: the parts add up to the step."""

from __future__ import annotations

import math

from gpuconfig.engine.estimation.answer import BoundBy
from gpuconfig.engine.estimation.compute.roofline import Value
from gpuconfig.engine.estimation.graph import quantity

PARTS: tuple[tuple[str, BoundBy], ...] = (
    ("matrix_products", BoundBy.COMPUTE),
    ("attention", BoundBy.COMPUTE),
    ("output_head", BoundBy.COMPUTE),
    ("memory_bound_kernels", BoundBy.MEMORY),
    ("kernel_launches", BoundBy.HOST),
    ("tensor_parallel", BoundBy.COMMUNICATION),
    ("context_parallel", BoundBy.COMMUNICATION),
    ("expert_parallel", BoundBy.COMMUNICATION),
    ("pipeline_transfers", BoundBy.COMMUNICATION),
    ("weight_gathering", BoundBy.COMMUNICATION),
    ("gradient_reduction", BoundBy.COMMUNICATION),
    ("output_gathering", BoundBy.COMMUNICATION),
    ("pipeline_bubble", BoundBy.PIPELINE),
    ("optimizer", BoundBy.MEMORY),
    ("scoring", BoundBy.COMPUTE),
    ("generation", BoundBy.MEMORY),
    ("host", BoundBy.HOST),
    ("stragglers", BoundBy.COMMUNICATION),
    ("input", BoundBy.INPUT),
)
"""Names of the parts in the answer, and what a step is bound by when the part's group is the largest."""


@quantity(unit="s")
def arithmetic_seconds(
    layer_products_seconds: Value, layer_attention_seconds: Value, layers_per_stage: Value, head_seconds: Value,
    software_speed: Value, gradient_accumulation: Value, trained_copies: Value, scoring_seconds: Value,
) -> Value:  # fmt: skip
    """Matrix products and attention of one step on the slowest stage"""
    layers = (layer_products_seconds + layer_attention_seconds) / software_speed * layers_per_stage
    return (layers + head_seconds) * gradient_accumulation * trained_copies + scoring_seconds


def parts_of_step(v: dict[str, Value]) -> list[Value]:
    """Seconds of each of `PARTS`, from the values of an evaluation."""
    trained = v["trained_copies"]
    micro, layers = v["gradient_accumulation"] * trained, v["layers_per_stage"]
    per_layer = micro * layers
    products = v["layer_products_seconds"] / v["software_speed"]
    attention = v["layer_attention_seconds"] / v["software_speed"]
    tensor, context, expert = v["layer_tensor_seconds"], v["layer_context_seconds"], v["layer_expert_seconds"]
    device = v["layer_device_seconds"] + tensor + context + expert
    parts = [
        products * per_layer,
        attention * per_layer,
        v["head_seconds"] * micro,
        (v["layer_device_seconds"] - products - attention) * per_layer,
        (v["layer_seconds"] - device) * per_layer,
        tensor * per_layer,
        context * per_layer,
        expert * per_layer,
        v["stage_transfer_seconds"] * micro,
        (v["exposed_shard_seconds"] + v["replication_seconds"]) * micro,
        v["exposed_gradient_seconds"] * trained + v["gradient_sum_seconds"] * micro,
        v["output_gather_seconds"] * micro,
        v["pipeline_seconds"] * v["bubble_share"] * trained,
        v["optimizer_seconds"] * trained,
        v["scoring_seconds"],
        v["generation_seconds"],
        v["offload_seconds"] * micro + v["host_optimizer_seconds"] * trained + v["step_host_seconds"],
        v["straggler_seconds"],
    ]
    parts.append(v["step_seconds"] - sum(parts))
    return parts


def bound_by(parts: list[float], launch_seconds: float, device_seconds: float) -> BoundBy:
    """What limits the step: the largest group of parts; work that launching takes longer than is the host's."""
    launched = {BoundBy.COMPUTE, BoundBy.MEMORY} if launch_seconds > device_seconds else set()
    groups: dict[BoundBy, float] = {}
    for (_, own), seconds in zip(PARTS, parts, strict=True):
        group = BoundBy.HOST if own in launched else own
        groups[group] = groups.get(group, 0.0) + (float(seconds) if math.isfinite(seconds) else 0.0)
    return max(groups, key=groups.__getitem__)
