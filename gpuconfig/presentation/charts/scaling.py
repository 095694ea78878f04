"""Speed over the number of cards, one line a link; and over batch or users, at the split that was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gpuconfig.engine.estimation.answer import Estimate, Verdict
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.units import HOUR_S
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.engine.selection.what_if import WhatIf
from gpuconfig.engine.workloads.hardware import IntraNode
from gpuconfig.engine.workloads.request import EstimateRequest, Kind
from gpuconfig.i18n import Translator
from gpuconfig.i18n.formats import shown_unit
from gpuconfig.presentation.charts.model import Look, Plot, Series
from gpuconfig.presentation.measures import figure_shown, option_name, short_name, speed
from gpuconfig.presentation.reference import EstimateReference
from gpuconfig.presentation.services import Services
from gpuconfig.presentation.shown import Shown
from gpuconfig.presentation.table import Column, Row, Table

COUNTS = (1, 2, 3, 4, 6, 8)
BATCHES = (1, 2, 4, 8, 16, 32, 64)
USERS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


@dataclass(frozen=True, slots=True)
class _Point:
    """One estimate of a line."""

    x: int
    request: EstimateRequest
    estimate: Estimate

    def key(self, line: str) -> str:
        """Key of the point's row in the table."""
        return f"{line}:{self.x}"

    @property
    def fits(self) -> bool:
        return self.estimate.verdict is not Verdict.DOES_NOT_FIT

    @property
    def rate(self) -> float | None:
        """Work a second of the whole machine: larger is faster, whatever the kind of work."""
        training = self.estimate.training
        if training is not None:
            return training.tokens_per_s.value or training.samples_per_s.value
        found = speed(self.estimate)
        value = found.figure.value
        if value is None or not value:
            return None
        return HOUR_S / value if found.figure.unit == "s" else value

    @property
    def unit(self) -> str:
        """Unit of `rate`."""
        training = self.estimate.training
        if training is not None:
            return (training.tokens_per_s if training.tokens_per_s.value else training.samples_per_s).unit
        unit = speed(self.estimate).figure.unit
        return "1/h" if unit == "s" else unit


def scaling(option: Option, services: Services, t: Translator) -> Plot | None:
    """Speed over cards in one machine against the even share of one card. (Long.)"""
    request = option.estimate_request
    if request.kind in (Kind.VISION_INFERENCE,):
        return None
    lines: list[tuple[str, list[_Point]]] = []
    for name, link in _links(option, t):
        asked = [
            replace(
                request,
                parallelism=None,
                hardware=replace(
                    request.hardware,
                    gpus_per_node=count,
                    nodes=1,
                    intra_node=link,
                    pcie=replace(request.hardware.pcie, lanes=None),
                ),
            )
            for count in COUNTS
        ]
        points = _points(COUNTS, asked, services.estimate(asked))
        if len(points) > 1:
            lines.append((name, points))
    if not lines:
        return None
    return _scaling_plot(option, lines, t)


def _links(option: Option, t: Translator) -> list[tuple[str, IntraNode]]:
    card = option.accelerator
    found = [("PCIe", IntraNode.PCIE)]
    if card.link is not None:
        name = str(getattr(card.link, "name", "")) or t.gettext(N_("own link"))
        kind = IntraNode.INFINITY_FABRIC if card.vendor.value.lower() == "amd" else IntraNode.NVLINK
        found.insert(0, (name, kind))
    return found


def _scaling_plot(option: Option, lines: Sequence[tuple[str, list[_Point]]], t: Translator) -> Plot:
    _ = t.gettext
    first = lines[0][1]
    base = next((point for point in first if point.fits), first[0])
    one = (base.rate or 1.0) / base.x
    series = []
    for number, (name, points) in enumerate(lines):
        ys = tuple((p.rate or 0.0) / one for p in points)
        hollow = frozenset(place for place, p in enumerate(points) if not p.fits)
        series.append(
            Series(
                name=name, x=tuple(float(p.x) for p in points), y=ys, hollow=hollow, number=number,
                rows=tuple(p.key(name) for p in points), column="speed",
            )
        )  # fmt: skip
    ideal = (float(base.x), float(COUNTS[-1]))
    series.append(Series(name=_(N_("even share")), x=ideal, y=ideal, look=Look.DASHED, number=5))
    last = lines[0][1][-1]
    gain = (last.rate or 0.0) / one
    title = _(N_("{count}× {card} do the work of {gain} over {link}")).format(
        count=last.x,
        card=short_name(option.accelerator.name),
        gain=t.formats.number(gain, 2),
        link=lines[0][0],
    )
    told = [f"{name} {t.formats.number((points[-1].rate or 0) / one, 2)}×" for name, points in lines]
    summary = _(N_("At {count} cards in one machine: {list}. For each count the best split is searched."))
    if base.x > 1:
        summary = _(
            N_(
                "At {count} cards in one machine: {list}, counted from the share of one card among {fewest}, "
                "the fewest that fit. For each count the best split is searched."
            )
        )
    return Plot(
        title=title,
        summary=summary.format(count=last.x, list=t.formats.join(told), fewest=base.x),
        x_title=_(N_("Cards in one machine")),
        y_title=_(N_("Times the speed of one card")),
        series=tuple(series),
        table=_table(_(N_("Cards")), lines, t),
        x_ticks=tuple((float(count), str(count)) for count in COUNTS),
    )


def throughput(option: Option, services: Services, t: Translator) -> Plot | None:
    """Speed over batch, or over users where models are served, at the split that was found. (Long.)"""
    from gpuconfig.engine.selection.what_if import changed_request

    kind = option.estimate_request.kind
    serves = kind is Kind.SERVING
    xs = USERS if serves else BATCHES
    asked = [changed_request(option, WhatIf(users=x) if serves else WhatIf(batch=x)) for x in xs]
    points = _points(xs, asked, services.estimate(asked))
    if len(points) < 2:
        return None
    return _serving_plot(points, t) if serves else _batch_plot(option, points, t)


def _batch_plot(option: Option, points: list[_Point], t: Translator) -> Plot:
    _ = t.gettext
    rates = [p.rate or 0.0 for p in points]
    unit, divisor = shown_unit(max(rates), points[0].unit)
    hollow = frozenset(place for place, p in enumerate(points) if not p.fits)
    fitting = [p for p in points if p.fits]
    best = max(fitting, key=lambda p: p.rate or 0.0, default=None)
    title = _(N_("No batch fits {name}")).format(name=t.part(option_name(option)))
    if best is not None:
        title = _(N_("{name} is fastest at a batch of {batch} that fits")).format(
            name=t.part(option_name(option)), batch=best.x
        )
    return Plot(
        title=title,
        summary=_(
            N_("Same split of the work at every batch; hollow points need more memory than a card has.")
        ),
        x_title=_(N_("Batch on a card")),
        y_title=unit,
        series=(
            Series(
                name=t.part(option_name(option)),
                x=tuple(float(p.x) for p in points),
                y=tuple(rate / divisor for rate in rates),
                hollow=hollow,
                rows=tuple(p.key("") for p in points),
                column="speed",
            ),
        ),
        table=_table(_(N_("Batch")), [("", points)], t),
        log_x=True,
        x_ticks=tuple((float(x), str(x)) for x in BATCHES),
    )


def _serving_plot(points: list[_Point], t: Translator) -> Plot:
    """Output of all users, and what one user gets, both over the number of users."""
    _ = t.gettext
    xs = tuple(float(p.x) for p in points)
    hollow = frozenset(place for place, p in enumerate(points) if not p.fits)
    keys = tuple(p.key("") for p in points)
    own = [
        0.0 if p.estimate.serving is None else p.estimate.serving.decode_tokens_per_s_per_user.value or 0.0
        for p in points
    ]
    every = [p.rate or 0.0 for p in points]
    gain = every[-1] / every[0] if every[0] else 1.0
    title = _(N_("{users} requests at once give {gain} times the output of one, each at {rate} token/s"))
    return Plot(
        title=title.format(
            users=points[-1].x, gain=t.formats.number(gain, 2), rate=t.formats.number(own[-1], 2)
        ),
        summary=_(N_("More requests share the weights read for each token; each of them waits longer.")),
        x_title=_(N_("Requests at the same time")),
        y_title="token/s",
        series=(
            Series(
                name=_(N_("all users together")),
                x=xs,
                y=tuple(every),
                hollow=hollow,
                number=0,
                rows=keys,
                column="speed",
            ),
            Series(
                name=_(N_("one user")), x=xs, y=tuple(own), hollow=hollow, number=1, rows=keys, column="user"
            ),
        ),
        table=_table(_(N_("Requests")), [("", points)], t),
        log_x=True,
        log_y=True,
        x_ticks=tuple((float(x), str(x)) for x in USERS),
    )


def _points(
    xs: Sequence[int], asked: Sequence[EstimateRequest], answers: Sequence[Estimate | UserError]
) -> list[_Point]:
    made = [
        _Point(x, request, answer)
        for x, request, answer in zip(xs, asked, answers, strict=True)
        if isinstance(answer, Estimate)
    ]
    return [point for point in made if point.rate is not None]


def _table(first: str, lines: Sequence[tuple[str, list[_Point]]], t: Translator) -> Table:
    _ = t.gettext
    sample = lines[0][1][0].estimate
    serving = sample.serving is not None
    columns = [
        Column(key="count", title=first, numeric=True),
        *([Column(key="link", title=_(N_("Link")))] if lines[0][0] else []),
        Column(key="speed", title=_(speed(sample).title), numeric=True),
    ]
    if serving:
        columns.append(Column(key="user", title=_(N_("One user")), numeric=True))
    columns.append(Column(key="memory", title=_(N_("Memory in use")), numeric=True))
    rows = tuple(
        Row(key=point.key(name), cells=_cells(name, point, serving, t), muted=not point.fits)
        for name, points in lines
        for point in points
    )
    return Table(columns=tuple(columns), rows=rows, name=first, pinned=1)


def _cells(name: str, point: _Point, serving: bool, t: Translator) -> tuple[Shown, ...]:
    estimate = point.estimate
    found = speed(estimate)

    def opened(quantity: str, title: str) -> EstimateReference:
        figure = estimate.figure(quantity)
        return EstimateReference(
            request=point.request, quantity=quantity, title=title, figure=figure or found.figure
        )

    cells = [
        Shown(text=t.formats.count(point.x), sort=float(point.x)),
        *([Shown(text=name, sort=name)] if name else []),
        figure_shown(found.figure, opened(found.quantity, found.title), t),
    ]
    if serving and estimate.serving is not None:
        quantity = "decode_tokens_per_s_per_user"
        figure = estimate.serving.decode_tokens_per_s_per_user
        cells.append(figure_shown(figure, opened(quantity, N_("Speed of one user")), t))
    if estimate.memory is None:
        cells.append(Shown(text=t.unknown))
    else:
        reference = opened("device_used_bytes", N_("Memory in use on the fullest card"))
        cells.append(figure_shown(estimate.memory.device_used_bytes, reference, t))
    return tuple(cells)
