"""Questions and steps of the wizard."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from gpuconfig.engine.provenance.message import N_

Answers = Mapping[str, object]
Condition = Callable[[Answers], bool]


def _always(_answers: Answers) -> bool:
    return True


UNSURE = "?"
"""Appended to a question's key: its answer is "I don't know"."""

EXTRA = "extra"
"""Key of the answers that only a file can give: contract paths with their values."""

YES, NO = "yes", "no"

TRAINING_TASKS = ("full", "lora", "qlora", "pretrain")


class QuestionKind(StrEnum):
    """How a question is answered."""

    CHOICE = "choice"  # a row of buttons, each with its consequence
    PICK = "pick"  # one of a list
    WHOLE = "whole"
    REAL = "real"
    AMOUNT = "amount"
    MODEL = "model"
    CARDS = "cards"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Choice:
    """One possible answer and what follows from it."""

    value: str
    title: str
    consequence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question.

    Attributes:
        key: name of its answer.
        path: field of the contract it fills; empty where the step's own code does it.
        unsure: what "I don't know" leads to, one line.
        default: value taken when unsure or empty; empty leaves it open.
        limits: dataclass and field that declare the accepted range.
        scale: contract units in one unit of the field (86,400 for days of seconds).
        binary: "4k" means 4,096.
        advanced: shown under "More options".
        group: heading over it there.
        listed: the contract wants a list; the answers of its choices part their items by commas.
        required: an empty answer is an error unless unsure.
    """

    key: str
    path: str = ""
    kind: QuestionKind
    title: str
    help: str = ""
    unit: str = ""
    placeholder: str = ""
    choices: tuple[Choice, ...] = ()
    unsure: str = ""
    default: str = ""
    limits: tuple[type[Any], str] | None = None
    scale: float = 1.0
    binary: bool = False
    advanced: bool = False
    group: str = ""
    listed: bool = False
    required: bool = False
    shown: Condition = _always

    def range(self) -> tuple[float | None, float | None]:
        """Accepted range in the field's own unit, read where the request declares it."""
        if self.limits is None:
            return None, None
        kind, name = self.limits
        meta = next(f for f in dataclasses.fields(kind) if f.name == name).metadata
        return meta["low"] / self.scale, meta["high"] / self.scale

    @property
    def yes_no(self) -> bool:
        """Whether its two answers are the contract's true and false."""
        return {choice.value for choice in self.choices} == {YES, NO}

    @property
    def unsure_key(self) -> str:
        """Key of the "I don't know" beside it."""
        return self.key + UNSURE


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One page of the wizard."""

    key: str
    title: str
    heading: str
    questions: tuple[Question, ...]


def text(answers: Answers, key: str) -> str:
    """An answer as text; empty where there is none."""
    value = answers.get(key, "")
    return value if isinstance(value, str) else ""


def within(path: str, paths: Collection[str]) -> bool:
    """Whether a contract path, or an object that it lies in, is among `paths`."""
    return any(path == known or path.startswith(known + ".") for known in paths)


def is_unsure(answers: Answers, key: str) -> bool:
    """Whether the person said that they do not know."""
    return answers.get(key + UNSURE) is True


def task(answers: Answers) -> str:
    """What is to be done; full fine-tuning until something else is said."""
    return text(answers, "task") or "full"


def is_training(answers: Answers) -> bool:
    """Training of a language model."""
    return task(answers) in TRAINING_TASKS


def is_adapter(answers: Answers) -> bool:
    """LoRA or QLoRA."""
    return task(answers) in ("lora", "qlora")


def is_serving(answers: Answers) -> bool:
    """Serving of a language model."""
    return task(answers) == "serving"


def is_diffusion(answers: Answers) -> bool:
    """Image or video generation."""
    return task(answers) in ("image", "video")


def is_vision(answers: Answers) -> bool:
    """Training or inference of a vision network."""
    return task(answers) in ("vision_training", "vision_inference")


def yes_no(yes: str = "", no: str = "") -> tuple[Choice, Choice]:
    """The two choices of a setting that is on or off, each with what follows."""
    return Choice(YES, N_("Yes"), yes), Choice(NO, N_("No"), no)


OPEN = N_("left to the search: the setting that needs the cheapest machine is taken")
"""Consequence of not answering a setting that the engine searches."""


def grouped(title: str, *questions: Question) -> tuple[Question, ...]:
    """Questions under one heading of "More options"."""
    return tuple(dataclasses.replace(question, group=title) for question in questions)


def workload_question(
    kind: type,
    name: str,
    title: str,
    shown: Condition,
    how: QuestionKind = QuestionKind.WHOLE,
    **more: object,
) -> Question:
    """A question about a field of the workload; `kind` declares its range."""
    numeric = how in (QuestionKind.WHOLE, QuestionKind.REAL)
    values: dict[str, object] = {
        "key": name,
        "path": f"workload.{name}",
        "limits": (kind, name) if numeric else None,
        "unsure": OPEN,
        "shown": shown,
        **more,
    }
    return Question(kind=how, title=title, **values)  # type: ignore[arg-type]
