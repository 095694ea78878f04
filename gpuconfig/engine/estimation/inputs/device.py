"""Columns of the card as memory sees it: usable memory, context, communicator, allocator, bands."""

from __future__ import annotations

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.inputs.workload import GROUP
from gpuconfig.engine.estimation.training.settings import TrainingSettings
from gpuconfig.engine.workloads.hardware import Hardware, OperatingSystem
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.training import Checkpointing, Framework

COUNTERS = ("allocated", "reserved", "device")
ALLOCATOR = ("spread_share", "sharded_share", "padded_share", "phase_share", "displaced_share")


def device_columns(
    request: EstimateRequest, settings: TrainingSettings, coefficients: CoefficientSet
) -> dict[str, float]:
    """One row of the columns named in `names.DEVICE`."""
    card = request.accelerator
    classes = framework_class(settings)
    columns = {
        "usable_memory_bytes": usable_memory(card, request.hardware, coefficients),
        "context_bytes": coefficients.value(GROUP, "context_bytes", *card_scopes(card)),
        "communicator_bytes": coefficients.value(GROUP, "communicator_bytes", *card_scopes(card)),
        **coefficients.values(GROUP, ALLOCATOR, *classes),
    }
    for counter in COUNTERS:
        low, high = coefficients.band(GROUP, f"{counter}_band", *classes)
        columns[f"{counter}_low"], columns[f"{counter}_high"] = low, high
    return columns


def card_scopes(card: Accelerator) -> tuple[str, ...]:
    """Scopes of device coefficients, most special first: card, architecture, maker."""
    return (card.id, card.architecture.lower(), card.vendor.value.lower())


def framework_class(settings: TrainingSettings) -> tuple[str, ...]:
    """Scopes of allocator and band coefficients: how regular the framework's allocations are."""
    name = settings.stack.value
    recompute = "recompute" if settings.checkpointing is Checkpointing.FULL else "stored"
    regular = settings.framework in (Framework.MEGATRON, Framework.TORCHTITAN)
    return (f"{name}|{recompute}", name, "static" if regular else "dynamic")


def usable_memory(card: Accelerator, hardware: Hardware, coefficients: CoefficientSet) -> float:
    """What the driver shows less what the system and a display keep, in bytes; NaN where not known."""
    capacity = card.capacity_bytes()
    if capacity is None:
        return float("nan")
    kept = 0.0
    if card.usable_bytes is None:
        kept += coefficients.value(GROUP, "driver_share", *card_scopes(card)) * capacity
    if hardware.os is OperatingSystem.WINDOWS:
        kept += coefficients.value(GROUP, "windows_reserve_share") * capacity
    if hardware.display_attached:
        kept += coefficients.value(GROUP, "display_bytes")
    if card.unified_memory:
        kept += coefficients.value(GROUP, "unified_reserve_share") * capacity
    return capacity - kept
