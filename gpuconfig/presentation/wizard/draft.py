"""What the answers add up to: the contract's request, and what is still wrong with each field."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.selection.request import read_amount
from gpuconfig.presentation.wizard.constraint_step import NAMED, owned_parts
from gpuconfig.presentation.wizard.flow import all_asked
from gpuconfig.presentation.wizard.model_step import (
    DEFAULT_MODELS,
    DEFAULT_SIZE_B,
    FILE,
    SIZE,
    SIZE_RANGE_B,
    source,
)
from gpuconfig.presentation.wizard.numbers import normalised, read_decimal, read_ranged
from gpuconfig.presentation.wizard.question import (
    EXTRA,
    YES,
    Answers,
    Question,
    QuestionKind,
    is_unsure,
    task,
    text,
    within,
)

MODEL_KEYS = ("model", "model_size", "model_file")


@dataclass(frozen=True, slots=True)
class Draft:
    """A request in the making.

    Attributes:
        request: the contract's object; complete only where `problems` is empty.
        problems: question key -> what is wrong with its answer.
    """

    request: Mapping[str, Any] = field(default_factory=dict)
    problems: Mapping[str, Message] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether the request can be read."""
        return not self.problems


def draft(answers: Answers, request_id: str = "") -> Draft:
    """Read every answer that the task asks for; what cannot be read keeps its text and names its problem."""
    request: dict[str, Any] = {"id": request_id, "workload": _workload(task(answers))}
    problems: dict[str, Message] = {}
    said: set[str] = set()
    for _, question in all_asked(answers):
        try:
            value = _value(question, answers)
        except InputError as error:
            problems[question.key] = problem(error)
            continue
        if value is not None and question.path:
            _put(request, question.path, value)
            said.add(question.path)
    _add_extra(request, answers, said)
    if "amount" not in request.get("budget", {}):
        request.pop("budget", None)
    return Draft(request, problems)


def _add_extra(request: dict[str, Any], answers: Answers, said: Collection[str]) -> None:
    """Settings of a file that no answer says; those of the workload only while its kind stays."""
    extra = answers.get(EXTRA)
    if not isinstance(extra, Mapping):
        return
    same = extra.get("workload.kind") == request["workload"]["kind"]
    for path, value in extra.items():
        if path == "workload.kind" or within(path, said):
            continue
        if same or not path.startswith("workload."):
            _put(request, path, value)


def problem(error: InputError) -> Message:
    """The error as it stands under a field: reason and what is accepted, without the technical name."""
    if error.accepted is None:
        return error.reason
    return Message(N_("{reason}; accepted: {accepted}"), {"reason": error.reason, "accepted": error.accepted})


def question_of(path: str, answers: Answers) -> str | None:
    """The question whose answer an error of the engine speaks of; the model's error belongs to the model."""
    if path.split(".")[0] == "model":
        return {SIZE: "model_size", FILE: "model_file"}.get(source(answers), "model")
    best = None
    for _, question in all_asked(answers):
        if question.path and (path == question.path or path.startswith(question.path + ".")):
            best = question.key
    return best


def _workload(name: str) -> dict[str, Any]:
    if name in ("full", "lora", "qlora", "pretrain"):
        return {"kind": "training", "method": name}
    return {"kind": name}


def _value(question: Question, answers: Answers) -> Any:
    """The contract's value of an answer; None leaves the field out."""
    if question.key in MODEL_KEYS:
        return _model(question, answers)
    unsure = is_unsure(answers, question.key)
    if question.kind is QuestionKind.CARDS:
        chosen = answers.get(question.key)
        if unsure or not isinstance(chosen, list | tuple) or not chosen:
            return None
        return owned_parts(chosen) if question.key == "owned" else list(chosen)
    typed = "" if unsure else text(answers, question.key).strip()
    if not typed:
        typed = question.default
    if not typed:
        return None
    return _typed(question, typed)


def _typed(question: Question, typed: str) -> Any:
    if question.kind is QuestionKind.AMOUNT:
        return _amount(question, typed)
    if question.kind in (QuestionKind.WHOLE, QuestionKind.REAL):
        low, high = question.range()
        whole = question.kind is QuestionKind.WHOLE
        number = read_ranged(typed, question.path, low, high, whole=whole, binary=question.binary)
        return int(number) if whole else float(number * Decimal(str(question.scale)))
    if question.kind in (QuestionKind.CHOICE, QuestionKind.PICK):
        if all(choice.value != typed for choice in question.choices):
            raise InputError("unknown_value", question.path, typed, Message(N_("not a known value")))
        if question.yes_no:
            return typed == YES
        if question.listed:
            return typed.split(",")
        named = NAMED.get(question.key)
        return typed if named is None else dict(named[typed])
    return typed


def _amount(question: Question, typed: str) -> str:
    plain = normalised(typed)
    if (plain and plain[-1] in "k万亿千") or plain[-1:] == "m":
        plain = f"{read_decimal(plain, question.path):f}"
    return f"{read_amount(question.path, plain):f}"


def _model(question: Question, answers: Answers) -> Any:
    default = DEFAULT_MODELS.get(task(answers)) or {"parameters_b": float(DEFAULT_SIZE_B)}
    typed = text(answers, question.key).strip()
    if is_unsure(answers, question.key):
        value: Any = default
    elif not typed:
        raise InputError("missing", "model", None, Message(N_('choose a model, or tick "I don\'t know"')))
    elif question.key == "model_size":
        value = {"parameters_b": float(read_ranged(typed, "model.parameters_b", *SIZE_RANGE_B))}
    elif question.key == "model_file":
        value = {"file": typed}
    else:
        value = typed
    return value


def _put(request: dict[str, Any], path: str, value: Any) -> None:
    *parents, name = path.split(".")
    at = request
    for parent in parents:
        at = at.setdefault(parent, {})
    at[name] = value
