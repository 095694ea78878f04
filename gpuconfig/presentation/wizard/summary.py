"""Answers in words: for the step rail, the summary and the papers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType

from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Currency, Money
from gpuconfig.engine.selection.request import read_amount
from gpuconfig.i18n import Language, Translator
from gpuconfig.presentation.wizard.flow import all_asked
from gpuconfig.presentation.wizard.model_step import FILE, SIZE, source
from gpuconfig.presentation.wizard.numbers import normalised, read_decimal
from gpuconfig.presentation.wizard.question import (
    EXTRA,
    NO,
    YES,
    Answers,
    Question,
    QuestionKind,
    is_unsure,
    task,
    text,
)
from gpuconfig.presentation.wizard.workload_step import TASKS

Names = Mapping[str, str]
"""What models and parts are called, by their ids in the catalogue."""

UNNAMED: Names = MappingProxyType({})

LARGEST_SHOWN = 10**18
"""Beyond it a number is shown as it was typed: it is an error anyway."""


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """One question with its answer in words; `taken` says that nobody gave it."""

    step: str
    question: str
    title: str
    answer: str
    taken: bool


def lines(answers: Answers, t: Translator, names: Names = UNNAMED) -> tuple[SummaryLine, ...]:
    """Every question of the task; those left open say what is taken instead."""
    result = []
    for step, question in all_asked(answers):
        if question.key == "model_source":
            continue
        words = in_words(question, answers, t, names)
        if words:
            result.append(SummaryLine(step.key, question.key, t.gettext(question.title), words, taken=False))
        elif not question.advanced or is_unsure(answers, question.key):
            taken = t.gettext(question.unsure) if question.unsure else t.gettext(N_("not given"))
            result.append(SummaryLine(step.key, question.key, t.gettext(question.title), taken, True))
    extra = answers.get(EXTRA)
    if isinstance(extra, Mapping):
        parts = [
            f"{path.rpartition('.')[2]} = {value}" for path, value in extra.items() if path != "workload.kind"
        ]
        title = t.gettext(N_("From the file"))
        result.append(SummaryLine("settings", "", title, t.formats.join(parts), taken=False))
    return tuple(result)


def in_words(question: Question, answers: Answers, t: Translator, names: Names = UNNAMED) -> str:
    """An answer as a reader says it; empty where it is not given."""
    if is_unsure(answers, question.key):
        return ""
    if question.kind is QuestionKind.CARDS:
        chosen = answers.get(question.key)
        if not isinstance(chosen, list | tuple):
            return ""
        return t.formats.join([t.part(names.get(str(part), str(part))) for part in chosen])
    typed = text(answers, question.key).strip()
    if question.kind in (QuestionKind.CHOICE, QuestionKind.PICK):
        wanted = typed or (question.default if question.kind is QuestionKind.CHOICE else "")
        return next((t.gettext(c.title) for c in question.choices if c.value == wanted), "")
    if not typed:
        return ""
    if question.key in ("model", "model_size"):
        return model_in_words(answers, t, names)
    if question.kind is QuestionKind.AMOUNT:
        return budget_in_words(answers, t)
    if question.kind in (QuestionKind.WHOLE, QuestionKind.REAL):
        return _number_in_words(question, typed, t)
    return typed


def budget_in_words(answers: Answers, t: Translator) -> str:
    """The budget as money, or the text as typed where it is none."""
    typed = text(answers, "budget").strip()
    currency = Currency.USD if text(answers, "currency") == "USD" else Currency.CNY
    try:
        plain = normalised(typed)
        amount = (
            read_decimal(plain, "budget")
            if plain[-1:] in ("k", "m", "万", "亿", "千")
            else read_amount("", plain)
        )
    except InputError:
        return typed
    if not -LARGEST_SHOWN < amount < LARGEST_SHOWN:
        return typed
    return t.formats.money(Money(amount, currency))


def headline(answers: Answers, t: Translator, names: Names = UNNAMED) -> str:
    """The project in one line: task, model, budget."""
    parts = [task_in_words(answers, t), model_in_words(answers, t, names)]
    if text(answers, "budget"):
        parts.append(budget_in_words(answers, t))
    return " · ".join(part for part in parts if part)


def task_in_words(answers: Answers, t: Translator) -> str:
    """What is to be done; a word of a file that the wizard does not know stands as it is."""
    asked = task(answers)
    return next((t.gettext(choice.title) for choice in TASKS if choice.value == asked), asked)


def model_in_words(answers: Answers, t: Translator, names: Names = UNNAMED) -> str:
    """The model's name, size or file."""
    kind = source(answers)
    if kind == SIZE:
        size = text(answers, "model_size")
        return f"{size}B" if size else ""
    if kind == FILE:
        return text(answers, "model_file").replace("\\", "/").rpartition("/")[2]
    if is_unsure(answers, "model"):
        return t.gettext(N_("model open"))
    return names.get(text(answers, "model"), text(answers, "model"))


def step_in_words(key: str, answers: Answers, t: Translator, names: Names = UNNAMED) -> str:
    """What a step's answers come to, for the step rail; a bare yes or no says nothing there."""
    if key == "workload":
        return task_in_words(answers, t)
    if key == "model":
        return model_in_words(answers, t, names)
    if key == "budget":
        return budget_in_words(answers, t) if text(answers, "budget") else ""
    given = [
        in_words(question, answers, t, names)
        for step, question in all_asked(answers)
        if step.key == key and answers.get(question.key) and answers.get(question.key) not in (YES, NO)
    ]
    return " · ".join(word for word in given if word)


def _number_in_words(question: Question, typed: str, t: Translator) -> str:
    try:
        number = read_decimal(typed, question.path, binary=question.binary)
    except InputError:
        return typed
    unit = t.gettext(question.unit)
    if not -LARGEST_SHOWN < number < LARGEST_SHOWN:
        return typed
    return f"{compact(number, t)} {unit}".strip()


def compact(number: Decimal, t: Translator) -> str:
    """Large round numbers as people say them: 1B, 500M; 10亿, 50万. Others exactly."""
    chinese = t.language is Language.ZH
    steps = ((10**8, "亿"), (10**4, "万")) if chinese else ((10**12, "T"), (10**9, "B"), (10**6, "M"))
    for size, name in steps:
        part = number / size
        if number >= max(size, 10**6) and part == round(part, 2):
            return t.formats.number(part, 6) + name
    return (
        t.formats.count(int(number)) if number == number.to_integral_value() else t.formats.number(number, 6)
    )
