"""Columns of the accelerator, and the words by which coefficients of its speed are looked up."""

from __future__ import annotations

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.vocabulary import Precision as PeakPrecision
from gpuconfig.engine.estimation.graph import Input
from gpuconfig.engine.estimation.inputs.network import architecture_scope
from gpuconfig.engine.estimation.power.host import MACHINE_INPUTS, machine_columns
from gpuconfig.engine.estimation.power.sustained import INLET
from gpuconfig.engine.estimation.training.settings import LOW_PRECISION, TrainingSettings
from gpuconfig.engine.workloads.hardware import Hardware
from gpuconfig.engine.workloads.training import (
    AttentionKernel,
    Checkpointing,
    Framework,
    Loss,
    Method,
    Precision,
)

HARDWARE_INPUTS = (
    Input(
        "product_peak_flops",
        "Dense peak of matrix products in the training precision, FP32 accumulation",
        "FLOP/s",
    ),
    Input(
        "base_peak_flops", "Dense peak in 16 bit, or in the training precision where that is wider", "FLOP/s"
    ),
    Input("product_value_bytes", "Bytes of one operand of a matrix product", "B"),
    Input("base_value_bytes", "Bytes of one activation outside matrix products", "B"),
    Input("memory_bytes_per_s", "Memory bandwidth of the card", "B/s"),
    Input("vector_flops", "Peak of plain FP32 arithmetic at the rated clock", "FLOP/s"),
    Input("tdp_w", "Board power as sold", "W"),
    Input("idle_w", "Board power when idle", "W"),
    Input("power_limit_w", "Power limit set", "W"),
    INLET,
    *MACHINE_INPUTS,
    Input("host_memory_bytes_per_s", "Memory bandwidth of the host where it is stated", "B/s"),
    Input("storage_bytes_per_s", "Reading rate of the storage of one machine", "B/s"),
    Input("cpu_cores", "Processor cores of one machine"),
)
TUNED = frozenset({Framework.MEGATRON, Framework.TORCHTITAN, Framework.LLM_FOUNDRY})
PEAKS = {
    Precision.BF16: PeakPrecision.BF16, Precision.FP16: PeakPrecision.FP16, Precision.FP32: PeakPrecision.FP32_MATRIX,
    Precision.TF32: PeakPrecision.TF32, Precision.FP8: PeakPrecision.FP8, Precision.MXFP8: PeakPrecision.FP8,
    Precision.NVFP4: PeakPrecision.FP4,
}  # fmt: skip
FUSED_LOSSES = frozenset({Loss.FUSED, Loss.FUSED_LINEAR})
"""Losses of kernel packages (Liger, fast kernels) that fuse norms, rotary embedding and activation too."""
WIDE = frozenset({Precision.FP32, Precision.TF32})
NARROWER = {Precision.NVFP4: Precision.FP8, Precision.MXFP8: Precision.FP8, Precision.FP8: Precision.BF16,
            Precision.BF16: Precision.FP16, Precision.FP16: Precision.FP32, Precision.TF32: Precision.FP32}  # fmt: skip
FAMILIES = {Precision.BF16: "half", Precision.FP16: "half", Precision.MXFP8: "fp8"}
"""Formats that run at the same rate on the same units."""
BLACKWELL_ULTRA = 10.3  # compute capability
FLASH_ATTENTION = 8.0  # compute capability
OPERAND_BYTES = {
    Precision.FP8: 1.0,
    Precision.MXFP8: 1.0,
    Precision.NVFP4: 0.5,
    Precision.FP32: 4.0,
    Precision.TF32: 4.0,
}


def speed_scopes(
    accelerator: Accelerator, settings: TrainingSettings, encoder: bool = False
) -> dict[str, str]:
    """The words that scopes of coefficients are made of."""
    precision = usable_precision(accelerator, settings.precision)
    framework = settings.stack
    legacy = is_legacy(accelerator, settings)
    software = "megatron_2021" if legacy else framework.value
    fused = has_fused_attention(accelerator)
    if encoder:
        fused = fused and settings.method is Method.PRETRAIN
        software = "encoder_pretraining" if fused else "encoder"
    kernel = (
        "eager"
        if (legacy or not fused) and settings.attention_kernel is AttentionKernel.FLASH
        else settings.attention_kernel.value
    )
    own = has_own_kernels(settings)
    family = FAMILIES.get(precision, precision.value)
    tuned = framework in TUNED or (own and precision in LOW_PRECISION)
    return {
        "architecture": architecture_scope(accelerator),
        "card": accelerator.id,
        "chip": chip_scope(accelerator),
        "vendor": accelerator.vendor.value.lower(),
        "form": accelerator.form_factor.value,
        "precision": family,
        "base": precision.value if precision in WIDE else "half",
        "kernel": kernel,
        "attention": "flash2" if kernel == "flash" and not own else kernel,
        "framework": framework.value,
        "experts": "grouped" if settings.groups_experts else framework.value,
        "software": software,
        "tuning": "tuned" if tuned else "untuned",
        "naming": "unnamed" if settings.unnamed else "named",
        "class": "tuned" if own or framework in TUNED else "untuned",
        "dropout": "without" if settings.lora.dropout == 0 else "with",
        "graph": "own" if own and not encoder else _graph(settings),
        "model": software if encoder else "decoder",
        "storage": settings.weight_storage.value,
        "loss": settings.loss.value,
    }


def _graph(settings: TrainingSettings) -> str:
    if settings.compiled:
        return "compiled"
    return "fused" if settings.loss in FUSED_LOSSES else "plain"


def has_own_kernels(settings: TrainingSettings) -> bool:
    """Whether a stack brings kernels made for each generation of cards (Transformer Engine, XLA, submissions).

    The others run what PyTorch ships, FlashAttention 2 among it. `other`, where it is stated, is one of them where its
    compiler, quantised weights or a kernel package for its loss tell so; where no framework is named only adapters
    tell: a switch that can only help never slows.
    """
    fused = settings.loss in FUSED_LOSSES
    pytorch = settings.method is Method.QLORA or (settings.method is Method.LORA and fused)
    if not settings.unnamed:
        pytorch = pytorch or settings.compiled or fused
    return settings.framework is Framework.MEGATRON or (settings.framework is Framework.OTHER and not pytorch)


def chip_scope(accelerator: Accelerator) -> str:
    """The chip within its architecture where it differs in more than clock: `blackwell_ultra`; else empty."""
    return "blackwell_ultra" if accelerator.compute_capability_number() == BLACKWELL_ULTRA else ""


def is_legacy(accelerator: Accelerator, settings: TrainingSettings) -> bool:
    """Whether this is the Megatron of 2020-2022: no fused attention, nothing overlapped, whole layers recomputed.

    Told on cards of that time by what later stacks no longer do: FP16 with loss scaling, or whole layers recomputed.
    """
    if settings.framework is not Framework.MEGATRON or settings.framework_version:
        return False
    of_that_time = architecture_scope(accelerator) in ("volta", "turing", "ampere")
    return of_that_time and (
        settings.precision is Precision.FP16 or settings.checkpointing is Checkpointing.FULL
    )


def has_fused_attention(accelerator: Accelerator) -> bool:
    """Whether FlashAttention, and the encoders that skip padding with it, run on the card: not before Ampere."""
    number = accelerator.compute_capability_number()
    return number is None or number >= FLASH_ATTENTION


def usable_precision(accelerator: Accelerator, precision: Precision) -> Precision:
    """The precision matrix products run in: the next wider one where the card has no unit for the one asked for."""
    while precision in NARROWER and not _has_units(accelerator, precision):
        precision = NARROWER[precision]
    return precision


def _has_units(accelerator: Accelerator, precision: Precision) -> bool:
    """Whether products of a format run natively; scales by block came to the units that also multiply in 4 bits."""
    scaled = precision is not Precision.MXFP8 or accelerator.peak_flops(PeakPrecision.FP4) is not None
    return scaled and accelerator.peak_flops(PEAKS[precision]) is not None


def hardware_columns(
    accelerator: Accelerator, hardware: Hardware, settings: TrainingSettings
) -> dict[str, float]:
    """Columns of the card; NaN where the catalogue does not know."""
    precision = usable_precision(accelerator, settings.precision)
    base = precision if precision in WIDE else Precision.BF16
    base = usable_precision(accelerator, base)
    tdp = _number(accelerator.tdp_w)
    limit = tdp if hardware.power_limit_w is None else hardware.power_limit_w
    return {
        "product_peak_flops": _number(accelerator.peak_flops(PEAKS[precision])),
        "base_peak_flops": _number(accelerator.peak_flops(PEAKS[base])),
        "product_value_bytes": OPERAND_BYTES.get(precision, 2.0),
        "base_value_bytes": 4.0 if settings.precision in WIDE else 2.0,
        "memory_bytes_per_s": _number(accelerator.bandwidth_bytes_per_s),
        "vector_flops": _number(accelerator.peak_flops(PeakPrecision.FP32)),
        "tdp_w": tdp,
        "idle_w": _number(accelerator.idle_w),
        "power_limit_w": limit,
        "inlet_c": _number(hardware.inlet_c),
        **machine_columns(hardware),
        "host_memory_bytes_per_s": _number(hardware.host_bandwidth_bytes_per_s),
        "storage_bytes_per_s": _number(hardware.storage_bytes_per_s),
        "cpu_cores": _number(hardware.cpu_cores),
    }


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)
