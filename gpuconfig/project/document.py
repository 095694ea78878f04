"""A project: what was asked, what was decided and what was answered, as one JSON document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

SCHEMA = 2
"""2: with variants, which a program that reads only 1 would drop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """An option kept as it stood, beside the one it came from.

    Attributes:
        name: the person's own.
        option: key of the option it came from.
        exchanges: parts of its own in that option's machine, as the project keeps them.
        what_if: numbers tried on it.
        note: free text.
    """

    name: str
    option: str
    exchanges: Mapping[str, str] = field(default_factory=dict)
    what_if: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """Everything a project file holds.

    Attributes:
        title: name shown in the window and printed in papers.
        answers: raw answers of the wizard by question, as typed, valid or not: nothing typed is lost.
        request: the contract's `recommend` request once the answers are valid; empty before.
        chosen: key of the chosen option, `accelerator x count x nodes`; empty for the first.
        compared: accelerator ids laid side by side.
        overrides: finding id -> written reason.
        exchanges: parts that the person put in place of composed ones, `option/kind` -> `part*pieces`, and caps.
        what_if: numbers tried instead of the found ones, by name; texts of plain numbers.
        variants: duplicates of options, by a key that stays when one is renamed.
        notes: free text.
        organisation, seller: parties of the papers.
        paper: number, revision, validity, languages and terms of the papers, as typed.
        frozen: contract JSON of the last recommendation with its prices, empty before the first.
        versions: of catalogue, coefficients and application at the time of the answer.
    """

    title: str = ""
    answers: Mapping[str, object] = field(default_factory=dict)
    request: Mapping[str, object] = field(default_factory=dict)
    chosen: str = ""
    compared: tuple[str, ...] = ()
    overrides: Mapping[str, str] = field(default_factory=dict)
    exchanges: Mapping[str, str] = field(default_factory=dict)
    what_if: Mapping[str, str] = field(default_factory=dict)
    variants: Mapping[str, Variant] = field(default_factory=dict)
    notes: str = ""
    organisation: Mapping[str, str] = field(default_factory=dict)
    seller: Mapping[str, str] = field(default_factory=dict)
    paper: Mapping[str, str] = field(default_factory=dict)
    frozen: Mapping[str, object] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
