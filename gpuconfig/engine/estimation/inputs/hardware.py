"""Columns of the accelerator, and the fitted coefficients that its speed rests on.

Which coefficient a configuration reads is declared as data: the scopes of a `CoefficientInput` are tried from the most
special to `*`. Calibration uses the same table, so that what is fitted is what is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.record import Coefficient
from gpuconfig.engine.catalogue.vocabulary import Precision as PeakPrecision
from gpuconfig.engine.catalogue.vocabulary import Vendor
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.graph import Input
from gpuconfig.engine.estimation.inputs.network import architecture_scope
from gpuconfig.engine.estimation.training.settings import TrainingSettings
from gpuconfig.engine.workloads.hardware import Hardware
from gpuconfig.engine.workloads.training import AttentionKernel, Checkpointing, Framework, Loss, Method, Precision

HARDWARE_INPUTS = (
    Input("product_peak_flops", "Dense peak of matrix products in the training precision, FP32 accumulation", "FLOP/s"),
    Input("base_peak_flops", "Dense peak in 16 bit, or in the training precision where that is wider", "FLOP/s"),
    Input("product_value_bytes", "Bytes of one operand of a matrix product", "B"),
    Input("base_value_bytes", "Bytes of one activation outside matrix products", "B"),
    Input("memory_bytes_per_s", "Memory bandwidth of the card", "B/s"),
    Input("tdp_w", "Board power as sold", "W"),
    Input("idle_w", "Board power when idle", "W"),
    Input("power_limit_w", "Power limit set", "W"),
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
OWN_ATTENTION = frozenset({Framework.MEGATRON, Framework.OTHER})
"""Stacks with attention kernels made for each generation (Transformer Engine, XLA); the others run FlashAttention 2."""
FUSED_LOSSES = frozenset({Loss.FUSED, Loss.FUSED_LINEAR})
"""Losses of kernel packages (Liger, fast kernels) that fuse norms, rotary embedding and activation too."""
WIDE = frozenset({Precision.FP32, Precision.TF32})
NARROWER = {Precision.NVFP4: Precision.FP8, Precision.MXFP8: Precision.BF16, Precision.FP8: Precision.BF16,
            Precision.BF16: Precision.FP16, Precision.FP16: Precision.FP32, Precision.TF32: Precision.FP32}  # fmt: skip
FAMILIES = {Precision.BF16: "half", Precision.FP16: "half", Precision.MXFP8: "fp8"}
"""Formats that run at the same rate on the same units."""
OPERAND_BYTES = {Precision.FP8: 1.0, Precision.MXFP8: 1.0, Precision.NVFP4: 0.5, Precision.FP32: 4.0, Precision.TF32: 4.0}


@dataclass(frozen=True, slots=True)
class CoefficientInput:
    """An input whose value is a coefficient; `scopes` are templates over the words of `speed_scopes`."""

    input: Input
    group: str
    coefficient: str
    scopes: tuple[str, ...]

    @property
    def name(self) -> str:
        """Name of the column."""
        return self.input.name


def _coefficient(
    name: str, title: str, scopes: tuple[str, ...] = (), unit: str = "1", group: str = "compute", coefficient: str = ""
) -> CoefficientInput:
    return CoefficientInput(Input(name, title, unit), group, coefficient or name, scopes)


BAND_SCOPES = ("{model}", "{framework}", "{tuning}")
_SOFTWARE = ("{software}", "{framework}", "{tuning}")
COEFFICIENT_INPUTS = (
    _coefficient("product_ceiling", "Share of the peak that large matrix products reach in training",
                 ("{architecture}|{precision}", "{vendor}|{precision}", "*|{precision}")),
    _coefficient("base_ceiling", "Share of the 16-bit peak that large matrix products reach in training",
                 ("{architecture}|{base}", "{vendor}|{base}", "*|{base}"), coefficient="product_ceiling"),
    _coefficient("exposed_traffic", "Share of a product's memory traffic that its arithmetic does not hide"),
    _coefficient("attention_ceiling", "Share of the 16-bit peak that the attention kernel reaches on long sequences",
                 ("{architecture}|{attention}|{software}", "{architecture}|{attention}", "{architecture}|{kernel}", "*|{kernel}")),
    _coefficient("attention_half_length", "Attended tokens at which attention runs at half its ceiling", ("{kernel}",)),
    _coefficient("attention_backward", "Backward over forward time of the attention kernel", ("{kernel}",)),
    _coefficient("attention_excess", "Computed over needed scores: 2 where the causal half is not skipped", ("{kernel}",)),
    _coefficient("square_passes", "Passes over the square of scores through memory, forward", ("{kernel}",)),
    _coefficient("misaligned_head", "Attention time over that of aligned heads where the head size is no multiple of 8"),
    _coefficient("bandwidth_ceiling", "Share of the memory bandwidth that streaming kernels reach", ("{architecture}", "{vendor}")),
    _coefficient("elementwise_passes", "Memory passes of element-wise kernels over those of fully fused ones",
                 ("{software}|{graph}", "{framework}|{graph}", "{tuning}|{graph}", "{software}", "{framework}", "{tuning}")),
    _coefficient("padding_skipped", "Share of the tokens that is padding and not computed, for each doubling over 128", ("{software}",)),
    _coefficient("cast_passes", "Bytes moved per operand value to quantise it, all passes", ("{precision}|{software}", "{precision}"), "B"),
    _coefficient("grouped_efficiency", "Rate of grouped products of experts over that of plain ones", _SOFTWARE),
    _coefficient("expert_imbalance", "Load of the busiest expert rank over the mean, less one", _SOFTWARE),
    _coefficient("permute_passes", "Memory passes of routing, permuting and combining tokens", _SOFTWARE),
    _coefficient("layer_host_seconds", "Host time to launch the forward pass of one layer",
                 ("{software}|{graph}", "{framework}|{graph}", "{tuning}|{graph}", "{software}", "{framework}", "{tuning}"), "s"),
    _coefficient("shard_host_seconds", "Host time of gathering and scattering one layer's weights", _SOFTWARE, "s"),
    _coefficient("step_host_seconds", "Host time of one optimizer step outside layers", _SOFTWARE, "s"),
    _coefficient("adapter_passes", "Memory passes of low-rank adapters", _SOFTWARE),
    _coefficient("adapter_host_seconds", "Host time to launch one adapted projection", _SOFTWARE, "s"),
    _coefficient("dequantise_passes", "Time of dequantising a weight over that of streaming it", ("{storage}|{framework}", "{storage}")),
    _coefficient("optimizer_passes", "Memory passes of the optimizer step over the least", _SOFTWARE),
    _coefficient("loss_passes", "Memory passes of the loss over its logits", ("{loss}",)),
    _coefficient("selective_products", "Share of matrix products that selective recomputation repeats", _SOFTWARE),
    _coefficient("selective_attention", "Share of attention that selective recomputation repeats", _SOFTWARE),
    _coefficient("software_speed", "Speed of the software stack against the best of its kind on this card",
                 ("{software}", "{architecture}|{framework}", "{architecture}|{class}", *_SOFTWARE)),
    _coefficient("speed_low", "Low end of the 90 % band of speed, relative", BAND_SCOPES),
    _coefficient("speed_high", "High end of the 90 % band of speed, relative", BAND_SCOPES),
    _coefficient("tensor_exposed", "Share of tensor-parallel communication that compute does not hide", _SOFTWARE, "1", "communication"),
    _coefficient("context_exposed", "Share of context-parallel communication that attention does not hide", _SOFTWARE, "1", "communication"),
    _coefficient("expert_exposed", "Share of the experts' all-to-all that compute does not hide", _SOFTWARE, "1", "communication"),
    _coefficient("pipeline_exposed", "Share of transfers between stages that compute does not hide", _SOFTWARE, "1", "communication"),
    _coefficient("replica_exposed", "Share of gradient and weight traffic that compute cannot hide", _SOFTWARE, "1", "communication"),
    _coefficient("shard_exposed", "The same for weights gathered layer by layer", _SOFTWARE, "1", "communication"),
    _coefficient("straggler_share", "Time lost for each doubling of machines", _SOFTWARE, "1", "communication"),
    _coefficient("usual_host_bytes_per_s", "Memory bandwidth of the host that is assumed where none is stated", ("{form}",), "B/s"),
    _coefficient("power_loss", "Speed lost at a power limit: this times the square of the share taken off",
                 ("{architecture}", "{vendor}"), "1", "power"),
    _coefficient("busy_power", "Share of the board power drawn by busy matrix units", ("{architecture}", "{vendor}"), "1", "power"),
    _coefficient("waiting_power", "Share of the board power drawn while waiting for data or links", ("{architecture}", "{vendor}"), "1", "power"),
    _coefficient("host_w", "Power of the host of one machine", ("{form}",), "W", "power"),
    _coefficient("host_w_per_gpu", "Power of fans, network and board for each accelerator", ("{form}",), "W", "power"),
    _coefficient("supply_efficiency", "Efficiency of the power supplies", ("{form}",), "1", "power"),
)  # fmt: skip
"""Every coefficient that the training graph reads, except those of links (inputs/network.py) and of memory."""


def speed_scopes(accelerator: Accelerator, settings: TrainingSettings, encoder: bool = False) -> dict[str, str]:
    """The words that scopes of coefficients are made of."""
    precision = usable_precision(accelerator, settings.precision)
    framework = settings.framework
    legacy = is_legacy(accelerator, settings)
    software = "megatron_2021" if legacy else framework.value
    if encoder:
        software = "encoder_pretraining" if settings.method is Method.PRETRAIN else "encoder"
    kernel = "eager" if legacy and settings.attention_kernel is AttentionKernel.FLASH else settings.attention_kernel.value
    general = kernel == "flash" and framework not in OWN_ATTENTION
    return {
        "architecture": architecture_scope(accelerator),
        "vendor": accelerator.vendor.value.lower(),
        "form": accelerator.form_factor.value,
        "precision": FAMILIES.get(precision, precision.value),
        "base": precision.value if precision in WIDE else "half",
        "kernel": kernel,
        "attention": "flash2" if general else kernel,
        "framework": framework.value,
        "software": software,
        "tuning": "tuned" if framework in TUNED else "untuned",
        "class": "other" if framework is Framework.OTHER else "tuned" if framework in TUNED else "untuned",
        "graph": "compiled" if settings.compiled else "fused" if settings.loss in FUSED_LOSSES else "plain",
        "model": "encoder" if encoder else "decoder",
        "storage": settings.weight_storage.value,
        "loss": settings.loss.value,
    }


def is_legacy(accelerator: Accelerator, settings: TrainingSettings) -> bool:
    """Whether this is the Megatron of 2020-2022: no fused attention, nothing overlapped, whole layers recomputed.

    Told by what later stacks no longer do: FP16 with loss scaling, or whole-layer recomputation on cards of that time.
    """
    if settings.framework is not Framework.MEGATRON or settings.framework_version:
        return False
    old_card = architecture_scope(accelerator) in ("volta", "ampere")
    return settings.precision is Precision.FP16 or (old_card and settings.checkpointing is Checkpointing.FULL)


def usable_precision(accelerator: Accelerator, precision: Precision) -> Precision:
    """The precision matrix products run in: the next wider one where the card has no unit for the one asked for."""
    while accelerator.peak_flops(PEAKS[precision]) is None and precision in NARROWER:
        precision = NARROWER[precision]
    return precision


def hardware_columns(accelerator: Accelerator, hardware: Hardware, settings: TrainingSettings) -> dict[str, float]:
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
        "tdp_w": tdp,
        "idle_w": _number(accelerator.idle_w),
        "power_limit_w": limit,
        "host_memory_bytes_per_s": _number(hardware.host_bandwidth_bytes_per_s),
        "storage_bytes_per_s": _number(hardware.storage_bytes_per_s),
        "cpu_cores": _number(hardware.cpu_cores),
    }


def coefficient_rows(scopes: dict[str, str], coefficients: CoefficientSet) -> Iterator[tuple[CoefficientInput, Coefficient]]:
    """Each coefficient input with the row that these scopes read."""
    for item in COEFFICIENT_INPUTS:
        yield item, coefficients.row(item.group, item.coefficient, *(s.format_map(scopes) for s in item.scopes))


def is_consumer(accelerator: Accelerator) -> bool:
    """Whether the card is a consumer card, for assumptions about its host."""
    return accelerator.vendor is Vendor.NVIDIA and accelerator.name.upper().startswith(("GEFORCE", "RTX 2", "RTX 3", "RTX 4", "RTX 5"))


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)
