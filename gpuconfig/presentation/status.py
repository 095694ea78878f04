"""What the status bar says: age of prices, rate, what was searched."""

from __future__ import annotations

from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.evidence import Evidence
from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.engine.selection.recommendation import Recommendation
from gpuconfig.i18n import Translator
from gpuconfig.presentation import badges
from gpuconfig.presentation.measures import alone
from gpuconfig.presentation.reference import ReadyReference
from gpuconfig.presentation.services import Services
from gpuconfig.presentation.shown import Shown, Tone


def price_age(recommendation: Recommendation | None, services: Services, t: Translator) -> Shown:
    """The oldest price that an option rests on."""
    dates = (
        []
        if recommendation is None
        else [o.price.oldest_date for o in recommendation.options if o.price.oldest_date]
    )
    if not dates:
        return Shown(text="")
    oldest = Evidence("", min(dates)).day()
    days = (services.today() - oldest).days if oldest is not None else 0
    limits = badges.price_ages(services).limits()
    shown = badges.age(days, limits, t)
    text = t.gettext(N_("prices: oldest {age}")).format(age=shown.text)
    icon = "status-warning" if days > limits.fresh_days else ""
    tone = Tone.WARNING if icon else Tone.SECONDARY
    return Shown(
        text=text, tone=tone, icon=icon, reference=alone("oldest_price", N_("Oldest price"), min(dates), "1")
    )


def rate(services: Services, t: Translator) -> Shown:
    """The exchange rate with its date."""
    try:
        found = services.catalogue().exchange_rate(Currency.USD, Currency.CNY)
    except UserError:
        return Shown(text="")
    day = found.evidence.date or t.gettext(N_("undated"))
    text = f"1 USD = {found.rate:.2f} CNY ({day})"
    explanation = Explanation(
        name="usd_cny",
        title=N_("Exchange rate"),
        value=float(found.rate),
        unit="1",
        mark=Mark(found.evidence.kind.value),
        evidence=found.evidence,
        source=found.evidence.source,
    )
    return Shown(text=text, tone=Tone.SECONDARY, reference=ReadyReference(explanation))


def searched(recommendation: Recommendation | None, t: Translator) -> Shown:
    """How many strategies were tried and how long it took."""
    if recommendation is None or not recommendation.strategies:
        return Shown(text="")
    count = t.ngettext("{count} strategy", "{count} strategies", recommendation.strategies)
    seconds = t.formats.number(recommendation.seconds, 2)
    reference = alone("strategies", N_("Strategies searched"), float(recommendation.strategies), "1")
    return Shown(text=f"{count}, {seconds} s", tone=Tone.SECONDARY, reference=reference)
