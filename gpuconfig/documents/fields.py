"""What a person fills in for papers: number, revision, validity, second language and terms, read from plain texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date

from gpuconfig.documents.context import Terms
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.fields import only_known
from gpuconfig.i18n import Language

REVISION_MAX = 9999
YES = ("1", "true", "yes")
NO = ("", "0", "false", "no")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperFields:
    """The `paper` object of a request or project, read.

    Attributes:
        number: empty: made of the kind and the day.
        prices_frozen: the prices are agreed: no draft mark.
    """

    number: str = ""
    revision: int = 1
    valid_until: date | None = None
    second_language: Language | None = None
    prices_frozen: bool = False
    terms: Terms = field(default_factory=Terms)


TERMS = tuple(each.name for each in fields(Terms))
PAPER_FIELDS = ("number", "revision", "valid_until", "second_language", "prices_frozen", *TERMS)


def read_paper_fields(given: Mapping[str, str]) -> PaperFields:
    """The fields of a paper.

    Raises:
        InputError: a field papers do not have, or a value that cannot be read; names the field.
    """
    only_known(given, PAPER_FIELDS, "paper")
    second = given.get("second_language", "").strip().lower()
    if second and second not in [language.value for language in Language]:
        raise _wrong("second_language", second, N_("not a known value"), _one_of("zh, en"))
    return PaperFields(
        number=given.get("number", "").strip(),
        revision=_revision(given.get("revision", "").strip()),
        valid_until=_day(given.get("valid_until", "").strip()),
        second_language=Language(second) if second else None,
        prices_frozen=_flag(given.get("prices_frozen", "")),
        terms=Terms(**{name: given[name] for name in TERMS if name in given}),
    )


def _revision(typed: str) -> int:
    if not typed:
        return 1
    if not typed.isascii() or not typed.isdigit() or not 1 <= int(typed) <= REVISION_MAX:
        accepted = Message(N_("a number from {low} to {high}"), {"low": 1, "high": REVISION_MAX})
        raise _wrong("revision", typed, N_("a whole number is needed"), accepted)
    return int(typed)


def _day(typed: str) -> date | None:
    if not typed:
        return None
    try:
        return date.fromisoformat(typed)
    except ValueError:
        accepted = Message(N_("a day such as {example}"), {"example": "2026-12-31"})
        raise _wrong("valid_until", typed, N_("not a day"), accepted) from None


def _flag(typed: str) -> bool:
    word = typed.strip().lower()
    if word not in (*YES, *NO):
        raise _wrong("prices_frozen", typed, N_("not a known value"), _one_of("true, false"))
    return word in YES


def _wrong(name: str, value: str, reason: str, accepted: Message) -> InputError:
    return InputError("unknown_value", f"paper.{name}", value, Message(reason), accepted)


def _one_of(names: str) -> Message:
    return Message(N_("one of {names}"), {"names": names})
