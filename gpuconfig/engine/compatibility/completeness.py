"""What a bill of parts leaves open: cables of network and cards, places and roles of several supplies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from gpuconfig.engine.builds.feeds import EPS_ADAPTER
from gpuconfig.engine.catalogue.peripheral import Cable, Nic
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.compatibility.remedies import eps_adapters
from gpuconfig.engine.compatibility.rule import Judgement, compared, missing, rule, stated
from gpuconfig.engine.provenance.message import N_


@rule("purchase.network_links", N_("Cables of the network"), source="board and switch manuals")
def network_links(machine: Machine) -> Iterable[Judgement]:
    """Each port of a machine takes a cable, or fibre and two transceivers; counted against the list."""
    nodes = machine.build.nodes
    if nodes < 2:
        return ()
    nics = [(line.item, line.quantity) for line in machine.build.of(Kind.NIC) if isinstance(line.item, Nic)]
    if any(nic.ports is None for nic, _ in nics):
        return missing("nic.ports")
    ports = sum((nic.ports or 0) * count for nic, count in nics)
    if not nics and machine.server is not None and machine.server.includes_nic:
        ports = len(machine.cards)  # as the composer counts: one port a card
    if not ports:
        return missing("nic")
    links = ports * nodes
    several = sum(line.quantity for line in machine.build.shared if line.kind is Kind.SWITCH) > 1
    needed = 2 * links if several else links
    cables = [
        line for line in machine.build.shared if isinstance(line.item, Cable) and line.item.rate_bits_per_s
    ]
    listed = sum(line.quantity for line in cables)
    values: dict[str, object] = {"nodes": nodes, "listed": listed}
    parts = [*(nic.id for nic, _ in nics), *(line.item.id for line in cables)]
    if listed >= needed:
        text = N_("{listed} cables for {measured:.0f} links from {nodes} machines")
        return compared(Status.OK, text, values, needed, None, "1", parts)
    text = N_("{measured:.0f} links from {nodes} machines to the switch, {listed} cables in the list: each link takes "
              "a DAC or AOC cable, or fibre with two transceivers")  # fmt: skip
    if several:
        text = N_("{measured:.0f} links from {nodes} machines to the switches and between the switches, {listed} "
                  "cables in the list: each link takes a DAC or AOC cable, or fibre with two transceivers")  # fmt: skip
    return compared(Status.WARNING, text, values, needed, None, "1", parts)


@rule("power.card_adapters", N_("Adapters to the cards' EPS sockets"),
      source="makers' data sheets (power through an EPS-12V socket)")  # fmt: skip
def card_adapters(machine: Machine) -> Iterable[Judgement]:
    """A card with an EPS socket takes a spare EPS plug or an adapter of two 8-pin plugs; never a bare 8-pin plug."""
    plugging = None if machine.server is not None else machine.plugging()
    if plugging is None or not plugging.eps_adapters:
        return ()
    needed, listed = (
        plugging.eps_adapters,
        sum(
            line.quantity
            for line in machine.build.of(Kind.CABLE)
            if isinstance(line.item, Cable) and line.item.cable_type == EPS_ADAPTER
        ),
    )
    ids = list(dict.fromkeys(card.id for card, _ in machine.cards))
    text = N_("adapters from two 8-pin plugs to the EPS sockets of the cards: {required:.0f} needed, {measured:.0f} "
              "in the list; an 8-pin plug of a card does not go in")  # fmt: skip
    if listed >= needed:
        return compared(Status.OK, text, {}, listed, needed, "1", ids)
    return compared(
        Status.WARNING, text, {}, listed, needed, "1", ids, eps_adapters(machine, needed - listed)
    )


@rule("power.supply_roles", N_("Which supply feeds what"),
      source="https://www.mov-axbx.com/wopr/wopr_power.html")  # fmt: skip
def supply_roles(machine: Machine) -> Iterable[Judgement]:
    """Cards dealt out so that no supply is fuller than it must be; a card and its riser hang on one."""
    spread = machine.spread()
    if spread is None:
        return ()
    dealt = Counter(spread.supply_of_card)
    plan = ", ".join(f"#{n + 1}: {dealt[n]}" for n in range(len(spread.ratings_w)))
    text = N_("cards on each supply: {plan}; #{host} also feeds board and processor; a card and its riser on one "
              "supply, and one switch for all")  # fmt: skip
    return stated(Status.OK, text, {"plan": plan, "host": spread.host + 1})


@rule("mechanics.supply_places", N_("Places for several supplies"), source="makers' product pages")
def supply_places(machine: Machine) -> Iterable[Judgement]:
    """Supplies against the places of the case; what its maker does not say is never passed in silence."""
    case, dealt = machine.case, machine.spread()
    if case is None or dealt is None:
        return ()
    if case.psu_places is None:
        return missing("chassis.psu_places")
    count = len(dealt.ratings_w)
    if count > case.psu_places:
        text = N_(
            "{measured:.0f} supplies, the case has places for {required:.0f}: the others stand outside it"
        )
        return compared(Status.WARNING, text, {}, count, case.psu_places, "1", [case.id])
    text = N_("{measured:.0f} supplies, the case has places for {required:.0f}")
    return compared(Status.OK, text, {}, count, case.psu_places, "1", [case.id])
