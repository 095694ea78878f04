"""Words recorded with a row of data, such as the reason of a price, in the reader's language.

Reasons differ in figures more than in words, so a clause is looked up as it stands, and then with its figures
taken out as {n1}, {n2}: one translation serves all clauses of the same words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpuconfig.i18n.translator import Translator

CLAUSE_END = "; "
FIGURE = re.compile(r"(?<![\w.-])\d+(?:[.,]\d+)*(?:-\d+(?:[.,]\d+)*)*(?!\w)")
"""A number, a range or a date; the digits of a model name such as 5600GT or E5-2630L are none."""
_DATE = re.compile(r"\d{4}-\d{2}(-\d{2})?")


def recorded_words(words: str, translator: Translator) -> str:
    """`words` in the reader's language; a clause without a translation stays as it was recorded."""
    whole = translator.gettext(words)
    if whole != words:
        return whole
    clauses = words.split(CLAUSE_END)
    said = [clause_words(clause, translator) for clause in clauses]
    return words if said == clauses else "；".join(said)


def clause_words(clause: str, translator: Translator) -> str:
    """One clause in the reader's language, its figures filled in again."""
    whole = translator.gettext(clause)
    if whole != clause:
        return whole
    pattern, figures = without_figures(clause)
    said = translator.gettext(pattern)
    return clause if said == pattern else said.format(**figures)


def without_figures(clause: str) -> tuple[str, dict[str, str]]:
    """The clause with a placeholder for each figure, and the figures by placeholder, ranges with an en dash."""
    figures: dict[str, str] = {}

    def taken(found: re.Match[str]) -> str:
        name = f"n{len(figures) + 1}"
        figures[name] = found[0] if _DATE.fullmatch(found[0]) else found[0].replace("-", "–")
        return "{" + name + "}"

    return FIGURE.sub(taken, clause), figures
