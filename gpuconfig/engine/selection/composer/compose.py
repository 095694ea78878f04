"""The door of the composer: one accelerator, a count, machines; the cheapest complete build or the reason."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.builds.fits import same_network, switches_needed
from gpuconfig.engine.builds.load import load_of
from gpuconfig.engine.builds.placement import place
from gpuconfig.engine.catalogue.host import Motherboard
from gpuconfig.engine.catalogue.peripheral import Nic
from gpuconfig.engine.catalogue.vocabulary import FormFactor, Kind
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.selection.composer.aims import AimedShelf
from gpuconfig.engine.selection.composer.blame import Blame
from gpuconfig.engine.selection.composer.desktop import Found, bom_line, compose_desktop, compose_frame
from gpuconfig.engine.selection.composer.need import Need, NoBuild
from gpuconfig.engine.selection.composer.server import compose_server
from gpuconfig.engine.selection.composer.shelf import Priced, Shelf


def compose(need: Need, shelf: Shelf) -> Build | NoBuild:
    """The cheapest machine (or cluster of equal machines) that holds the cards; the best by the need's aims."""
    found = _cheapest(need, shelf)
    if need.aims is None or need.aims.only_cheap() or isinstance(found, NoBuild):
        return found
    return _cheapest(need, AimedShelf(shelf, need, need.aims, found))


def _cheapest(need: Need, shelf: Shelf) -> Build | NoBuild:
    card = need.accelerator
    if card.complete_machine or card.form_factor in (FormFactor.BOX, FormFactor.SOC):
        return _whole(need, shelf)
    tried = []
    if need.desktop:
        tried.append(compose_desktop(need, shelf))
    if need.server and (need.nodes > 1 or need.per_node > 1 or need.is_module() or need.is_passive()
                        or not need.desktop):  # fmt: skip
        tried.append(compose_server(need, shelf))
    best = min((t for t in tried if isinstance(t, Found)), key=lambda f: f.cost, default=None)
    if need.desktop and need.frames and need.per_node > 1 and isinstance(tried[0], NoBuild):
        # Nobody wants open parts where a case closes around them.
        best = _open_instead(compose_frame(need, shelf), best, need, shelf)
    if best is None:
        return _telling([t for t in tried if isinstance(t, NoBuild)], need)
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
        return _no_price(need)
    if need.per_node > 1:
        return NoBuild(
            rule="mechanics.card_count",
            message=Message(N_("{card} is a whole computer with one accelerator"), {"card": card.name}),
            measured=1, required=need.per_node, unit="1",
        )  # fmt: skip
    line = bom_line(Kind.ACCELERATOR, Priced(card, price))
    wall = load_of(Build(lines=(line,)), shelf.loads).watts() / shelf.rules.value("rules", "efficiency_230")
    if need.circuit_w is not None and wall > need.circuit_w:
        blame = Blame()
        blame.circuit(wall, need.circuit_w)
        return blame.verdict()
    return _cluster(Build(lines=(line,), nodes=need.nodes), need, shelf)


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
            return _no_price(need)
        cards = tuple(
            bom_line(Kind.ACCELERATOR, Priced(card, offered), count, need.power_limit_w)
            for offered, count in ((None, kept), (price, bought))
            if count
        )
    lines = (*_seated(cards, found), *found.lines)
    return _cluster(Build(lines=lines, nodes=need.nodes, links=found.links), need, shelf)


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


def _cluster(build: Build, need: Need, shelf: Shelf) -> Build | NoBuild:
    server = build.first(Kind.SERVER)
    shared: list[BomLine] = []
    lines = build.lines
    if need.nodes > 1:
        fabric = _fabric(need, shelf, server is not None and _has_nic(server))
        if isinstance(fabric, NoBuild):
            return fabric
        nics, switch = fabric
        lines = (*lines, *nics)
        shared.append(switch)
    if server is not None and need.nodes > 1 and shelf.racks:
        units = (getattr(server.item, "rack_units", None) or 8) * need.nodes + 2
        rack = next((r for r in shelf.racks if (r.item.rack_units or 0) >= min(units, 42)), shelf.racks[-1])
        shared.append(bom_line(Kind.RACK, rack, -(-units // (rack.item.rack_units or 42))))
    return Build(lines=lines, nodes=need.nodes, shared=tuple(shared), links=build.links)


def _fabric(need: Need, shelf: Shelf, has_nic: bool) -> tuple[tuple[BomLine, ...], BomLine] | NoBuild:
    """Network cards of one machine and the switch of all; the slowest port that gives the rate."""
    per_node = need.network_bits_per_gpu * need.per_node
    nics: tuple[BomLine, ...] = ()
    nic: Priced[Nic] | None = None
    ports, rate = max(1, need.per_node), 400e9
    if not has_nic:
        found = _cheapest_nic(per_node, shelf)
        if found is None:
            return _no_network(per_node)
        nic, count = found
        nics = (bom_line(Kind.NIC, nic, count),)
        ports, rate = count * (nic.item.ports or 1), nic.item.port_bits_per_s or 0.0
    needed = ports * need.nodes
    best: tuple[Decimal, BomLine] | None = None
    for switch in shelf.switches:
        if (switch.item.port_bits_per_s or 0) < rate or not switch.item.ports:
            continue
        switches = switches_needed(switch.item.ports, needed)
        if switches is None or (nic is not None and not same_network(nic.item, switch.item)):
            continue
        cost = switch.cost * switches
        if best is None or cost < best[0]:
            best = (cost, bom_line(Kind.SWITCH, switch, switches))
    return _no_network(per_node) if best is None else (nics, best[1])


def _cheapest_nic(bits_per_s: float, shelf: Shelf) -> tuple[Priced[Nic], int] | None:
    best: tuple[Decimal, Priced[Nic], int] | None = None
    for nic in shelf.nics:
        rate = (nic.item.port_bits_per_s or 0) * (nic.item.ports or 1)
        if rate <= 0 or "OCP" in nic.item.form_factor.upper():
            continue
        count = max(1, int(-(-bits_per_s // rate)))
        if count > 8:
            continue
        cost = nic.cost * count
        if best is None or cost < best[0]:
            best = (cost, nic, count)
    return None if best is None else (best[1], best[2])


def _telling(refusals: list[NoBuild], need: Need) -> NoBuild:
    """The refusal that tells most: for a module that of the server, for a card that of the form asked."""
    if len(refusals) > 1 and (need.is_module() or need.is_passive()):
        return refusals[-1]
    return refusals[0]


def _includes(line: BomLine) -> bool:
    return bool(getattr(line.item, "includes_accelerators", False))


def _has_nic(line: BomLine) -> bool:
    return bool(getattr(line.item, "includes_nic", False))


def _no_price(need: Need) -> NoBuild:
    return NoBuild(
        rule="purchase.price",
        message=Message(
            N_("{card}: no price is recorded that this buyer can use"), {"card": need.accelerator.name}
        ),
    )


def _no_network(bits: float) -> NoBuild:
    return NoBuild(
        rule="network.rate",
        message=Message(N_("no priced network card and switch give {required:.0f} Gbit/s a machine"),
                        {"required": bits / 1e9}),
        required=bits, unit="bit/s",
    )  # fmt: skip
