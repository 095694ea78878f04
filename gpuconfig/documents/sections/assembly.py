"""Cables, firmware settings and the order of assembly of one machine."""

from __future__ import annotations

from gpuconfig.documents.content import Align, Block, Column, Row, Table, Text, text
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.catalogue.accelerator import Accelerator, PowerConnector
from gpuconfig.engine.catalogue.enclosure import PowerSupply
from gpuconfig.engine.catalogue.vocabulary import ConnectorKind, Kind
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.recommendation import Option

PLUGS = {
    ConnectorKind.PCIE_6: N_("6-pin PCIe"),
    ConnectorKind.PCIE_8: N_("8-pin PCIe"),
    ConnectorKind.PCIE_12: N_("12-pin"),
    ConnectorKind.PCIE_16: N_("16-pin 12V-2x6 / 12VHPWR"),
    ConnectorKind.EPS_8: N_("8-pin EPS"),
    ConnectorKind.PROPRIETARY: N_("maker's own connector"),
}


def cables(build: Build, writer: Writer) -> list[Block]:
    """Plugs that cards need against plugs that the supplies have."""
    say = writer.say
    rows: list[Row] = []
    for line in build.of(Kind.ACCELERATOR):
        if isinstance(line.item, Accelerator):
            rows.append(
                (
                    writer.cell(f"{line.quantity} × {writer.part(line.item.name)}"),
                    writer.cell(_needed(line.item, line.quantity, writer)),
                    writer.cell(""),
                )
            )
    for line in build.of(Kind.POWER_SUPPLY):
        if isinstance(line.item, PowerSupply):
            rows.append(
                (
                    writer.cell(f"{line.quantity} × {writer.part(line.item.name)}"),
                    writer.cell(""),
                    writer.cell(_offered(line.item, line.quantity, writer)),
                )
            )
    if not rows:
        return []
    columns = (
        Column(title=say(N_("Part")), weight=3),
        Column(title=say(N_("Plugs needed")), weight=2.5, align=Align.LEFT),
        Column(title=say(N_("Plugs offered")), weight=2.5),
    )
    return [Table(columns=columns, rows=tuple(rows))]


def _needed(card: Accelerator, count: int, writer: Writer) -> Text:
    if card.power_connectors is None:
        return writer.unknown()
    if not card.power_connectors:
        return text(writer.say(N_("none: fed by the slot")))
    needed = _plugs(card.power_connectors, count, writer)
    if card.adapter_connectors:
        adapter = _plugs(card.adapter_connectors, count, writer)
        needed = writer.say(
            N_("{plugs}, or {adapter} through the adapter in the box"), plugs=needed, adapter=adapter
        )
    return text(needed)


def _plugs(connectors: tuple[PowerConnector, ...], count: int, writer: Writer) -> str:
    return writer.join([f"{each.count * count} × {writer.say(PLUGS[each.kind])}" for each in connectors])


def _offered(supply: PowerSupply, count: int, writer: Writer) -> Text:
    fields = (
        (ConnectorKind.PCIE_16, supply.pcie_16),
        (ConnectorKind.PCIE_8, supply.pcie_6plus2),
        (ConnectorKind.EPS_8, supply.eps_8),
    )
    known = [f"{each * count} × {writer.say(PLUGS[kind])}" for kind, each in fields if each]
    unknown = [writer.say(PLUGS[kind]) for kind, each in fields if each is None]
    made = text(writer.join(known))
    if unknown:
        note = writer.say(N_("not recorded: {plugs}"), plugs=unknown)
        made += text("\n" if known else "") + writer.given(note)
    return made


def firmware(option: Option, writer: Writer) -> tuple[Text, ...]:
    """Settings that machines with large accelerators need; each with its reason."""
    hardware, card = option.estimate_request.hardware, option.accelerator
    settings = [
        N_("Above 4G Decoding: on. The cards' memory windows lie above 4 GiB."),
        N_("Resizable BAR: on, where board and card offer it."),
    ]
    if card.pcie_generation is not None:
        settings.append(
            N_("PCIe link speed: fixed at the slot's generation, not Auto, when risers are used.")
        )
    if hardware.gpus_per_node > 1:
        settings.append(N_("CSM: off. Several cards do not start under legacy boot."))
        settings.append(
            N_("IOMMU and ACS: off for direct transfers between cards, unless virtual machines are used.")
            if card.peer_to_peer
            else N_(
                "IOMMU: as the operating system needs it; these cards transfer through host memory anyway."
            )
        )
    settings.append(
        N_("After a power failure: stay off, so that the cards do not start together with everything else.")
    )
    made = [text(writer.say(setting)) for setting in settings]
    limits = {line.power_limit_w for line in (option.build.of(Kind.ACCELERATOR) if option.build else ())}
    limits.add(hardware.power_limit_w)
    for limit in sorted(watts for watts in limits if watts is not None):
        made.append(
            text(
                writer.say(
                    N_(
                        "Power limit of each card: {watts}, set at every start (for NVIDIA: nvidia-smi -pl {number})."
                    ),
                    watts=writer.formats.quantity(limit, "W"),
                    number=str(round(limit)),
                )
            )
        )
    return tuple(made)


def assembly(option: Option, writer: Writer) -> tuple[Text, ...]:
    """Steps from the bare board to the load test."""
    build = option.build
    is_server = build is not None and build.first(Kind.SERVER) is not None
    steps = [N_("Check every part against the list; note serial numbers.")]
    if is_server:
        steps.append(
            N_("Mount the rails; open the server; fit processors, memory and drives by the maker's manual.")
        )
    else:
        steps += [
            N_("Outside the case: processor, cooler, memory in the slots the board's manual names first."),
            N_("Start the board with one card; update firmware of board and management controller."),
            N_("Fit supplies and board; check that standoffs match and no cable is under the board."),
        ]
    steps += [
        N_("Set the firmware as listed above before all cards are fitted."),
        N_(
            "Fit the cards from the lowest slot up, by the slot table; fix each to the bracket, support heavy ones."
        ),
        N_(
            "Power: one cable from supply to plug for each connector, pushed in until it clicks; no splitter."
        ),
        N_("Check with lspci that each card has the lanes and the generation of the slot table."),
        N_("Memory test overnight; then 24 hours under full load: temperatures, clocks, power at the wall."),
        N_("Measure the throughput of the task and compare it with the prediction."),
    ]
    return tuple(text(writer.say(step)) for step in steps)
