"""What one sample asks of a network: of a picture by its size, of a text by its length."""

from __future__ import annotations

from gpuconfig.engine.catalogue.neural_model import Architecture, NeuralModel, VisionShape
from gpuconfig.engine.catalogue.vocabulary import ModelKind
from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.inputs.work_kinds import unfit_model
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.serving import VisionWorkload

GROUP = "vision"
TEXT = "text"
"""The network of an encoder of texts (BERT): the same layers as a ViT, tokens of a text for patches of a picture."""


def shape_of(
    model: NeuralModel, work: VisionWorkload, coefficients: CoefficientSet, noted: list[Assumption]
) -> VisionShape:
    """The network as it is run.

    Raises:
        InputError: neither a vision network nor, in inference, an encoder of texts.
    """
    if model.vision is not None:
        return model.vision
    if model.kind is ModelKind.ENCODER and model.architecture is not None and not work.training:
        return _text_shape(
            model.architecture,
            _length(work, coefficients, noted),
            coefficients.value(GROUP, "values_around_mlp"),
        )
    raise unfit_model(model)


def _length(work: VisionWorkload, coefficients: CoefficientSet, noted: list[Assumption]) -> int:
    if work.sequence_length is not None:
        return work.sequence_length
    length = round(coefficients.value(GROUP, "usual_sequence_length"))
    noted.append(Assumption("workload.sequence_length", str(length), Message(N_("a usual length of a text"))))
    return length


def _text_shape(encoder: Architecture, length: int, around_mlp: float) -> VisionShape:
    """An encoder over a text: products by its weights, attention by the square of the length.

    Args:
        around_mlp: values written for a token outside the two halves of the MLP, in hidden sizes.
    """
    hidden, ffn, layers = encoder.hidden, encoder.ffn, encoder.layers
    products = 2.0 * layers * (4 * hidden * hidden + 2 * hidden * ffn) * length
    attention = 4.0 * layers * length * length * hidden
    kept = layers * length * (around_mlp * hidden + 2 * ffn)
    return VisionShape(
        network=TEXT, image_size=1, forward_flop=products + attention, layers=layers, hidden=hidden,
        heads=encoder.heads, ffn=ffn, activation_elements=kept,
    )  # fmt: skip
