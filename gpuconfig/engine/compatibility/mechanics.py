"""Mechanics: what fits into the case, the rack and around the cards."""

from __future__ import annotations

from collections.abc import Iterable

from gpuconfig.engine.builds.fits import board_in_case, cooler_in_case, is_open, supply_in_case
from gpuconfig.engine.builds.forms import BoardForm, board_form, case_size
from gpuconfig.engine.builds.placement import covered
from gpuconfig.engine.catalogue.enclosure import Chassis, Rack
from gpuconfig.engine.catalogue.vocabulary import ConnectorKind, FormFactor, Kind
from gpuconfig.engine.compatibility.carriage import carriage
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.compatibility.remedies import cooler_instead, fitting_supply, roomier_case
from gpuconfig.engine.compatibility.rule import Essential, Judgement, compared, missing, rule, stated
from gpuconfig.engine.provenance.message import N_


def is_open_frame(machine: Machine) -> bool:
    """No case closes around the parts: lengths and bays do not bind."""
    return machine.case is not None and is_open(machine.case)


@rule(
    "mechanics.card_length", N_("Length of the cards"), essential=Essential.FIT, source="makers' data sheets"
)
def card_length(machine: Machine) -> Iterable[Judgement]:
    """The card must be shorter than the room; no margin is a warning, not a lie in either direction."""
    case = machine.case
    if case is None or not machine.cards or is_open_frame(machine):
        return ()
    room = case.max_gpu_length_mm
    longest = max(machine.cards, key=lambda c: machine.card_length_mm(c[0]) or 0.0)[0]
    lacking = [card.id for card, _ in machine.cards if card.length_mm is None]
    length = machine.card_length_mm(longest)
    if lacking or room is None or length is None:
        return missing(
            *(f"{i}.length_mm" for i in dict.fromkeys(lacking)),
            *(() if lacking or length else ("cooler.height_mm",)),
            *(() if room else ("chassis.max_gpu_length_mm",)),
        )
    values: dict[str, object] = {"name": longest.name, "margin": room - length}
    behind = length - (longest.length_mm or 0.0)
    ids = [longest.id, case.id]
    if length > room:
        text = N_("{name} is {measured:.0f} mm long, the case takes {required:.0f} mm")
        return compared(Status.PROBLEM, text, values, length, room, "mm", ids, roomier_case(machine))
    if room - length < machine.number("length_margin_mm"):
        text = N_(
            "{name} is {measured:.0f} mm long in {required:.0f} mm of room: no margin for cable and fan"
        )
        return compared(Status.WARNING, text, values, length, room, "mm", ids, roomier_case(machine))
    text = N_("{name} is {measured:.0f} mm long, the case takes {required:.0f} mm")
    if behind:
        values["behind"] = behind
        text = N_("{name} with the blower behind it ({behind:.0f} mm) is {measured:.0f} mm long, the case takes "
                  "{required:.0f} mm")  # fmt: skip
    return compared(Status.OK, text, values, length, room, "mm", ids)


@rule(
    "mechanics.connector_bend",
    N_("Height with the power cable"),
    source="visualfoodie; winenfood: 35-40 mm straight",
)
def connector_bend(machine: Machine) -> Iterable[Judgement]:
    """A 16-pin plug must go 35 mm straight before it bends: small cases press on it."""
    case = machine.case
    if case is None or is_open_frame(machine) or machine.server is not None:
        return ()
    sixteen = [
        card for card, _ in machine.cards
        if card.power_connectors and any(c.kind is ConnectorKind.PCIE_16 for c in card.power_connectors)
    ]  # fmt: skip
    if not sixteen:
        return ()
    height = max(card.height_mm or machine.number("slot_height_mm") for card in sixteen)
    needed = height + machine.number("card_bend_mm")
    room = case.max_gpu_height_mm
    if room is None:
        return missing("chassis.max_gpu_height_mm")
    status = Status.OK if room >= needed else Status.WARNING if room >= height else Status.PROBLEM
    text = N_("card and plug need {required:.0f} mm of height, the case has {measured:.0f} mm")
    remedy = None if status is Status.OK else roomier_case(machine)
    return compared(status, text, {}, room, needed, "mm", [sixteen[0].id, case.id], remedy)


@rule(
    "mechanics.small_case",
    N_("Room in small cases"),
    source="https://www.solab.ai (Fractal Terra with RTX 4090)",
)
def small_case(machine: Machine) -> Iterable[Judgement]:
    """In Mini-ITX cases a wide card takes the cooler's room and its cable presses on the panel."""
    case, board = machine.case, machine.board
    small = case is not None and ("itx" in case.form_factor.lower() or (case.expansion_slots or 9) <= 3)
    itx_board = board is not None and board_form(board.form_factor) is BoardForm.MINI_ITX
    if not (small or (case is not None and itx_board and not case.form_factor)):
        return ()
    wide = [card for card, _ in machine.cards if covered(card.slots or 1) >= 3 or (card.tdp_w or 0) >= 400]
    if not wide or (case is not None and "gpu length" in case.airflow.lower()):
        return ()
    text = N_(
        "{name} in a small case: check the cable's bend at the panel and the cooler's height at the chosen spine"
    )
    return stated(Status.WARNING, text, {"name": wide[0].name}, [wide[0].id])


@rule(
    "mechanics.case_brackets",
    N_("Brackets of the case"),
    essential=Essential.FIT,
    source="https://www.hardwaresecrets.com",
)
def case_brackets(machine: Machine) -> Iterable[Judgement]:
    """The last card overhangs the board as far as the case has brackets; 3.5 slots count as four."""
    case, placement = machine.case, machine.placement
    if case is None or not machine.cards or is_open_frame(machine):
        return ()
    unknown = [card.id for card, _ in machine.cards if card.slots is None]
    if unknown:
        return missing(*(f"{i}.slots" for i in dict.fromkeys(unknown)))
    least = sum(covered(card.slots or 1) for card, _ in machine.cards)
    if case.expansion_slots is None:
        return _beyond_any_case(machine, case, least) or missing("chassis.expansion_slots")
    if carriage(machine).cards:
        return _hung_in(machine, case, least)
    positions = placement.positions if placement is not None and placement.positions is not None else least
    ids = [case.id, *(line.item.id for line in machine.card_lines)]
    needed = max(positions, least) if machine.board is not None else least
    status = Status.OK if needed <= case.expansion_slots else Status.PROBLEM
    text = N_("the cards reach down to bracket {required:.0f}, the case has {measured:.0f}")
    remedy = None if status is Status.OK else roomier_case(machine)
    return compared(status, text, {}, case.expansion_slots, needed, "1", ids, remedy)


@rule(
    "mechanics.board_form",
    N_("Board in the case"),
    essential=Essential.FIT,
    source="ATX 305x244; CEB 305x267; EEB 305x330",
)
def board_in(machine: Machine) -> Iterable[Judgement]:
    """Form factor and standoffs of board and case."""
    board, case = machine.board, machine.case
    if board is None or case is None or is_open_frame(machine):
        return ()
    fits = board_in_case(board, case)
    values: dict[str, object] = {"board": board.form_factor, "case": ", ".join(case.board_form_factors)}
    ids = [board.id, case.id]
    if fits is None:
        lacking = [n for n, v in (("motherboard.form_factor", board.form_factor),
                                  ("chassis.board_form_factors", case.board_form_factors)) if not v]  # fmt: skip
        return missing(*(lacking or ["motherboard.form_factor"]))
    if not fits:
        return _misfit(machine, values, ids)
    form = board_form(board.form_factor)
    named = {board_form(t) for t in case.board_form_factors}
    if form is BoardForm.SSI_EEB and BoardForm.SSI_EEB not in named:
        standoffs = machine.numbers.find("rules", "standoff_conflict", case.id)
        if standoffs is not None and standoffs.scope == case.id:
            text = N_("a board of {board} size in this case: a fixed standoff must be removed")
            return stated(Status.WARNING, text, values, ids)
        return stated(
            Status.OK, N_("{board} in a case for {case}: the size fits, compare the standoffs"), values, ids
        )
    return stated(Status.OK, N_("{board} in a case for {case}"), values, ids)


@rule("mechanics.cooler_room", N_("Room for the cooler"), source="makers' data sheets")
def cooler_room(machine: Machine) -> Iterable[Judgement]:
    """Height of an air cooler, size of a radiator."""
    cooler, case = machine.cooler, machine.case
    if cooler is None or case is None or is_open_frame(machine):
        return ()
    fits = cooler_in_case(cooler, case)
    ids = [cooler.id, case.id]
    if cooler.radiator_mm is not None:
        if fits is None:
            return missing("chassis.radiators_text")
        status = Status.OK if fits else Status.PROBLEM
        return stated(status, N_("radiator of {size:.0f} mm; the case takes: {room}"),
                      {"size": cooler.radiator_mm, "room": case.radiators_text}, ids,
                      None if fits else roomier_case(machine))  # fmt: skip
    if fits is None:
        return missing("cooler.height_mm" if cooler.height_mm is None else "chassis.max_cooler_mm")
    status = Status.OK if fits else Status.PROBLEM
    text = N_("the cooler is {measured:.0f} mm high, the case takes {required:.0f} mm")
    remedy = None if fits else cooler_instead(machine) or roomier_case(machine)
    return compared(status, text, {}, cooler.height_mm, case.max_cooler_mm, "mm", ids, remedy)


@rule("mechanics.supply_room", N_("Supply in the case"), source="makers' data sheets")
def supply_room(machine: Machine) -> Iterable[Judgement]:
    """Form and length of the supply; a second one needs a second bay."""
    case = machine.case
    if case is None or not machine.supplies or is_open_frame(machine):
        return ()
    # The worst of several answers for all: one that does not fit, then one that nothing is known of.
    order = {False: 0, None: 1, True: 2}
    supply, count = min(machine.supplies, key=lambda s: order[supply_in_case(s[0], case)])
    fits = supply_in_case(supply, case)
    ids = [supply.id, case.id]
    if fits is False:
        remedy = fitting_supply(machine)
        values: dict[str, object] = {
            "form": supply.form_factor,
            "forms": ", ".join(case.psu_form_factors) or "ATX",
        }
        if supply.length_mm is None or case.max_psu_mm is None or supply.length_mm <= case.max_psu_mm:
            text = N_("a supply of form {form}; the case takes {forms}")
            return stated(Status.PROBLEM, text, values, ids, remedy)
        text = N_(
            "a supply of {form}, {measured:.0f} mm long; the case takes {forms} up to {required:.0f} mm"
        )
        return compared(Status.PROBLEM, text, values, supply.length_mm, case.max_psu_mm, "mm", ids, remedy)
    if sum(n for _, n in machine.supplies) > 1 and case.rack_units is None and case.psu_places is None:
        return missing("chassis.psu_places")
    if fits is None:
        return missing("chassis.max_psu_mm" if case.max_psu_mm is None else "power_supply.length_mm")
    return stated(Status.OK, N_("the supply fits the case"), {}, ids) if count else ()


@rule(
    "mechanics.server_cards", N_("Cards in the server"), essential=Essential.FIT, source="makers' data sheets"
)
def server_cards(machine: Machine) -> Iterable[Judgement]:
    """Form, number, width and power of the cards against what the server is made for."""
    server = machine.server
    if server is None or not machine.cards:
        return ()
    count = len(machine.cards)
    ids = [server.id, *(line.item.id for line in machine.card_lines)]
    found: list[Judgement] = []
    for card in {c.id: c for c, _ in machine.cards}.values():
        values: dict[str, object] = {"server": server.name, "card": card.name}
        if server.accelerator_form is not None and card.form_factor is not server.accelerator_form:
            found += stated(Status.PROBLEM, N_("{server} is not made for the form of {card}"), values, ids)
        elif server.accelerators and card.id not in server.accelerators:
            found += stated(Status.PROBLEM, N_("{server} is not made for {card}"), values, ids)
        if card.form_factor is FormFactor.PCIE and card.slots and server.max_accelerator_slots and (
            card.slots > server.max_accelerator_slots
        ):  # fmt: skip
            text = N_("{card} is {measured} slots wide, {server} takes {required}")
            found += compared(
                Status.PROBLEM, text, values, card.slots, server.max_accelerator_slots, "1", ids
            )
        if (
            server.max_accelerator_length_mm
            and card.length_mm
            and card.length_mm > server.max_accelerator_length_mm
        ):
            text = N_("{card} is {measured:.0f} mm long, {server} takes {required:.0f} mm")
            found += compared(
                Status.PROBLEM, text, values, card.length_mm, server.max_accelerator_length_mm, "mm", ids
            )
    if server.accelerator_count is None:
        return found or missing("server.accelerator_count")
    if count > server.accelerator_count:
        text = N_("{required:.0f} cards, the server takes {measured:.0f}")
        found += compared(Status.PROBLEM, text, {}, server.accelerator_count, count, "1", ids)
    return found or compared(Status.OK, N_("{required:.0f} cards, the server takes {measured:.0f}"), {},
                             server.accelerator_count, count, "1", ids)  # fmt: skip


@rule("mechanics.card_form", N_("Form of the cards"), essential=Essential.FIT, source="makers' data sheets")
def card_form(machine: Machine) -> Iterable[Judgement]:
    """Modules (SXM, OAM) go only into systems made for them, never into a board's slots."""
    if machine.server is not None or machine.board is None:
        return ()
    modules = [
        c for c, _ in machine.cards if c.form_factor not in (FormFactor.PCIE, FormFactor.BOX, FormFactor.SOC)
    ]
    if not modules:
        return ()
    text = N_("{card} is a module ({form}): it has no PCIe edge and goes only into a server made for it")
    values: dict[str, object] = {"card": modules[0].name, "form": modules[0].form_factor.value.upper()}
    return stated(Status.PROBLEM, text, values, [modules[0].id])


@rule("mechanics.rack_room", N_("Room in the rack"), source="makers' data sheets")
def rack_room(machine: Machine) -> Iterable[Judgement]:
    """Rack units of all machines, depth of the deepest."""
    racks = [line for line in machine.build.anywhere(Kind.RACK) if isinstance(line.item, Rack)]
    server = machine.server or machine.case
    if server is None or (not racks and (machine.server is None or machine.build.nodes < 2)):
        return ()
    if server.rack_units is None:
        return missing("chassis.rack_units" if machine.server is None else "server.rack_units")
    if not racks:
        return ()
    lacking = [f"rack.{name}" for name in ("rack_units", "depth_mm")
               if any(getattr(line.item, name) is None for line in racks)]  # fmt: skip
    if lacking:
        return missing(*lacking)
    have = sum((line.item.rack_units or 0) * line.quantity for line in racks if isinstance(line.item, Rack))
    needed = server.rack_units * machine.build.machines() + 1
    depth = min(line.item.depth_mm or 0.0 for line in racks if isinstance(line.item, Rack))
    if server.depth_mm is not None and server.depth_mm + 100 > depth:
        text = N_(
            "the server is {measured:.0f} mm deep and needs 100 mm for cables; the rack has {required:.0f} mm"
        )
        return compared(Status.PROBLEM, text, {}, server.depth_mm, depth, "mm", [server.id])
    status = Status.OK if needed <= have else Status.PROBLEM
    return compared(
        status,
        N_("{measured:.0f} rack units needed, {required:.0f} there"),
        {},
        needed,
        have,
        "1",
        [server.id],
    )


def _beyond_any_case(machine: Machine, case: Chassis, needed: int) -> list[Judgement]:
    """Where the brackets are not recorded: more than any case of the form that it names has."""
    form = case_size(case)
    most = None if form is None else machine.numbers.find("rules", "case_brackets_most", form)
    if most is None or most.value is None or needed <= most.value:
        return []
    text = N_("the cards cover {required:.0f} brackets; no case of this form has more than {measured:.0f}")
    ids = [case.id, *(line.item.id for line in machine.card_lines)]
    return compared(Status.PROBLEM, text, {}, most.value, needed, "1", ids, roomier_case(machine))


def _hung_in(machine: Machine, case: Chassis, needed: int) -> list[Judgement]:
    """Cards on risers hang at the case's brackets too, or at upright ones."""
    have, ids = case.expansion_slots or 0, [case.id, *(line.item.id for line in machine.card_lines)]
    if needed > have and case.vertical_slots is None:
        return missing("chassis.vertical_slots")
    have += case.vertical_slots or 0
    text = N_(
        "the cards take {required:.0f} brackets, on risers too; the case has {measured:.0f} with the upright ones"
    )
    remedy = None if needed <= have else roomier_case(machine)
    status = Status.OK if needed <= have else Status.PROBLEM
    return compared(status, text, {}, have, needed, "1", ids, remedy)


def _misfit(machine: Machine, values: dict[str, object], ids: list[str]) -> list[Judgement]:
    case, board = machine.case, machine.board
    large = case is not None and board is not None and board_form(board.form_factor) in (
        BoardForm.E_ATX, BoardForm.SSI_EEB, BoardForm.SSI_CEB
    )  # fmt: skip
    named = set() if case is None else {board_form(t) for t in case.board_form_factors}
    full = case is not None and ("full" in case.form_factor.lower() or "xl" in case.name.lower().split())
    if large and full and BoardForm.ATX in named:
        text = N_(
            "{board} is not among the sizes the record of this full tower names ({case}): compare the maker's page"
        )
        return stated(Status.OK, text, values, ids)
    text = N_("a board of {board} size; the case takes {case}")
    return stated(Status.PROBLEM, text, values, ids, roomier_case(machine))
