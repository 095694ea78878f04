"""Status, marks and ages in words: always icon, word and colour together."""

from __future__ import annotations

from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.estimation.answer import Verdict
from gpuconfig.engine.provenance.explanation import Mark
from gpuconfig.engine.provenance.message import N_
from gpuconfig.i18n import Translator
from gpuconfig.presentation.shown import Shown, Tone

FRESH_DAYS = 30
STALE_DAYS = 90
"""Prices older than this block final papers, not drafts."""

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
    Mark.CALCULATED: N_("calculated"),
    Mark.ASSUMED: N_("assumed"),
    Mark.GIVEN: N_("as you gave it"),
}
MARK_TONES = {
    Mark.MEASURED: Tone.OK,
    Mark.VENDOR: Tone.NORMAL,
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


def age(days: int | None, t: Translator) -> Shown:
    """How old a price is: fresh, ageing or stale, in days."""
    if days is None:
        return Shown(text=t.gettext("undated"), tone=Tone.UNKNOWN, icon="status-unknown")
    days = max(days, 0)  # a month without a day may end after today
    text = t.ngettext("{count} day", "{count} days", days)
    if days <= FRESH_DAYS:
        return Shown(text=text, tone=Tone.SECONDARY, sort=float(days))
    tone = Tone.WARNING
    note = t.gettext("ageing") if days <= STALE_DAYS else t.gettext("stale")
    return Shown(
        text=text, note=note, tone=tone, sort=float(days), icon="" if days <= STALE_DAYS else "status-warning"
    )


def risk(value: float, t: Translator) -> Shown:
    """The stated sum of risks in words."""
    if value < 0.2:
        return Shown(text=t.gettext("low"), tone=Tone.OK, icon="status-ok", sort=value)
    if value < 0.45:
        return Shown(text=t.gettext("moderate"), tone=Tone.WARNING, icon="status-warning", sort=value)
    return Shown(text=t.gettext("high"), tone=Tone.PROBLEM, icon="status-problem", sort=value)
