"""Number formats of an image or video pipeline: what a weight takes, and what the matrix units compute in.

A quantised format saves memory in every engine; it saves time only where the products run in it. ComfyUI and GGUF
loaders keep the weights packed and widen each layer when it is used.
"""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.catalogue.vocabulary import Precision
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.serving.formats import weight_format
from gpuconfig.engine.estimation.single_rows import NAN
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message

PACKED_READER = "comfyui"
"""The engine that reads packed weights as they are stored."""
FIELD = "workload.precision"

_WIDE = {"fp32": Precision.FP32, "tf32": Precision.TF32, "fp16": Precision.FP16, "bf16": Precision.BF16}
_COMPUTED = {"fp8": Precision.FP8, "int8": Precision.INT8, "fp4": Precision.FP4}
_PACKED_BYTES = {"fp8": 1.0, "int8": 1.0, "fp4": 0.56, "nf4": 0.56, "int4": 0.56}


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkPrecision:
    """How the denoiser's weights are stored and computed.

    Attributes:
        computed: word of the format that products run in, a scope of coefficients.
        weight_bytes: of a stored weight, scales included.
        peak_flops: dense peak of the card in that format, the next wider one it has where it lacks it.
        packed: weights are stored narrower than they are computed, and widened for every pass.
    """

    computed: str
    weight_bytes: float
    peak_flops: float
    packed: bool


def is_quantised(name: str) -> bool:
    """Whether a precision is narrower than the 16 bit that models are published in."""
    return name not in _WIDE


def published_precision(card: Accelerator) -> str:
    """16 bit as the card computes it."""
    return "bf16" if card.bf16_fp32acc_flops else "fp16"


def work_precision(
    name: str, engine: str, card: Accelerator, model: NeuralModel, coefficients: CoefficientSet
) -> WorkPrecision:
    """The precision named in a request, on this card with this engine.

    Raises:
        InputError: not a known precision; names the accepted ones.
    """
    wide = published_precision(card)
    if name in _WIDE:
        return WorkPrecision(
            computed=name, weight_bytes=4.0 if name in ("fp32", "tf32") else 2.0,
            peak_flops=_peak(card, _WIDE[name]), packed=False,
        )  # fmt: skip
    if name.startswith("gguf:"):
        stored = weight_format(name, model, coefficients, FIELD).layers / 8
    elif name in _PACKED_BYTES:
        stored = _PACKED_BYTES[name]
    else:
        known = ", ".join((*_WIDE, *_PACKED_BYTES, "gguf:<type>"))
        accepted = Message(N_("one of {names}"), {"names": known})
        raise InputError("unknown_value", FIELD, name, Message(N_("not a known value")), accepted)
    own = _COMPUTED.get(name)
    if own is None or engine == PACKED_READER or card.peak_flops(own) is None:
        return WorkPrecision(
            computed=wide, weight_bytes=stored, peak_flops=_peak(card, _WIDE[wide]), packed=True
        )
    return WorkPrecision(computed=name, weight_bytes=stored, peak_flops=_peak(card, own), packed=False)


def _peak(card: Accelerator, precision: Precision) -> float:
    """Dense peak in a format, else in the nearest wider one; NaN where none is known."""
    sixteen = (Precision.FP16, Precision.BF16)
    wider = () if precision in (Precision.FP32, Precision.TF32) else sixteen
    return next((p for p in map(card.peak_flops, (precision, *wider, Precision.FP32)) if p), NAN)
