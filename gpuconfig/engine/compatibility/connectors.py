"""Power connectors: enough plugs, cables within their rating, the board's own sockets."""

from __future__ import annotations

from collections.abc import Iterable

from gpuconfig.engine.builds.feeds import EPS_8_W, connector_budget_w, offered, plugs_of
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.vocabulary import ConnectorKind, FormFactor, Kind
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.compatibility.remedies import fitting_supply
from gpuconfig.engine.compatibility.rule import Essential, Judgement, compared, missing, rule, stated
from gpuconfig.engine.provenance.message import N_

_ONE_CABLE = ("pigtail", "daisy", "one cable", "single cable", "一拖二", "一分二", "单线", "一根线", "一条线")
"""How people say that one cable of the supply feeds all plugs of a card."""


@rule("power.connectors", N_("Power connectors of the cards"), essential=Essential.CONNECTORS,
      source="PCIe card electromechanical specification")  # fmt: skip
def connectors(machine: Machine) -> Iterable[Judgement]:
    """Every socket of the cards finds a plug; one cable per 8-pin."""
    if not machine.cards or machine.server is not None or machine.is_whole_computer:
        return ()
    if not machine.lists(Kind.POWER_SUPPLY):
        return missing("power_supply")
    offer = offered(machine.supplies)
    lacking = [line.item.id for line in machine.card_lines if plugs_of(line.item) is None]  # type: ignore[arg-type]
    if lacking:
        return missing(*(f"{part}.power_connectors" for part in lacking))
    if offer is None or not machine.supplies:
        return missing("power_supply.pcie_16", "power_supply.pcie_6plus2")
    plugging = machine.plugging()
    if plugging is None:
        return missing("accelerator.power_connectors")
    ids = [line.item.id for line in (*machine.card_lines, *machine.build.of(Kind.POWER_SUPPLY))]
    values: dict[str, object] = {"adapters": plugging.adapters, "short": plugging.short_eight}
    if plugging.short_eight:
        text = N_("{short} 8-pin plugs are missing for the cards (16-pin sockets through adapters included)")
        have = float(offer.eight)
        needed = have + plugging.short_eight
        return compared(Status.PROBLEM, text, values, have, needed, "1", ids, fitting_supply(machine))
    if plugging.adapters:
        text = N_(
            "every socket is fed; {adapters} through adapters of 8-pin plugs, each plug on its own cable"
        )
        return stated(Status.OK, text, values, ids)
    return stated(Status.OK, N_("every socket of the cards has its own plug"), values, ids)


@rule("power.connector_rating", N_("Watts through the card's connectors"),
      source="https://www.igorslab.de; https://github.com/stas00/ml-engineering")  # fmt: skip
def connector_rating(machine: Machine) -> Iterable[Judgement]:
    """The card's power against slot and connectors together; 16-pin plugs carry 150 to 600 W by their sense pins."""
    found: list[Judgement] = []
    for line in machine.card_lines:
        card = line.item
        connectors_ = getattr(card, "power_connectors", None)
        watts = line.power_limit_w or getattr(card, "tdp_w", None)
        if not isinstance(card, Accelerator) or card.form_factor is not FormFactor.PCIE:
            continue
        if connectors_ is None or watts is None or card.is_assumed("power_connectors"):
            continue
        budget = connector_budget_w(connectors_)
        if any(c.kind is ConnectorKind.PROPRIETARY for c in connectors_):
            continue
        if watts > budget * machine.number("connector_tolerance"):
            text = N_("{name} draws {measured:.0f} W, slot and connectors carry {required:.0f} W")
            found += compared(Status.PROBLEM, text, {"name": card.name}, watts, budget, "W", [card.id])
    return found


@rule("power.cable", N_("One cable for each 8-pin plug"),
      source="https://github.com/nicehash/NiceHashMiner/issues/1396")  # fmt: skip
def cable(machine: Machine) -> Iterable[Judgement]:
    """A pigtail of two plugs carries 150 W together: an overclocked card on it burns the supply's socket."""
    found: list[Judgement] = []
    for line in machine.card_lines:
        note = line.note.lower()
        drawn = line.power_limit_w or getattr(line.item, "tdp_w", None)
        if any(word in note for word in _ONE_CABLE):
            beyond = (drawn or 300.0) - 75
            if beyond > 150:
                text = N_("{measured:.0f} W through one cable with two plugs; it carries {required:.0f} W")
                found += compared(Status.PROBLEM, text, {}, beyond, 150, "W", [line.item.id])
            continue
        plugs = plugs_of(line.item) if isinstance(line.item, Accelerator) else None
        if plugs is not None and plugs.eight >= 2:
            text = N_("{name}: {count} plugs, each on a cable of its own from the supply; none on a pigtail")
            found += stated(Status.OK, text, {"name": line.item.name, "count": plugs.eight}, [line.item.id])
    return found


@rule("power.board_sockets", N_("Power sockets of the board"), source="board manuals")
def board_sockets(machine: Machine) -> Iterable[Judgement]:
    """8-pin EPS plugs of the supplies against the board's sockets."""
    board = machine.board
    if board is None or not machine.supplies:
        return ()
    if any(s.eps_8 is None for s, _ in machine.supplies):
        return missing("power_supply.eps_8")
    have = sum((s.eps_8 or 0) * n for s, n in machine.supplies)
    if have == 0:
        text = N_("no EPS plug for the processor: every board needs one")
        return compared(
            Status.PROBLEM, text, {}, have, board.eps_8 or 1, "1", [board.id], fitting_supply(machine)
        )
    drawn = _processor_peak_w(machine)
    if drawn is not None and drawn > have * EPS_8_W:
        text = N_("the processors draw up to {measured:.0f} W, {plugs} EPS plugs carry {required:.0f} W")
        carried: dict[str, object] = {"plugs": have}
        return compared(
            Status.WARNING, text, carried, drawn, have * EPS_8_W, "W", [board.id], fitting_supply(machine)
        )
    if board.eps_8 is None:
        return missing("motherboard.eps_8")
    if have >= board.eps_8:
        return compared(
            Status.OK,
            N_("{measured:.0f} EPS plugs for {required:.0f} sockets of the board"),
            {},
            have,
            board.eps_8,
            "1",
        )
    status = Status.PROBLEM if have == 0 else Status.WARNING
    text = N_("{measured:.0f} EPS plugs for {required:.0f} sockets of the board")
    return compared(status, text, {}, have, board.eps_8, "1", [board.id])


def _processor_peak_w(machine: Machine) -> float | None:
    """Of all processors for seconds to minutes; None where not known."""
    cpu = machine.cpu
    watts = None if cpu is None else cpu.max_turbo_w or cpu.tdp_w
    return None if watts is None else watts * machine.cpus
