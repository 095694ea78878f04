"""What moved since a project was decided, and what that changes, as tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from gpuconfig.engine.catalogue.titles import field_title
from gpuconfig.engine.provenance.message import N_
from gpuconfig.i18n import Translator
from gpuconfig.presentation.shown import Shown, Tone
from gpuconfig.presentation.table import Column, Row, Table

if TYPE_CHECKING:
    from gpuconfig.presentation.desk.freezing import Movement, Outcome

MOVED_WORDS = {
    "price": N_("Price"),
    "rate": N_("exchange rate"),
    "spec": N_("specification"),
    "coefficient": N_("coefficient"),
}
MOST_ROWS = 500
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
"""A number that stands alone: not part of a name."""


def movements_table(movements: Sequence[Movement], t: Translator) -> Table:
    """One row a price, rate, field or coefficient that is not as it was."""
    _ = t.gettext
    columns = (
        Column(key="what", title=_(N_("Kind")), width=90),
        Column(key="subject", title=_(N_("What it rested on")), width=240),
        Column(key="field", title=_(N_("Field")), width=160),
        Column(key="before", title=_(N_("At the decision")), numeric=True, width=130),
        Column(key="after", title=_(N_("Now")), numeric=True, width=130),
        Column(key="share", title=_(N_("Change")), numeric=True, width=80),
    )
    rows = []
    for place, moved in enumerate(movements[:MOST_ROWS]):
        field = _(field_title(moved.field, None)) if moved.what.value == "spec" else moved.field
        share = (
            "" if moved.share is None else f"{'+' if moved.share > 0 else ''}{t.formats.percent(moved.share)}"
        )
        cells = (
            Shown(text=_(MOVED_WORDS[moved.what.value]), sort=moved.what.value),
            Shown(text=moved.subject, sort=moved.subject),
            Shown(text=field, sort=field),
            _value(moved.before, t),
            _value(moved.after, t),
            Shown(text=share, sort=moved.share),
        )
        rows.append(Row(key=str(place), cells=cells))
    return Table(columns=columns, rows=tuple(rows), name=_(N_("What moved since the decision")))


def outcomes_table(outcomes: Sequence[Outcome], t: Translator) -> Table:
    """Each option of the decision beside the same option of today's answer."""
    _ = t.gettext
    columns = (
        Column(key="name", title=_(N_("Option")), width=240),
        Column(key="price_before", title=_(N_("Price then")), numeric=True, width=130),
        Column(key="price_after", title=_(N_("Price now")), numeric=True, width=130),
        Column(key="rank_before", title=_(N_("Place then")), numeric=True, width=90),
        Column(key="rank_after", title=_(N_("Place now")), numeric=True, width=110),
    )
    gone = Shown(text=_(N_("no longer offered")), tone=Tone.WARNING)
    rows = [
        Row(
            key=outcome.key,
            cells=(
                Shown(text=outcome.name, sort=outcome.name),
                _value(outcome.price_before, t),
                gone if outcome.price_after is None else _value(outcome.price_after, t),
                Shown(text=str(outcome.rank_before), sort=outcome.rank_before),
                gone
                if outcome.rank_after is None
                else Shown(text=str(outcome.rank_after), sort=outcome.rank_after),
            ),
        )
        for outcome in outcomes
    ]
    return Table(columns=columns, rows=tuple(rows), name=_(N_("What that changes")))


def _value(text: str, t: Translator) -> Shown:
    """Numbers with their thousands apart, a date in brackets and other words as they are, unknown as unknown."""
    if not text:
        return Shown(text=t.unknown, tone=Tone.UNKNOWN)
    amount, bracket, day = text.partition(" (")
    numbers = [Decimal(found) for found in _NUMBER.findall(amount)]
    shown = _NUMBER.sub(lambda found: t.formats.number(Decimal(found[0]), 12), amount)
    return Shown(text=f"{shown}{bracket}{day}", sort=float(numbers[0]) if numbers else text)
