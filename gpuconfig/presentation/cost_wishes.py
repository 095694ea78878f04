"""What a person may say about cost, as fields of a form; kept as answers beside the wizard's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from gpuconfig.engine.catalogue.market import Tariff
from gpuconfig.engine.catalogue.vocabulary import Region
from gpuconfig.engine.pricing.wishes import CostWishes
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.wizard.draft import problem
from gpuconfig.presentation.wizard.numbers import read_ranged
from gpuconfig.presentation.wizard.question import EXTRA

if TYPE_CHECKING:
    from gpuconfig.presentation.desk.tariffs import TariffEntry

PREFIX = "cost."
PERCENT = 0.01
OWN_TARIFF = "my-bill"
_TARIFF_KEYS = ("tariff", "per_kwh", "per_kwh_sharp", "per_kwh_peak", "per_kwh_flat", "per_kwh_valley")


@dataclass(frozen=True, slots=True, kw_only=True)
class CostField:
    """One field of the form.

    Attributes:
        key: name in the request's `cost` object.
        unit: shown in the field; `currency` stands for the buyer's.
        scale: contract units in one unit of the field.
        choices: value and title; empty for a number.
        flag: chosen means true.
    """

    key: str
    title: str
    unit: str = ""
    scale: float = 1.0
    choices: tuple[tuple[str, str], ...] = ()
    flag: bool = False


COST_FIELDS = (
    CostField(key="utilisation", title=N_("Share of the hours at work"), unit="%", scale=PERCENT),
    CostField(key="years", title=N_("Years looked at"), unit=N_("years")),
    CostField(
        key="need",
        title=N_("How long it is needed"),
        choices=(
            ("", N_("not said")),
            ("one_run", N_("for one training run")),
            ("continuous", N_("all the years")),
        ),
    ),
    CostField(key="tariff", title=N_("Electricity tariff")),
    CostField(key="per_kwh", title=N_("or price of a kilowatt-hour"), unit="currency"),
    CostField(key="per_kwh_sharp", title=N_("Sharp hours, a kilowatt-hour"), unit="currency"),
    CostField(key="per_kwh_peak", title=N_("Peak hours, a kilowatt-hour"), unit="currency"),
    CostField(key="per_kwh_flat", title=N_("Flat hours, a kilowatt-hour"), unit="currency"),
    CostField(key="per_kwh_valley", title=N_("Valley hours, a kilowatt-hour"), unit="currency"),
    CostField(key="valley_first", title=N_("Work runs in the cheap hours first"), flag=True),
    CostField(key="pue", title=N_("PUE of the room")),
    CostField(
        key="hosting",
        title=N_("Where it stands"),
        choices=(("own", N_("own room")), ("colocation", N_("rented rack"))),
    ),
    CostField(key="colocation_per_kw_month", title=N_("Rack, by the kW and month"), unit="currency"),
    CostField(key="staff_per_year", title=N_("People's share a year"), unit="currency"),
    CostField(
        key="payment",
        title=N_("Payment"),
        choices=(("cash", N_("at once")), ("loan", N_("loan")), ("lease", N_("lease"))),
    ),
    CostField(key="down_payment", title=N_("Paid at once"), unit="%", scale=PERCENT),
    CostField(key="interest_rate", title=N_("Interest a year"), unit="%", scale=PERCENT),
    CostField(key="term_months", title=N_("Months of loan or lease"), unit=N_("months")),
    CostField(key="discount_rate", title=N_("Discount rate a year"), unit="%", scale=PERCENT),
    CostField(
        key="invoice",
        title=N_("Invoice"),
        choices=(
            ("none", N_("not said: tax counts as cost")),
            ("ordinary", N_("ordinary: tax counts as cost")),
            ("special", N_("special: tax is recovered")),
        ),
    ),
    CostField(key="tax_rate", title=N_("Tax rate"), unit="%", scale=PERCENT),
    CostField(
        key="rounding",
        title=N_("Tax is rounded"),
        choices=(("per_line", N_("on each line")), ("on_total", N_("on the total"))),
    ),
    CostField(key="freight_share", title=N_("Freight, of the price of the parts"), unit="%", scale=PERCENT),
    CostField(key="duty_rate", title=N_("Duty, of the price of the parts"), unit="%", scale=PERCENT),
    CostField(key="maintenance_share", title=N_("Maintenance a year, of the price"), unit="%", scale=PERCENT),
    CostField(key="book_life_years", title=N_("Written off over"), unit=N_("years")),
    CostField(key="resale_share", title=N_("Cards sold at the end for"), unit="%", scale=PERCENT),
    CostField(key="growth_per_year", title=N_("Growth of the work a year"), unit="%", scale=PERCENT),
    CostField(
        key="peak_time_share", title=N_("Hours in which all cards are wanted"), unit="%", scale=PERCENT
    ),
    CostField(key="storage_gb", title=N_("Kept with a rental provider"), unit="GB"),
    CostField(key="egress_gb_month", title=N_("Sent out of the cloud a month"), unit="GB"),
)


def shown_value(field: CostField, answers: Mapping[str, object]) -> str:
    """What the person said, as the field shows it; empty where nothing."""
    extra = answers.get(EXTRA)
    value = extra.get(PREFIX + field.key) if isinstance(extra, Mapping) else None
    if value is None:
        return ""
    if field.flag or field.choices or field.key == "tariff":
        return str(value)
    number = Decimal(str(value)) / Decimal(str(field.scale))
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def changed_answers(field: CostField, typed: str, answers: Mapping[str, object]) -> dict[str, object]:
    """The answers after the field was changed; an empty field leaves it open again.

    Raises:
        InputError: not a number, or outside the accepted range.
    """
    extra: dict[str, Any] = {}
    old = answers.get(EXTRA)
    if isinstance(old, Mapping):
        extra.update(old)
    value = _value(field, typed.strip())
    if value is None:
        extra.pop(PREFIX + field.key, None)
    else:
        extra[PREFIX + field.key] = value
    return {EXTRA: extra or None}


def field_problem(error: InputError) -> Message:
    """The error as it stands under a field."""
    return problem(error)


def typed_tariff(answers: Mapping[str, object], region: str, source: str) -> TariffEntry:
    """The prices of electricity in the form as a tariff to be kept.

    Raises:
        InputError: prices of hours without the tariff whose hours they are.
    """
    from gpuconfig.presentation.desk.tariffs import TariffEntry

    said = {field.key: shown_value(field, answers) for field in COST_FIELDS if field.key in _TARIFF_KEYS}
    periods = {key.removeprefix("per_kwh_"): said[key] for key in _TARIFF_KEYS if key.startswith("per_kwh_")}
    if any(periods.values()) and not said["per_kwh"] and not said["tariff"]:
        reason = Message(N_("choose the tariff whose hours these prices hold for"))
        raise InputError("missing", PREFIX + "tariff", None, reason)
    name = said["tariff"] or OWN_TARIFF
    return TariffEntry(id=name, price=said["per_kwh"], periods=periods, region=Region(region), source=source)


def kept_tariff(answers: Mapping[str, object], name: str) -> dict[str, object]:
    """The answers with the kept tariff chosen, and its prices no longer typed over it."""
    extra = answers.get(EXTRA)
    left = dict(extra) if isinstance(extra, Mapping) else {}
    left = {key: value for key, value in left.items() if key.removeprefix(PREFIX) not in _TARIFF_KEYS}
    return {EXTRA: {**left, f"{PREFIX}tariff": name}}


def tariff_choices(tariffs: Sequence[Tariff], region: str) -> tuple[tuple[str, str], ...]:
    """Tariffs of the region, id and name."""
    return tuple((tariff.id, tariff.name) for tariff in tariffs if tariff.region.value == region)


def _value(field: CostField, typed: str) -> object:
    if not typed:
        return None
    if field.flag:
        return True
    if field.choices or field.key == "tariff":
        return typed
    limits = {f.name: f.metadata for f in fields(CostWishes)}[field.key]
    scale = Decimal(str(field.scale))
    low, high = (float(Decimal(str(limits[end])) / scale) for end in ("low", "high"))
    whole = bool(limits.get("whole"))
    number = read_ranged(typed, PREFIX + field.key, low, high, whole=whole)
    return int(number) if whole else float(number * scale)
