"""A vision request as one row of the graph's columns."""

from __future__ import annotations

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.vocabulary import Precision
from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.graph import Input
from gpuconfig.engine.estimation.inputs.device import usable_memory
from gpuconfig.engine.estimation.inputs.network import NETWORK_INPUTS, architecture_scope, network_columns
from gpuconfig.engine.estimation.power.host import GROUP as POWER
from gpuconfig.engine.estimation.power.host import host_columns
from gpuconfig.engine.estimation.power.sustained import HOLDING, INLET
from gpuconfig.engine.estimation.serving.settings import card_family
from gpuconfig.engine.estimation.single_rows import NAN, Named, Row, coefficient_columns
from gpuconfig.engine.estimation.vision.run import CACHING, RUN_INPUTS, STORED, WAITING
from gpuconfig.engine.estimation.vision.shape import GROUP, TEXT, shape_of
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.serving import VisionWorkload

VALUE_BYTES = {"fp32": 4.0, "tf32": 4.0, "fp16": 2.0, "bf16": 2.0, "fp8": 1.0, "int8": 1.0}
PEAKS = {
    "fp32": Precision.FP32, "tf32": Precision.TF32, "fp16": Precision.FP16, "bf16": Precision.BF16,
    "fp8": Precision.FP8, "int8": Precision.INT8,
}  # fmt: skip

CHANNELS_LAST = {
    "pytorch": 0.0, "pytorch_channels_last": 1.0, "tensorflow": 1.0, "mxnet": 1.0, "paddlepaddle": 1.0, "jax": 1.0,
}  # fmt: skip
"""Whether an engine keeps channels last (NHWC), as tensor cores want them; PyTorch does when told to."""
SMALL_BATCH = 16
"""Batches below it leave a card waiting for the host between layers."""
HALF = ("fp16", "bf16")
"""Formats in which the layout changes the speed of a convolution."""

SETTING_INPUTS = (
    Input("forward_flop", "Arithmetic of one image at the base size, forward", "FLOP"),
    Input("activation_elements", "Outputs of all layers for one image at the base size", "element"),
    Input("parameters", "Parameters", "parameter"),
    Input("size_scale", "Pixels over those of the base size"),
    Input("batch", "Images of a batch on one card"),
    Input("training", "1 for training, 0 for inference"),
    Input("value_bytes", "Bytes of an activation", "B"),
    Input("gpu_count", "Cards"),
    Input("product_flops", "Dense peak in the computed format", "FLOP/s"),
    Input("half_flops", "Dense peak in 16 bit", "FLOP/s"),
    Input("memory_bytes_per_s", "Memory bandwidth of the card", "B/s"),
    Input("gpus_per_node", "Accelerators in one machine"),
    Input("channels_last", "1 for channels last, 0 for channels first"),
    Input("cpu_cores", "Processor cores of all machines"),
    Input("tdp_w", "Board power", "W"),
    Input("power_limit_w", "Power limit set", "W"),
    INLET,
)
COEFFICIENTS: tuple[Named, ...] = (
    (
        "product_fraction",
        "Share of the peak that this kind of network reaches",
        "1",
        (
            "{mode}|{network}|{architecture}|{precision}",
            "{mode}|{network}|{architecture}",
            "{mode}|{network}|{family}|{precision}",
            "{network}|{precision}",
            "{mode}|{network}",
            "{network}",
        ),
    ),
    (
        "saturation_flops",
        "Rate that no card exceeds on this kind of network",
        "FLOP/s",
        ("{mode}|{network}|{precision}", "{network}|{precision}", "{network}"),
    ),
    (
        "flop_per_joule",
        "16-bit arithmetic that a joule of board power pays for",
        "FLOP/J",
        ("{card}", "{architecture}"),
    ),
    (
        "traffic_fraction",
        "Share of the bandwidth that its memory passes reach",
        "1",
        ("{mode}|{architecture}", "{architecture}", "{family}"),
    ),
    (
        "precision_traffic",
        "Memory traffic over that of plain 16 bit: casts of mixed precision",
        "1",
        ("{mode}|{precision}", "{precision}"),
    ),
    (
        "channels_last_traffic",
        "Memory traffic with channels last over that with channels first",
        "1",
        ("{mode}|{network}|{precision}",),
    ),
    (
        "inference_passes",
        "Memory passes over activations in inference",
        "1",
        ("{network}|{launcher}", "{launcher}", "{network}|{compiled}", "{compiled}"),
    ),
    (
        "overlap_share",
        "Share of the shorter of products and memory passes that hides behind the longer",
        "1",
        ("{mode}|{launcher}",),
    ),
    ("training_passes", "Memory passes over activations in training", "1", ("{name}", "{network}")),
    ("launch_seconds", "Time to launch a forward pass", "s", ("{mode}|{launcher}", "{compiled}")),
    ("hidden_share", "Share of the step behind which the exchange hides", "1", ()),
    ("straggler_share", "Time lost for each doubling of the cards", "1", ()),
    ("core_samples_per_s", "Images of the base size a core decodes and augments in a second", "1", ()),
    ("kept_activations", "Kept over counted activations in training", "1", ("{network}",)),
    ("live_activations", "Live over counted activations in inference", "1", ("{network}",)),
    ("busy_power", "Share of the board power drawn at work", "1", ("{architecture}", "{family}")),
    ("allocator_share", "Reserved beyond the allocated peak", "1", ()),
    ("context_bytes", "Memory of the driver's context and libraries", "B", ()),
)

INPUTS = (
    *SETTING_INPUTS, *RUN_INPUTS, *NETWORK_INPUTS,
    *(Input(n, t, u) for n, t, u, _ in (*COEFFICIENTS, *HOLDING, *STORED, *WAITING, *CACHING)),
)  # fmt: skip


def vision_row(request: EstimateRequest, coefficients: CoefficientSet) -> Row:
    """The columns of one request.

    Raises:
        InputError: not a vision network, or a precision that is not known.
    """
    work = _workload(request)
    noted: list[Assumption] = []
    shape = shape_of(request.model, work, coefficients, noted)
    batch = work.batch_per_gpu or _usual_batch(work, coefficients, noted)
    precision = work.precision or _default_precision(request.accelerator, noted)
    if precision not in PEAKS:
        accepted = Message(N_("one of {names}"), {"names": ", ".join(PEAKS)})
        raise InputError(
            "unknown_value", "workload.precision", precision, Message(N_("not a known value")), accepted
        )
    size = shape.image_size if shape.network == TEXT else work.image_size or shape.image_size
    card, hardware = request.accelerator, request.hardware
    by_layout = work.training and shape.network != "vit" and precision in HALF
    scopes = {
        "mode": "training" if work.training else "inference",
        "network": "vit" if shape.network in ("vit", TEXT) else "cnn", "name": request.model.id, "card": card.id,
        "architecture": architecture_scope(card), "family": card_family(card), "precision": precision,
        "compiled": "compiled" if work.compiled or work.engine == "tensorrt" else "plain",
        "launcher": _launcher(work),
        "group": _group(work, by_layout, batch),
    }  # fmt: skip
    columns = {
        "forward_flop": shape.forward_flop, "activation_elements": shape.activation_elements or NAN,
        "parameters": request.model.parameters, "size_scale": (size / shape.image_size) ** 2, "batch": batch,
        "training": float(work.training), "value_bytes": VALUE_BYTES[precision], "gpu_count": hardware.gpu_count,
        "product_flops": _peak(card, precision), "half_flops": _peak(card, "fp16"),
        "memory_bytes_per_s": card.bandwidth_bytes_per_s or NAN,
        "gpus_per_node": hardware.gpus_per_node, "channels_last": _channels_last(work, by_layout, coefficients, noted),
        # Texts are cut into tokens far faster than pictures are decoded.
        "cpu_cores": NAN if shape.network == TEXT else (hardware.cpu_cores or NAN) * hardware.nodes,
        "tdp_w": card.tdp_w or NAN, "power_limit_w": hardware.power_limit_w or NAN,
        "inlet_c": NAN if hardware.inlet_c is None else hardware.inlet_c,
    }  # fmt: skip
    columns.update(_run_columns(work, request, shape.network, coefficients, noted))
    links = network_columns(card, hardware, coefficients)
    columns.update(links.columns)
    notes: dict[str, Input] = {}
    for group, named in (
        (GROUP, COEFFICIENTS), (GROUP, CACHING), (POWER, HOLDING), (POWER, WAITING), ("compute", STORED),
    ):  # fmt: skip
        found, evidence = coefficient_columns(group, named, scopes, coefficients)
        columns.update(found)
        notes.update(evidence)
    columns["usable_memory_bytes"] = usable_memory(card, hardware, coefficients)
    machines, host_notes = host_columns(request, coefficients)
    return Row(
        columns={**columns, **machines},
        scopes=scopes,
        assumptions=(*noted, *(links.assumptions if work.training and hardware.gpu_count > 1 else ())),
        notes={**notes, **host_notes},
    )


def _run_columns(
    work: VisionWorkload, request: EstimateRequest, network: str, coefficients: CoefficientSet,
    noted: list[Assumption],
) -> dict[str, float]:  # fmt: skip
    """The training set and what feeds it; inference and texts are not read from storage as they are needed."""
    hardware, images = request.hardware, work.dataset_images if work.training else None
    epochs = 1.0
    if work.training:
        epochs = float(work.epochs or coefficients.value(GROUP, "usual_epochs"))
    if images is not None and work.epochs is None:
        noted.append(
            Assumption("workload.epochs", f"{epochs:.0f}", Message(N_("a usual number for ImageNet")))
        )
    read = work.training and network != TEXT
    return {
        "dataset_images": images or NAN, "epochs": epochs,
        "storage_bytes_per_s": (hardware.storage_bytes_per_s or NAN) if read else NAN,
        "host_memory_bytes": hardware.host_memory_bytes or NAN,
    }  # fmt: skip


def _workload(request: EstimateRequest) -> VisionWorkload:
    if not isinstance(request.workload, VisionWorkload):
        raise InputError(
            "impossible", "workload.kind", request.kind.value, Message(N_("this is not a vision workload"))
        )
    return request.workload


def _launcher(work: VisionWorkload) -> str:
    """What launches a forward pass: a graph built ahead, code compiled just in time, or one call after the other."""
    if work.engine in ("tensorrt", "tensorflow") and not work.training:
        return work.engine
    return "compiled" if work.compiled else "plain"


def _usual_batch(work: VisionWorkload, coefficients: CoefficientSet, noted: list[Assumption]) -> int:
    batch = round(coefficients.value(GROUP, "usual_batch", "training" if work.training else "inference"))
    noted.append(Assumption("workload.batch_per_gpu", str(batch), Message(N_("a usual batch"))))
    return batch


def _default_precision(card: Accelerator, noted: list[Assumption]) -> str:
    precision = "bf16" if card.bf16_fp32acc_flops else "fp16"
    noted.append(Assumption("workload.precision", precision, Message(N_("mixed precision, as usual"))))
    return precision


def _peak(card: Accelerator, precision: str) -> float:
    order = (PEAKS[precision], Precision.FP16, Precision.FP32)
    if precision in ("fp32", "tf32"):
        order = (PEAKS[precision], Precision.FP32, Precision.FP32)
    return next((p for p in map(card.peak_flops, order) if p), NAN)


def _group(work: VisionWorkload, by_layout: bool, batch: int) -> str:
    """What tells runs apart whose errors differ: in training whether the layout is known, in inference the batch.

    Small batches wait for the host, whose speed a request does not tell.
    """
    if not work.training:
        return "small" if batch < SMALL_BATCH else "large"
    return "open" if by_layout and work.engine not in CHANNELS_LAST else "stated"


def _channels_last(
    work: VisionWorkload, matters: bool, coefficients: CoefficientSet, noted: list[Assumption]
) -> float:
    if not matters:
        return 0.0
    known = CHANNELS_LAST.get(work.engine or "")
    if known is None:
        why = N_(
            "between PyTorch as it comes (channels first) and told to keep channels last, as TensorFlow does"
        )
        noted.append(Assumption("workload.engine", "pytorch", Message(why)))
        return coefficients.value(GROUP, "usual_channels_last")
    return known
