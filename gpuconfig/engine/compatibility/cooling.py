"""Cooling and place: processor, cards without fans, neighbours, climate, room and noise."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from gpuconfig.engine.builds.build import BomLine
from gpuconfig.engine.builds.fits import breathes, cooler_fits, heats_case, is_open
from gpuconfig.engine.builds.placement import Placement
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.peripheral import Cable, Nic
from gpuconfig.engine.catalogue.vocabulary import OPEN_FANS, Cooling, FormFactor, Kind
from gpuconfig.engine.compatibility.crowding import crowd_of
from gpuconfig.engine.compatibility.finding import Remedy, Status
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.compatibility.remedies import cap_cards, cooler_instead, roomier_case
from gpuconfig.engine.compatibility.rule import Judgement, compared, missing, rule, stated
from gpuconfig.engine.provenance.message import N_, Message

FAN_W_TO_HEAT_W = 50.0
"""Heat that one watt of an improvised blower carries off: 3.24 W took 150-180 W from a passive card."""

OPEN = frozenset({Cooling.OPEN_AIR})
ALTITUDES_M = (610, 1219, 1829, 2438, 3048)
"""Of the table of thin air: 2,000 to 10,000 feet."""
FAST_PORT_BITS_PER_S = 100e9
"""From this rate on makers of servers lower the temperature of the air that a network card may get."""


@rule("cooling.cpu_cooler", N_("Cooler of the processor"), source="makers' data sheets")
def cpu_cooler(machine: Machine) -> Iterable[Judgement]:
    """The cooler mounts on the socket and carries the processor's heat."""
    cooler, cpu = machine.cooler, machine.cpu
    if cooler is None or cpu is None:
        return ()
    ids = [cooler.id, cpu.id]
    fits = cooler_fits(cooler, cpu)
    if fits is False:
        text = N_("{cooler} mounts on {sockets}, the processor sits in {socket}")
        values: dict[str, object] = {
            "cooler": cooler.name,
            "sockets": ", ".join(cooler.sockets),
            "socket": cpu.socket,
        }
        return stated(Status.PROBLEM, text, values, ids, cooler_instead(machine))
    if fits is None:
        return missing("cpu.socket" if not cpu.socket else "cooler.sockets")
    if cpu.tdp_w is None or cooler.cooling_w is None:
        return missing("cpu.tdp_w" if cpu.tdp_w is None else "cooler.cooling_w")
    status = Status.OK if cooler.cooling_w >= cpu.tdp_w else Status.WARNING
    if cooler.cooling_w < cpu.tdp_w * 0.75:
        status = Status.PROBLEM
    text = N_("the cooler carries {measured:.0f} W, the processor gives {required:.0f} W")
    remedy = None if status is Status.OK else cooler_instead(machine)
    return compared(status, text, {}, cooler.cooling_w, cpu.tdp_w, "W", ids, remedy)


@rule(
    "cooling.cooler_plate",
    N_("Plate of the cooler"),
    source="https://train.sh/blog/2023-03-upgrade-gpu-desktop",
)
def cooler_plate(machine: Machine) -> Iterable[Judgement]:
    """A round block leaves the edges of a Threadripper's or EPYC's long heat spreader uncovered."""
    cooler, cpu_line = machine.cooler, machine.build.first(Kind.CPU)
    line = next((x for x in machine.build.of(Kind.COOLER) if x.item is cooler), None)
    if line is None or cpu_line is None:
        return ()
    words = f"{line.item.name} {line.note}".lower()
    large = any(w in cpu_line.item.name.lower() for w in ("threadripper", "epyc"))
    if not large or not ("round" in words or "kraken" in words):
        return ()
    text = N_("a round block on the long heat spreader of {cpu}: part of it stays uncovered")
    return stated(Status.WARNING, text, {"cpu": cpu_line.item.name}, [line.item.id])


@rule(
    "cooling.passive_card",
    N_("Cards without a fan"),
    source="https://www.ariezlabs.com/blog/p40; K2 board specification: 20 CFM at 45 C",
)
def passive_card(machine: Machine) -> Iterable[Judgement]:
    """They need the ducted airflow of a server; case fans lack the pressure, small blowers the flow."""
    passive = [(card, line) for card, line in machine.cards
               if card.cooling is Cooling.PASSIVE and card.form_factor is FormFactor.PCIE]  # fmt: skip
    if not passive:
        unknown = [
            card for card, _ in machine.cards if card.cooling is None and card.form_factor is FormFactor.PCIE
        ]
        return missing(*dict.fromkeys(f"{card.id}.cooling" for card in unknown)) if unknown else ()
    card, line = passive[0]
    ids = [card.id]
    if machine.server is not None:
        if machine.server.passive_cards is False:
            return stated(Status.PROBLEM, N_("{server} has no ducted airflow for cards without a fan"),
                          {"server": machine.server.name}, [machine.server.id, *ids])  # fmt: skip
        return stated(Status.OK, N_("cards without a fan in the ducted airflow of a server"), {}, ids)
    if machine.card_blowers:
        return _blown(machine, passive)
    blower = re.search(r"([\d.]+)\s*w\s*(?:blower|fan)", line.note.lower())
    watts = line.power_limit_w or card.tdp_w or machine.number("passive_card_w")
    if blower is not None:
        carried = float(blower.group(1)) * FAN_W_TO_HEAT_W
        status = Status.PROBLEM if carried < watts * machine.number("weak_blower_share") else Status.WARNING
        text = N_("the blower carries off about {measured:.0f} W, the card gives {required:.0f} W")
        return compared(status, text, {}, carried, watts, "W", ids, _cap_to(machine, watts, carried))
    case = machine.case
    rack = case is not None and (
        case.rack_units is not None or re.fullmatch(r"\s*\d+\s*u\s*", case.name.lower()) is not None
    )
    remedy = Remedy(text=Message(N_("a shroud with a blower of enough pressure (loud), or a server chassis")))
    if rack:
        return stated(
            Status.OK, N_("cards without a fan: the rack chassis must duct its air through them"), {}, ids
        )
    text = N_("{card} has no fan and gives {required:.0f} W: it needs forced air through the card; "
              "ordinary case fans lack the pressure, and what has it is loud")  # fmt: skip
    status = Status.PROBLEM if case is not None else Status.WARNING
    return compared(status, text, {"card": card.name}, 0.0, watts, "W", ids, remedy)


def _blown(machine: Machine, passive: Sequence[tuple[Accelerator, BomLine]]) -> Iterable[Judgement]:
    """A blower behind each card, each strong enough for it."""
    have, ids = sum(n for _, n in machine.card_blowers), [c.id for c, _ in machine.card_blowers]
    if have < len(passive):
        text = N_("{measured:.0f} blowers for {required:.0f} cards without a fan: each card wants its own")
        return compared(Status.PROBLEM, text, {}, have, len(passive), "1", ids)
    carried = [c.cooling_w for c, _ in machine.card_blowers]
    known = [w for w in carried if w is not None]
    if len(known) < len(carried):
        return missing("cooler.cooling_w")
    watts = max(
        line.power_limit_w or card.tdp_w or machine.number("passive_card_w") for card, line in passive
    )
    text = N_("the blower carries off about {measured:.0f} W, the card gives {required:.0f} W")
    if min(known) >= watts:
        return compared(Status.OK, text, {}, min(known), watts, "W", ids)
    status = Status.PROBLEM if min(known) < watts * machine.number("weak_blower_share") else Status.WARNING
    return compared(status, text, {}, min(known), watts, "W", ids, _cap_to(machine, watts, min(known)))


def _cap_to(machine: Machine, watts: float, carried: float) -> Remedy | None:
    """A cap at which what is behind each card carries its heat off."""
    return cap_cards(machine, (watts - carried) * len(machine.cards))


@rule(
    "cooling.card_in_server",
    N_("Cards with own fans in a server"),
    source="makers' GPU lists: 4-5 consumer cards in 8-card servers",
)
def card_in_server(machine: Machine) -> Iterable[Judgement]:
    """Cards that blow sideways work against the front-to-rear air of a server."""
    server = machine.server
    if server is None or not server.passive_cards:
        return ()
    sideways = [c for c, _ in machine.cards if c.cooling in OPEN_FANS]
    if not sideways:
        return ()
    text = N_("{card} blows its heat sideways: {server} cools cards from front to rear and lists few of them")
    return stated(Status.WARNING, text, {"card": sideways[0].name, "server": server.name}, [server.id])


@rule(
    "cooling.neighbours",
    N_("Cards next to each other"),
    source="https://github.com/system76/thelio/issues/40; d2l.ai",
)
def neighbours(machine: Machine) -> Iterable[Judgement]:
    """Open-air cards without a gap throttle within ten minutes; blowers stand it."""
    cards = machine.cards
    if len(cards) < 2 or machine.server is not None:
        return ()
    kinds = {card.cooling for card, _ in cards}
    if None in kinds:
        return missing(
            *(f"{c.id}.cooling" for c in {c.id: c for c, _ in cards}.values() if c.cooling is None)
        )
    if kinds <= {Cooling.BLOWER, Cooling.LIQUID}:
        return stated(Status.OK, N_("blowers or liquid: cards may stand side by side"))
    placement = machine.placement
    if placement is None or machine.board is None or not machine.board.positions_known:
        return ()
    tight = placement.tight()
    if not tight:
        return stated(Status.OK, N_("an empty position stands between the cards"))
    warm = machine.number("neighbour_rise_c")
    if kinds & OPEN or len(cards) > 2:
        capped = all(line.power_limit_w is not None for _, line in cards)
        status = Status.OK if capped or not kinds & OPEN else Status.WARNING
        return _crowded(machine, placement, status, {"tight": tight, "rise": warm})
    return stated(
        Status.OK,
        N_("two flow-through cards without a gap: the upper runs about {rise:.0f} K warmer"),
        {"rise": warm},
    )


def _crowded(
    machine: Machine, placement: Placement, status: Status, values: dict[str, object]
) -> Iterable[Judgement]:
    """How close the cards stand, how warm their air is and what they lose by it."""
    remedy, crowd = cap_cards(machine, machine.load.watts() * 0.1), crowd_of(machine, placement)
    if crowd is None:
        text = N_(
            "{tight} cards draw the warm air of the next one: about {rise:.0f} K more; a cap or blowers help"
        )
        return stated(status, text, values, (), remedy)
    values |= {"own": crowd.own_w, "full": crowd.full_c, "each": crowd.each_w}
    text = N_("cards without an empty position between them ({tight}): {measured:.0f} mm of {required:.0f} mm; their "
              "air is about {rise:.0f} K warmer; a card holds its {own:.0f} W up to {full:.0f} C in the room and about "
              "{each:.0f} W less with each K more; a gap, a cap or blowers help")  # fmt: skip
    if crowd.held_w is not None:
        values |= {"held": crowd.held_w, "slower": crowd.slower, "room": machine.place.ambient_c}
        text = N_("cards without an empty position between them ({tight}): {measured:.0f} mm of {required:.0f} mm; "
                  "their air is about {rise:.0f} K warmer; at {room:.0f} C in the room a card holds {held:.0f} of "
                  "{own:.0f} W, {slower:.0%} slower; a gap, a cap or blowers help")  # fmt: skip
    gap, pitch = crowd.gap_mm, machine.number("slot_pitch_mm")
    if status is Status.OK:
        return stated(status, text, {**values, "measured": gap, "required": pitch}, (), remedy)
    ids = list(dict.fromkeys(card.id for card, _ in machine.cards))
    return compared(status, text, values, gap, pitch, "mm", ids, remedy)


@rule(
    "cooling.measured_margin", N_("Cards near their limit"), source="GPU0 +11 K against GPU1 in the same case"
)
def measured_margin(machine: Machine) -> Iterable[Judgement]:
    """Flow-through cards of 450 W and more side by side reach their limit at full power."""
    hot = [line for card, line in machine.cards
           if card.cooling in OPEN_FANS
           and (line.power_limit_w or card.tdp_w or 0) >= machine.number("hot_card_w")]  # fmt: skip
    case = machine.case
    if len(hot) < 3 or machine.server is not None or case is None or case.max_gpu_length_mm is None:
        return ()
    text = N_(
        "{count} cards of {watts:.0f} W and more in one case: exhaust and ambient decide; plan the airflow"
    )
    return stated(Status.WARNING, text, {"count": len(hot), "watts": machine.number("hot_card_w")})


@rule(
    "cooling.hot_card_case",
    N_("Case for hot cards"),
    source="https://evezone.evetech.co.za/deep-dives/high-porosity-front-grill-vs-closed-front-panel-what-changes-for-cooling-and",
)
def hot_card_case(machine: Machine) -> Iterable[Judgement]:
    """A card of 450 W and more that heats the case wants a mesh front and more room than its own length."""
    case, hot_w = machine.case, machine.number("hot_card_w")
    hot = [card for card, line in machine.cards
           if heats_case(card, line.power_limit_w or card.tdp_w or 0.0, hot_w)]  # fmt: skip
    if not hot or case is None or machine.server is not None or is_open(case) or case.rack_units is not None:
        return ()
    front = breathes(case)
    if front is None or case.max_gpu_length_mm is None:
        return missing("chassis.airflow" if front is None else "chassis.max_gpu_length_mm")
    values: dict[str, object] = {"case": case.name, "watts": hot[0].tdp_w}
    planned, ids = machine.number("hot_card_case_mm"), [case.id, hot[0].id]
    if not front:
        text = N_(
            "{case} has a closed front: behind it a card of {watts:.0f} W runs 4 to 7 K warmer than behind mesh"
        )
        return stated(Status.WARNING, text, values, ids, roomier_case(machine))
    if case.max_gpu_length_mm < planned:
        text = N_("{case} takes {measured:.0f} mm: board makers' cards of {watts:.0f} W are up to 360 mm long, with a "
                  "fan in front {required:.0f} mm are planned; compare the length of your card")  # fmt: skip
    else:
        text = N_("{case}: mesh front and room for {measured:.0f} mm; {required:.0f} mm are planned for cards of "
                  "{watts:.0f} W, up to 360 mm long as board makers sell them, with a fan in front")  # fmt: skip
    return compared(Status.OK, text, values, case.max_gpu_length_mm, planned, "mm", ids)


@rule("cooling.rack_chassis", N_("Cards in a rack chassis"), source="makers' GPU lists")
def rack_chassis(machine: Machine) -> Iterable[Judgement]:
    """A rack chassis is named by its height alone: it carries cards by its maker's list."""
    case = machine.case
    if case is None or not machine.cards or re.fullmatch(r"\s*\d+\s*u\s*", case.name.lower()) is None:
        return ()
    text = N_(
        "{count} cards in a rack chassis of {height}: front-to-rear air; compare the maker's list of cards"
    )
    return stated(Status.OK, text, {"count": len(machine.cards), "height": case.name})


@rule("cooling.ambient", N_("Temperature of the place"), source="ASHRAE 18-27 C; Lenovo SR665 V3")
def ambient(machine: Machine) -> Iterable[Judgement]:
    """Inlet limits of servers and desktops, lower at altitude."""
    inside = machine.place.ambient_c
    if inside is None or not machine.build.lines:
        return ()
    scope = "server" if machine.server is not None else "desktop"
    limit = machine.server.max_inlet_c if machine.server is not None and machine.server.max_inlet_c else None
    limit = limit if limit is not None else machine.number("inlet_limit_c", scope)
    limit = min(limit, *_network_limits_c(machine))
    altitude = machine.place.altitude_m or 0.0
    limit -= max(0.0, altitude - 900) / 300  # makers take off 1 K each 300 m above 900 m
    status = Status.OK if inside <= limit - 5 else Status.WARNING if inside <= limit else Status.PROBLEM
    text = N_("{measured:.0f} C at the inlet, {required:.0f} C allowed")
    return compared(status, text, {}, inside, limit, "C")


def _network_limits_c(machine: Machine) -> tuple[float, ...]:
    """Inlet limits that fast network cards and optical cables set; endless where there are none."""
    nics = [line.item for line in machine.build.of(Kind.NIC) if isinstance(line.item, Nic)]
    cables = [line.item for line in machine.build.shared if isinstance(line.item, Cable)]
    fast = any((nic.port_bits_per_s or 0) >= FAST_PORT_BITS_PER_S for nic in nics)
    optical = any(cable.is_optical() for cable in cables)
    return (
        machine.number("inlet_limit_c", "network_100g") if fast else math.inf,
        machine.number("inlet_limit_c", "optical_cable") if optical else math.inf,
    )


def _thin_air(machine: Machine, metres: float) -> float:
    """Share of the heat that air carries off, between the altitudes of the table and beyond its last two."""
    known = [(float(m), machine.number("altitude_factor", str(m))) for m in ALTITUDES_M]
    upper = next((i for i, (m, _) in enumerate(known) if m >= metres), len(known) - 1)
    (low, more), (high, less) = known[max(1, upper) - 1], known[max(1, upper)]
    return max(0.0, more + (less - more) * (metres - low) / (high - low))


@rule("cooling.altitude", N_("Altitude"), source="heat-load sheet: 0.93 at 610 m, 0.69 at 3048 m")
def altitude(machine: Machine) -> Iterable[Judgement]:
    """Thin air carries less heat."""
    metres = machine.place.altitude_m
    if metres is None or metres < ALTITUDES_M[0]:
        return ()
    factor = _thin_air(machine, metres)
    status = Status.WARNING if factor < 0.85 else Status.OK
    text = N_("at {metres:.0f} m air carries {measured:.0%} of the heat it carries at sea level")
    return compared(status, text, {"metres": metres}, factor, 1.0, "1")


@rule("cooling.room", N_("Heat into the room"), advice=True, source="1 W = 3.412 BTU/h")
def room(machine: Machine) -> Iterable[Judgement]:
    """What the air conditioning must carry off; an office carries about 2 kW besides its people."""
    wall = machine.wall_w()
    if wall is None or machine.place.noise is None or not machine.cards:
        return ()
    btu = wall * machine.number("btu_per_w")
    limit = machine.number("room_w", "office")
    values: dict[str, object] = {"btu": btu}
    if machine.place.noise == "office" and wall > limit:
        text = N_(
            "{measured:.0f} W of heat ({btu:.0f} BTU/h) into an office "
            "whose air conditioning carries about {required:.0f} W"
        )
        return compared(Status.WARNING, text, values, wall, limit, "W")
    return compared(
        Status.OK, N_("{measured:.0f} W of heat into the room ({btu:.0f} BTU/h)"), values, wall, None, "W"
    )


@rule("cooling.airflow", N_("Airflow"), advice=True, source="https://insidehpc.com: CFM = 1.76 W / K")
def airflow(machine: Machine) -> Iterable[Judgement]:
    """The air a desktop's heat takes at a rise of 15 K."""
    wall = machine.wall_w()
    if wall is None or machine.case is None or machine.server is not None or not machine.cards:
        return ()
    cfm = machine.number("airflow_cfm_per_w_c") * wall / 15
    text = N_("{watts:.0f} W need {measured:.0f} CFM at a rise of 15 K: about {fans} case fans of 140 mm")
    return compared(Status.OK, text, {"watts": wall, "fans": max(1, round(cfm / 60))}, cfm, None, "CFM")
