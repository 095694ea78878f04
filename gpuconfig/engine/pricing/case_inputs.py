"""The inputs of an option's cost: its priced parts, its power, its place, and what the person said about cost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import ServerPlatform
from gpuconfig.engine.catalogue.market import Tariff
from gpuconfig.engine.catalogue.vocabulary import Kind, Region
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.graph import Input
from gpuconfig.engine.pricing.case import Band, CostCase, Number
from gpuconfig.engine.pricing.inputs import INPUTS
from gpuconfig.engine.pricing.planning import Pricer
from gpuconfig.engine.pricing.resale import GROUP, HOST, ValueCurve, resale_class, scaled_to, value_curve
from gpuconfig.engine.pricing.tariffs import energy_price, with_period_prices
from gpuconfig.engine.pricing.wishes import (
    OPEN,
    PERIODS,
    CostWishes,
    Hosting,
    Invoice,
    Payment,
    period_price,
)
from gpuconfig.engine.provenance.evidence import Evidence
from gpuconfig.engine.provenance.explanation import Mark
from gpuconfig.engine.provenance.figure import UNKNOWN, Figure
from gpuconfig.engine.quantities.money import Currency, Money
from gpuconfig.engine.quantities.units import MONTHS, YEAR_H

_TITLES = {item.name: item for item in INPUTS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """How the machine is used over its life.

    Attributes:
        utilisation: share of the hours at work; at rest it draws `idle_share` of its power.
        pue: wall power of the room over that of the machine.
    """

    years: float
    utilisation: float
    idle_share: float
    pue: float

    def hours(self) -> float:
        """Hours at work over the whole life."""
        return self.years * YEAR_H * self.utilisation


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What the machine does: `rate` units of `unit` a second, one run in `run_hours`; None: not known."""

    rate: Figure = UNKNOWN
    unit: str = ""
    run_hours: float | None = None


def default_use(coefficients: CoefficientSet, machine_room: bool, wishes: CostWishes | None = None) -> Use:
    """Use of a machine; what the person left open is taken from the coefficients."""
    said = wishes or OPEN
    place = "machine_room" if machine_room else "office"

    def taken(value: float | None, name: str, *scopes: str) -> float:
        return coefficients.value(GROUP, name, *scopes) if value is None else value

    years = round(taken(said.years, "years") * MONTHS) / MONTHS
    return Use(
        years=years,
        utilisation=taken(said.utilisation, "utilisation"),
        idle_share=coefficients.value(GROUP, "idle_share"),
        pue=taken(said.pue, "pue", place),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is owned and where: everything a case is made of."""

    build: Build
    wall_w: Figure
    use: Use
    tariff: Tariff | None
    pricer: Pricer
    coefficients: CoefficientSet
    wishes: CostWishes
    work: Work
    accelerator: Accelerator | None
    count: int

    @property
    def region(self) -> str:
        """Scope of the coefficients that differ by region."""
        region = self.pricer.buyer.region
        return (Region.US if region is Region.WORLD else region).value

    @property
    def is_server(self) -> bool:
        """A server or several machines."""
        return any(line.kind is Kind.SERVER for line in self.build.lines)


class _Inputs:
    """Collects bands and notes."""

    def __init__(self, coefficients: CoefficientSet) -> None:
        self._coefficients = coefficients
        self.bands: dict[str, Band] = {}
        self.notes: dict[str, Input] = {}

    def given(self, name: str, value: Number, text: str | None = None, mark: Mark = Mark.GIVEN) -> None:
        """A sure value."""
        self.bands[name] = Band(value, value, value)
        self.notes[name] = replace(_TITLES[name], mark=mark, text=text)

    def band(self, name: str, band: Band, evidence: Evidence | None, text: str | None = None) -> None:
        """A value with its range."""
        self.bands[name] = band
        mark = Mark.GIVEN if evidence is None else Mark.of(evidence)
        self.notes[name] = replace(_TITLES[name], mark=mark, evidence=evidence, text=text)

    def read(self, name: str, said: float | None, coefficient: str, *scopes: str, sign: int = 0) -> None:
        """What the person said, else the coefficient with its range."""
        if said is not None:
            self.given(name, said)
            return
        row = self._coefficients.row(GROUP, coefficient, *scopes)
        value = row.value or 0.0
        low = value if row.low is None else row.low
        high = value if row.high is None else row.high
        self.band(name, Band(value, low, high, sign), row.evidence)


def cost_case(subject: Subject) -> CostCase:
    """Every input of the cost graph for one option."""
    made = _Inputs(subject.coefficients)
    months = round(subject.use.years * MONTHS)
    _prices(subject, made)
    _place(subject, made)
    _energy(subject, made)
    _money(subject, made)
    _values(subject, made, months)
    _work(subject, made)
    _rent(subject, made)
    made.given("month", tuple(float(m) for m in range(months + 1)))
    name = "" if subject.accelerator is None else subject.accelerator.id
    return CostCase(
        currency=subject.pricer.buyer.currency,
        bands=made.bands,
        notes=made.notes,
        key=f"{name}|{subject.count}",
        work=subject.work.unit,
    )


def _prices(subject: Subject, made: _Inputs) -> None:
    zero = Decimal(0)
    cards, rest = [zero] * 3, [zero] * 3
    for line, count in subject.build.all_lines():
        if line.price is None or line.reused:
            continue
        ends = (line.price.low, line.price.middle(), line.price.high)
        held = isinstance(line.item, ServerPlatform) and bool(line.item.includes_accelerators)
        target = cards if line.kind is Kind.ACCELERATOR or held else rest
        for index, amount in enumerate(ends):
            target[index] += amount.amount * count
    for name, (low, middle, high) in (("accelerator_price", cards), ("host_price", rest)):
        made.band(name, Band(float(middle), float(low), float(high), 1, own=True), None)


def _place(subject: Subject, made: _Inputs) -> None:
    said, kind = subject.wishes, "server" if subject.is_server else "desktop"
    made.read("maintenance_share", said.maintenance_share, "maintenance_yearly", kind, sign=1)
    made.read("spares_share", None, "spares_yearly", kind, sign=1)
    made.read("staff_per_year", said.staff_per_year, "staff_yearly")
    scope = "*" if subject.accelerator is None else resale_class(subject.accelerator)
    made.read("failure_rate", None, "failure_rate", scope)
    made.read("repair_days", None, "repair_days")
    if said.hosting is Hosting.OWN:
        made.given("colocation_per_kw_month", 0.0)
    elif said.colocation_per_kw_month is not None:
        made.given("colocation_per_kw_month", said.colocation_per_kw_month)
    else:
        row = subject.coefficients.row(GROUP, "colocation_kw_month")
        ends = [_dollars(subject, end or 0.0) for end in (row.value, row.low, row.high)]
        made.band("colocation_per_kw_month", Band(ends[0], ends[1], ends[2], 1), row.evidence)


def _energy(subject: Subject, made: _Inputs) -> None:
    use, watts, said = subject.use, subject.wall_w, subject.wishes
    made.given("years", use.years)
    made.read("utilisation", said.utilisation, "utilisation")
    made.bands["utilisation"] = _around(made.bands["utilisation"], use.utilisation)
    made.read("idle_share", None, "idle_share")
    made.read("pue", said.pue, "pue", "machine_room" if subject.is_server else "office")
    made.bands["pue"] = _around(made.bands["pue"], use.pue)
    value = watts.value or 0.0
    low = value if watts.low is None else watts.low
    high = value if watts.high is None else watts.high
    made.band("wall_w", Band(value, low, high, 1, own=True), watts.evidence)
    made.notes["wall_w"] = replace(made.notes["wall_w"], mark=Mark.CALCULATED)
    if said.colocation_per_kw_month is not None or said.hosting is Hosting.COLOCATION:
        made.given("pue", 1.0)  # the rent of the rack contains its cooling
    if said.per_kwh is not None:
        made.given("period_price", (said.per_kwh,))
        made.given("period_energy_share", (1.0,))
        made.given("tier_surcharge", 0.0)
        return
    tariff = subject.tariff
    if tariff is None:
        for name in ("period_price", "period_energy_share"):
            made.given(name, (0.0,), text="?")
        made.given("tier_surcharge", 0.0)
        return
    busy = use.utilisation + (1 - use.utilisation) * use.idle_share
    yearly = value / 1000 * YEAR_H * busy
    rate = _rate(subject, tariff)
    billed = {
        name: Decimal(str(asked / rate))
        for name in PERIODS
        if (asked := period_price(said, name)) is not None
    }
    edited = with_period_prices(tariff, billed)
    price = energy_price(edited, use.utilisation, use.idle_share, yearly, said.valley_first)
    ends = [tuple(p * rate for p in column) for column in (price.middle, price.low, price.high)]
    source = tariff.evidence if edited is tariff else None  # a price of the buyer's own bill is given
    made.band("period_price", Band(ends[0], ends[1], ends[2], 1), source, price.words)
    made.given(
        "period_energy_share", price.shares, " + ".join(f"{s:.0%}" for s in price.shares), Mark.CALCULATED
    )
    made.band("tier_surcharge", _sure(price.surcharge * rate), tariff.evidence)


def _money(subject: Subject, made: _Inputs) -> None:
    said, region = subject.wishes, subject.region
    made.read("freight_share", said.freight_share, "freight_share")
    made.read("duty_rate", said.duty_rate, "duty_rate")
    buyer = subject.pricer.buyer
    made.given("tax_rate", float(buyer.tax_rate))
    recovered = buyer.tax_included and said.invoice is Invoice.SPECIAL
    made.given("tax_recoverable", 1.0 if recovered else 0.0)
    made.given("owned", 0.0 if said.payment is Payment.LEASE else 1.0)
    borrowed = 1 - (said.down_payment or 0.0) if said.payment is Payment.LOAN else 0.0
    made.given("financed_share", borrowed)
    made.read("interest_rate", said.interest_rate, "interest_rate", region)
    made.read("term_months", said.term_months, "term_months")
    made.read("residual_share", None, "residual_share")
    made.read("discount_rate", said.discount_rate, "discount_rate", region)
    made.read("book_life_years", said.book_life_years, "book_life_years", region)
    made.read("salvage_share", None, "salvage_share", region)


def _values(subject: Subject, made: _Inputs, months: int) -> None:
    scope = HOST if subject.accelerator is None else resale_class(subject.accelerator)
    for name, kind in (("card_value_share", scope), ("host_value_share", HOST)):
        curve = curve_of(subject.coefficients, kind, months)
        if name == "card_value_share" and subject.wishes.resale_share is not None:
            curve = scaled_to(curve, subject.wishes.resale_share)
        row = subject.coefficients.row(GROUP, "resale", f"{kind}|3")
        band = Band(curve.middle, curve.low, curve.high, -1)
        text = f"{curve.middle[-1]:.0%} ({curve.low[-1]:.0%}–{curve.high[-1]:.0%})"
        made.band(name, band, row.evidence, text)


def curve_of(coefficients: CoefficientSet, scope: str, months: int) -> ValueCurve:
    """The value curve, made once for a set of coefficients."""
    return coefficients.once(
        ("value_curve", scope, str(months)), lambda: value_curve(coefficients, scope, months)
    )


def _work(subject: Subject, made: _Inputs) -> None:
    made.given("accelerators", float(subject.count))
    made.given("accelerators_per_node", subject.count / max(subject.build.nodes, 1))
    rate = subject.work.rate
    nan = float("nan")
    if rate.value is None:
        made.given("work_per_s", nan)
    else:
        low = rate.value if rate.low is None else rate.low
        high = rate.value if rate.high is None else rate.high
        made.band("work_per_s", Band(rate.value, low, high, 0, own=True), None)
        made.notes["work_per_s"] = replace(made.notes["work_per_s"], mark=Mark.CALCULATED)
    hours = subject.work.run_hours
    made.given("run_hours", nan if hours is None else hours, mark=Mark.CALCULATED)


def _rent(subject: Subject, made: _Inputs) -> None:
    """Renting the same cards; the price itself is put in by the terms that are looked at."""
    said, coefficients = subject.wishes, subject.coefficients
    for name in ("rent_per_gpu_hour", "reserved", "rework_share"):
        made.given(name, 0.0)
    made.read("peak_time_share", said.peak_time_share, "peak_time_share")
    peak = min(float(_single(made.bands["peak_time_share"].value)), subject.use.utilisation)
    made.bands["peak_time_share"] = _around(made.bands["peak_time_share"], peak)
    made.given("base_share", max(0.0, (subject.use.utilisation - peak) / max(1 - peak, 1e-9)))
    extra = []
    for end in ("value", "low", "high"):
        gigabytes = [
            coefficients.row(GROUP, name).value if given is None else given
            for name, given in (("storage_gb", said.storage_gb), ("egress_gb_month", said.egress_gb_month))
        ]
        prices = [
            getattr(coefficients.row(GROUP, name), end) for name in ("storage_usd_gb_month", "egress_usd_gb")
        ]
        extra.append(
            _dollars(subject, sum((g or 0) * (p or 0) for g, p in zip(gigabytes, prices, strict=True)))
        )
    evidence = coefficients.evidence(GROUP, "egress_usd_gb")
    made.band("rent_extra_per_month", Band(extra[0], extra[1], extra[2], 1), evidence)


def _sure(value: float) -> Band:
    return Band(value, value, value)


def _around(band: Band, value: float) -> Band:
    """The band with another planning value inside it."""
    low, high = _single(band.low), _single(band.high)
    return replace(band, value=value, low=min(low, value), high=max(high, value))


def _single(value: Number) -> float:
    return value[0] if isinstance(value, tuple) else value


def _dollars(subject: Subject, amount: float) -> float:
    """US dollars in the buyer's currency."""
    if subject.pricer.buyer.currency is Currency.USD or not amount:
        return amount
    return float(subject.pricer.convert(Money(Decimal(str(amount)), Currency.USD)).amount)


def _rate(subject: Subject, tariff: Tariff) -> float:
    return float(subject.pricer.convert(Money(Decimal(1), tariff.currency)).amount)
