"""What owning has cost at each month if the machine were sold then, against renting the same hours."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from gpuconfig.engine.catalogue.vocabulary import Region
from gpuconfig.engine.pricing.case import HIGH, LOW, MIDDLE, Band, CostCase, evaluate
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Currency, Money, MoneyRange
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.engine.selection.rental import rental_offers
from gpuconfig.i18n import Language, Translator
from gpuconfig.presentation.charts.model import Look, Plot, Series
from gpuconfig.presentation.measures import option_name
from gpuconfig.presentation.reference import ReadyReference
from gpuconfig.presentation.services import Services
from gpuconfig.presentation.shown import Shown
from gpuconfig.presentation.table import Column, Row, Table

OWN, RENT, EVEN = "cost_if_sold_by_month", "rent_by_month", "break_even_month"
STEP = 3
"""Months between two rows of the table."""


def cost_years(option: Option, services: Services, t: Translator) -> Plot | None:
    """None where the option's cost is not worked out month by month; rent is the middle of the newest price lists."""
    if option.tco is None or option.tco.case is None:
        return None
    case = _with_rent(option, option.tco.case, services)
    found = evaluate(case, [OWN, RENT, EVEN])
    own, rent = found[OWN], found[RENT]
    months = tuple(float(m) for m in range(own.shape[1]))
    divisor, unit = _money_unit(case.currency.value, float(own.max()), t)
    rented = case.bands["rent_per_gpu_hour"].value != 0
    even = float(found[EVEN][MIDDLE])
    _ = t.gettext
    keys = tuple("" if month % STEP else f"{month:.0f}" for month in months)
    series = [
        Series(
            name=_(N_("buy, sold that month")), x=months, y=tuple(own[MIDDLE] / divisor), look=Look.LINE,
            low=tuple(own[LOW] / divisor), high=tuple(own[HIGH] / divisor), number=0, rows=keys, column="own",
        )
    ]  # fmt: skip
    if rented:
        series.append(
            Series(
                name=_(N_("rent the same hours")), x=months, y=tuple(rent[MIDDLE] / divisor), look=Look.DASHED,
                low=tuple(rent[LOW] / divisor), high=tuple(rent[HIGH] / divisor), number=1, rows=keys, column="rent",
            )
        )  # fmt: skip
    return Plot(
        title=_title(option, rented, even, months[-1], t),
        summary=_(
            N_(
                "Purchase, electricity, upkeep and people, less what the machine would fetch; the band is 90 %."
            )
        ),
        x_title=_(N_("Months")),
        y_title=unit,
        series=tuple(series),
        table=_table(months, own, rent if rented else None, case.currency.value, t),
        x_ticks=tuple((float(m), str(m)) for m in range(0, len(months), 6)),
        upright=(even, _(N_("break-even"))) if rented and even == even else None,
    )


def _with_rent(option: Option, case: CostCase, services: Services) -> CostCase:
    """The case with what clouds ask for the same cards, in the case's currency."""
    catalogue = services.catalogue()
    region = Region.CN if case.currency is Currency.CNY else Region.US
    try:
        rate = catalogue.exchange_rate(Currency.USD, Currency.CNY)
    except UserError:
        return case
    asked = sorted(
        float(rate.convert(Money(offer.per_gpu_hour(), offer.currency), case.currency).amount)
        for offer in rental_offers(option, catalogue, region)
    )
    if not asked:
        return case
    band = Band(asked[len(asked) // 2], asked[0], asked[-1], sign=1)
    return replace(case, bands={**case.bands, "rent_per_gpu_hour": band})


def _title(option: Option, rented: bool, even: float, last: float, t: Translator) -> str:
    _ = t.gettext
    name = t.part(option_name(option))
    if not rented:
        return _(N_("No rental price is recorded for the cards of {name}")).format(name=name)
    if even != even:
        return _(N_("Renting stays cheaper than {name} for {months} months at this use")).format(
            name=name, months=t.formats.number(last)
        )
    return _(N_("Buying {name} pays after {months} months")).format(name=name, months=t.formats.number(even))


def _money_unit(currency: str, largest: float, t: Translator) -> tuple[float, str]:
    if largest < 1e5:
        return 1.0, currency
    if t.language is Language.ZH:  # Chinese counts in ten thousands
        return 1e4, t.gettext(N_("ten thousand {currency}")).format(currency=currency)
    return 1e3, t.gettext(N_("thousand {currency}")).format(currency=currency)


def _table(months: tuple[float, ...], own, rent, currency: str, t: Translator) -> Table:  # type: ignore[no-untyped-def]
    _ = t.gettext
    columns = [
        Column(key="quantity", title=_(N_("Month")), numeric=True),
        Column(key="own", title=_(N_("Buy, sold that month")), numeric=True),
    ]
    if rent is not None:
        columns.append(Column(key="rent", title=_(N_("Rent the same hours")), numeric=True))
    rows = []
    for month in range(0, len(months), STEP):
        cells = [
            Shown(text=str(month), sort=float(month)),
            _cell(OWN, N_("Buy, sold that month"), own, month, currency, t),
        ]
        if rent is not None:
            cells.append(_cell(RENT, N_("Rent the same hours"), rent, month, currency, t))
        rows.append(Row(key=str(month), cells=tuple(cells)))
    return Table(columns=tuple(columns), rows=tuple(rows), name=_(N_("Cost over the years")), pinned=1)


def _cell(name: str, title: str, values, month: int, currency: str, t: Translator) -> Shown:  # type: ignore[no-untyped-def]
    low, middle, high = (float(values[end][month]) for end in (LOW, MIDDLE, HIGH))
    leaf = Explanation(
        name=name, title=title, value=middle, low=low, high=high, unit=currency, mark=Mark.CALCULATED
    )
    unit = Currency(currency)
    ends = MoneyRange(Money(Decimal(round(low)), unit), Money(Decimal(round(high)), unit))
    whole = Money(Decimal(round(middle)), unit)
    note = "" if low == high else f"({t.formats.money_range(ends)})"
    return Shown(text=t.formats.money(whole), note=note, sort=middle, reference=ReadyReference(leaf))
