"""M.2 sockets that take lanes from the slots of the cards."""

from __future__ import annotations

from collections.abc import Iterable

from gpuconfig.engine.catalogue.peripheral import Drive
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.compatibility.machine import RULES, Machine
from gpuconfig.engine.compatibility.rule import Judgement, compared, missing, rule
from gpuconfig.engine.provenance.message import N_


@rule("pcie.m2_sharing", N_("M.2 sockets that share lanes"), source="board manuals")
def m2_sharing(machine: Machine) -> Iterable[Judgement]:
    """A drive in such a socket halves a card's slot or switches it off: other sockets first."""
    board = machine.board
    drives = sum(
        line.quantity
        for line in machine.build.of(Kind.DRIVE)
        if isinstance(line.item, Drive) and "M.2" in line.item.form_factor.upper()
    )
    if board is None or not machine.cards or not drives:
        return ()
    sharing = machine.numbers.find(RULES, "m2_sharing", board.id)
    left = machine.numbers.find(RULES, "m2_lanes_left", board.id)
    if (
        sharing is None
        or left is None
        or sharing.value is None
        or left.value is None
        or board.m2_slots is None
    ):
        return missing("motherboard.conflicts")
    free = board.m2_slots - int(sharing.value)
    values: dict[str, object] = {
        "sharing": int(sharing.value),
        "sockets": board.m2_slots,
        "left": int(left.value),
    }
    if drives <= free:
        text = N_("{sharing} of {sockets} M.2 sockets share lanes with a card slot, which keeps {left} of them: put "
                  "the drives into the others")  # fmt: skip
        return compared(Status.OK, text, values, drives, free, "1", [board.id])
    text = N_(
        "{measured:.0f} M.2 drives, {required:.0f} sockets that share no lanes: a card slot keeps {left} lanes"
    )
    return compared(Status.WARNING, text, values, drives, free, "1", [board.id])
