"""Power: continuous load, short peaks, rails, the wall and what stands between."""

from __future__ import annotations

import math
from collections.abc import Iterable

from gpuconfig.engine.catalogue.enclosure import Pdu, Ups
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.caps import below_floor
from gpuconfig.engine.compatibility.finding import Remedy, Status
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.compatibility.remedies import cap_cards, fitting_supply, larger_ups, stronger_supply
from gpuconfig.engine.compatibility.rule import Essential, Judgement, compared, missing, rule, stated
from gpuconfig.engine.compatibility.transient import (
    excursion_class,
    excursion_ratio,
    peak_allowance,
    peak_load,
)
from gpuconfig.engine.provenance.message import N_, Message

UPS_POWER_FACTOR = 0.9
UPS_RESERVE = 1.2


@rule("power.continuous", N_("Continuous load of the supplies"), essential=Essential.POWER,
      source="https://miningtech.no; https://www.thefpsreview.com")  # fmt: skip
def continuous(machine: Machine) -> Iterable[Judgement]:
    """Load at work against the rating: 80 % is the rule, above the rating it cannot run.

    The maker of a machine sold whole has chosen its supplies for what it rates the machine at.
    """
    if not machine.cards and machine.cpu is None:
        return ()
    if not machine.lists(Kind.POWER_SUPPLY) and machine.server is None:
        return () if machine.is_whole_computer else missing("power_supply")
    rated, load = machine.rated_w(), machine.load
    if rated is None:
        return missing("power_supply.rated_w")
    share, tolerance = machine.number("continuous_share"), machine.number("continuous_tolerance")
    watts = load.watts()
    values: dict[str, object] = {"share": watts / rated}
    parts = [line.item.id for line in machine.build.of(Kind.POWER_SUPPLY)]
    if watts >= rated * 0.995:
        text = N_(
            "{measured:.0f} W of load on {required:.0f} W of supplies: no headroom at all ({share:.0%})"
        )
        return compared(
            Status.PROBLEM, text, values, watts, rated, "W", parts,
            stronger_supply(machine, watts / share) or cap_cards(machine, watts - rated * share),
        )  # fmt: skip
    chosen = machine.server is not None and machine.server.sold_whole()
    if watts > rated * tolerance and not chosen:
        text = N_(
            "{measured:.0f} W of load is {share:.0%} of the supplies; {required:.0f} W is the 80 % rule"
        )
        remedy = stronger_supply(machine, watts / share) or cap_cards(machine, watts - rated * share)
        return compared(Status.WARNING, text, values, watts, rated * share, "W", parts, remedy)
    if load.missing:
        return missing(*(f"{part}.tdp_w" for part in load.missing))
    text = N_("{measured:.0f} W of load, {share:.0%} of the supplies")
    return compared(Status.OK, text, values, watts, rated * share, "W", parts)


@rule("power.vendor_minimum", N_("Supply that the card's maker asks for"), source="makers' product pages")
def vendor_minimum(machine: Machine) -> Iterable[Judgement]:
    """Where the processor is not named: the maker's least supply for one card and the watts of each more."""
    asked = [
        (card.recommended_psu_w or card.estimated_psu_w, card)
        for card, _ in machine.cards
        if card.recommended_psu_w or card.estimated_psu_w
    ]
    rated = machine.rated_w()
    if (
        not asked
        or machine.cpu is not None
        or not machine.supplies
        or rated is None
        or machine.server is not None
    ):
        return ()
    least, first = max(asked, key=lambda a: a[0] or 0.0)
    more = sum(card.tdp_w or 0.0 for card, _ in machine.cards) - (first.tdp_w or 0.0)
    capped = sum(max(0.0, (card.tdp_w or 0.0) - (line.power_limit_w or 1e9)) for card, line in machine.cards)
    needed = (least or 0.0) + more - capped
    status = Status.OK if rated >= needed else Status.PROBLEM
    text = N_(
        "the maker asks {least:.0f} W for one {card}; {required:.0f} W with all cards, {measured:.0f} W are there"
    )
    return compared(status, text, {"least": least, "card": first.name}, rated, needed, "W", [first.id])


@rule("power.several_supplies", N_("Several supplies: which feeds what"),
      source="https://www.mov-axbx.com/wopr/wopr_power.html")  # fmt: skip
def several_supplies(machine: Machine) -> Iterable[Judgement]:
    """Cards spread over the supplies so that none is loaded above the 80 % rule."""
    dealt = machine.spread()
    if dealt is None:
        return ()
    count, worst = len(dealt.ratings_w), dealt.fullest()
    values: dict[str, object] = {"worst": worst, "count": count}
    if worst > machine.number("one_supply_tolerance"):
        text = N_("spread over {count} supplies, the fullest carries {worst:.0%} of its rating")
        return compared(Status.WARNING, text, values, worst, machine.number("continuous_share"), "1",
                        (), cap_cards(machine, machine.load.watts() * 0.1))  # fmt: skip
    text = N_(
        "{count} supplies: a card and its riser on one supply, common switch-on; the fullest carries {worst:.0%}"
    )
    return compared(Status.OK, text, values, worst, machine.number("continuous_share"), "1")


@rule("power.transient", N_("Short peaks of the cards"),
      source="https://knowledge.seasonic.com/article/79-comparison-atx-3-0-vs-atx-3-1-standards")  # fmt: skip
def transient(machine: Machine) -> Iterable[Judgement]:
    """Peaks below a millisecond against what the ATX version of the supplies allows."""
    if not machine.supplies or not machine.cards:
        return ()
    known = [
        (card, line)
        for card, line in machine.cards
        if card.tdp_w is not None or line.power_limit_w is not None
    ]
    if len(known) < len(machine.cards):
        return missing("accelerator.tdp_w")
    cards = [
        (card.tdp_w or line.power_limit_w or 0.0, excursion_ratio(card, machine.numbers), 1)
        for card, line in known
    ]
    peak = peak_load(machine.load.watts(), cards)
    allowed = peak_allowance(machine.supplies, machine.numbers)
    values: dict[str, object] = {"kind": excursion_class(known[0][0])}
    if peak > allowed * 1.02:
        text = N_("peaks up to {measured:.0f} W below a millisecond; the supplies stand {required:.0f} W")
        status = Status.PROBLEM if peak > allowed * 1.15 and not machine.load.missing else Status.WARNING
        return compared(status, text, values, peak, allowed, "W", (), fitting_supply(machine))
    text = N_("peaks up to {measured:.0f} W below a millisecond, {required:.0f} W allowed")
    return compared(Status.OK, text, values, peak, allowed, "W")


@rule("power.rails", N_("Rails and over-current protection"),
      source="https://github.com/noonghunna/club-3090/issues/1019")  # fmt: skip
def rails(machine: Machine) -> Iterable[Judgement]:
    """Several rails trip on spikes of cards though the sum is low; capping acts in milliseconds, too late."""
    split = [
        s for s, _ in machine.supplies if "multi" in s.rails_note.lower() or "oem" in s.rails_note.lower()
    ]
    hot = [card for card, _ in machine.cards if (card.tdp_w or 0) >= 200]
    if not split or not hot:
        return ()
    text = N_("a supply of several rails may trip on spikes of the cards although the sum is low: join the rails, "
              "or spread the cards over them")  # fmt: skip
    one_rail = fitting_supply(machine)
    return stated(Status.WARNING, text, parts=[s.id for s in split], remedy=one_rail)


@rule("power.mains_circuit", N_("Outlet and circuit"), advice=True,
      source="NEC 80 %; https://www.17golang.com/article/421334.html")  # fmt: skip
def mains_circuit(machine: Machine) -> Iterable[Judgement]:
    """Watts at the wall against what the circuit carries for long; several supplies may use several circuits.

    Without a supply in the list its efficiency is that of the Gold class.
    """
    if not machine.cards:
        return ()
    named = machine.place.names_circuit()
    wall = machine.load.watts() / machine.efficiency()
    volts, amps = machine.feed
    one, whole = machine.circuit_w, volts * amps
    if machine.load.missing and wall <= one:
        return missing(*(f"{part}.tdp_w" for part in machine.load.missing))
    feeds = machine.feeds
    values: dict[str, object] = {"volts": volts, "amps": amps, "circuits": feeds}
    if wall <= one:
        text = N_(
            "{measured:.0f} W at the wall; one circuit of {volts:.0f} V {amps:.0f} A carries {required:.0f} W for long"
        )
        return compared(Status.OK, text, values, wall, one, "W")
    if wall <= one * feeds:
        text = N_(
            "{measured:.0f} W at the wall: spread the supplies over separate circuits of {required:.0f} W"
        )
        return compared(Status.OK, text, values, wall, one, "W")
    if not named and not machine.supplies and machine.server is None and not machine.is_whole_computer:
        text = N_("{measured:.0f} W at the wall: {least} circuits of {required:.0f} W, a supply on each")
        return compared(Status.OK, text, {**values, "least": math.ceil(wall / one)}, wall, one, "W")
    larger = None if named else _larger_outlet(machine, wall)
    if larger is not None:
        text = N_("{measured:.0f} W at the wall: more than the ordinary outlet of {volts:.0f} V {amps:.0f} A carries "
                  "for long ({required:.0f} W); an outlet of {larger:.0f} A on its own circuit is needed")  # fmt: skip
        return compared(Status.OK, text, {**values, "larger": larger}, wall, one, "W")
    text = N_(
        "{measured:.0f} W at the wall; a circuit of {volts:.0f} V {amps:.0f} A carries {required:.0f} W for long"
    )
    remedy = cap_cards(machine, (wall - one) * machine.efficiency()) or Remedy(
        text=Message(N_("a circuit of its own with more amperes")), change={"mains": "larger"}
    )
    status = Status.PROBLEM if named and wall > whole else Status.WARNING
    return compared(status, text, values, wall, one, "W", (), remedy)


@rule(
    "power.cap",
    N_("Power cap of the cards"),
    advice=True,
    source="https://www.pugetsystems.com (4x RTX 3090 at 280 W)",
)
def cap(machine: Machine) -> Iterable[Judgement]:
    """Cards held below their power; the driver forgets it when the machine is switched off."""
    found: list[Judgement] = []
    for line in machine.card_lines:
        own = getattr(line.item, "tdp_w", None)
        if line.power_limit_w is None or own is None or line.power_limit_w >= own:
            continue
        refused = below_floor(machine, line, own)
        if refused:
            found += refused
            continue
        text = N_(
            "{count} cards are held to {measured:.0f} W of their {required:.0f} W: set again at every start"
        )
        values: dict[str, object] = {"count": line.quantity}
        found += compared(Status.OK, text, values, line.power_limit_w, own, "W", [line.item.id])
    return found


def _larger_outlet(machine: Machine, wall: float) -> float | None:
    """Amperes of the region's larger outlet where that carries the load; None where there is none or it is too weak."""
    larger = machine.number("mains_amps_larger", machine.region.value)
    return larger if wall <= machine.volts * larger * machine.number("circuit_share") else None


@rule("power.low_line", N_("Supply at the outlet's voltage"), source="makers' data sheets")
def low_line(machine: Machine) -> Iterable[Judgement]:
    """Supplies that give their rating only at 200 V and more, on a 100-127 V outlet."""
    if machine.volts >= 200 or not machine.supplies:
        return ()
    for supply, count in machine.supplies:
        if supply.full_power_min_volts is not None and machine.volts < supply.full_power_min_volts:
            low = supply.rated_w_low_line
            if low is None:
                text = N_("{name} needs {required:.0f} V, the outlet gives {measured:.0f} V")
                values: dict[str, object] = {"name": supply.name}
                return compared(
                    Status.PROBLEM, text, values, machine.volts, supply.full_power_min_volts, "V", [supply.id],
                    fitting_supply(machine),
                )  # fmt: skip
            if machine.load.watts() > low * count:
                text = N_("at {volts:.0f} V the supply gives {measured:.0f} W, {required:.0f} W are needed")
                return compared(
                    Status.PROBLEM,
                    text,
                    {"volts": machine.volts},
                    low * count,
                    machine.load.watts(),
                    "W",
                    [supply.id],
                    fitting_supply(machine),
                )
    return ()


@rule("power.redundancy", N_("Redundant supplies"), source="https://docs.nvidia.com/dgx/dgxh100-user-guide")
def redundancy(machine: Machine) -> Iterable[Judgement]:
    """Whether a server still runs when the supplies meant to be spare have failed."""
    server = machine.server
    if server is None or server.psu_count is None or server.psu_w is None or machine.load.missing:
        return ()
    left = (server.psu_count - (server.psu_redundant or 0)) * server.psu_w
    watts = machine.load.watts()
    if watts > server.psu_count * server.psu_w:
        return ()  # the continuous rule says it
    values: dict[str, object] = {"spare": server.psu_redundant or 0, "count": server.psu_count}
    if server.psu_redundant and watts <= left:
        text = N_("{count} supplies of which {spare} may fail: {required:.0f} W remain for {measured:.0f} W")
        return compared(Status.OK, text, values, watts, left, "W", [server.id])
    one_less = (server.psu_count - 1) * server.psu_w
    status = Status.OK if watts <= one_less else Status.WARNING
    text = (N_("one of {count} supplies may fail: {required:.0f} W remain for {measured:.0f} W")
            if status is Status.OK else
            N_("no supply may fail: {required:.0f} W would remain for {measured:.0f} W"))  # fmt: skip
    return compared(status, text, values, watts, one_less, "W", [server.id])


@rule(
    "power.ups",
    N_("Uninterruptible supply"),
    source="https://voltronicpower.org/en/news/ups-sizing-guide-calculate-load",
)
def ups(machine: Machine) -> Iterable[Judgement]:
    """VA = W / 0.9 and a fifth in reserve."""
    units = [(line.item, line.quantity) for line in machine.build.of(Kind.UPS) if isinstance(line.item, Ups)]
    wall = machine.wall_w()
    if not units:
        return ()
    if wall is None:
        return missing(*(f"{part}.tdp_w" for part in machine.load.missing))
    needed = wall / UPS_POWER_FACTOR * UPS_RESERVE
    have = sum((u.va or 0.0) * n for u, n in units)
    if not have:
        return missing("ups.va")
    status = Status.OK if have >= needed else Status.PROBLEM if have < wall else Status.WARNING
    text = N_("{measured:.0f} VA of UPS, {required:.0f} VA needed with a fifth in reserve")
    remedy = None if status is Status.OK else larger_ups(machine, needed)
    return compared(status, text, {}, have, needed, "VA", [u.id for u, _ in units], remedy)


@rule(
    "power.ups_runtime",
    N_("Run time of the UPS"),
    source="https://voltronicpower.org/en/news/ups-sizing-guide-calculate-load (5 to 15 minutes)",
)
def ups_runtime(machine: Machine) -> Iterable[Judgement]:
    """Minutes on the batteries inside: those at full load, longer by a power of how much less is drawn (Peukert)."""
    units = [(line.item, line.quantity) for line in machine.build.of(Kind.UPS) if isinstance(line.item, Ups)]
    wall = machine.wall_w()
    if not units or not wall:
        return ()
    if any(unit.watts is None for unit, _ in units):
        return missing("ups.watts")
    full = sum((unit.watts or 0.0) * n for unit, n in units)
    ids = [unit.id for unit, _ in units]
    if wall > full:
        text = N_(
            "{required:.0f} W at the wall, the UPS gives {measured:.0f} W: it switches off in an outage"
        )
        return compared(Status.PROBLEM, text, {}, full, wall, "W", ids)
    minutes = machine.number("ups_full_load_min") * (full / wall) ** machine.number("ups_runtime_exponent")
    wanted = machine.number("ups_wanted_min")
    text = N_("about {measured:.0f} minutes at {wall:.0f} W of {full:.0f} W; {required:.0f} are wanted to save the "
              "work and shut down. Figures of usual batteries inside: the maker's table decides")  # fmt: skip
    status = Status.OK if minutes >= wanted else Status.WARNING
    return compared(status, text, {"wall": wall, "full": full}, minutes, wanted, "min", ids)


@rule("power.pdu", N_("Power distribution of the rack"), source="makers' data sheets")
def pdu(machine: Machine) -> Iterable[Judgement]:
    """Continuous load of the machines against the PDU's rating."""
    lines = [line for line in (*machine.build.lines, *machine.build.shared) if isinstance(line.item, Pdu)]
    wall = machine.wall_w()
    if not lines or wall is None:
        return ()
    have = sum((line.item.watts or 0.0) * line.quantity for line in lines if isinstance(line.item, Pdu))
    needed = wall * machine.build.nodes / machine.number("circuit_share")
    status = Status.OK if have >= needed else Status.PROBLEM
    return compared(status, N_("{measured:.0f} W of PDU, {required:.0f} W needed"), {}, have, needed, "W")


@rule(
    "power.rack",
    N_("Power of the rack"),
    source="https://docs.nvidia.com/dgx; builders' limits of air-cooled racks",
)
def rack(machine: Machine) -> Iterable[Judgement]:
    """Power in one rack: about 30 kW are the end of air cooling."""
    racks = machine.build.anywhere(Kind.RACK)
    wall = machine.wall_w()
    if wall is None:
        return ()
    if not racks:
        return _in_any_rack(machine, wall)
    each = wall * machine.build.nodes / sum(line.quantity for line in racks)
    limit = machine.number("rack_kw_air") * 1000
    status = Status.OK if each <= limit else Status.WARNING
    text = N_("{measured:.0f} W in a rack; air carries off about {required:.0f} W")
    return compared(status, text, {}, each, limit, "W")


@rule(
    "power.oem_supply",
    N_("Supply of a ready-made machine"),
    source="https://github.com/rapidsai/cudf/issues/10336",
)
def oem_supply(machine: Machine) -> Iterable[Judgement]:
    """Makers of whole machines use sockets and rails of their own."""
    line = machine.build.first(Kind.CHASSIS) or machine.build.first(Kind.SERVER)
    if line is None or not machine.cards:
        return ()
    words = ("thinkstation", "poweredge", "precision", "omen", "alienware", "prebuilt", "proliant", "thelio")
    if not any(w in line.item.name.lower() for w in words):
        return ()
    text = N_("{name} has its maker's own supply and sockets: more or other cards only by the maker's list")
    return stated(Status.OK, text, {"name": line.item.name})


def _in_any_rack(machine: Machine, wall: float) -> Iterable[Judgement]:
    """A strong rack machine without a rack in the list: how many stand in one that air cools."""
    case = machine.case
    rack = machine.server is not None or (
        case is not None and (case.rack_units or case.name.strip()[-1:].lower() == "u")
    )
    if not rack or wall < machine.number("rack_told_from_w"):
        return ()
    limit = machine.number("rack_kw_air") * 1000
    text = N_("{measured:.0f} W a machine: {count} of them in a rack that air cools ({required:.0f} W)")
    return compared(Status.OK, text, {"count": int(limit // wall)}, wall, limit, "W")
