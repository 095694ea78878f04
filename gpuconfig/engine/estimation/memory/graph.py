"""The memory part of the training graph, usable alone."""

from __future__ import annotations

from functools import cache

from gpuconfig.engine.estimation.graph import Graph, Quantity, quantities_of
from gpuconfig.engine.estimation.inputs.names import TRAINING_INPUTS
from gpuconfig.engine.estimation.memory import (
    activations,
    attention_tensors,
    counters,
    expert_tensors,
    logits,
    parameters,
    peaks,
    states,
    transients,
    vision_tower,
    working_set,
)


def memory_quantities() -> list[Quantity]:
    """Every memory quantity, for assembling a larger graph."""
    layer = (attention_tensors, expert_tensors, activations, working_set, vision_tower)
    return quantities_of(parameters, states, *layer, logits, transients, peaks, counters)


@cache
def memory_graph() -> Graph:
    """The graph of memory alone."""
    return Graph(memory_quantities(), TRAINING_INPUTS)
