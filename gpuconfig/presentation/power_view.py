"""Watts of a machine from the socket to each part: the tree, its limits in words, and what is behind each figure."""

from __future__ import annotations

import math
from collections.abc import Mapping

from gpuconfig.documents.watt_flow import WattFlow, WattNode
from gpuconfig.engine.compatibility.finding import CheckResult
from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.i18n import Translator
from gpuconfig.presentation import badges
from gpuconfig.presentation.card_facts import evidence_mark
from gpuconfig.presentation.measures import short_name
from gpuconfig.presentation.reference import ReadyReference
from gpuconfig.presentation.shown import Shown, Tone


def power_flow(option: Option, t: Translator) -> WattFlow | None:
    """From the socket to each load of one machine, as the check reckoned it; None where a load is not known."""
    build = option.build
    power = option.check.power if option.check is not None else {}
    wall, load, parts = _watts(power, "wall_w"), _watts(power, "load_w"), power.get("parts")
    if build is None or wall is None or load is None or not isinstance(parts, Mapping):
        return None
    _ = t.gettext
    names = {line.item.id: f"{line.quantity}× {t.part(short_name(line.item.name))}" for line in build.lines}

    def shown(label: str, watts: float, *, lost: bool = False) -> WattNode:
        return WattNode(label, watts, t.formats.quantity(watts, "W"), lost)

    return WattFlow(
        wall=shown(_(N_("Mains")), wall),
        supply=shown(_(N_("Output of the supplies")), load),
        loads=tuple(
            shown(names.get(key) or _(LOAD_WORDS.get(key, key)), watts) for key, watts in _loads(parts)
        ),
        lost=shown(_(N_("Heat of the supplies")), wall - load, lost=True),
        summary="",
    )


def power_behind(option: Option) -> tuple[ReadyReference, ...]:
    """What is behind each node of `power_flow`: mains, output, the parts from the greatest, heat of the supplies."""
    power = option.check.power if option.check is not None else {}
    wall, load, parts = _watts(power, "wall_w"), _watts(power, "load_w"), power.get("parts")
    if wall is None or load is None or not isinstance(parts, Mapping):
        return ()
    loads = tuple(_part_behind(option, key, watts) for key, watts in _loads(parts))
    output = Explanation(
        name="load_w", title=N_("Output of the supplies"), value=load, unit="W", mark=Mark.CALCULATED,
        formula=" + ".join(part.name for part in loads), inputs=loads,
    )  # fmt: skip
    lost = Explanation(
        name="lost_w", title=N_("Heat of the supplies"), value=wall - load, unit="W", mark=Mark.CALCULATED
    )
    mains = Explanation(
        name="wall_w", title=N_("Mains"), value=wall, unit="W", mark=Mark.CALCULATED,
        formula="load_w + lost_w", inputs=(output, lost),
    )  # fmt: skip
    return tuple(ReadyReference(node) for node in (mains, output, *loads, lost))


def _part_behind(option: Option, key: str, watts: float) -> Explanation:
    """One part's watts; where they are its rating times its count, both are inputs with their source."""
    line = next((one for one in option.build.lines if one.item.id == key), None) if option.build else None
    name = key.replace("-", "_")
    if line is None:
        return Explanation(
            name=name, title=LOAD_WORDS.get(key, key), value=watts, unit="W", mark=Mark.CALCULATED
        )
    rated = getattr(line.item, "tdp_w", None)
    inputs: tuple[Explanation, ...] = ()
    if isinstance(rated, int | float) and math.isclose(watts, rated * line.quantity):
        evidence = line.item.evidence("tdp_w")
        inputs = (
            Explanation(
                name="quantity", title=N_("Quantity"), value=line.quantity, unit="1", mark=Mark.CALCULATED
            ),
            Explanation(
                name="tdp_w", title=N_("Rated power"), value=rated, unit="W", mark=evidence_mark(evidence),
                evidence=evidence, source=evidence.source,
            ),
        )  # fmt: skip
    return Explanation(
        name=name, title=short_name(line.item.name), value=watts, unit="W", mark=Mark.CALCULATED,
        formula="quantity * tdp_w" if inputs else "", inputs=inputs,
    )  # fmt: skip


def _loads(parts: Mapping[str, object]) -> list[tuple[str, float]]:
    """Parts that draw something, the greatest first."""
    known = [(str(key), float(w)) for key, w in parts.items() if isinstance(w, int | float) and w]
    return sorted(known, key=lambda item: -item[1])


def power_limits(option: Option, t: Translator) -> Shown:
    """Load over the supplies' rating, wall over the circuit, in words; what the mains deliver stands behind it."""
    power = option.check.power if option.check is not None else {}
    circuits = int(_watts(power, "circuits") or 1)
    mains = N_("circuit {load} of {rated} for long")
    if circuits > 1:
        mains = N_("{count} circuits: {load}, each carries {rated} for long")
    found = []
    for text, value, limit in (
        (N_("supplies {load} of {rated}"), _watts(power, "load_w"), _watts(power, "rated_w")),
        (mains, _watts(power, "wall_w"), _watts(power, "circuit_w")),
    ):
        if value is not None and limit is not None:
            shown = t.formats.quantity(value, "W"), t.formats.quantity(limit, "W")
            found.append(t.gettext(text).format(load=shown[0], rated=shown[1], count=circuits))
    behind = power_behind(option)
    return Shown(text=" · ".join(found), reference=behind[0] if found and behind else None)


def mains_tone(option: Option) -> Tone:
    """As the rule judged the circuit."""
    power = option.check.power if option.check is not None else {}
    return _mains_tone(option.check, _watts(power, "wall_w"), _watts(power, "circuit_w"))


LOAD_WORDS = {"board": N_("Board and fans"), "fans": N_("Fans"), "other": N_("Other parts")}


def _watts(power: Mapping[str, object], name: str) -> float | None:
    value = power.get(name)
    return float(value) if isinstance(value, int | float) else None


def _mains_tone(check: CheckResult | None, wall: float | None, circuit: float | None) -> Tone:
    """As the rule judged it: several supplies may hang on several circuits."""
    for finding in check.findings if check is not None else ():
        if finding.rule == "power.mains_circuit":
            return badges.STATUS_TONES[finding.status]
    return _share_tone(wall, circuit, 1.0)


def _share_tone(load: float | None, rated: float | None, most: float) -> Tone:
    if load is None or rated is None:
        return Tone.UNKNOWN
    share = load / rated
    if share > 1:
        return Tone.PROBLEM
    return Tone.WARNING if share > most else Tone.OK
