"""Every coefficient that training speed and power rest on, and which row of it a configuration reads.

The scopes of a `CoefficientInput` are tried from the most special to `*`. Calibration uses the same table, so that what
is fitted is what is read.
"""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.catalogue.record import Coefficient
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.graph import Input
from gpuconfig.engine.estimation.power.host import COEFFICIENTS as HOST_COEFFICIENTS
from gpuconfig.engine.estimation.power.host import GROUP as POWER
from gpuconfig.engine.estimation.power.sustained import HOLDING


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
    name: str,
    title: str,
    scopes: tuple[str, ...] = (),
    unit: str = "1",
    group: str = "compute",
    coefficient: str = "",
) -> CoefficientInput:
    return CoefficientInput(Input(name, title, unit), group, coefficient or name, scopes)


BAND_SCOPES = ("{model}", "{naming}", "{framework}|{precision}", "{framework}", "{tuning}")
_SOFTWARE = ("{software}", "{framework}", "{tuning}")
COEFFICIENT_INPUTS = (
    _coefficient(
        "product_ceiling",
        "Share of the peak that large matrix products reach in training",
        (
            "{card}|{precision}",
            "{chip}|{precision}",
            "{architecture}|{precision}",
            "{vendor}|{precision}",
            "*|{precision}",
        ),
    ),
    _coefficient(
        "base_ceiling",
        "Share of the 16-bit peak that large matrix products reach in training",
        ("{card}|{base}", "{chip}|{base}", "{architecture}|{base}", "{vendor}|{base}", "*|{base}"),
        coefficient="product_ceiling",
    ),
    _coefficient("exposed_traffic", "Share of a product's memory traffic that its arithmetic does not hide"),
    _coefficient(
        "attention_ceiling",
        "Share of the 16-bit peak that the attention kernel reaches on long sequences",
        (
            "{chip}|{kernel}",
            "{architecture}|{attention}|{software}",
            "{architecture}|{attention}",
            "{architecture}|{kernel}",
            "*|{kernel}",
        ),
    ),
    _coefficient(
        "attention_half_length", "Attended tokens at which attention runs at half its ceiling", ("{kernel}",)
    ),
    _coefficient("attention_backward", "Backward over forward time of the attention kernel", ("{kernel}",)),
    _coefficient(
        "attention_excess",
        "Computed over needed scores: 2 where the causal half is not skipped",
        ("{kernel}",),
    ),
    _coefficient("square_passes", "Passes over the square of scores through memory, forward", ("{kernel}",)),
    _coefficient(
        "misaligned_head", "Attention time over that of aligned heads where the head size is no multiple of 8"
    ),
    _coefficient(
        "bandwidth_ceiling",
        "Share of the memory bandwidth that streaming kernels reach",
        ("{architecture}", "{vendor}"),
    ),
    _coefficient(
        "elementwise_passes",
        "Memory passes of element-wise kernels over those of fully fused ones",
        (
            "{software}|{graph}",
            "{framework}|{graph}",
            "{tuning}|{graph}",
            "{software}",
            "{framework}",
            "{tuning}",
        ),
    ),
    _coefficient(
        "padding_skipped",
        "Share of the tokens that is padding and not computed, for each doubling over 128",
        ("{software}",),
    ),
    _coefficient(
        "cast_passes",
        "Bytes moved per operand value to quantise it, all passes",
        ("{precision}|{software}", "{precision}"),
        "B",
    ),
    _coefficient(
        "grouped_efficiency", "Rate of grouped products of experts over that of plain ones", _SOFTWARE
    ),
    _coefficient("expert_imbalance", "Load of the busiest expert rank over the mean, less one", _SOFTWARE),
    _coefficient("permute_passes", "Memory passes of routing, permuting and combining tokens", _SOFTWARE),
    _coefficient(
        "layer_host_seconds",
        "Host time to launch the forward pass of one layer",
        (
            "{software}|{graph}",
            "{framework}|{graph}",
            "{tuning}|{graph}",
            "{software}",
            "{framework}",
            "{tuning}",
        ),
        "s",
    ),
    _coefficient(
        "expert_host_seconds",
        "Host time to launch the forward pass of one expert of a layer, held here",
        ("{precision}",),
        "s",
    ),
    _coefficient(
        "looped_expert_seconds",
        "Host time of the forward pass of one expert where a loop runs over them, 0 where they are grouped",
        ("{experts}",),
        "s",
    ),
    _coefficient(
        "gathers_modules", "1 where fully sharded weights are gathered matrix by matrix", ("{framework}",)
    ),
    _coefficient(
        "shard_host_seconds",
        "Host time of gathering and scattering one part of a layer's weights",
        _SOFTWARE,
        "s",
    ),
    _coefficient("step_host_seconds", "Host time of one optimizer step outside layers", _SOFTWARE, "s"),
    _coefficient(
        "adapter_passes",
        "Memory passes of low-rank adapters",
        ("{framework}|{dropout}", "{framework}|{graph}", *_SOFTWARE),
    ),
    _coefficient("adapter_host_seconds", "Host time to launch one adapted projection", _SOFTWARE, "s"),
    _coefficient(
        "dequantise_passes",
        "Time of dequantising a weight over that of streaming it",
        ("{storage}|{framework}", "{storage}"),
    ),
    _coefficient("optimizer_passes", "Memory passes of the optimizer step over the least", _SOFTWARE),
    _coefficient("loss_passes", "Memory passes of the loss over its logits", ("{loss}|{graph}", "{loss}")),
    _coefficient(
        "selective_products", "Share of matrix products that selective recomputation repeats", _SOFTWARE
    ),
    _coefficient(
        "recompute_stops_early",
        "1 where recomputation of a layer stops at the last tensor that the backward pass needs",
        _SOFTWARE,
    ),
    _coefficient("selective_attention", "Share of attention that selective recomputation repeats", _SOFTWARE),
    _coefficient(
        "software_speed",
        "Speed of the software stack against the best of its kind on this card",
        (
            "{software}",
            "{architecture}|{naming}",
            "{architecture}|{framework}",
            "{architecture}|{class}",
            *_SOFTWARE,
        ),
    ),
    _coefficient("speed_low", "Low end of the 90 % band of speed, relative", BAND_SCOPES),
    _coefficient("speed_high", "High end of the 90 % band of speed, relative", BAND_SCOPES),
    _coefficient(
        "tensor_exposed",
        "Share of tensor-parallel communication that compute does not hide",
        _SOFTWARE,
        "1",
        "communication",
    ),
    _coefficient(
        "context_exposed",
        "Share of context-parallel communication that attention does not hide",
        _SOFTWARE,
        "1",
        "communication",
    ),
    _coefficient(
        "expert_exposed",
        "Share of the experts' all-to-all that compute does not hide",
        _SOFTWARE,
        "1",
        "communication",
    ),
    _coefficient(
        "pipeline_exposed",
        "Share of transfers between stages that compute does not hide",
        _SOFTWARE,
        "1",
        "communication",
    ),
    _coefficient(
        "replica_exposed",
        "Share of gradient and weight traffic that compute cannot hide",
        _SOFTWARE,
        "1",
        "communication",
    ),
    _coefficient(
        "shard_exposed", "The same for weights gathered layer by layer", _SOFTWARE, "1", "communication"
    ),
    _coefficient(
        "straggler_share", "Time lost for each doubling of machines", _SOFTWARE, "1", "communication"
    ),
    _coefficient(
        "failure_gpu_seconds", "Accelerator time between failures that stop a run", ("{vendor}",), "s"
    ),
    _coefficient(
        "checkpoint_seconds", "Time the run waits for a checkpoint beyond the writing of its bytes", (), "s"
    ),
    _coefficient("restart_seconds", "Time from a failure to the reading of the checkpoint", (), "s"),
    _coefficient(
        "usual_host_bytes_per_s",
        "Memory bandwidth of the host that is assumed where none is stated",
        ("{form}",),
        "B/s",
    ),
    _coefficient(
        "usual_storage_bytes_per_s",
        "Rate of the storage that is assumed for offload to NVMe where none is stated",
        (),
        "B/s",
    ),
    _coefficient("offload_exposed", "Share of offload traffic that compute never hides"),
    _coefficient("gradient_window", "Share of the last micro-batch behind which gradients are reduced"),
    _coefficient("stored_image_bytes", "Bytes of one compressed image in storage", (), "B"),
    _coefficient("core_images_per_s", "Images that one processor core decodes and augments", (), "1/s"),
    _coefficient("generated_share", "Share of a sequence that is generated, the rest is the prompt"),
    _coefficient(
        "decode_stream_share",
        "Share of the memory bandwidth that generation reads weights at",
        ("vllm|16bit", "vllm"),
        "1",
        "serving",
        "weight_stream_fraction",
    ),
    _coefficient(
        "decode_cache_share",
        "Share of the memory bandwidth that generation reads the cache at",
        ("vllm",),
        "1",
        "serving",
        "cache_stream_fraction",
    ),
    _coefficient(
        "decode_layer_seconds",
        "Time to launch one layer for one token in generation",
        ("vllm|{architecture}|16bit", "vllm|16bit", "vllm"),
        "s",
        "serving",
        "layer_seconds",
    ),
    _coefficient(
        "busy_power",
        "Share of the board power drawn by busy matrix units",
        ("{architecture}", "{vendor}"),
        "1",
        "power",
    ),
    _coefficient(
        "waiting_power",
        "Share of the board power drawn while waiting for data or links",
        ("{architecture}", "{vendor}"),
        "1",
        "power",
    ),
    _coefficient(
        "flops_per_watt",
        "Plain FP32 peak for each watt of board power at which a board holds its rated clock",
        ("{architecture}",),
        "FLOP/J",
    ),
    _coefficient("clock_slope", "How far the clock follows the power of the board", ("{architecture}",)),
    *(_coefficient(name, title, scopes, unit, "power") for name, title, unit, scopes in HOLDING),
    *(_coefficient(name, title, ("{form}",), unit, POWER) for name, title, unit in HOST_COEFFICIENTS),
)
"""Every coefficient that the training graph reads, except those of links (inputs/network.py) and of memory."""


def coefficient_rows(
    scopes: dict[str, str], coefficients: CoefficientSet
) -> tuple[tuple[CoefficientInput, Coefficient], ...]:
    """Each coefficient input with the row that these scopes read."""

    def look_up() -> tuple[tuple[CoefficientInput, Coefficient], ...]:
        return tuple(
            (
                item,
                coefficients.row(item.group, item.coefficient, *(s.format_map(scopes) for s in item.scopes)),
            )
            for item in COEFFICIENT_INPUTS
        )

    return coefficients.once(("coefficient_rows", *scopes.values()), look_up)


def coefficient_columns(scopes: dict[str, str], coefficients: CoefficientSet) -> dict[str, float]:
    """The value of each coefficient input; NaN where the row says "unknown"."""

    def values() -> dict[str, float]:
        rows = coefficient_rows(scopes, coefficients)
        return {item.name: float("nan") if row.value is None else row.value for item, row in rows}

    return coefficients.once(("coefficient_columns", *scopes.values()), values)
