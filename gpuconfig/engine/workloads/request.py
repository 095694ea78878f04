"""The request of one estimate, read from the contract's JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.fields import NOT_AN_OBJECT, only_known, read_choice, read_object
from gpuconfig.engine.workloads.hardware import Hardware, Parallelism, read_hardware, read_parallelism
from gpuconfig.engine.workloads.serving import DiffusionWorkload, ServingWorkload, VisionWorkload
from gpuconfig.engine.workloads.training import TrainingWorkload

Workload = TrainingWorkload | ServingWorkload | DiffusionWorkload | VisionWorkload


class Kind(StrEnum):
    """The contract's `workload.kind`."""

    TRAINING = "training"
    SERVING = "serving"
    IMAGE = "image"
    VIDEO = "video"
    VISION_TRAINING = "vision_training"
    VISION_INFERENCE = "vision_inference"


WORK: Mapping[Kind, str] = MappingProxyType(
    {
        Kind.TRAINING: N_("training"),
        Kind.SERVING: N_("LLM serving"),
        Kind.IMAGE: N_("image generation"),
        Kind.VIDEO: N_("video generation"),
        Kind.VISION_TRAINING: N_("vision training"),
        Kind.VISION_INFERENCE: N_("vision inference"),
    }
)
"""What a person calls each kind of work, as English source text."""

_CLASSES: dict[Kind, type[Any]] = {
    Kind.TRAINING: TrainingWorkload,
    Kind.SERVING: ServingWorkload,
    Kind.IMAGE: DiffusionWorkload,
    Kind.VIDEO: DiffusionWorkload,
    Kind.VISION_TRAINING: VisionWorkload,
    Kind.VISION_INFERENCE: VisionWorkload,
}
REQUEST_FIELDS = dict.fromkeys(("id", "model", "workload", "hardware", "parallelism"))


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateRequest:
    """One configuration to estimate; the model and the card are resolved to catalogue rows.

    `parallelism` None: the best valid strategy is searched.
    """

    id: str
    kind: Kind
    model: NeuralModel
    accelerator: Accelerator
    workload: Workload
    hardware: Hardware
    parallelism: Parallelism | None = None


def read_workload(data: object, path: str = "workload") -> tuple[Kind, Workload]:
    """The workload object; `kind` decides which fields it may have.

    Raises:
        InputError: naming the field.
    """
    if not isinstance(data, Mapping):
        raise InputError("wrong_type", path, data, NOT_AN_OBJECT)
    if "kind" not in data:
        names = ", ".join(k.value for k in Kind)
        accepted = Message(N_("one of {names}"), {"names": names})
        raise InputError("missing", f"{path}.kind", None, Message(N_("this field is required")), accepted)
    kind = Kind(read_choice(f"{path}.kind", data["kind"], Kind))
    body = {k: v for k, v in data.items() if k != "kind"}
    if kind is Kind.TRAINING and "method" not in body:
        body["method"] = "full"
    workload = read_object(_CLASSES[kind], body, path)
    if kind is Kind.VIDEO:
        workload = replace(workload, video=True)
    return kind, replace(workload, training=True) if kind is Kind.VISION_TRAINING else workload


def read_request(
    data: object, find_model: Callable[[object], NeuralModel], find_accelerator: Callable[[str], Accelerator]
) -> EstimateRequest:
    """The contract's estimate request.

    Args:
        find_model: resolves the `model` field (id, config, file, architecture); raises InputError.
        find_accelerator: resolves `hardware.gpu`; raises InputError.

    Raises:
        InputError: naming the field, the value and what is accepted.
    """
    if not isinstance(data, Mapping):
        raise InputError("wrong_type", "", data, NOT_AN_OBJECT)
    only_known(data, REQUEST_FIELDS)
    for key in ("model", "workload", "hardware"):
        if data.get(key) is None:
            raise InputError("missing", key, None, Message(N_("this field is required")))
    kind, workload = read_workload(data["workload"])
    hardware = read_hardware(data["hardware"])
    parallelism = _read_parallelism(data.get("parallelism"), workload)
    return EstimateRequest(
        id="" if data.get("id") is None else str(data["id"]),
        kind=kind,
        model=find_model(data["model"]),
        accelerator=find_accelerator(hardware.gpu),
        workload=workload,
        hardware=hardware,
        parallelism=parallelism,
    )


def _read_parallelism(data: object, workload: Workload) -> Parallelism | None:
    """The split; a pipeline whose schedule it leaves open runs that of the workload."""
    if data is None:
        return None
    read = read_parallelism(data)
    if isinstance(workload, TrainingWorkload) and read.pipeline > 1 and read.schedule is None:
        return replace(read, schedule=workload.pipeline_schedule)
    return read
