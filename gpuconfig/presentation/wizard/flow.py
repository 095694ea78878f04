"""The steps in order, and what of them is asked for given answers."""

from __future__ import annotations

from collections.abc import Iterator

from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.wizard import budget_step, constraint_step, model_step, workload_step
from gpuconfig.presentation.wizard.inference_step import SERVING
from gpuconfig.presentation.wizard.picture_step import DIFFUSION, VISION
from gpuconfig.presentation.wizard.question import Answers, Question, Step
from gpuconfig.presentation.wizard.training_step import QUESTIONS as TRAINING

SETTINGS_STEP = Step(
    key="settings",
    title=N_("Data and settings"),
    heading=N_("How much data, and how is it run?"),
    questions=TRAINING + SERVING + DIFFUSION + VISION,
)
SUMMARY_STEP = Step(
    key="summary", title=N_("Summary"), heading=N_("This is what will be searched"), questions=()
)

STEPS: tuple[Step, ...] = (
    workload_step.STEP,
    model_step.STEP,
    SETTINGS_STEP,
    budget_step.STEP,
    constraint_step.STEP,
    SUMMARY_STEP,
)


def asked(step: Step, answers: Answers) -> tuple[Question, ...]:
    """Questions of a step that make sense given the answers."""
    return tuple(question for question in step.questions if question.shown(answers))


def all_asked(answers: Answers) -> Iterator[tuple[Step, Question]]:
    """Every question that makes sense, with its step."""
    for step in STEPS:
        for question in asked(step, answers):
            yield step, question


def step_of(question_key: str) -> Step:
    """The step a question stands on."""
    return next(step for step in STEPS if any(question.key == question_key for question in step.questions))
