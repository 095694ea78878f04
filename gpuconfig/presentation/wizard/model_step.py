"""Step 2: which model."""

from __future__ import annotations

from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.workloads.model_spec import PARAMETERS_B_RANGE
from gpuconfig.presentation.wizard.question import Answers, Choice, Question, QuestionKind, Step, task, text

PRESET, SIZE, FILE = "preset", "size", "file"

DEFAULT_MODELS = {
    "image": "stable-diffusion-xl-base-1.0",
    "video": "wan2.1-t2v-14b",
    "vision_training": "resnet-50",
    "vision_inference": "resnet-50",
}
"""Presets taken where a task has no "typical size"; others are estimated as a dense 7B decoder."""

DEFAULT_SIZE_B = "7"
SIZE_RANGE_B = PARAMETERS_B_RANGE


def source(answers: Answers) -> str:
    """Where the model comes from: `preset`, `size` or `file`."""
    return text(answers, "model_source") or PRESET


def _of(kind: str, answers: Answers) -> bool:
    return source(answers) == kind


def has_size(answers: Answers) -> bool:
    """Tasks whose model may be given by its size alone."""
    return task(answers) not in DEFAULT_MODELS


STEP = Step(
    key="model",
    title=N_("Model"),
    heading=N_("Which model?"),
    questions=(
        Question(
            key="model_source",
            kind=QuestionKind.CHOICE,
            title=N_("How do you know the model?"),
            choices=(
                Choice(PRESET, N_("By name"), N_("Presets with their full architecture; the exact answer.")),
                Choice(SIZE, N_("By size"), N_("A typical dense decoder of that size; the answer says so.")),
                Choice(
                    FILE,
                    N_("From a file"),
                    N_("config.json, model.safetensors.index.json or GGUF; drop it here."),
                ),
            ),
            default=PRESET,
        ),
        Question(
            key="model",
            path="model",
            kind=QuestionKind.MODEL,
            title=N_("Model"),
            help=N_("Type a part of the name; arrow keys choose."),
            placeholder=N_("Search models, for example qwen2.5 7b"),
            unsure=N_("estimated as a typical dense model of 7 billion parameters"),
            required=True,
            shown=lambda answers: _of(PRESET, answers),
        ),
        Question(
            key="model_size",
            path="model",
            kind=QuestionKind.REAL,
            title=N_("Parameters"),
            unit=N_("billion"),
            placeholder="7",
            unsure=N_("estimated as a typical dense model of 7 billion parameters"),
            required=True,
            shown=lambda answers: _of(SIZE, answers),
        ),
        Question(
            key="model_file",
            path="model",
            kind=QuestionKind.TEXT,
            title=N_("Model file"),
            help=N_("Only the header is read; the weights stay where they are."),
            placeholder=N_("Drop config.json or a GGUF file here, or choose one"),
            unsure=N_("estimated as a typical dense model of 7 billion parameters"),
            required=True,
            shown=lambda answers: _of(FILE, answers),
        ),
    ),
)
