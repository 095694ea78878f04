"""Which cards stand on risers or cables instead of in a slot, and what of the board's slots that takes."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.builds.fits import is_open
from gpuconfig.engine.builds.placement import CARD_LANES, Placement, carried, partly_carried
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.machine import Machine

SAID = ("riser", "mcio", "slimsas", "oculink", "bifurcation", "switch", "tb3", "egpu")
"""Words of a remark by which cards stand elsewhere; how many such parts there are it does not tell."""
MANY = ("mcio", "slimsas", "oculink", "bifurcat", "split", "switch", "m.2", "tb3", "egpu", "usb")
"""Words of a remark by which a slot feeds several cards, or cards hang on something else than wide slots."""

SPLIT = ("bifurcat", "split", "拆分", "分叉")


@dataclass(frozen=True, slots=True)
class Carriage:
    """Cards that stand elsewhere.

    Attributes:
        cards: how many: as many as risers and adapters are listed, all where a remark names them without a number.
        more: cards that splitters, host adapters and switches feed beyond one a slot; None: no number is known.
        lanes: physical lanes that a slot must have for the riser.
    """

    cards: int = 0
    more: int | None = 0
    lanes: int = CARD_LANES

    def fans_out(self) -> bool:
        """Whether a slot may feed several cards."""
        return self.more != 0


def carriage(machine: Machine) -> Carriage:
    """As listed piece by piece; a remark that names risers or cables counts for every card."""
    count = len(machine.cards)
    remark = " ".join(machine.build.remarks).lower()
    said = any(word in remark for word in SAID)
    ends = more = narrow = 0
    for line in machine.build.of(Kind.RISER):
        item = line.item
        kind = getattr(item, "riser_type", "").lower()
        words = f"{kind} {item.name} {line.note}".lower()
        feeds = _feeds(kind, words)
        if feeds is not None:
            more += (int(machine.number("slot_feeds", feeds)) - 1) * line.quantity
        elif "cable" not in kind:
            ends += line.quantity
            if getattr(item, "lanes", None) == 1 or "usb" in words:
                narrow += line.quantity
    if machine.build.splits_slots and not more:
        more = count
    if said:
        known = 0 if not any(word in remark for word in MANY) else None
        return Carriage(count, None if known is None else more, 1 if narrow else CARD_LANES)
    if not machine.lists(Kind.RISER) or not count:
        return Carriage()
    cards = min(count, ends) if ends else count if more else 0
    return Carriage(cards, more, 1 if narrow and narrow >= cards else CARD_LANES)


def _feeds(kind: str, words: str) -> str | None:
    """The part by which one slot feeds several cards; None for a riser, a cable or an adapter below a card."""
    if "device adapter" in kind or kind == "cable":
        return None
    if "switch" in words:
        return "switch"
    if "host adapter" in words:
        return "host_adapter"
    return "splitter" if any(word in words for word in SPLIT) else None


def routed(machine: Machine) -> Placement | None:
    """Slots that feed the cards, whether these sit in them or stand elsewhere; None where that is not known."""
    board, count = machine.board, len(machine.cards)
    if board is None or not count:
        return machine.placement
    means = carriage(machine)
    hangs = machine.placement is None and machine.case is not None and is_open(machine.case)
    if not means.cards and not hangs:
        return machine.placement
    if not means.cards or means.cards >= count:
        found = carried(board, count)
        split = found is not None and len({s.slot.position for s in found.seats}) < count
        if found is not None and (not split or means.fans_out() or hangs):
            return found
    if means.fans_out() or any(card.slots is None for card, _ in machine.cards):
        return None
    return partly_carried(board, [card.slots or 1.0 for card, _ in machine.cards], means.cards)
