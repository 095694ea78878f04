"""Cables that carry PCIe lanes inside a case: SlimSAS and MCIO, with the adapters at their ends."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from gpuconfig.engine.catalogue.peripheral import Riser
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.compatibility.rule import Judgement, compared, missing, rule, stated
from gpuconfig.engine.provenance.message import N_


class Plug(StrEnum):
    """Families of plugs, which do not fit one another."""

    SLIMSAS = "SlimSAS"
    MCIO = "MCIO"


_WORDS = {"slimsas": Plug.SLIMSAS, "sff-8654": Plug.SLIMSAS, "mcio": Plug.MCIO, "sff-ta-1016": Plug.MCIO}


@rule("pcie.cable_length", N_("Length of SlimSAS and MCIO cables"),
      source="https://www.reddit.com/r/LocalLLaMA/comments/1gum5yh/")  # fmt: skip
def cable_length(machine: Machine) -> Iterable[Judgement]:
    """A cable carries its generation up to a length; how far generation 5 reaches is not recorded."""
    found: list[Judgement] = []
    for item, _ in _cables(machine):
        lacking = [name for name in ("pcie_generation", "length_mm") if getattr(item, name) is None]
        if lacking:
            found += missing(*(f"riser.{name}" for name in lacking))
            continue
        limit = machine.numbers.find("rules", f"riser_{_plug(item).lower()}_mm", str(item.pcie_generation))
        if limit is None or limit.value is None:
            found += missing(f"riser_{_plug(item).lower()}_mm ({item.pcie_generation}.0)")
            continue
        if (item.length_mm or 0.0) > limit.value:
            text = N_("a cable of {measured:.0f} mm at generation {generation}: {required:.0f} mm is the limit; "
                      "a shorter one, a redriver, or the slot set one generation lower")  # fmt: skip
            status = Status.WARNING
        else:
            text = N_(
                "a cable of {measured:.0f} mm at generation {generation}: up to {required:.0f} mm holds"
            )
            status = Status.OK
        values: dict[str, object] = {"generation": item.pcie_generation}
        found += compared(status, text, values, item.length_mm, limit.value, "mm", [item.id])
    return found


@rule(
    "pcie.redriver", N_("Redriver or retimer at the cable"), source="https://github.com/voipmonitor/rtx6kpro"
)
def redriver(machine: Machine) -> Iterable[Judgement]:
    """At generation 5 a passive host adapter is at risk; whether one is passive must be known."""
    if not _cables(machine):
        return ()
    found: list[Judgement] = []
    for item, _ in _risers(machine):
        if "host adapter" not in item.riser_type.lower():
            continue
        if item.pcie_generation is None or item.redriver is None:
            lacking = [name for name in ("pcie_generation", "redriver") if getattr(item, name) is None]
            found += missing(*(f"riser.{name}" for name in lacking))
        elif item.redriver:
            found += stated(
                Status.OK, N_("the host adapter renews the signal for the cable"), parts=[item.id]
            )
        elif item.pcie_generation >= 5:
            text = N_("a passive host adapter at generation {measured:.0f}: links are known to fall back to 4; "
                      "one with a retimer, or the slot set to generation 4")  # fmt: skip
            found += compared(Status.WARNING, text, {}, item.pcie_generation, 4, "1", [item.id])
    return found


@rule("pcie.cable_lanes", N_("Cables for every lane"),
      source="https://github.com/autonomous-ai/autonomous-computer/blob/main/8x-5090/README.md")  # fmt: skip
def cable_lanes(machine: Machine) -> Iterable[Judgement]:
    """An adapter of 16 lanes takes two cables of eight; with fewer its card runs at fewer lanes."""
    ends = [(i, n) for i, n in _risers(machine) if "device adapter" in i.riser_type.lower()]
    cables = _cables(machine)
    if not ends or not cables:
        return ()
    if any(item.lanes is None for item, _ in (*ends, *cables)):
        return missing("riser.lanes")
    needed = sum((item.lanes or 0) * count for item, count in ends)
    given = sum((item.lanes or 0) * count for item, count in cables)
    parts = [item.id for item, _ in (*ends, *cables)]
    if given < needed:
        text = N_("the cables carry {measured:.0f} of the {required:.0f} lanes of the adapters: "
                  "two cables of eight lanes for each card")  # fmt: skip
        return compared(Status.WARNING, text, {}, given, needed, "1", parts)
    text = N_("the cables carry {measured:.0f} lanes, the adapters take {required:.0f}")
    return compared(Status.OK, text, {}, given, needed, "1", parts)


@rule("pcie.cable_plugs", N_("Plugs of cables and adapters"), source="SFF-8654, SFF-TA-1016")
def cable_plugs(machine: Machine) -> Iterable[Judgement]:
    """SlimSAS and MCIO do not plug into one another."""
    cables = _cables(machine)
    have = {_plug(item) for item, _ in cables}
    ends = [i for i, _ in _risers(machine) if "adapter" in i.riser_type.lower() and plug_of(i) is not None]
    if not cables or not ends:
        return ()
    wrong = [item for item in ends if plug_of(item) not in have]
    if wrong:
        text = N_("{part} takes {plug} cables, which are not in the list")
        return stated(Status.PROBLEM, text, {"part": wrong[0].name, "plug": _plug(wrong[0]).value},
                      [item.id for item in wrong])  # fmt: skip
    return stated(Status.OK, N_("cables and adapters have the same plugs"), parts=[item.id for item in ends])


def _risers(machine: Machine) -> list[tuple[Riser, int]]:
    lines = machine.build.of(Kind.RISER)
    return [(line.item, line.quantity) for line in lines if isinstance(line.item, Riser)]


def _cables(machine: Machine) -> list[tuple[Riser, int]]:
    """Cables between adapters; those to a drive bay carry no card."""
    return [
        (item, count)
        for item, count in _risers(machine)
        if "cable" in item.riser_type.lower()
        and plug_of(item) is not None
        and not any(w in f"{item.name} {item.interface}".lower() for w in ("u.2", "sff-8639"))
    ]


def plug_of(item: Riser) -> Plug | None:
    """The family of its plugs, by its interface or name; None where it has none."""
    words = f"{item.interface} {item.name}".lower()
    return next((plug for word, plug in _WORDS.items() if word in words), None)


def _plug(item: Riser) -> Plug:
    found = plug_of(item)
    if found is None:
        raise ValueError(f"{item.id} is no cable of a known plug")
    return found
