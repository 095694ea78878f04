"""The card's roofline with the workload's operations on it."""

from __future__ import annotations

from gpuconfig.engine.estimation.compute.operations import ROOTS, Operation, Roofline, roofline_of
from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.i18n import Translator
from gpuconfig.presentation.charts.model import Look, Plot, Series
from gpuconfig.presentation.measures import short_name
from gpuconfig.presentation.reference import ReadyReference
from gpuconfig.presentation.services import Services
from gpuconfig.presentation.shown import Shown
from gpuconfig.presentation.table import Column, Row, Table

TERA = 1e12


def roofline(option: Option, services: Services, t: Translator) -> Plot | None:
    """None where this kind of work has no roofline, or a value is not known. (Long.)"""
    root = ROOTS.get(option.estimate_request.kind)
    if root is None:
        return None
    found = roofline_of(services.explain(option.estimate_request, root), option.estimate_request.kind)
    return None if found is None or not found.operations else _plot(option, found, t)


def _plot(option: Option, found: Roofline, t: Translator) -> Plot:
    _ = t.gettext
    card = short_name(option.accelerator.name)
    ridge = found.reached_flops / found.reached_bytes_per_s
    low = min(1.0, *(o.intensity / 2 for o in found.operations))
    high = max(20 * ridge, *(2 * o.intensity for o in found.operations))
    bound = [o for o in found.operations if o.intensity < ridge]
    series = [
        _roof(_(N_("on paper")), found.peak_flops, found.peak_bytes_per_s, low, high, Look.DASHED),
        _roof(_(N_("as reached")), found.reached_flops, found.reached_bytes_per_s, low, high, Look.LINE),
        Series(
            name=_(N_("kernels")),
            x=tuple(o.intensity for o in found.operations),
            y=tuple(o.rate / TERA for o in found.operations),
            look=Look.POINTS,
            labels=tuple(_(o.title) for o in found.operations),
            rows=tuple(o.title for o in found.operations),
            column="rate",
            number=1,
        ),
    ]
    slowest = max(found.operations, key=lambda o: o.seconds)
    limit = N_("memory bandwidth") if slowest.intensity < ridge else N_("compute")
    title = _(N_("{operation}: most of the time on the {card}, limited by {limit}"))
    if bound:
        summary = _(
            N_(
                "Left of the ridge at {ridge} FLOP a byte: {names}. "
                "More bandwidth would speed them up, more compute would not."
            )
        ).format(ridge=t.formats.number(ridge, 3), names=t.formats.join([_(o.title) for o in bound]))
    else:
        summary = _(N_("All are right of the ridge at {ridge} FLOP a byte: compute decides.")).format(
            ridge=t.formats.number(ridge, 3)
        )
    return Plot(
        title=title.format(operation=_(slowest.title), card=card, limit=_(limit)),
        summary=summary,
        x_title=_(N_("FLOP for each byte moved")),
        y_title="TFLOP/s",
        series=tuple(series),
        table=_table(found, t),
        log_x=True,
        log_y=True,
    )


def _roof(name: str, flops: float, rate: float, low: float, high: float, look: Look) -> Series:
    ridge = flops / rate
    xs = (low, ridge, high)
    return Series(name=name, x=xs, y=tuple(min(x * rate, flops) / TERA for x in xs), look=look, number=0)


def _table(found: Roofline, t: Translator) -> Table:
    _ = t.gettext
    columns = (
        Column(key="name", title=_(N_("Kernel")), width=180),
        Column(key="intensity", title=_(N_("FLOP a byte")), numeric=True),
        Column(key="rate", title=_(N_("Reached")), numeric=True),
        Column(key="share", title=_(N_("Of the peak")), numeric=True),
        Column(key="seconds", title=_(N_("Time")), numeric=True),
        Column(key="limit", title=_(N_("Limited by"))),
    )
    ridge = found.reached_flops / found.reached_bytes_per_s
    rows = tuple(_row(o, found, ridge, t) for o in found.operations)
    return Table(columns=columns, rows=rows, name=_(N_("Roofline")), pinned=1)


def _row(o: Operation, found: Roofline, ridge: float, t: Translator) -> Row:
    _ = t.gettext
    limit = N_("memory bandwidth") if o.intensity < ridge else N_("compute")
    reference = _opened(o)
    share = o.rate / found.peak_flops
    cells = (
        Shown(text=_(o.title), sort=_(o.title)),
        Shown(text=t.formats.number(o.intensity), sort=o.intensity, reference=reference),
        Shown(text=t.formats.quantity(o.rate, "FLOP/s"), sort=o.rate, reference=reference),
        Shown(text=t.formats.percent(round(share, 2)), sort=share, reference=reference),
        Shown(text=t.formats.quantity(o.seconds, "s"), sort=o.seconds, reference=reference),
        Shown(text=_(limit), sort=_(limit)),
    )
    return Row(key=o.title, cells=cells)


def _opened(o: Operation) -> ReadyReference:
    leaves = (
        ("flop", N_("Operations of one pass"), o.flop, "FLOP"),
        ("bytes", N_("Bytes moved"), o.bytes, "B"),
    )
    seconds = Explanation(name="seconds", title=N_("Time"), value=o.seconds, unit="s", mark=Mark.CALCULATED)
    inputs = tuple(
        Explanation(name=name, title=title, value=value, unit=unit, mark=Mark.CALCULATED)
        for name, title, value, unit in leaves
    )
    return ReadyReference(
        Explanation(
            name="rate", title=o.title, value=o.rate, unit="FLOP/s", mark=Mark.CALCULATED,
            formula="flop / seconds", inputs=(*inputs, seconds),
        )
    )  # fmt: skip
