"""What no machine and no framework can do: refused in one place for every kind of request, with what is accepted."""

from __future__ import annotations

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.power.limits import check_power_limit
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.hardware import Hardware, Parallelism
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.serving import ServingWorkload
from gpuconfig.engine.workloads.training import Framework, TrainingWorkload

GROUP = "communication"
NO_PIPELINE = frozenset(
    {Framework.HF_TRAINER, Framework.TORCHTUNE, Framework.AXOLOTL, Framework.LITGPT, Framework.LLM_FOUNDRY,
     Framework.UNSLOTH}
)  # fmt: skip
"""Trainers that replicate, shard or split within layers, but run no pipeline."""


def check_request(request: EstimateRequest, coefficients: CoefficientSet) -> None:
    """Refuse what cannot be built or run, before anything is computed.

    Raises:
        InputError: a power limit that the card does not take, more cards than a machine holds, steps in the backward
            pass beside accumulation, a split that the framework does not offer, more tokens than the model has
            positions.
    """
    check_power_limit(request.accelerator, request.hardware, coefficients)
    _check_cards(request.accelerator, request.hardware, coefficients)
    if isinstance(request.workload, TrainingWorkload):
        _check_step_in_backward(request.workload, request.parallelism)
        _check_framework(request.workload, request.parallelism)
    _check_positions(request)


def most_cards(card: Accelerator, coefficients: CoefficientSet) -> int:
    """The largest number of these cards in any machine that is sold."""
    return int(coefficients.value(GROUP, "most_gpus_per_machine", card.id, card.form_factor.value))


def _check_cards(card: Accelerator, hardware: Hardware, coefficients: CoefficientSet) -> None:
    most = most_cards(card, coefficients)
    if hardware.gpus_per_node <= most:
        return
    reason = Message(
        N_("no machine holds so many of {card}; further ones go into more nodes"), {"card": card.name}
    )
    accepted = Message(N_("a number from {low} to {high}"), {"low": 1, "high": most})
    raise InputError("out_of_range", "hardware.gpus_per_node", hardware.gpus_per_node, reason, accepted)


def _check_step_in_backward(workload: TrainingWorkload, parallelism: Parallelism | None) -> None:
    """A step taken as soon as a gradient exists leaves nothing that further micro-batches could be added to."""
    if not workload.optimizer_in_backward:
        return
    reason = Message(N_("steps in the backward pass keep no gradients, so nothing can be accumulated"))
    one = Message(N_("{number}, or workload.optimizer_in_backward false"), {"number": 1})
    accumulation = workload.gradient_accumulation
    if accumulation is not None and accumulation > 1:
        raise InputError("impossible", "workload.gradient_accumulation", accumulation, reason, one)
    if parallelism is not None and parallelism.pipeline > 1:
        raise InputError("impossible", "parallelism.pipeline", parallelism.pipeline, reason, one)


def _check_framework(workload: TrainingWorkload, parallelism: Parallelism | None) -> None:
    """A split that the named framework's own trainer does not run."""
    if parallelism is None or workload.framework is None or parallelism.pipeline == 1:
        return
    values: dict[str, object] = {"framework": workload.framework.value}
    if workload.framework in NO_PIPELINE:
        reason = Message(N_("{framework} does not split layers into pipeline stages"), values)
        raise InputError("impossible", "parallelism.pipeline", parallelism.pipeline, reason, Message(N_("1")))
    if workload.framework is Framework.DEEPSPEED and parallelism.zero_stage > 1:
        reason = Message(
            N_("{framework} runs pipeline stages with ZeRO 0 or 1 only: shards of gradients do not add up"),
            values,
        )
        accepted = Message(N_("a number from {low} to {high}"), {"low": 0, "high": 1})
        raise InputError("impossible", "parallelism.zero_stage", parallelism.zero_stage, reason, accepted)


def _check_positions(request: EstimateRequest) -> None:
    """Learned positions end: a table has no row for the token behind the last."""
    shape, work = request.model.architecture, request.workload
    if shape is None or not shape.positions:
        return
    if isinstance(work, TrainingWorkload):
        field, tokens = "workload.sequence_length", work.sequence_length
    elif isinstance(work, ServingWorkload):
        asked = (work.prompt_tokens or 0) + (work.output_tokens or 0)
        field, tokens = "workload.prompt_tokens", asked
        if work.max_context is not None:
            field, tokens = "workload.max_context", max(work.max_context, asked)
    else:
        return
    if tokens is None or tokens <= shape.positions:
        return
    reason = Message(
        N_("{model} has learned positions for {count} tokens"),
        {"model": request.model.name, "count": shape.positions},
    )
    accepted = Message(N_("a number from {low} to {high}"), {"low": 1, "high": shape.positions})
    raise InputError("out_of_range", field, tokens, reason, accepted)
