"""What a person should know about a training run's speed, beyond the numbers."""

from __future__ import annotations

from collections.abc import Iterator

from gpuconfig.engine.catalogue.vocabulary import LinkKind
from gpuconfig.engine.estimation.answer import Assumption, BoundBy, TrainingAnswer, Warning_
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.inputs.hardware import is_legacy, usable_precision
from gpuconfig.engine.estimation.inputs.network import fast_link, peer_to_peer
from gpuconfig.engine.estimation.training.settings import TrainingSettings
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.hardware import IntraNode
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.training import Framework, Offload, Stage

POOR_SCALING = 0.7
LOST_TIME = 0.05
"""Share of the time lost to checkpoints and failures from which it is said."""
COUNTED = {
    Stage.DPO: N_(
        "counted: both answers of a pair trained, and a forward pass of the reference model over them"
    ),
    Stage.GRPO: N_(
        "counted: half of each sequence generated on the same cards as vLLM would, a forward pass of the reference"
        " model, training; rewards by rule cost nothing"
    ),
    Stage.PPO: N_(
        "counted: half of each sequence generated on the same cards as vLLM would, forward passes of reference, reward"
        " and value model, training of policy and, in full training, of a value model of the same size"
    ),
}


def speed_assumptions(
    request: EstimateRequest, settings: TrainingSettings, coefficients: CoefficientSet
) -> tuple[Assumption, ...]:
    """What the speed takes for granted beyond the settings."""
    found = []
    if settings.stage in COUNTED:
        found.append(Assumption("workload.stage", settings.stage.value, Message(COUNTED[settings.stage])))
    if settings.offload is Offload.NVME and request.hardware.storage_bytes_per_s is None:
        rate = coefficients.value("compute", "usual_storage_bytes_per_s")
        why = Message(N_("not stated: one usual NVMe drive; it sets the speed of this offload"))
        found.append(Assumption("hardware.storage_bytes_per_s", f"{rate:.3g}", why))
    shape = request.model.architecture
    looped = settings.framework is Framework.HF_TRAINER and settings.framework_version is None
    if looped and shape is not None and shape.experts:
        why = Message(
            N_(
                "not stated: experts are computed one after the other, as transformers before 5 does; 5 and later"
                " multiply them all at once, several times as fast"
            )
        )
        found.append(Assumption("workload.framework_version", "4", why))
    if is_legacy(request.accelerator, settings):
        why = Message(
            N_(
                "not stated: FP16, or whole layers recomputed on a card of that time, tells the Megatron-LM of"
                " 2020-2022, without fused attention or overlap; name a version for today's"
            )
        )
        found.append(Assumption("workload.framework_version", "2021", why))
    return tuple(found)


def speed_warnings(
    request: EstimateRequest, settings: TrainingSettings, training: TrainingAnswer
) -> tuple[Warning_, ...]:
    """Warnings in a fixed order: links, precision, scaling, failures."""
    found = (
        *_links(request), *_threads(request, settings), *_precision(request, settings),
        *_scaling(request, training),
    )  # fmt: skip
    return (*found, *_failures(training))


def _links(request: EstimateRequest) -> Iterator[Warning_]:
    card, hardware = request.accelerator, request.hardware
    if hardware.gpus_per_node < 2:
        return
    link = fast_link(card, hardware)
    values: dict[str, object] = {"card": card.name}
    if hardware.intra_node in (IntraNode.NVLINK, IntraNode.INFINITY_FABRIC) and link is None:
        text = N_("{card} has no such link between cards: PCIe is used")
        yield Warning_("no_fast_link", Message(text, values))
    elif (
        link is not None
        and link.max_gpus
        and 1 < link.max_gpus < hardware.gpus_per_node
        and link.kind is LinkKind.NVLINK_BRIDGE
    ):
        values["joined"] = str(link.max_gpus)
        text = N_("a bridge joins {joined} cards; between the groups everything goes over PCIe")
        yield Warning_("bridge_groups", Message(text, values))
    if link is None and not peer_to_peer(card, hardware):
        text = N_(
            "{card} has no peer-to-peer with the stock driver: PCIe is the limit, transfers pass through host memory"
        )
        yield Warning_("pcie_without_peer_to_peer", Message(text, values))
    elif link is None:
        yield Warning_(
            "pcie_only", Message(N_("the cards talk over PCIe only: it limits what crosses cards"), values)
        )


def _threads(request: EstimateRequest, settings: TrainingSettings) -> Iterator[Warning_]:
    if settings.threaded and request.hardware.gpus_per_node > 1:
        text = N_(
            "threads of one process (nn.DataParallel) copy all weights from the first card before each micro-batch and"
            " gather outputs and gradients on it, with nothing hidden; a process for each card (torchrun, DDP)"
            " exchanges gradients only, once a step and behind the backward pass"
        )
        yield Warning_("threads_of_one_process", Message(text))


def _failures(training: TrainingAnswer) -> Iterator[Warning_]:
    goodput = training.goodput.value
    if goodput is not None and goodput < 1.0 - LOST_TIME:
        text = N_("checkpoints, failures and restarts take {lost} % of the time of a run this large")
        yield Warning_("goodput", Message(text, {"lost": f"{(1.0 - goodput) * 100:.0f}"}))


def _precision(request: EstimateRequest, settings: TrainingSettings) -> Iterator[Warning_]:
    usable = usable_precision(request.accelerator, settings.precision)
    if usable is not settings.precision:
        values: dict[str, object] = {
            "card": request.accelerator.name, "asked": settings.precision.value, "used": usable.value,
        }  # fmt: skip
        yield Warning_(
            "precision_not_supported",
            Message(N_("{card} has no {asked} matrix units: {used} is used"), values),
        )


def _scaling(request: EstimateRequest, training: TrainingAnswer) -> Iterator[Warning_]:
    efficiency = training.scaling_efficiency.value
    if efficiency is None or request.hardware.gpu_count < 2:
        return
    if efficiency * request.hardware.gpu_count < 1.0:
        text = N_("{count} cards are slower than one: communication takes more than they add")
        yield Warning_("slower_than_one_card", Message(text, {"count": str(request.hardware.gpu_count)}))
    elif efficiency < POOR_SCALING and training.bound_by in (BoundBy.COMMUNICATION, BoundBy.PIPELINE):
        text = N_("{count} cards do the work of {worth}: communication or the pipeline bubble takes the rest")
        values: dict[str, object] = {
            "count": str(request.hardware.gpu_count), "worth": f"{efficiency * request.hardware.gpu_count:.1f}",
        }  # fmt: skip
        yield Warning_("poor_scaling", Message(text, values))
