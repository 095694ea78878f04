"""What was assumed where the person said nothing, as a table of the result page."""

from __future__ import annotations

from gpuconfig.documents.assumption_lines import AssumptionLine, assumption_lines
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.provenance.message import N_
from gpuconfig.i18n import Translator
from gpuconfig.presentation.reference import ReadyReference
from gpuconfig.presentation.shown import Shown
from gpuconfig.presentation.table import Column, Row, Table


def assumption_table(made: tuple[Assumption, ...], t: Translator) -> Table:
    """Field, value taken, and why, as papers say them."""
    _ = t.gettext
    columns = (
        Column(key="fact", title=_(N_("Assumption")), width=170),
        Column(key="value", title=_(N_("Value taken")), width=130),
        Column(key="reason", title=_(N_("Reason")), wide=True),
    )
    lines = assumption_lines(made, "", Writer(t))
    rows = tuple(_row(item.field, line) for item, line in zip(made, lines, strict=True))
    return Table(columns=columns, rows=rows, name=_(N_("Assumptions")), pinned=1)


def _row(field: str, line: AssumptionLine) -> Row:
    title = f"{line.title[:1].upper()}{line.title[1:]}"
    behind = Explanation(
        name=field, title=title, value=line.value, unit="1", mark=Mark.ASSUMED, source=line.why
    )
    cells = (
        Shown(text=title, sort=title),
        Shown(text=line.value, sort=line.value, reference=ReadyReference(behind)),
        Shown(text=line.why, sort=line.why),
    )
    return Row(key=field, cells=cells)
