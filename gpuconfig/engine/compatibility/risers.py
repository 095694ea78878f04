"""Risers, cables, external links and switches: what the lanes pass through."""

from __future__ import annotations

from collections.abc import Iterable

from gpuconfig.engine.builds.build import Via
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.carriage import carriage, routed
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.compatibility.links import remarks_of
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.compatibility.remedies import other_board
from gpuconfig.engine.compatibility.rule import Judgement, compared, missing, rule, stated
from gpuconfig.engine.provenance.message import N_


@rule("pcie.bifurcation", N_("Splitting a slot"), source="board manuals")
def bifurcation(machine: Machine) -> Iterable[Judgement]:
    """A splitting card needs the board's slot to bifurcate."""
    text = remarks_of(machine)
    if not machine.build.splits_slots and "bifurcat" not in text and "split" not in text:
        return ()
    return stated(
        Status.OK,
        N_("the slot must be set to split (bifurcation) in the BIOS; each card gets its share of lanes"),
    )


@rule("pcie.riser", N_("Risers and cables"), source="https://www.reddit.com/r/LocalLLaMA/comments/1gum5yh/")
def riser(machine: Machine) -> Iterable[Judgement]:
    """Passive risers: generation 4 up to 15 cm; generation 5 falls back; redrivers and SlimSAS go farther."""
    found: list[Judgement] = list(_spoken_of(machine))
    for line in machine.build.of(Kind.RISER):
        item = line.item
        generation_ = getattr(item, "pcie_generation", None)
        length = getattr(item, "length_mm", None)
        words = f"{item.name} {getattr(item, 'riser_type', '')} {line.note}".lower()
        active = getattr(item, "redriver", None) or any(w in words for w in ("redriver", "retimer", "switch"))
        wanted = max((c.pcie_generation or 0 for c, _ in machine.cards), default=0)
        if "usb" in words or getattr(item, "lanes", None) == 1:
            found += stated(
                Status.WARNING, N_("a USB riser carries one lane of generation 3 at most"), parts=[item.id]
            )
        elif generation_ is not None and generation_ < min(wanted, _slot_generation(machine) or wanted):
            text = N_("a riser of generation {measured:.0f} under a card of generation {required:.0f}: set the slot to "
                      "the riser's generation in the BIOS; read the link speed under load")  # fmt: skip
            found += compared(Status.WARNING, text, {}, generation_, wanted, "1", [item.id])
        elif generation_ in (4, 5) and not active and "ribbon" in words:
            limit = machine.number("riser_passive_mm", str(generation_))
            if generation_ == 5 or (length is not None and length > limit):
                text = N_(
                    "a passive riser of {measured:.0f} mm at generation {generation}: {required:.0f} mm is the limit"
                )
                values: dict[str, object] = {"generation": generation_}
                found += compared(Status.WARNING, text, values, length or 0.0, limit, "mm", [item.id])
    return found


def on_risers(machine: Machine) -> Iterable[Judgement]:
    """Slots for the cards that stand on risers or cables, and for those that sit beside them."""
    means, board, count = carriage(machine), machine.board, len(machine.cards)
    if board is None or not board.slots:
        return missing("motherboard" if board is None else "motherboard.slots")
    ids = [board.id, *(line.item.id for line in machine.card_lines)]
    values: dict[str, object] = {"carried": means.cards, "count": count}
    if means.more is not None:
        have = sum(1 for s in board.slots if s.physical_lanes >= means.lanes) + means.more
        if have < count:
            text = N_("{required:.0f} cards, {carried} of them on risers or cables: the slots of the board feed "
                      "{measured:.0f} with the parts in the list; each riser takes a slot of its own")  # fmt: skip
            return compared(Status.PROBLEM, text, values, have, count, "1", ids, other_board(machine))
    if means.cards < count and not means.fans_out() and routed(machine) is None:
        unknown = [card.id for card, _ in machine.cards if card.slots is None]
        if unknown or not board.positions_known:
            lacking = [f"{part}.slots" for part in dict.fromkeys(unknown)]
            return missing(*lacking, *([] if board.positions_known else ["motherboard.slots.position"]))
        text = N_("{count} cards, risers for {carried}: the others cover slots of this board that are needed")
        return stated(Status.PROBLEM, text, values, ids)
    return stated(Status.OK, N_("the cards stand on risers or cables: the case decides where"))


def _spoken_of(machine: Machine) -> Iterable[Judgement]:
    """Risers and cables that a remark names without being listed as parts."""
    text = " ".join(machine.build.remarks).lower()
    if "usb riser" in text:
        return stated(Status.WARNING, N_("USB risers carry one lane"))
    if "mcio" in text or "slimsas" in text or "sff-8654" in text:
        return stated(
            Status.OK, N_("two cables of eight lanes for each card, the width set in the BIOS; up to 75 cm")
        )
    if "riser" in text:
        return stated(
            Status.OK, N_("risers: the slot's generation set to the riser's; redrivers beyond 15 cm")
        )
    return ()


@rule(
    "pcie.link_reading", N_("Link speed read from the card"), source="https://github.com/janhq/jan/issues/183"
)
def link_reading(machine: Machine) -> Iterable[Judgement]:
    """A link below the card's own generation through a riser: the riser, or power saving at idle."""
    for link in machine.links:
        if link.via is Via.RISER and link.generation is not None:
            own = min((c.pcie_generation or 0 for c, _ in machine.cards), default=0)
            if own and link.generation < own:
                text = N_("the link runs at generation {measured:.0f} of {required:.0f}: a riser's generation must "
                          "match the slot's; a reading at idle may be power saving: read it under load")  # fmt: skip
                return compared(Status.WARNING, text, {}, link.generation, own, "1")
    return ()


@rule(
    "pcie.external",
    N_("External links"),
    source="https://github.com/NVIDIA/open-gpu-kernel-modules/issues/900",
)
def external(machine: Machine) -> Iterable[Judgement]:
    """OCuLink and Thunderbolt give four lanes at most; strong cards drop off under load."""
    outside = any(x.via is Via.EXTERNAL for x in machine.links) or any(
        w in remarks_of(machine) for w in ("oculink", "thunderbolt", "egpu", "tb3", "tb4", "tb5", "usb4")
    )
    if not outside or not machine.cards:
        return ()
    hot = max((card.tdp_w or 0.0 for card, _ in machine.cards), default=0.0)
    text = N_(
        "an external link of four lanes with a card of {watts:.0f} W: slow, and known to drop off the bus under load"
    )
    return stated(Status.WARNING, text, {"watts": hot})


@rule("pcie.switch", N_("PCIe switches"), source="https://github.com/voipmonitor/rtx6kpro")
def switch(machine: Machine) -> Iterable[Judgement]:
    """One uplink for all cards below it; one switch a root complex; writes collapse on PEX890xx."""
    text = remarks_of(machine) + (machine.server.pcie_topology.lower() if machine.server else "")
    if "switch" not in text and "pm50100" not in text and "pex" not in text and "plx" not in text:
        return ()
    if "pex890" in text and len(machine.cards) > 2:
        return stated(
            Status.WARNING, N_("on PEX890xx switches writes of two cards at once fall from 37 to 2.7 GB/s")
        )
    return stated(
        Status.OK,
        N_("cards below one switch share its uplink; one switch on each root complex keeps its rate"),
    )


def _slot_generation(machine: Machine) -> int | None:
    known = [s.generation for s in (machine.board.slots if machine.board else ()) if s.generation is not None]
    return max(known, default=None)
