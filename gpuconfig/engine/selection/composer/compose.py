"""The door of the composer: one accelerator, a count, machines; the cheapest complete build or the reason."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.builds.load import load_of
from gpuconfig.engine.builds.placement import place
from gpuconfig.engine.catalogue.host import Motherboard
from gpuconfig.engine.catalogue.vocabulary import FormFactor, Kind
from gpuconfig.engine.compatibility.efficiency import efficiency_at
from gpuconfig.engine.compatibility.machine import HALF_LOAD
from gpuconfig.engine.pricing.planning import why_unpriced
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.selection.composer.aims import AimedShelf
from gpuconfig.engine.selection.composer.blame import Blame
from gpuconfig.engine.selection.composer.cluster import cluster
from gpuconfig.engine.selection.composer.desktop import Found, bom_line, compose_desktop, compose_frame
from gpuconfig.engine.selection.composer.need import Need, NoBuild
from gpuconfig.engine.selection.composer.server import compose_server
from gpuconfig.engine.selection.composer.shelf import Priced, Shelf

CIRCUIT = "power.mains_circuit"
CAP_STEP_W = 10
"""Caps are set in steps that a person would write down."""


def compose(need: Need, shelf: Shelf) -> Build | NoBuild:
    """The cheapest machine (or cluster of equal machines) that holds the cards; the best by the need's aims."""
    found = _cheapest(need, shelf)
    sparing = _sparing(need, shelf, found)
    if sparing is not None:
        capped = _under_the_circuit(need, shelf, sparing)
        if capped is not None:
            need, found = capped
    if need.aims is None or need.aims.only_cheap() or isinstance(found, NoBuild):
        return found
    return _cheapest(need, AimedShelf(shelf, need, need.aims, found))


def _sparing(need: Need, shelf: Shelf, found: Build | NoBuild) -> Callable[[Build], bool] | None:
    """What a cap of the cards must save to be worth it: the machine itself, or what the circuit alone makes one buy.

    A cap is free. Whoever owns a machine rather caps cards than replaces a processor or buys a dearer supply
    for the sake of the outlet. None where the circuit asks for nothing.
    """
    if need.circuit_w is None or need.power_limit_w is not None:
        return None
    if isinstance(found, NoBuild):
        return (lambda _: True) if found.rule == CIRCUIT else None
    if shelf.owned is None or _kept(found) >= {line.item.id for line in shelf.owned.lines}:
        return None
    free = _cheapest(replace(need, circuit_w=None), shelf)
    kept, spent = _kept(found), _spent(found)
    if isinstance(free, NoBuild) or (_kept(free) == kept and _spent(free) == spent):
        return None
    least = sum(_spent(free).values())

    def spares(build: Build) -> bool:
        now = _spent(build)
        dearer = any(amount > spent.get(kind, 0) for kind, amount in now.items())
        return not dearer and (_kept(build) > kept or (_kept(build) == kept and sum(now.values()) <= least))

    return spares


def _kept(build: Build) -> set[str]:
    """Owned parts that stay."""
    return {line.item.id for line in build.lines if line.reused}


def _spent(build: Build) -> dict[Kind, Decimal]:
    """What is bought for one machine, by kind of part."""
    spent: dict[Kind, Decimal] = defaultdict(Decimal)
    for line in build.lines:
        if line.price is not None and not line.reused:
            spent[line.kind] += line.price.middle().amount * line.quantity
    return spent


def _under_the_circuit(
    need: Need, shelf: Shelf, sparing: Callable[[Build], bool]
) -> tuple[Need, Build] | None:
    """The machine with its cards held to the most that the circuit carries; None where drivers cap no lower."""
    card = need.accelerator
    if card.tdp_w is None or card.form_factor is not FormFactor.PCIE or card.complete_machine:
        return None
    least = math.ceil(card.tdp_w * shelf.rule("cap_floor_share", card.id) / CAP_STEP_W)
    low, high = least, math.ceil(card.tdp_w / CAP_STEP_W) - 1
    best: tuple[Need, Build] | None = None
    while low <= high:
        middle = (low + high + 1) // 2 if best else low
        held = replace(need, power_limit_w=float(middle * CAP_STEP_W))
        found = _cheapest(held, shelf)
        if isinstance(found, NoBuild) or not sparing(found):
            if best is None:
                return None
            high = middle - 1
        else:
            best, low = (held, found), middle + 1
    return best


def _cheapest(need: Need, shelf: Shelf) -> Build | NoBuild:
    card = need.accelerator
    if card.complete_machine or card.form_factor in (FormFactor.BOX, FormFactor.SOC):
        return _whole(need, shelf)
    racked = need.nodes > 1 or need.per_node > 1 or need.is_module() or need.is_passive() or not need.desktop
    desktop = compose_desktop(need, shelf) if need.desktop else None
    server = compose_server(need, shelf) if need.server and racked else None
    best = min((t for t in (desktop, server) if isinstance(t, Found)), key=lambda f: f.cost, default=None)
    frame = None
    if need.frames and need.per_node > 1 and isinstance(desktop, NoBuild):
        # Nobody wants open parts where a case closes around them.
        frame = compose_frame(need, shelf)
        best = _open_instead(frame, best, need, shelf)
    if best is None:
        # A frame takes what a case does not, a server what neither does: what stops it there stops the wish.
        told = (server, frame, desktop) if need.is_module() or need.is_passive() else (frame, desktop, server)
        return next((t for t in told if isinstance(t, NoBuild)), _no_form())
    return _with_cards(best, need, shelf)


def _open_instead(frame: Found | NoBuild, closed: Found | None, need: Need, shelf: Shelf) -> Found | None:
    """The open frame where it saves more of the machine's price than a closed server is worth to anybody."""
    if isinstance(frame, NoBuild):
        return closed
    if closed is None:
        return frame
    price = shelf.pricer.price(Kind.ACCELERATOR, need.accelerator)
    cards = Decimal(0) if price is None else price.middle().amount * need.per_node
    worth = Decimal(str(1 + shelf.rule("closed_server_worth")))
    return closed if closed.cost + cards <= (frame.cost + cards) * worth else frame


def _whole(need: Need, shelf: Shelf) -> Build | NoBuild:
    card = need.accelerator
    price = shelf.pricer.price(Kind.ACCELERATOR, card)
    if price is None:
        return _no_price(need, shelf)
    if need.per_node > 1:
        return NoBuild(
            rule="mechanics.card_count",
            message=Message(N_("{card} is a whole computer with one accelerator"), {"card": card.name}),
            measured=1, required=need.per_node, unit="1",
        )  # fmt: skip
    line = bom_line(Kind.ACCELERATOR, Priced(card, price))
    wall = load_of(Build(lines=(line,)), shelf.loads).watts() / efficiency_at(
        shelf.rules, need.volts, HALF_LOAD
    )
    if need.circuit_w is not None and wall > need.circuit_w:
        blame = Blame()
        blame.circuit(wall, need.circuit_w)
        return blame.verdict()
    return cluster(Build(lines=(line,), nodes=need.nodes), need, shelf)


def _with_cards(found: Found, need: Need, shelf: Shelf) -> Build | NoBuild:
    card = need.accelerator
    inside = any(line.kind is Kind.SERVER and _includes(line) for line in found.lines)
    if inside:
        cards: tuple[BomLine, ...] = (
            BomLine(kind=Kind.ACCELERATOR, item=card, quantity=need.per_node, reused=True, note="included"),
        )
    else:
        kept = min(need.per_node, shelf.owned_count(Kind.ACCELERATOR, card.id))
        bought = need.per_node - kept
        price = shelf.pricer.price(Kind.ACCELERATOR, card)
        if price is None and bought:
            return _no_price(need, shelf)
        cards = tuple(
            bom_line(Kind.ACCELERATOR, Priced(card, offered), count, need.power_limit_w)
            for offered, count in ((None, kept), (price, bought))
            if count
        )
    lines = (*_seated(cards, found), *found.lines)
    build = Build(lines=lines, nodes=need.nodes, links=found.links, splits_slots=found.splits_slots)
    return cluster(build, need, shelf)


def _seated(cards: tuple[BomLine, ...], found: Found) -> tuple[BomLine, ...]:
    """The cards with the positions they take on the board, where those are recorded."""
    board = next((line.item for line in found.lines if isinstance(line.item, Motherboard)), None)
    if board is None or not board.positions_known or found.links:
        return cards
    widths = [getattr(line.item, "slots", None) or 1.0 for line in cards for _ in range(line.quantity)]
    placement = place(board, widths)
    if placement is None:
        return cards
    positions = [seat.slot.position for seat in placement.seats]
    seated = []
    for line in cards:
        seated.append(replace(line, slot=tuple(positions[: line.quantity])))
        positions = positions[line.quantity :]
    return tuple(seated)


def _no_form() -> NoBuild:
    text = N_("a server is asked for where a server is too loud to stand")
    return NoBuild(rule="cooling.noise", message=Message(text))


def _includes(line: BomLine) -> bool:
    return bool(getattr(line.item, "includes_accelerators", False))


def _no_price(need: Need, shelf: Shelf) -> NoBuild:
    card, buyer = need.accelerator, shelf.pricer.buyer
    why = why_unpriced(shelf.catalogue.offers(Kind.ACCELERATOR, card.id), card, buyer)
    return NoBuild(
        rule="purchase.price", message=Message(N_("{card}: {why}"), {"card": card.name, "why": why})
    )
