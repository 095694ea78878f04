"""Status, marks and ages in words: always icon, word and colour together."""

from __future__ import annotations

from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.estimation.answer import Verdict
from gpuconfig.engine.pricing.freshness import GROUP, AgeLimits, PriceAges
from gpuconfig.engine.provenance.explanation import Mark
from gpuconfig.engine.provenance.message import N_
from gpuconfig.i18n import Translator
from gpuconfig.presentation.services import Services
from gpuconfig.presentation.shown import Shown, Tone

STATUS_WORDS = {
    Status.OK: N_("OK"),
    Status.WARNING: N_("Caution"),
    Status.PROBLEM: N_("Problem"),
    Status.UNKNOWN: N_("Unknown"),
}
STATUS_TONES = {
    Status.OK: Tone.OK,
    Status.WARNING: Tone.WARNING,
    Status.PROBLEM: Tone.PROBLEM,
    Status.UNKNOWN: Tone.UNKNOWN,
}
VERDICT_WORDS = {
    Verdict.FITS: N_("fits"),
    Verdict.TOO_CLOSE: N_("too close to call"),
    Verdict.DOES_NOT_FIT: N_("does not fit"),
    Verdict.UNKNOWN: N_("unknown"),
}
VERDICT_TONES = {
    Verdict.FITS: Tone.OK,
    Verdict.TOO_CLOSE: Tone.WARNING,
    Verdict.DOES_NOT_FIT: Tone.PROBLEM,
    Verdict.UNKNOWN: Tone.UNKNOWN,
}
MARK_WORDS = {
    Mark.MEASURED: N_("measured"),
    Mark.VENDOR: N_("from the maker"),
    Mark.SECONDARY: N_("from a third party"),
    Mark.CALCULATED: N_("calculated"),
    Mark.ASSUMED: N_("assumed"),
    Mark.GIVEN: N_("as you gave it"),
}
MARK_TONES = {
    Mark.MEASURED: Tone.OK,
    Mark.VENDOR: Tone.NORMAL,
    Mark.SECONDARY: Tone.NORMAL,
    Mark.CALCULATED: Tone.NORMAL,
    Mark.ASSUMED: Tone.WARNING,
    Mark.GIVEN: Tone.ACCENT,
}


def status(value: Status, t: Translator) -> Shown:
    """A finding's status."""
    return Shown(
        text=t.gettext(STATUS_WORDS[value]),
        tone=STATUS_TONES[value],
        icon=f"status-{value.value}",
        sort=value.value,
    )


def verdict(value: Verdict, t: Translator) -> Shown:
    """Whether the work fits the card."""
    icons = {
        Verdict.FITS: "status-ok",
        Verdict.TOO_CLOSE: "status-warning",
        Verdict.DOES_NOT_FIT: "status-problem",
        Verdict.UNKNOWN: "status-unknown",
    }
    return Shown(
        text=t.gettext(VERDICT_WORDS[value]), tone=VERDICT_TONES[value], icon=icons[value], sort=value.value
    )


def price_ages(services: Services) -> PriceAges:
    """How fast prices age, as the catalogue says."""
    return PriceAges(services.catalogue().coefficients(GROUP))


def days_in_words(days: int | None, t: Translator) -> str:
    """The age alone."""
    return t.gettext("undated") if days is None else t.ngettext("{count} day", "{count} days", max(days, 0))


def age(days: int | None, limits: AgeLimits, t: Translator) -> Shown:
    """How old a price is: fresh, ageing or stale, in days."""
    if days is None:
        return Shown(text=days_in_words(None, t), tone=Tone.UNKNOWN, icon="status-unknown")
    days = max(days, 0)  # a clock that goes wrong makes no price younger than new
    text = days_in_words(days, t)
    if days <= limits.fresh_days:
        return Shown(text=text, tone=Tone.SECONDARY, sort=float(days))
    tone = Tone.WARNING
    stale = days > limits.stale_days
    note = t.gettext("stale") if stale else t.gettext("ageing")
    return Shown(text=text, note=note, tone=tone, sort=float(days), icon="status-warning" if stale else "")


def risk(value: float | None, t: Translator) -> Shown:
    """The stated sum of risks in words."""
    if value is None:
        return Shown(text=t.unknown, tone=Tone.UNKNOWN, icon="status-unknown")
    if value < 0.2:
        return Shown(text=t.gettext("low"), tone=Tone.OK, icon="status-ok", sort=value)
    if value < 0.45:
        return Shown(text=t.gettext("moderate"), tone=Tone.WARNING, icon="status-warning", sort=value)
    return Shown(text=t.gettext("high"), tone=Tone.PROBLEM, icon="status-problem", sort=value)
