"""The why panel's content: value, band, formula with its numbers, inputs, source, nearest measurements."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gpuconfig.engine.provenance.explanation import Explanation
from gpuconfig.engine.provenance.message import N_
from gpuconfig.i18n import Translator
from gpuconfig.i18n.recorded import recorded_words
from gpuconfig.i18n.sources import source_words
from gpuconfig.presentation import badges
from gpuconfig.presentation.option_view import amount_text
from gpuconfig.presentation.shown import Shown

COUNTED = frozenset({"1", "token", "sample", "element"})
"""Units whose whole values are counts and are written in full."""

CURRENCIES = frozenset({"CNY", "USD"})

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyInput:
    """One input; `opens` is its place among the explanation's inputs."""

    title: str
    name: str
    value: Shown
    mark: str
    opens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyView:
    """Everything the panel writes about one figure."""

    title: str
    name: str
    value: str
    band: str
    mark: Shown
    formula: str
    filled: str
    inputs: tuple[WhyInput, ...]
    source: str
    date: str
    note: str
    nearest: tuple[tuple[str, str], ...]

    def as_text(self, t: Translator) -> str:
        """The panel as text for the clipboard."""
        _ = t.gettext
        rows = [f"{self.title}: {self.value} {self.band}".strip(), f"{_('How known')}: {self.mark.text}"]
        if self.formula:
            rows.append(f"{_('Formula')}: {self.name} = {self.formula}")
        if self.filled != self.formula:
            rows.append(f"  = {self.filled}")
        rows += [f"  {item.title} ({item.name}): {item.value.text} [{item.mark}]" for item in self.inputs]
        if self.source:
            rows.append(f"{_('Source')}: {self.source}")
        if self.date:
            rows.append(f"{_('Date')}: {self.date}")
        rows += [f"{_('Nearest measurement')}: {value} – {text}" for value, text in self.nearest]
        return "\n".join(rows)


def view(explanation: Explanation, t: Translator) -> WhyView:
    """The panel of one node of the tree."""
    evidence = explanation.evidence
    mark = explanation.mark
    return WhyView(
        title=t.gettext(explanation.title) or explanation.name,
        name=explanation.name,
        value=value_text(explanation, t),
        band=_band(explanation, t),
        mark=Shown(
            text=t.gettext(badges.MARK_WORDS[mark]), tone=badges.MARK_TONES[mark], icon=f"mark-{mark.value}"
        ),
        formula=explanation.formula,
        filled=filled_formula(explanation, t),
        inputs=tuple(
            WhyInput(
                title=t.gettext(child.title) or child.name,
                name=child.name,
                value=Shown(text=value_text(child, t)),
                mark=t.gettext(badges.MARK_WORDS[child.mark]),
                opens=number,
            )
            for number, child in enumerate(explanation.inputs)
        ),
        source=source_words(explanation.source or (evidence.source if evidence else ""), t),
        date=(evidence.date or "") if evidence else "",
        note=recorded_words(evidence.note, t) if evidence else "",
        nearest=tuple(
            (
                amount_text(near.measured, near.unit, t),
                f"{near.description or near.source}" + (f" ({near.source})" if near.description else ""),
            )
            for near in explanation.nearest
        ),
    )


def value_text(explanation: Explanation, t: Translator) -> str:
    """The node's value in the reader's locale."""
    value = explanation.value
    if value is None:
        return t.unknown
    if isinstance(value, str):
        return t.gettext(value)
    if explanation.unit in COUNTED and value == int(value) and abs(value) < 10**15:
        unit = t.gettext(explanation.unit) if explanation.unit != "1" else ""
        return f"{t.formats.count(int(value))} {unit}".strip()
    return amount_text(value, explanation.unit, t)


def _band(explanation: Explanation, t: Translator) -> str:
    if explanation.low is None or explanation.high is None:
        return ""
    low, high = (amount_text(edge, explanation.unit, t) for edge in (explanation.low, explanation.high))
    text = N_("low {low}, high {high}") if explanation.unit in CURRENCIES else N_("90 % band {low} – {high}")
    return t.gettext(text).format(low=low, high=high)


def filled_formula(explanation: Explanation, t: Translator) -> str:
    """The formula with its inputs' values in place of their names."""
    values = {child.name: value_text(child, t) for child in explanation.inputs}
    return _IDENTIFIER.sub(lambda match: values.get(match.group(), match.group()), explanation.formula)
