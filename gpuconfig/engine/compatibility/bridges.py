"""NVLink bridges: the cards each fits, how many a pair takes, the distance it spans, and what stays on PCIe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

from gpuconfig.engine.builds.build import BomLine
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.peripheral import Bridge
from gpuconfig.engine.catalogue.vocabulary import Kind, LinkKind
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.compatibility.rule import Judgement, compared, rule, stated
from gpuconfig.engine.provenance.message import N_

PAIR = 2


@rule("pcie.nvlink_bridge", N_("NVLink bridges"), source="makers' data sheets")
def nvlink_bridge(machine: Machine) -> Iterable[Judgement]:
    """A bridge needs two equal cards that it is made for, as far apart as it is wide, in the number a pair takes."""
    lines = [line for line in machine.build.of(Kind.BRIDGE) if isinstance(line.item, Bridge)]
    wanted = bool(lines) or any("nvlink" in line.note.lower() for line in machine.card_lines)
    if not wanted or not machine.cards:
        return ()
    without = [card for card, _ in machine.cards if card.link_known and card.link is None]
    if without and len(without) == len(machine.cards):
        text = N_("{name} has no NVLink: a bridge does not fit")
        return stated(Status.PROBLEM, text, {"name": without[0].name}, [without[0].id])
    return [judgement for line in lines for judgement in _judged(machine, line)]


def takes(bridge: Bridge, card: Accelerator) -> bool:
    """Whether the bridge is made for the card; one of which no cards are recorded for any that is joined so."""
    if bridge.accelerators:
        return card.id in bridge.accelerators
    return card.link is not None and card.link.kind is LinkKind.NVLINK_BRIDGE


def _judged(machine: Machine, line: BomLine) -> Iterable[Judgement]:
    bridge = line.item
    assert isinstance(bridge, Bridge)
    values: dict[str, object] = {"bridge": bridge.name, "card": machine.cards[0][0].name}
    fitting = Counter(card.id for card, _ in machine.cards if takes(bridge, card))
    if not fitting:
        text = N_("{bridge} does not fit {card}")
        return stated(Status.PROBLEM, text, values, [bridge.id, machine.cards[0][0].id])
    pairs = sum(count // PAIR for count in fitting.values())
    if not pairs:
        text = N_("{bridge} joins two equal cards; the list has no two that it fits")
        return stated(Status.PROBLEM, text, values, [bridge.id, *fitting])
    most = fitting.most_common(1)[0][0]
    values["card"] = next(card.name for card, _ in machine.cards if card.id == most)
    if line.quantity % bridge.bridges_needed:
        text = N_("{measured:.0f} of {bridge}; a pair of {card} takes {required:.0f}")
        wanted = bridge.bridges_needed * max(1, -(-line.quantity // bridge.bridges_needed))
        return compared(Status.PROBLEM, text, values, line.quantity, wanted, "1", [bridge.id, most])
    apart = _apart(machine, bridge, line.quantity // bridge.bridges_needed)
    if apart is not None:
        return apart
    joined = PAIR * min(pairs, line.quantity // bridge.bridges_needed)
    if line.quantity > pairs * bridge.bridges_needed:
        text = N_("{measured:.0f} of {bridge}; the cards can use {required:.0f}")
        needed = pairs * bridge.bridges_needed
        return compared(Status.WARNING, text, values, line.quantity, needed, "1", [bridge.id])
    others = sum(n.quantity for n in machine.build.of(Kind.BRIDGE)) > line.quantity
    if (joined < len(machine.cards) and not others) or joined > PAIR:
        text = N_("bridges join {measured:.0f} of {required:.0f} cards, two and two; between the pairs everything"
                  " goes over PCIe")  # fmt: skip
        return compared(Status.WARNING, text, values, joined, len(machine.cards), "1", [bridge.id])
    return stated(Status.OK, N_("the bridge fits the cards and their distance"), {}, [bridge.id])


def _apart(machine: Machine, bridge: Bridge, pairs: int) -> list[Judgement] | None:
    """The cards that the bridge fits lie at other distances; None where they suit or it is not known."""
    placement, board, span = machine.placement, machine.board, bridge.slots_span
    if placement is None or board is None or not board.positions_known or span is None:
        return None
    where = [
        (card.id, seat.slot.position)
        for (card, _), seat in zip(machine.cards, placement.seats, strict=False)
        if takes(bridge, card)
    ]
    gaps = [abs(a - b) for (one, a), (other, b) in combinations(where, PAIR) if one == other]
    if gaps.count(span) >= min(pairs, len(where) // PAIR):
        return None
    text = N_("the bridge spans {measured:.0f} positions, the cards are {gaps} apart")
    told = ", ".join(map(str, sorted(set(gaps))))
    return compared(Status.PROBLEM, text, {"gaps": told}, span, None, "1", [bridge.id])
