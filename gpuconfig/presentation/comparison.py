"""Two to six accelerators or options side by side, grouped by the six axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.vocabulary import Region
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.i18n import Translator
from gpuconfig.i18n.formats import MINUS
from gpuconfig.presentation.card_facts import (
    AXES,
    COST,
    FACTS,
    HIGHER,
    LOWER,
    NEITHER,
    Better,
    fact_shown,
)
from gpuconfig.presentation.card_prices import card_price_shown, card_pricer, price_origin_shown
from gpuconfig.presentation.measures import (
    energy_shown,
    headroom_shown,
    memory_shown,
    price_shown,
    risk_shown,
    short_name,
    speed,
    speed_shown,
    tco_shown,
)
from gpuconfig.presentation.services import Services
from gpuconfig.presentation.shown import Shown
from gpuconfig.presentation.table import Column, Row, Table
from gpuconfig.presentation.tradeoff import told_name

LEAST, MOST = 2, 6
OPTION_AXIS = N_("The whole option")
NO_DELTA = ("headroom", "risk")
"""Shares and sums of risk: a percentage of them misleads."""


@dataclass(frozen=True, slots=True)
class _Line:
    axis: str
    key: str
    title: str
    help: str
    better: Better
    cells: tuple[Shown, ...]


def compare_cards(
    cards: Sequence[Accelerator],
    baseline: int,
    differences_only: bool,
    services: Services,
    t: Translator,
    region: Region,
) -> Table:
    """Accelerators by the six axes, deltas against `baseline`, best values marked; prices as `region` pays them."""
    lines = [
        _Line(
            fact.axis,
            fact.key,
            t.gettext(fact.title),
            t.gettext(fact.help),
            fact.better,
            tuple(fact_shown(card, fact, t) for card in cards),
        )
        for fact in FACTS
    ]
    pricer, today = card_pricer(services.catalogue(), region), services.today()
    title = t.gettext(N_("Price of one card, {currency}")).format(currency=pricer.buyer.currency.value)
    if pricer.buyer.tax_rate:
        title = t.gettext(N_("Price of one card, {currency} with tax")).format(
            currency=pricer.buyer.currency.value
        )
    prices = tuple(card_price_shown(card, pricer, today, t) for card in cards)
    origins = tuple(price_origin_shown(card, pricer, t) for card in cards)
    lines.append(_Line(COST, "price", title, "", LOWER, prices))
    lines.append(
        _Line(COST, "price_origin", t.gettext(N_("Kind and date of the price")), "", NEITHER, origins)
    )
    return _table([t.part(short_name(card.name)) for card in cards], lines, baseline, differences_only, t)


def compare_options(options: Sequence[Option], baseline: int, differences_only: bool, t: Translator) -> Table:
    """Whole options, then the facts of their cards."""
    found = speed(options[0].estimate) if options else None
    lower_time = found is not None and found.figure.unit == "s"
    measures = (
        ("price", N_("Price"), LOWER, price_shown),
        ("time", found.title if found else N_("Speed"), LOWER if lower_time else HIGHER, speed_shown),
        ("memory", N_("Memory in use"), NEITHER, memory_shown),
        ("headroom", N_("Free memory"), HIGHER, headroom_shown),
        ("power", N_("Power at the wall"), LOWER, energy_shown),
        ("tco", N_("Three-year cost"), LOWER, tco_shown),
        ("risk", N_("Risk"), LOWER, risk_shown),
    )
    lines = [
        _Line(OPTION_AXIS, key, t.gettext(title), "", better, tuple(show(option, t) for option in options))
        for key, title, better, show in measures
    ]
    lines += [
        _Line(
            fact.axis,
            fact.key,
            t.gettext(fact.title),
            t.gettext(fact.help),
            fact.better,
            tuple(fact_shown(option.accelerator, fact, t) for option in options),
        )
        for fact in FACTS
    ]
    return _table([told_name(option, t) for option in options], lines, baseline, differences_only, t)


def _table(
    names: Sequence[str], lines: Sequence[_Line], baseline: int, differences_only: bool, t: Translator
) -> Table:
    """The baseline stands first, so that it can stay in sight beside the facts."""
    base_word = t.gettext(N_("baseline"))
    order = [baseline, *(n for n in range(len(names)) if n != baseline)] if baseline < len(names) else []
    columns = [Column(key="fact", title="", width=190)]
    for number in order:
        title = f"{names[number]}\n({base_word})" if number == baseline and len(names) > 1 else names[number]
        columns.append(Column(key=f"item{number}", title=title, numeric=True, width=170))
    rows: list[Row] = []
    for axis in (OPTION_AXIS, *AXES):
        group = [line for line in lines if line.axis == axis]
        kept = [line for line in group if not differences_only or _differs(line.cells)]
        if not kept:
            continue
        rows.append(Row(key=axis, cells=(), heading=t.gettext(axis)))
        for line in kept:
            marked = _marked(line, baseline, t)
            cells = tuple(marked[number] for number in order)
            rows.append(Row(key=line.key, cells=(Shown(text=line.title, sort=line.title), *cells)))
    return Table(columns=tuple(columns), rows=tuple(rows), name=t.gettext(N_("Comparison")), pinned=2)


def without(table: Table, hidden: frozenset[str]) -> Table:
    """The table without rows that a person hid; a group of which nothing is left loses its heading."""
    kept: list[Row] = []
    for row in table.rows:
        if row.heading and kept and kept[-1].heading:
            kept.pop()
        if row.heading or row.key not in hidden:
            kept.append(row)
    if kept and kept[-1].heading:
        kept.pop()
    return replace(table, rows=tuple(kept))


def _differs(cells: Sequence[Shown]) -> bool:
    return len({cell.text for cell in cells}) > 1


def _marked(line: _Line, baseline: int, t: Translator) -> tuple[Shown, ...]:
    """The cells with deltas and the best value marked; unknown never wins."""
    values = [cell.sort for cell in line.cells]
    numbers = [value for value in values if isinstance(value, float)]
    best: float | None = None
    if line.better and len(numbers) > 1 and len(set(numbers)) > 1:
        best = max(numbers) if line.better == HIGHER else min(numbers)
    base = values[baseline] if baseline < len(values) else None
    result = []
    for number, cell in enumerate(line.cells):
        value = values[number]
        note = cell.note
        if (
            line.key not in NO_DELTA
            and number != baseline
            and isinstance(value, float)
            and isinstance(base, float)
            and base
            and value != base
        ):
            note = delta(value / base - 1, t)
        result.append(replace(cell, note=note, best=best is not None and value == best))
    return tuple(result)


def delta(share: float, t: Translator) -> str:
    """A difference: +12%, −8%, or a factor where it is large."""
    if share > 1:
        return "×" + t.formats.number(share + 1, 2)
    sign = "+" if share > 0 else MINUS
    return sign + t.formats.percent(round(abs(share), 2 if abs(share) >= 0.1 else 3))
