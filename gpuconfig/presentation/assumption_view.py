"""What was assumed where the person said nothing, as a table of the result page."""

from __future__ import annotations

from gpuconfig.documents.assumption_lines import assumption_lines
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.provenance.message import N_
from gpuconfig.i18n import Translator
from gpuconfig.presentation.shown import Shown
from gpuconfig.presentation.table import Column, Row, Table


def assumption_table(made: tuple[Assumption, ...], t: Translator) -> Table:
    """Field, value taken, and why, as papers say them."""
    _ = t.gettext
    columns = (
        Column(key="fact", title=_(N_("Assumption")), width=170),
        Column(key="fact", title=_(N_("Value taken")), width=130),
        Column(key="reason", title=_(N_("Reason")), wide=True),
    )
    rows = tuple(
        Row(
            key=item.field,
            cells=tuple(
                Shown(text=words, sort=words)
                for words in (f"{line.title[:1].upper()}{line.title[1:]}", line.value, line.why)
            ),
        )
        for item, line in zip(made, assumption_lines(made, "", Writer(t)), strict=True)
    )
    return Table(columns=columns, rows=rows, name=_(N_("Assumptions")), pinned=1)
