"""What has been asked for a card over time, as recorded: every offer with its day, its kind and its source."""

from __future__ import annotations

from datetime import date

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.market import Offer
from gpuconfig.engine.catalogue.vocabulary import Kind, PriceKind
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Currency, ExchangeRate, Money, MoneyRange
from gpuconfig.i18n import Translator
from gpuconfig.presentation.charts.model import Look, Plot, Series
from gpuconfig.presentation.measures import short_name
from gpuconfig.presentation.price_view import REGION_WORDS, origin_in_words
from gpuconfig.presentation.reference import ReadyReference
from gpuconfig.presentation.services import Services
from gpuconfig.presentation.shown import Shown
from gpuconfig.presentation.table import Column, Row, Table

SHORT_DAYS = 730
KINDS = {
    PriceKind.STREET: N_("seen in shops"),
    PriceKind.QUOTE: N_("quoted"),
    PriceKind.LIST: N_("maker's list"),
    PriceKind.CONVERTED: N_("converted"),
    PriceKind.ASSUMED: N_("assumed"),
}
_MARKS = {
    PriceKind.STREET: Mark.MEASURED,
    PriceKind.QUOTE: Mark.MEASURED,
    PriceKind.LIST: Mark.VENDOR,
    PriceKind.CONVERTED: Mark.CALCULATED,
    PriceKind.ASSUMED: Mark.ASSUMED,
}


def price_history(card: Accelerator, currency: Currency, services: Services, t: Translator) -> Plot | None:
    """Offers of one card over the years; None where fewer than two are dated. Conversions are named as such."""
    catalogue = services.catalogue()
    rate: ExchangeRate | None
    try:
        rate = catalogue.exchange_rate(Currency.USD, Currency.CNY)
    except UserError:
        rate = None
    found = []
    for offer in catalogue.offers(Kind.ACCELERATOR, card.id):
        day = offer.evidence().day()
        middle = Money((offer.low + offer.high) / 2, offer.currency)
        if day is None or (rate is None and offer.currency is not currency):
            continue
        amount = middle if rate is None else rate.convert(middle, currency)
        found.append((day, offer, float(amount.amount)))
    if len({day for day, _offer, _amount in found}) < 2:
        return None
    found.sort(key=lambda item: item[0])
    return _plot(card, found, currency, t)


def _plot(
    card: Accelerator, found: list[tuple[date, Offer, float]], currency: Currency, t: Translator
) -> Plot:
    _ = t.gettext
    series = []
    for number, (kind, words) in enumerate(KINDS.items()):
        mine = [item for item in found if item[1].kind is kind]
        if mine:
            days, offers, amounts = zip(*mine, strict=True)
            series.append(
                Series(
                    name=_(words), x=tuple(_year(day) for day in days), y=amounts, look=Look.POINTS, number=number,
                    rows=tuple(offer.id for offer in offers), column="amount",
                )
            )  # fmt: skip
    every = [amount for _day, _offer, amount in found]
    name = short_name(card.name)
    title = _(N_("{count} prices of the {card} are recorded")).format(count=len(found), card=name)
    seen = _alike(found)
    if seen:
        share = seen[-1][2] / seen[0][2] - 1
        words = (
            N_("{card}: {share} dearer in shops ({region}) than in {month}")
            if share >= 0
            else N_("{card}: {share} cheaper in shops ({region}) than in {month}")
        )
        title = _(words).format(
            card=name, share=t.formats.percent(round(abs(share), 2)), month=f"{seen[0][0]:%Y-%m}",
            region=_(REGION_WORDS[seen[0][1].region]),
        )  # fmt: skip
    low, high = (t.formats.money(_money(value, currency)) for value in (min(every), max(every)))
    return Plot(
        title=title,
        summary=_(
            N_("From {low} to {high}; other currencies at today's recorded rate, tax as it was asked.")
        ).format(low=low, high=high),
        x_title=_(N_("Date")),
        y_title=currency.value,
        series=tuple(series),
        table=_table(found, t),
        x_ticks=_ticks(found[0][0], found[-1][0]),
    )


def _alike(found: list[tuple[date, Offer, float]]) -> list[tuple[date, Offer, float]]:
    """Prices seen in shops of one region, in one currency, of goods in one condition: only they can be compared."""
    groups: dict[tuple[object, ...], list[tuple[date, Offer, float]]] = {}
    for item in found:
        offer = item[1]
        if offer.kind in (PriceKind.STREET, PriceKind.QUOTE):
            groups.setdefault((offer.region, offer.currency, offer.condition, offer.tax), []).append(item)
    apart = [group for group in groups.values() if group[0][0] != group[-1][0]]
    return max(apart, key=len, default=[])


def _ticks(first: date, last: date) -> tuple[tuple[float, str], ...]:
    """Years; where all lies within two of them, quarters."""
    if (last - first).days > SHORT_DAYS:
        return tuple((float(year), str(year)) for year in range(first.year, last.year + 2))
    months = [date(year, month, 1) for year in range(first.year, last.year + 2) for month in (1, 4, 7, 10)]
    return tuple((_year(day), f"{day:%Y-%m}") for day in months)


def _year(day: date) -> float:
    return day.year + (day.timetuple().tm_yday - 1) / 365.25


def _money(value: float, currency: Currency) -> Money:
    from decimal import Decimal

    return Money(Decimal(round(value)), currency)


def _table(found: list[tuple[date, Offer, float]], t: Translator) -> Table:
    _ = t.gettext
    columns = (
        Column(key="date", title=_(N_("Date"))),
        Column(key="amount", title=_(N_("Asked")), numeric=True),
        Column(key="kind", title=_(N_("Kind"))),
        Column(key="name", title=_(N_("Region"))),
        Column(key="provider", title=_(N_("Source")), width=260),
    )
    rows = tuple(_row(day, offer, t) for day, offer, _amount in reversed(found))
    return Table(columns=columns, rows=rows, name=_(N_("Price history")), pinned=1)


def _row(day: date, offer: Offer, t: Translator) -> Row:
    middle = float((offer.low + offer.high) / 2)
    leaf = Explanation(
        name="offer", title=N_("price as recorded"), value=middle, low=float(offer.low), high=float(offer.high),
        unit=offer.currency.value, mark=_MARKS[offer.kind], evidence=offer.evidence(), source=offer.source,
    )  # fmt: skip
    asked = MoneyRange(Money(offer.low, offer.currency), Money(offer.high, offer.currency))
    word = t.gettext(KINDS[offer.kind])
    return Row(
        key=offer.id,
        cells=(
            Shown(text=offer.date or day.isoformat(), sort=day.isoformat()),
            Shown(text=t.formats.money_range(asked), sort=middle, reference=ReadyReference(leaf)),
            Shown(text=word, sort=word),
            Shown(text=t.gettext(REGION_WORDS[offer.region]), sort=offer.region.value),
            Shown(text=origin_in_words(offer, t), sort=offer.source),
        ),
    )
