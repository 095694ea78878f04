"""PCIe slots: where the cards sit, how many lanes they get and what those lanes pass through."""

from __future__ import annotations

from collections.abc import Iterable

from gpuconfig.engine.builds.build import Via
from gpuconfig.engine.builds.forms import BRACKETS, board_form
from gpuconfig.engine.builds.placement import covered, overlap, place
from gpuconfig.engine.catalogue.host import Motherboard
from gpuconfig.engine.catalogue.vocabulary import FormFactor, LaneSource
from gpuconfig.engine.compatibility.carriage import carriage, routed
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.compatibility.links import FULL_LANES, card_links, link_rate
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.compatibility.mechanics import is_open_frame
from gpuconfig.engine.compatibility.remedies import other_board
from gpuconfig.engine.compatibility.risers import on_risers
from gpuconfig.engine.compatibility.rule import Essential, Judgement, compared, missing, rule, stated
from gpuconfig.engine.provenance.message import N_


@rule(
    "pcie.slots",
    N_("Slots for the cards"),
    essential=Essential.FIT,
    source="board manuals; PCIe pitch 20.32 mm",
)
def slots(machine: Machine) -> Iterable[Judgement]:
    """Enough wide slots, far enough apart for the width of the cards; risers carry cards elsewhere."""
    board = machine.board
    if not machine.cards or machine.server is not None or machine.is_whole_computer:
        return ()
    if carriage(machine).cards:
        return on_risers(machine)
    if board is None:
        return missing("motherboard")
    unknown = [card.id for card, _ in machine.cards if card.slots is None]
    if unknown or not board.slots:
        # The size of the board alone forbids some lists, though no slot of it is recorded.
        lacking = [f"{part}.slots" for part in dict.fromkeys(unknown)]
        bound = None if unknown or is_open_frame(machine) else _too_low(machine)
        return bound or missing(*([] if board.slots else ["motherboard.slots"]), *lacking)
    have = sum(1 for s in board.slots if s.physical_lanes >= FULL_LANES)
    count = len(machine.cards)
    values = _sizes(machine)
    ids = [board.id, *(line.item.id for line in machine.card_lines)]
    if have < count:
        text = N_("{required:.0f} cards, the board has {measured:.0f} slots of 16 lanes in size")
        return compared(Status.PROBLEM, text, values, have, count, "1", ids, other_board(machine))
    unseated = _unseated(machine, board, values, ids)
    if unseated is not None:
        return unseated
    placement = machine.placement
    if placement is None:
        text = N_("{count} cards of {width} slots cover one another on this board")
        return compared(
            Status.PROBLEM, text, values, _at_most(machine), count, "1", ids, other_board(machine)
        )
    clash = overlap(placement) if board.positions_known else None
    if clash is not None:
        upper, lower = clash
        text = N_("the card in slot {upper} covers slot {lower}")
        seats: dict[str, object] = {"upper": upper.slot.position, "lower": lower.slot.position}
        return stated(Status.PROBLEM, text, seats, ids, other_board(machine))
    where = ", ".join(str(s.slot.position) for s in placement.seats)
    return stated(Status.OK, N_("the cards sit in slots {where}"), {"where": where}, ids)


@rule(
    "pcie.lane_width",
    N_("Lanes of each card"),
    source="https://github.com/noonghunna/club-3090; https://github.com/voipmonitor/rtx6kpro",
)
def lane_width(machine: Machine) -> Iterable[Judgement]:
    """x8 of generation 4 carries tensor parallel, x4 slows it, x1 makes it useless; mixed widths drag all down."""
    links = card_links(machine)
    rates = [r for r in (link_rate(x) for x in links) if r is not None]
    lanes = [x.lanes for x in links if x.lanes is not None]
    if not lanes or not machine.cards:
        return missing("links.lanes") if machine.links or carriage(machine).cards else ()
    worst, several = min(lanes), len(machine.cards) > 1
    good, usable = machine.number("lanes_good"), machine.number("lanes_usable")
    values: dict[str, object] = {"worst": worst}
    if several and worst < usable:
        text = N_("a card on {measured:.0f} lanes: tensor parallel and sharded training are unusable, "
                  "only separate work on each card; {required:.0f} is the least")  # fmt: skip
        return compared(Status.PROBLEM, text, values, worst, usable, "1")
    if several and rates and max(rates) / min(rates) >= machine.number("mixed_rate_ratio"):
        text = N_(
            "the fastest link is {ratio:.0f} times the slowest: work shared over the cards runs at the slowest"
        )
        ratio = max(rates) / min(rates)
        return compared(Status.PROBLEM, text, {"ratio": ratio}, min(rates), max(rates), "B/s")
    if worst < good and (several or worst < usable):
        text = N_(
            "a card on {measured:.0f} lanes; {required:.0f} are good for work shared over several cards"
        )
        return compared(Status.WARNING, text, values, worst, good, "1")
    return compared(Status.OK, N_("every card has {measured:.0f} lanes or more"), values, worst, good, "1")


@rule(
    "pcie.chipset_slot",
    N_("Lanes from the processor"),
    source="https://github.com/noonghunna/club-3090/pull/895",
)
def chipset_slot(machine: Machine) -> Iterable[Judgement]:
    """A card behind the chipset shares its narrow uplink: half the rate between cards though the width says more."""
    behind = [x for x in card_links(machine) if x.via is Via.CHIPSET]
    if not behind or len(machine.cards) < 2:
        return ()
    text = N_("{count} cards sit behind the chipset and share its uplink with drives and network: "
              "transfers between cards run at about half the rate")  # fmt: skip
    return stated(Status.WARNING, text, {"count": len(behind)})


@rule("pcie.cpu_lanes", N_("Lanes of the processor"), source="makers' data sheets")
def cpu_lanes(machine: Machine) -> Iterable[Judgement]:
    """Lanes that the seats take against those the processors have."""
    cpu, placement, board = machine.cpu, routed(machine), machine.board
    if cpu is None or board is None or not machine.cards:
        return ()
    if placement is None:
        return missing("links.lanes") if carriage(machine).cards else ()
    have = cpu.usable_pcie_lanes or cpu.pcie_lanes
    if have is None:
        return missing("cpu.pcie_lanes")
    if "plx" in board.slots_text.lower() or "switch" in board.slots_text.lower():
        return ()
    taken = sum(s.lanes or 0 for s in placement.seats if s.slot.source is not LaneSource.CHIPSET)
    have *= max(1, machine.cpus)
    both = machine.numbers.find("rules", "dual_socket_lanes", cpu.socket)
    if machine.cpus == 2 and both is not None and both.value is not None:
        have = min(have, int(both.value))  # the link between the processors takes the others
    status = Status.OK if taken <= have else Status.WARNING
    text = N_("the cards take {measured:.0f} lanes, the processor has {required:.0f}")
    return compared(status, text, {}, taken, have, "1", [cpu.id, board.id])


@rule("pcie.generation", N_("Generation of the links"), source="PCI-SIG")
def generation(machine: Machine) -> Iterable[Judgement]:
    """A card in a slot of an older generation runs at the slot's; with many cards and no link it does not scale."""
    if not machine.cards or (machine.server is not None and machine.server.includes_accelerators):
        return ()
    links = [x for x in card_links(machine) if x.generation is not None]
    own = [card.pcie_generation for card, _ in machine.cards if card.pcie_generation is not None]
    if not links or not own:
        lacking = {"links.generation": links, "accelerator.pcie_generation": own}
        return missing(*(name for name, known in lacking.items() if not known)) if machine.board else ()
    least = min(x.generation or 0 for x in links)
    several = len(machine.cards) > 4
    if least < min(own) and several and not machine.is_linked:
        text = N_("cards of generation {required:.0f} on links of generation {measured:.0f}: "
                  "{count} cards without another link between them gain little over half of them")  # fmt: skip
        return compared(Status.WARNING, text, {"count": len(machine.cards)}, least, min(own), "1")
    text = N_("links of generation {measured:.0f}, cards of generation {required:.0f}")
    return compared(Status.OK, text, {}, least, min(own), "1")


@rule(
    "pcie.above_4g",
    N_("Address space of the BIOS"),
    source="https://github.com/duncandoestech/houston-p100-lab",
)
def above_4g(machine: Machine) -> Iterable[Judgement]:
    """Server cards map their whole memory: boards before 2014 lack the option, many boards have it switched off."""
    board = machine.board
    if board is None or not machine.cards:
        return ()
    old = machine.numbers.find("rules", "old_chipset", board.chipset.upper()) if board.chipset else None
    old_socket = machine.numbers.find("rules", "old_socket", board.socket.upper())
    is_old = (old is not None and old.scope != "*") or (old_socket is not None and old_socket.scope != "*")
    big = [
        card
        for card, _ in machine.cards
        if (card.memory_gb or 0) >= 12 and card.form_factor is FormFactor.PCIE
    ]
    if is_old and big:
        text = N_(
            '{board} is older than the BIOS option "above 4G decoding" that {card} needs: it may not start'
        )
        return stated(Status.WARNING, text, {"board": board.name, "card": big[0].name}, [board.id])
    limit = machine.numbers.find("rules", "boot_cards_limit", board.id)
    if limit is not None and limit.value is not None and len(machine.cards) > limit.value:
        text = N_("{measured:.0f} cards; this board starts with {required:.0f} at most")
        return compared(Status.PROBLEM, text, {}, len(machine.cards), limit.value, "1", [board.id])
    return ()


@rule(
    "pcie.tensor_parallel",
    N_("Cards that tensor parallel can use"),
    source="https://github.com/noonghunna/club-3090/issues/127",
)
def tensor_parallel(machine: Machine) -> Iterable[Judgement]:
    """The number of cards must divide the KV heads: 2, 4, 8; of six cards four work."""
    count = len(machine.cards)
    if count < 3 or not all(card.software.value == "cuda" for card, _ in machine.cards):
        return ()
    used = 1 << (count.bit_length() - 1)
    if used == count or count % 8 == 0:
        return ()
    text = N_(
        "{required:.0f} cards: the heads of most models divide by {measured:.0f}, "
        "the others stay idle in tensor parallel"
    )
    return compared(Status.WARNING, text, {}, used, count, "1")


def _unseated(
    machine: Machine, board: Motherboard, values: dict[str, object], ids: list[str]
) -> Iterable[Judgement] | None:
    """What is told before the seats of the cards are: of an open frame, and of a board whose positions are unknown."""
    count = len(machine.cards)
    if is_open_frame(machine) and count > 1 and machine.placement is None:
        text = N_("{count} cards of {width} slots do not sit side by side on the board; in an open frame they hang on "
                  "risers or cables, of which none is listed")  # fmt: skip
        return stated(Status.WARNING, text, values, ids)
    bound = _too_low(machine)
    if bound is not None:
        return bound
    if machine.placement is None and not board.positions_known and count > 1:
        most = board.max_dual_width_cards
        if most is not None and count > most:
            text = N_("{count} cards of {width} slots; the board takes {measured:.0f} of two slots")
            return compared(Status.PROBLEM, text, values, most, count, "1", ids, other_board(machine))
        return missing("motherboard.slots.position")
    return None


def _sizes(machine: Machine) -> dict[str, object]:
    """Number of the cards and brackets of the widest."""
    return {"count": len(machine.cards), "width": max(covered(c.slots or 1) for c, _ in machine.cards)}


def _too_low(machine: Machine) -> list[Judgement] | None:
    """The cards reach below the lowest slot that a board of its size can have."""
    bound = _beyond_the_board(machine)
    if bound is None or machine.board is None:
        return None
    lowest, brackets = bound
    text = N_("{count} cards of {width} slots need a slot at position {required:.0f}; "
              "a board of this size has {measured:.0f}")  # fmt: skip
    ids = [machine.board.id, *(line.item.id for line in machine.card_lines)]
    return compared(Status.PROBLEM, text, _sizes(machine), brackets, lowest, "1", ids, other_board(machine))


def _beyond_the_board(machine: Machine) -> tuple[int, int] | None:
    """Where positions are not recorded: the slot that the last card would need, and those a board of its size has.

    Side by side the cards start where the one above ends; the widest may hang over the edge. None where they may fit.
    """
    board = machine.board
    form = None if board is None else board_form(board.form_factor)
    brackets = None if form is None else BRACKETS.get(form)
    recorded = board is not None and board.positions_known and bool(board.slots)
    if board is None or recorded or brackets is None or len(machine.cards) < 2:
        return None
    widths = sorted(covered(card.slots or 1) for card, _ in machine.cards)
    lowest = sum(widths[:-1]) + 1
    return (lowest, brackets) if lowest > brackets else None


def _at_most(machine: Machine) -> float:
    """How many of the widest card fit the board."""
    width = max(card.slots or 1.0 for card, _ in machine.cards)
    board = machine.board
    count = 0
    while board is not None and place(board, [width] * (count + 1)) is not None:
        count += 1
    return float(count)
