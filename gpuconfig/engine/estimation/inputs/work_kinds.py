"""Which kinds of work a model can be asked for."""

from __future__ import annotations

from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.catalogue.vocabulary import ModelKind
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.request import Kind

ENCODER_VOCABULARIES = frozenset({30522, 28996, 119547, 21128})
"""Vocabularies of BERT (uncased, cased, multilingual, Chinese), for shapes given without a name."""


def is_encoder(model: NeuralModel) -> bool:
    """Whether attention looks both ways and only masked tokens are predicted."""
    shape = model.architecture
    return model.kind is ModelKind.ENCODER or (shape is not None and shape.vocab in ENCODER_VOCABULARIES)


def kinds_of(model: NeuralModel) -> tuple[Kind, ...]:
    """The kinds of work that a model can be asked for."""
    if model.kind is ModelKind.VISION:
        return Kind.VISION_TRAINING, Kind.VISION_INFERENCE
    if is_encoder(model):
        return Kind.TRAINING, Kind.VISION_INFERENCE
    if model.diffusion is None:
        return Kind.TRAINING, Kind.SERVING
    if model.diffusion.frames > 1:
        return Kind.TRAINING, Kind.IMAGE, Kind.VIDEO
    return Kind.TRAINING, Kind.IMAGE


def unfit_model(model: NeuralModel) -> InputError:
    """The refusal of a kind of work that such a model has no part in, with those that it has."""
    return InputError(
        "impossible",
        "model",
        model.id,
        Message(N_("{name} has no part in this kind of work"), {"name": model.name}),
        Message(N_("with this model, workload.kind {kinds}"), {"kinds": ", ".join(kinds_of(model))}),
    )
