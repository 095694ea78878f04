"""A condition on one field of the catalogue, typed the way its form takes values: `memory ≥ 24 GB`."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.titles import field_title
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.exchange.item_form import FieldKind, form_fields, read_field


class Comparison(StrEnum):
    """How a field is compared."""

    AT_LEAST = "≥"
    AT_MOST = "≤"
    EQUAL = "="
    CONTAINS = "∋"
    KNOWN = "known"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class FieldFilter:
    """One condition; an unknown value never meets a comparison.

    Attributes:
        wanted: number or lower-case text compared with; None for `KNOWN` and `UNKNOWN`.
    """

    field: str
    comparison: Comparison
    wanted: Decimal | str | None = None

    def holds(self, item: CatalogueItem) -> bool:
        """Whether `item` meets the condition."""
        value = getattr(item, self.field, None)
        known = value is not None and value not in ("", ())
        if self.comparison is Comparison.KNOWN:
            return known
        if self.comparison is Comparison.UNKNOWN:
            return not known
        if not known or self.wanted is None:
            return False
        if isinstance(self.wanted, Decimal):
            return isinstance(value, int | float) and self._number(Decimal(str(value)), self.wanted)
        parts = value if isinstance(value, tuple | frozenset) else (value,)
        shown = "|".join(str(getattr(part, "value", part)) for part in parts).casefold()
        return shown == self.wanted if self.comparison is Comparison.EQUAL else self.wanted in shown

    def _number(self, value: Decimal, wanted: Decimal) -> bool:
        if self.comparison is Comparison.AT_LEAST:
            return value >= wanted
        if self.comparison is Comparison.AT_MOST:
            return value <= wanted
        return value == wanted


def filter_fields(kind: Kind) -> list[tuple[str, str]]:
    """Name and title (English source text) of every field that can be filtered by."""
    kinds = (FieldKind.PLUGS, FieldKind.SLOTS)
    return [(f.name, field_title(f.name, kind)) for f in form_fields(kind) if f.kind not in kinds]


def comparisons(kind: Kind, field: str) -> tuple[Comparison, ...]:
    """How a field can be compared."""
    found = next(f for f in form_fields(kind) if f.name == field)
    wanted: tuple[Comparison, ...]
    if found.kind is FieldKind.NUMBER:
        wanted = (Comparison.AT_LEAST, Comparison.AT_MOST, Comparison.EQUAL)
    elif found.kind in (FieldKind.CHOICE, FieldKind.YES_NO):
        wanted = (Comparison.EQUAL,)
    else:
        wanted = (Comparison.CONTAINS, Comparison.EQUAL)
    return (*wanted, Comparison.KNOWN, Comparison.UNKNOWN)


def read_filter(kind: Kind, field: str, comparison: Comparison, typed: str) -> FieldFilter:
    """The condition that was typed.

    Raises:
        InputError: no value, or none that the field could have.
    """
    if comparison in (Comparison.KNOWN, Comparison.UNKNOWN):
        return FieldFilter(field, comparison)
    if not typed.strip():
        raise InputError("missing", field, None, Message(N_("type a value to compare with")))
    found = next(f for f in form_fields(kind) if f.name == field)
    if found.kind is FieldKind.NUMBER:
        return FieldFilter(field, comparison, Decimal(read_field(found, typed)))
    if found.kind is FieldKind.YES_NO:
        return FieldFilter(field, comparison, str(read_field(found, typed) == "yes").casefold())
    return FieldFilter(field, comparison, typed.strip().casefold())
