"""What machines, tasks and options are called in papers."""

from __future__ import annotations

from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.labels import METHODS, OPTION_KINDS
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.estimation.answer import Estimate
from gpuconfig.engine.provenance.figure import UNKNOWN, Figure
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.recommendation import Option, OptionKind
from gpuconfig.engine.selection.request import RecommendRequest
from gpuconfig.engine.workloads.request import WORK
from gpuconfig.engine.workloads.training import TrainingWorkload


def machine(option: Option, writer: Writer) -> str:
    """Cards and machines of an option: 2 machines, each 8 × NVIDIA H100 SXM5 80GB."""
    hardware = option.estimate_request.hardware
    cards = f"{hardware.gpus_per_node} × {writer.part(option.accelerator.name)}"
    if hardware.nodes == 1:
        return cards
    return writer.say(N_("{nodes} machines, each {cards}"), nodes=hardware.nodes, cards=cards)


def goods(option: Option, writer: Writer) -> str:
    """What is paid for: a price of a whole machine is not read as that of its cards."""
    whole = option.build is not None and not any(line.reused for line in option.build.lines)
    if option.kind is not OptionKind.BUY or option.nodes > 1 or not whole:
        return machine(option, writer)
    return writer.say(N_("one complete machine with {cards}"), cards=machine(option, writer))


def option_name(option: Option, writer: Writer) -> str:
    """Kind and machine: Rent 8 × …; a purchase names the machine alone."""
    name = machine(option, writer)
    if option.kind is OptionKind.BUY:
        return name
    return writer.say(N_("{kind}: {machine}"), kind=writer.say(OPTION_KINDS[option.kind]), machine=name)


def task(request: RecommendRequest, writer: Writer) -> str:
    """What is to be done: full fine-tuning of Qwen2.5-7B."""
    workload = request.workload
    kind = METHODS[workload.method] if isinstance(workload, TrainingWorkload) else WORK[request.kind]
    return writer.say(N_("{kind} of {model}"), kind=writer.say(kind), model=request.model.name)


def paper_title(context: DocumentContext, writer: Writer) -> str:
    """The project's title, or what is bought for which task."""
    if context.project.title.strip():
        return writer.say(context.project.title)  # a sample's is translated, a person's stays
    if context.option is None:
        return writer.say(N_("No machine for {task} within the limits"), task=task(context.request, writer))
    return writer.say(
        N_("{machine} for {task}"),
        machine=machine(context.option, writer),
        task=task(context.request, writer),
    )


def speed(estimate: Estimate) -> tuple[str, Figure]:
    """The main speed of the workload: its name in English and the figure."""
    if estimate.training is not None:
        return N_("Training throughput"), estimate.training.tokens_per_s
    if estimate.serving is not None:
        return N_("Output of all users"), estimate.serving.output_tokens_per_s
    if estimate.image is not None:
        return N_("Time for one image"), estimate.image.seconds_per_image
    if estimate.video is not None:
        return N_("Time for one clip"), estimate.video.seconds_per_clip
    if estimate.vision is not None:
        return N_("Throughput"), estimate.vision.samples_per_s
    return N_("Throughput"), UNKNOWN


def duration(estimate: Estimate) -> tuple[str, Figure]:
    """The time a decision hangs on: of the training run, or until a user sees the first token."""
    training, serving, vision = estimate.training, estimate.serving, estimate.vision
    if training is not None and training.time_to_train_s.value is not None:
        return N_("Time of the training run"), training.time_to_train_s
    if training is not None:
        return N_("Time of one step"), training.step_time_s
    if serving is not None:
        return N_("Time per output token"), serving.tpot_ms
    if vision is not None and vision.time_to_train_s.value is not None:
        return N_("Time of the training run"), vision.time_to_train_s
    return speed(estimate)
