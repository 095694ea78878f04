"""An image or video request as one row of the graph's columns."""

from __future__ import annotations

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.neural_model import DiffusionComponent, DiffusionShape, NeuralModel
from gpuconfig.engine.catalogue.vocabulary import Precision
from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.diffusion.inputs import COEFFICIENTS
from gpuconfig.engine.estimation.diffusion.precision import (
    PACKED_READER,
    WorkPrecision,
    is_quantised,
    published_precision,
    work_precision,
)
from gpuconfig.engine.estimation.inputs.device import usable_memory
from gpuconfig.engine.estimation.inputs.network import (
    architecture_scope,
    fast_link,
    peer_to_peer,
)
from gpuconfig.engine.estimation.inputs.work_kinds import unfit_model
from gpuconfig.engine.estimation.power.host import GROUP as POWER
from gpuconfig.engine.estimation.power.host import host_columns
from gpuconfig.engine.estimation.power.sustained import HOLDING
from gpuconfig.engine.estimation.serving.settings import card_family
from gpuconfig.engine.estimation.single_rows import NAN, Row, coefficient_columns
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.pcie import pcie_bytes_per_s
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.serving import DiffusionWorkload, ImageOffload

GROUP = "diffusion"
MOTION_ROLES = ("denoiser", "denoiser_low_noise")
ADDED_ROLES = ("motion", "controlnet")


def diffusion_row(request: EstimateRequest, coefficients: CoefficientSet) -> Row:
    """The columns of one request.

    Raises:
        InputError: not a diffusion pipeline, a precision that is not known, more cards asked for than there are.
    """
    work, shape = _workload(request), _shape(request.model)
    if work.video and shape.frames <= 1:
        reason = Message(N_("this model makes single pictures, not clips"))
        accepted = Message("{kind}", {"kind": "image"})
        raise InputError("impossible", "workload.kind", request.kind.value, reason, accepted)
    card = request.accelerator
    noted: list[Assumption] = []
    denoiser = _denoiser(request.model, shape)
    cards = _cards(request, work, denoiser)
    named = work.precision or _default_precision(card, noted)
    engine = work.engine or _default_engine(named, noted)
    precision = work_precision(named, engine, card, request.model, coefficients)
    scopes = {
        "engine": engine, "program": _program(engine, request.model),
        "network": "unet" if denoiser.network == "unet" else "dit", "precision": precision.computed,
        "compiled": "compiled" if work.compiled or engine in ("tensorrt",) else "plain",
        "architecture": architecture_scope(card), "family": card_family(card),
        # U-Nets differ in widths and heads, therefore in what passes through memory; transformers are alike.
        "body": denoiser.layers_text.partition(",")[0] if denoiser.network == "unet" else "dit",
        "card": card.id, "kind": "video" if shape.frames > 1 else "image", "vae": _vae_network(shape),
        "link": _link_scope(request), "pipeline": request.model.family.lower(),
        "stored": "packed" if is_quantised(named) else "wide", "file": named.partition(":")[0],
        "layout": "shared" if cards > 1 else "single",
    }  # fmt: skip
    columns = {
        **_work_columns(work, shape, noted),
        **_network_columns(shape, denoiser),
        **_card_columns(request, precision),
    }
    fitted, notes = coefficient_columns(GROUP, COEFFICIENTS, scopes, coefficients)
    columns.update(fitted)
    held, held_notes = coefficient_columns(POWER, HOLDING, scopes, coefficients)
    columns.update(held)
    columns["weight_bytes"] = columns.pop("master_bytes") or columns["weight_bytes"]
    shard = columns.pop("sharded_weights") > 0 and cards > 1
    columns["weight_shards"] = columns["text_shards"] = float(cards) if shard else 1.0
    columns["forwards"] = columns["guidance_passes"] if columns.pop("separate_guidance") > 0 else 1.0
    columns["vae_frames"] = min(columns["frames"], columns.pop("vae_chunk_frames"))
    columns["usable_memory_bytes"] = usable_memory(card, request.hardware, coefficients)
    machines, host_notes = host_columns(request, coefficients)
    return Row(
        columns={**columns, **machines},
        scopes=scopes,
        assumptions=tuple(noted),
        notes={**notes, **host_notes, **held_notes},
    )


def _program(engine: str, model: NeuralModel) -> str:
    """The engine; of a model's own program its release, which keeps the kernels of its day: `wan2.1`, `wan2.2`."""
    return model.id.partition("-")[0] if engine == model.family.lower() else engine


def _link_scope(request: EstimateRequest) -> str:
    if fast_link(request.accelerator, request.hardware) is not None:
        return "fast"
    return "peer" if peer_to_peer(request.accelerator, request.hardware) else "host"


def _workload(request: EstimateRequest) -> DiffusionWorkload:
    if not isinstance(request.workload, DiffusionWorkload):
        reason = Message(N_("this is not an image or video workload"))
        raise InputError("impossible", "workload.kind", request.kind.value, reason)
    return request.workload


def _shape(model: NeuralModel) -> DiffusionShape:
    if model.diffusion is None:
        raise unfit_model(model)
    return model.diffusion


def _denoiser(model: NeuralModel, shape: DiffusionShape) -> DiffusionComponent:
    denoiser = shape.component("denoiser")
    if denoiser is None:
        raise InputError(
            "impossible", "model", model.id, Message(N_("this pipeline has no denoiser recorded"))
        )
    return denoiser


def _cards(request: EstimateRequest, work: DiffusionWorkload, denoiser: DiffusionComponent) -> int:
    """Cards that share a picture or clip."""
    cards, field = work.sequence_parallel or 1, "workload.sequence_parallel"
    if cards > request.hardware.gpu_count:
        accepted = Message(
            N_("a number from {low} to {high}"), {"low": 1, "high": request.hardware.gpu_count}
        )
        raise InputError("impossible", field, cards, Message(N_("more than there are cards")), accepted)
    if cards > 1 and denoiser.network == "unet":
        reason = Message(N_("a U-Net is not shared among cards: each card makes pictures of its own"))
        raise InputError("impossible", field, cards, reason)
    return cards


def _default_precision(card: Accelerator, noted: list[Assumption]) -> str:
    precision = published_precision(card)
    noted.append(Assumption("workload.precision", precision, Message(N_("as the model is published"))))
    return precision


def _default_engine(precision: str, noted: list[Assumption]) -> str:
    if not is_quantised(precision):
        return "diffusers"
    why = N_("a program that reads weights that are quantised already")
    noted.append(Assumption("workload.engine", PACKED_READER, Message(why)))
    return PACKED_READER


def _vae_network(shape: DiffusionShape) -> str:
    vae = shape.component("vae")
    return "vae3d" if shape.temporal_downscale > 1 or (vae is not None and vae.network == "vae3d") else "vae"


def _work_columns(
    work: DiffusionWorkload, shape: DiffusionShape, noted: list[Assumption]
) -> dict[str, float]:
    frames = shape.frames if work.video else 1
    for field, value, default in (
        ("steps", work.steps, shape.steps), ("width", work.width, shape.width), ("height", work.height, shape.height),
        ("frames", work.frames, frames),
    ):  # fmt: skip
        if value is None and (field != "frames" or frames > 1):
            noted.append(Assumption(f"workload.{field}", str(default), Message(N_("the model's default"))))
    passes = shape.guidance_passes
    if work.guidance is not None and work.guidance <= 1:
        passes = 1
    return {
        "steps": work.steps or shape.steps, "width": work.width or shape.width, "height": work.height or shape.height,
        "frames": work.frames or frames, "batch": work.batch or 1, "guidance_passes": passes,
        "sequence_parallel": work.sequence_parallel or 1,
        "model_offload": float(work.offload is ImageOffload.MODEL),
        "sequential_offload": float(work.offload is ImageOffload.SEQUENTIAL),
        "controlnets": work.controlnets, "lora_rank": work.lora_rank,
        "spatial_downscale": shape.spatial_downscale, "temporal_downscale": shape.temporal_downscale,
        "patch": shape.patch, "reference_images": shape.reference_images,
        "base_pixels": float(shape.width * shape.height),
    }  # fmt: skip


def _network_columns(shape: DiffusionShape, denoiser: DiffusionComponent) -> dict[str, float]:
    text = [c for c in shape.components if c.role == "text_encoder"]
    vae = shape.component("vae")
    added = [c for c in shape.components if c.role in ADDED_ROLES]
    layers = (denoiser.layers or 0) + (denoiser.single_layers or 0)
    hidden = denoiser.hidden or 0
    ffn = denoiser.ffn or 4 * hidden
    unet = denoiser.network == "unet"
    crossed = denoiser.network == "dit"
    square = (
        6 if crossed else 4
    )  # query and output of cross-attention act on every token, its key and value on the text
    tokens = float(denoiser.text_tokens or 0)
    by_flop = (denoiser.forward_flop or NAN) + sum(c.forward_flop or 0.0 for c in added)
    return {
        "unet_flop": by_flop if unet else 0.0,
        "token_parameters": 0.0 if unet else float(layers) * (square * hidden * hidden + 2 * hidden * ffn),
        "attention_layers": 0.0 if unet else layers, "attention_width": 0.0 if unet else hidden,
        "attention_heads": 0.0 if unet else float(denoiser.heads or NAN),
        "stream_text_tokens": 0.0 if unet or crossed else tokens, "cross_text_tokens": tokens if crossed else 0.0,
        "denoiser_parameters": float(denoiser.parameters + sum(c.parameters for c in added)),
        "denoiser_count": float(sum(c.role in MOTION_ROLES for c in shape.components)),
        "text_parameters": float(sum(c.parameters for c in text)),
        "text_tokens": float(max((c.text_tokens or 77 for c in text), default=0)),
        "vae_parameters": float(vae.parameters) if vae else 0.0,
    }  # fmt: skip


def _card_columns(request: EstimateRequest, precision: WorkPrecision) -> dict[str, float]:
    card, hardware = request.accelerator, request.hardware
    sixteen = next(
        (p for p in map(card.peak_flops, (Precision.FP16, Precision.BF16, Precision.FP32)) if p), NAN
    )
    lanes = min(hardware.pcie.lanes) if hardware.pcie.lanes else card.pcie_lanes or 16
    host = pcie_bytes_per_s(hardware.pcie.generation or card.pcie_generation or 4, lanes)
    fast = fast_link(card, hardware)
    link = fast.per_direction_bytes_per_s if fast is not None and fast.per_direction_bytes_per_s else host
    return {
        "product_flops": precision.peak_flops, "attention_flops": sixteen,
        "compute_units": float(card.sm_count or NAN),
        "memory_bytes_per_s": card.bandwidth_bytes_per_s or NAN, "link_bytes_per_s": link,
        "host_link_bytes_per_s": 0.6 * host, "weight_bytes": precision.weight_bytes,
        "packed": float(precision.packed),
        "tdp_w": card.tdp_w or NAN, "power_limit_w": hardware.power_limit_w or NAN,
        "inlet_c": NAN if hardware.inlet_c is None else hardware.inlet_c,
    }  # fmt: skip
