"""Sound of a machine against what its place bears."""

from __future__ import annotations

import math
from collections.abc import Iterable

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.vocabulary import Cooling
from gpuconfig.engine.compatibility.environment import Noise
from gpuconfig.engine.compatibility.finding import Remedy, Status
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.compatibility.rule import Judgement, compared, rule
from gpuconfig.engine.provenance.message import N_, Message


@rule(
    "cooling.noise",
    N_("Noise"),
    advice=True,
    source="GB 50118-2010 (office 45 dB(A)); GBZ 2.2-2007 (85 dB(A) over eight hours); makers' data sheets",
)
def noise(machine: Machine) -> Iterable[Judgement]:
    """Sound levels of server, cards and coolers add as energies: two equal sources are 3 dB more than one."""
    place = machine.place.noise
    if place is None or not machine.cards:
        return ()
    limit = machine.number("noise_limit_dba", place)
    sources = _sources(machine)
    level = 10 * math.log10(sum(count * 10 ** (each / 10) for each, count in sources))
    values: dict[str, object] = {"place": Message(_PLACES[Noise(place)])}
    ids = [machine.server.id] if machine.server is not None else [line.item.id for line in machine.card_lines]
    if level <= limit:
        text = N_("about {measured:.0f} dB(A) at work; {place} bears {required:.0f} dB(A)")
        return compared(Status.OK, text, values, level, limit, "dB", ids)
    # A few decibels are within what a closed case or a low fan curve takes away.
    rack = machine.server is not None and machine.server.rack_units is not None
    status = Status.PROBLEM if rack and place == Noise.OFFICE.value else Status.WARNING
    text = N_("about {measured:.0f} dB(A) at work; {place} bears {required:.0f} dB(A)")
    remedy = Remedy(text=Message(N_("into a machine room, or a room of its own with exhaust air")))
    return compared(status, text, values, level, limit, "dB", ids, remedy)


_PLACES = {
    Noise.OFFICE: N_("an office"),
    Noise.LAB: N_("a laboratory"),
    Noise.MACHINE_ROOM: N_("a machine room without ear protection"),
}


def _sources(machine: Machine) -> list[tuple[float, int]]:
    """Level and number of each source at one metre."""
    server = machine.server
    if server is not None:
        return [(server.noise_dba or machine.number("noise_dba", "rack_server"), 1)]
    found: list[tuple[float, int]] = [(machine.number("noise_dba", "case"), 1)]
    found += [(_card_level(card, machine), 1) for card, _ in machine.cards]
    if machine.cooler is not None:
        found.append(
            (machine.cooler.noise_dba or machine.number("noise_dba", "cpu_cooler"), max(1, machine.cpus))
        )
    return found


def _card_level(card: Accelerator, machine: Machine) -> float:
    if card.noise_dba is not None:
        return card.noise_dba
    kind = card.cooling if card.cooling is not None else Cooling.OPEN_AIR
    return machine.number("noise_dba", kind.value)
