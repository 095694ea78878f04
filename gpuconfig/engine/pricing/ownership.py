"""Three-year cost: purchase, electricity from the predicted load, maintenance, less resale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.market import Tariff
from gpuconfig.engine.catalogue.vocabulary import Kind, Region
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.pricing.planning import Pricer
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.quantities.money import Currency, Money, MoneyRange
from gpuconfig.engine.quantities.units import YEAR_H

GROUP = "pricing"


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

    def energy_kwh(self, wall_w: float) -> float:
        """Energy over the life for a machine that draws `wall_w` at work."""
        busy = self.utilisation + (1 - self.utilisation) * self.idle_share
        return wall_w / 1000 * self.years * YEAR_H * busy * self.pue


@dataclass(frozen=True, slots=True, kw_only=True)
class Ownership:
    """Parts of the cost over `years`, low-high each, in one currency."""

    years: float
    purchase: MoneyRange
    electricity: MoneyRange | None
    maintenance: MoneyRange
    resale: MoneyRange
    total: MoneyRange
    middle: Money
    energy_kwh: Figure
    tariff: Tariff | None


def default_use(coefficients: CoefficientSet, machine_room: bool) -> Use:
    """Use of a machine about which nothing is said."""
    place = "machine_room" if machine_room else "office"
    return Use(
        years=coefficients.value(GROUP, "years"),
        utilisation=coefficients.value(GROUP, "utilisation"),
        idle_share=coefficients.value(GROUP, "idle_share"),
        pue=coefficients.value(GROUP, "pue", place),
    )


def choose_tariff(tariffs: Sequence[Tariff], region: Region, server: bool) -> Tariff | None:
    """The tariff of the region: industrial for a machine room, commercial else; None where none is recorded."""
    wanted = ("industrial", "commercial") if server else ("commercial", "industrial")
    here = [t for t in tariffs if t.region is region]
    for word in wanted:
        for tariff in here:
            if word in tariff.customer.lower():
                return tariff
    return here[0] if here else None


def resale_class(accelerator: Accelerator) -> str:
    """Class of the resale share: `consumer`, `workstation` or `datacentre`."""
    name = f"{accelerator.family} {accelerator.name}".lower()
    if (
        accelerator.form_factor.value in ("sxm", "oam", "module", "superchip")
        or accelerator.cooling == "passive"
    ):
        return "datacentre"
    return "consumer" if any(w in name for w in ("geforce", "rtx 20", "rtx 30", "rtx 40", "rtx 50", "rx ", "arc")) \
        else "workstation"  # fmt: skip


def ownership(
    build: Build,
    wall_w: Figure,
    use: Use,
    tariff: Tariff | None,
    pricer: Pricer,
    coefficients: CoefficientSet,
) -> Ownership:
    """Cost over the years of a priced build that draws `wall_w` (all nodes) at work.

    Electricity is None where the tariff or the power is not known; the total is then a lower bound.
    """
    currency = pricer.buyer.currency
    purchase = _purchase(build, currency)
    electricity = _electricity(wall_w, use, tariff, pricer)
    server = any(line.kind is Kind.SERVER for line in build.lines)
    row = coefficients.row(GROUP, "maintenance_yearly", "server" if server else "desktop")
    upkeep = _scaled(purchase, (row.low or 0) * use.years, (row.high or 0) * use.years)
    upkeep_middle = purchase.middle().amount * Decimal(str((row.value or 0) * use.years))
    resale, resale_middle = _resale(build, currency, coefficients)
    low = purchase.low + upkeep.low - resale.high
    high = purchase.high + upkeep.high - resale.low
    middle = purchase.middle().amount + upkeep_middle - resale_middle
    if electricity is not None:
        low, high = low + electricity.low, high + electricity.high
        middle += electricity.middle().amount
    energy = None if wall_w.value is None else use.energy_kwh(wall_w.value)
    return Ownership(
        years=use.years,
        purchase=purchase,
        electricity=electricity,
        maintenance=upkeep,
        resale=resale,
        total=MoneyRange(low.rounded(), high.rounded()),
        middle=Money(middle, currency).rounded(),
        energy_kwh=Figure(energy, unit="kWh"),
        tariff=tariff,
    )


def _purchase(build: Build, currency: Currency) -> MoneyRange:
    zero = Money(Decimal(0), currency)
    total = MoneyRange(zero, zero)
    for line, count in build.all_lines():
        if line.price is not None and not line.reused:
            total = total + line.price * count
    return total


def _electricity(wall_w: Figure, use: Use, tariff: Tariff | None, pricer: Pricer) -> MoneyRange | None:
    if tariff is None or wall_w.value is None:
        return None
    low_w = wall_w.low if wall_w.low is not None else wall_w.value
    high_w = wall_w.high if wall_w.high is not None else wall_w.value
    ends = []
    for watts, rate in ((low_w, tariff.per_kwh_low), (high_w, tariff.per_kwh_high)):
        amount = Decimal(str(round(use.energy_kwh(watts), 3))) * rate
        ends.append(pricer.convert(Money(amount, tariff.currency)).rounded())
    return MoneyRange(ends[0], ends[1])


def _resale(build: Build, currency: Currency, coefficients: CoefficientSet) -> tuple[MoneyRange, Decimal]:
    zero = Money(Decimal(0), currency)
    low, high, middle = zero, zero, Decimal(0)
    for line, count in build.all_lines():
        if line.price is None or line.reused:
            continue
        scope = resale_class(line.item) if isinstance(line.item, Accelerator) else "host"
        row = coefficients.row(GROUP, "resale_3y", scope)
        value = line.price * count
        low = low + value.low * Decimal(str(row.low or 0))
        high = high + value.high * Decimal(str(row.high or 0))
        middle += value.middle().amount * Decimal(str(row.value or 0))
    return MoneyRange(low.rounded(), high.rounded()), middle


def _scaled(amount: MoneyRange, low: float, high: float) -> MoneyRange:
    return MoneyRange(
        (amount.low * Decimal(str(low))).rounded(), (amount.high * Decimal(str(high))).rounded()
    )
