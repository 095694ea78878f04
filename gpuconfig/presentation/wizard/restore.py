"""Answers of the wizard from a request, so that a file made by the command line opens in the window."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from gpuconfig.presentation.wizard.constraint_step import BUILD_WEIGHTS, MAINS, WEIGHTS
from gpuconfig.presentation.wizard.flow import STEPS
from gpuconfig.presentation.wizard.model_step import FILE, PRESET, SIZE
from gpuconfig.presentation.wizard.question import EXTRA, NO, YES, YES_NO, Answers, Question, QuestionKind


def answers_of(request: Mapping[str, Any]) -> dict[str, object]:
    """The answers that lead to `request`, as far as the wizard can ask for it."""
    answers: dict[str, object] = {}
    workload = request.get("workload") or {}
    kind = str(workload.get("kind", "training"))
    answers["task"] = str(workload.get("method", "full")) if kind == "training" else kind
    answers.update(_model(request.get("model")))
    for step in STEPS:
        for question in step.questions:
            if question.path in ("", "model") or not question.shown(answers):
                continue
            value = _get(request, question.path)
            if value is not None:
                answers[question.key] = _answer(question, value)
    extra = _extra(request, answers)
    if extra:
        answers[EXTRA] = {"workload.kind": kind, **extra}
    return answers


def _extra(request: Mapping[str, Any], answers: Answers) -> dict[str, Any]:
    """What the request holds and no question covers, by contract path."""
    covered = {question.path for step in STEPS for question in step.questions if question.shown(answers)}
    covered |= {
        "id",
        "model",
        "workload.kind",
        "workload.method",
        "organisation",
        "seller",
        "paper",
        "project",
    }
    found: dict[str, Any] = {}
    for name, value in request.items():
        if name in covered:
            continue
        parts = value.items() if isinstance(value, Mapping) else ()
        for inner, part in parts:
            path = f"{name}.{inner}"
            if path not in covered and not any(known.startswith(path + ".") for known in covered):
                found[path] = part
        if not isinstance(value, Mapping):
            found[name] = value
    if not isinstance(request.get("model"), str) and "model_source" not in answers and request.get("model"):
        found["model"] = request["model"]
    return found


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
    if question.key == "mains":
        return next((name for name, mains in MAINS.items() if mains == value), "")
    if question.key in ("priority", "machine"):
        named = WEIGHTS if question.key == "priority" else BUILD_WEIGHTS
        return next((name for name, weights in named.items() if weights == value), "")
    if question.key in YES_NO:
        return YES if value else NO
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
