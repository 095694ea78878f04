"""The preview of an import as a table: what would be added or changed, what is left out and why."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from gpuconfig.engine.catalogue.titles import field_title
from gpuconfig.engine.provenance.message import N_
from gpuconfig.i18n import Translator, render
from gpuconfig.presentation.build_view import KIND_WORDS
from gpuconfig.presentation.shown import BLANK, Shown, Tone
from gpuconfig.presentation.table import Column, Row, Table

if TYPE_CHECKING:
    from gpuconfig.engine.catalogue.repository import Catalogue
    from gpuconfig.exchange.plan import ImportPlan, RowResult

MOST_ROWS = 400
"""A preview longer than this is narrowed by state; the counts speak of all rows."""

STATE_WORDS = {
    "added": N_("added"),
    "changed": N_("changed"),
    "unchanged": N_("unchanged"),
    "rejected": N_("rejected"),
}
_TONES = {"added": Tone.OK, "changed": Tone.ACCENT, "unchanged": Tone.SECONDARY, "rejected": Tone.PROBLEM}
_CHANGES_SHOWN = 4
_TABLES = {
    "offer": N_("Price"),
    "cloud_offer": N_("Rental price"),
    "exchange_rate": N_("Exchange rate"),
    "tariff": N_("Electricity tariff"),
    "measurement": N_("Measurement"),
}


def counts_in_words(plan: ImportPlan, left: Collection[int], t: Translator) -> str:
    """How many rows of each state, and how many the person took out."""
    parts = [
        f"{t.gettext(STATE_WORDS[state.value])} {t.formats.count(n)}" for state, n in plan.counts().items()
    ]
    if left:
        parts.append(f"{t.gettext(N_('taken out'))} {t.formats.count(len(left))}")
    return " · ".join(parts)


def preview(
    plan: ImportPlan, state: str, left: Collection[int], catalogue: Catalogue, t: Translator
) -> Table:
    """Rows of one state, or of all (`""`); keys are places in `plan.rows`."""
    _ = t.gettext
    columns = (
        Column(key="line", title=_(N_("Line")), numeric=True, width=60),
        Column(key="state", title=_(N_("What happens")), width=90),
        Column(key="kind", title=_(N_("Kind")), width=100),
        Column(key="name", title=_(N_("Item name")), width=220),
        Column(key="what", title=_(N_("Details")), width=320),
    )
    rows: list[Row] = []
    for place, row in enumerate(plan.rows):
        if state and row.state.value != state:
            continue
        if len(rows) == MOST_ROWS:
            break
        rows.append(_row(place, row, place in left, catalogue, t))
    return Table(columns=columns, rows=tuple(rows), name=_(N_("Preview of the import")), pinned=0)


def _row(place: int, row: RowResult, out: bool, catalogue: Catalogue, t: Translator) -> Row:
    _ = t.gettext
    word = N_("taken out") if out else STATE_WORDS[row.state.value]
    kind = _TABLES.get(row.table) or (KIND_WORDS[row.kind] if row.kind else "")
    cells = (
        Shown(text=str(row.line), sort=row.line) if row.line else BLANK,
        Shown(text=_(word), tone=Tone.SECONDARY if out else _TONES[row.state.value], sort=_(word)),
        Shown(text=_(kind) if kind else "", sort=kind),
        Shown(text=row.name, sort=row.name),
        Shown(text=_details(row, catalogue, t)),
    )
    return Row(key=str(place), cells=cells, muted=out)


def _details(row: RowResult, catalogue: Catalogue, t: Translator) -> str:
    """Reasons first, then what it is taken for, then what would change."""
    _ = t.gettext
    unknown = _(N_("unknown"))
    parts = [render(reason, t) for reason in row.reasons]
    if row.like:
        meant = catalogue.find(row.kind, row.like) if row.kind else None
        parts.append(
            _(N_("looks like {part}, {percent} alike")).format(
                part=meant.name if meant else row.like, percent=t.formats.percent(row.likeness)
            )
        )
    parts += [
        f"{_(field_title(change.field, row.kind)) if row.kind and not row.table else change.field}: "
        f"{change.before or unknown} → {change.after or unknown}"
        for change in row.changes[:_CHANGES_SHOWN]
    ]
    if len(row.changes) > _CHANGES_SHOWN:
        more = len(row.changes) - _CHANGES_SHOWN
        parts.append(t.ngettext("{count} more", "{count} more", more))
    return "; ".join(parts)
