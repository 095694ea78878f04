"""Answers of the wizard from a request, so that a file made by the command line opens in the window."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from typing import Any

from gpuconfig.presentation.wizard.constraint_step import NAMED, owned_answer
from gpuconfig.presentation.wizard.flow import STEPS
from gpuconfig.presentation.wizard.model_step import FILE, PRESET, SIZE
from gpuconfig.presentation.wizard.question import (
    EXTRA,
    NO,
    YES,
    Answers,
    Question,
    QuestionKind,
    within,
)

_NEVER_LEFT = (
    "id",
    "model",
    "workload.kind",
    "workload.method",
    "organisation",
    "seller",
    "paper",
    "project",
)
"""Paths that no "extra" of the answers carries."""


def answers_of(request: Mapping[str, Any]) -> dict[str, object]:
    """The answers that lead to `request`, as far as the wizard can ask for it."""
    answers: dict[str, object] = {}
    workload = request.get("workload") or {}
    kind = str(workload.get("kind", "training"))
    answers["task"] = str(workload.get("method", "full")) if kind == "training" else kind
    answers.update(_model(request.get("model")))
    said = set(_NEVER_LEFT)
    for step in STEPS:
        for question in step.questions:
            if question.path in ("", "model") or not question.shown(answers) or within(question.path, said):
                continue
            value = _get(request, question.path)
            answer = None if value is None else _answer(question, value)
            if answer is not None:
                answers[question.key] = answer
                said.add(question.path)
    extra = dict(_left(request, said))
    if not isinstance(request.get("model"), str) and "model_source" not in answers and request.get("model"):
        extra["model"] = request["model"]
    if extra:
        answers[EXTRA] = {"workload.kind": kind, **extra}
    return answers


def _left(value: Mapping[str, Any], said: Collection[str], above: str = "") -> Iterator[tuple[str, Any]]:
    """What the request holds and no answer says, by contract path."""
    for name, part in value.items():
        path = f"{above}{name}"
        if path in said:
            continue
        if isinstance(part, Mapping) and (not above or any(known.startswith(path + ".") for known in said)):
            yield from _left(part, said, path + ".")
        else:
            yield path, part


def answers_or_request(answers: Answers, request: Mapping[str, Any]) -> Answers:
    """A project's answers; where it has only a request, those that lead to it."""
    return answers if answers or not request else answers_of(request)


def _model(value: Any) -> dict[str, object]:
    if isinstance(value, str):
        return {"model_source": PRESET, "model": value}
    if isinstance(value, Mapping) and "parameters_b" in value:
        return {"model_source": SIZE, "model_size": _number(value["parameters_b"])}
    if isinstance(value, Mapping) and "file" in value:
        return {"model_source": FILE, "model_file": str(value["file"])}
    return {}


def _answer(question: Question, value: Any) -> object:
    if question.key in NAMED:
        return next((name for name, whole in NAMED[question.key].items() if whole == value), None)
    if question.yes_no:
        return YES if value else NO
    if question.listed:
        joined = ",".join(value)
        return joined if any(choice.value == joined for choice in question.choices) else None
    if question.key == "owned":
        return owned_answer(value)
    if question.kind is QuestionKind.CARDS:
        return list(value)
    if question.kind in (QuestionKind.WHOLE, QuestionKind.REAL):
        return _number(Decimal(str(value)) / Decimal(str(question.scale)))
    return str(value)


def _number(value: Any) -> str:
    number = Decimal(str(value))
    for size, suffix in ((10**9, "B"), (10**6, "M")):
        if number >= size and number % (size // 10) == 0:
            return _number(number / size) + suffix
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _get(request: Mapping[str, Any], path: str) -> Any:
    at: Any = request
    for name in path.split("."):
        if not isinstance(at, Mapping):
            return None
        at = at.get(name)
    return at
