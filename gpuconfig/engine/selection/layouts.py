"""How a model that is served lies on several cards: copies of it side by side, each over some of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.serving.settings import LAYER_SPLIT, default_engine
from gpuconfig.engine.estimation.training.strategy_grid import divisors
from gpuconfig.engine.workloads.hardware import Parallelism
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.serving import ServingWorkload

PAIR = 2


def layouts(request: EstimateRequest, coefficients: CoefficientSet) -> Iterator[EstimateRequest]:
    """The same work with every layout stated that the cards and the attention heads allow; none where one is asked for.

    A copy lies within one machine or over whole machines. Of layer splits those by two, by the machines and over all
    cards are tried: others only wait longer.
    """
    work, shape, hardware = request.workload, request.model.architecture, request.hardware
    if not isinstance(work, ServingWorkload) or shape is None or request.parallelism is not None:
        return
    cards, per_node = hardware.gpu_count, hardware.gpus_per_node
    if cards == 1:
        return
    engine = work.engine or default_engine(request, coefficients)
    widths = (1,) if engine in LAYER_SPLIT else divisors(per_node, per_node)
    for tensor in widths:
        rest = cards // tensor
        if shape.heads % tensor:
            continue
        for pipeline in sorted({1, PAIR, hardware.nodes, rest}):
            group = tensor * pipeline
            within = per_node % group == 0 or group % per_node == 0
            if rest % pipeline == 0 and within and pipeline <= shape.layers:
                layout = Parallelism(tensor=tensor, pipeline=pipeline, data=rest // pipeline)
                yield replace(request, parallelism=layout)
