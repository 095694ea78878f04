"""装机单 / Build sheet: for whoever assembles the machine: parts, slots, cables, power, settings, order of work."""

from __future__ import annotations

from collections.abc import Mapping

from gpuconfig.documents.content import (
    Align,
    Block,
    Bullets,
    Cell,
    Column,
    Document,
    Fact,
    Facts,
    Heading,
    PowerPicture,
    Row,
    Table,
    Tone,
    text,
)
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.frame import form
from gpuconfig.documents.sections.appendix import versions
from gpuconfig.documents.sections.assembly import assembly, cables, firmware
from gpuconfig.documents.sections.findings import findings_section
from gpuconfig.documents.sections.parties import signed_by
from gpuconfig.documents.sections.plan import enclosure_facts
from gpuconfig.documents.sections.slots import slots
from gpuconfig.documents.sections.specification import specification
from gpuconfig.documents.sections.summary import nothing_fits
from gpuconfig.documents.watt_flow import WattFlow, WattNode
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.catalogue.titles import PART_KINDS
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.finding import CheckResult
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message

DONE = "○"


def build_sheet(context: DocumentContext, writer: Writer) -> Document:
    """Everything the workshop needs and no price.

    Raises:
        InputError: `option` where the chosen one is not a machine to buy.
    """
    option = context.option
    if option is not None and option.build is None:
        raise InputError("impossible", "option", None, Message(N_("only a machine to buy has a build sheet")))
    if option is None or option.build is None:
        return form(context, writer, nothing_fits(context, writer))
    say, build, check = writer.say, option.build, option.check
    facts = enclosure_facts(build, writer)
    if build.nodes > 1:
        note = say(N_("{nodes} such machines are built."), nodes=build.nodes)
        facts = (Fact(say(N_("Machines")), text(note)), *facts)
    blocks: list[Block] = [Facts(facts)] if facts else []
    blocks += [Heading(say(N_("Parts of one machine"))), _parts(build.lines, 1, writer)]
    if build.shared:
        blocks += [Heading(say(N_("Once for all machines")), 2), _parts(build.shared, 1, writer)]
    blocks += slots(build, check, option.accelerator.name, writer)
    blocks += [
        Heading(say(N_("Cables and power"))),
        *cables(build, writer),
        *power_plan(check, build, writer),
    ]
    blocks += [Heading(say(N_("Firmware settings"))), Bullets(firmware(option, writer))]
    blocks += [Heading(say(N_("Order of assembly"))), Bullets(assembly(option, writer), ordered=True)]
    blocks += findings_section(context, writer)
    blocks += versions(context, writer)
    blocks.append(signed_by((N_("Assembled by"), N_("Tested by"), N_("Accepted by")), writer))
    return form(context, writer, blocks)


def _parts(lines: tuple[BomLine, ...], nodes: int, writer: Writer) -> Table:
    say = writer.say
    placed = any(line.slot for line in lines)
    rows = tuple(_part(number, line, nodes, placed, writer) for number, line in enumerate(lines, 1))
    columns = (
        Column(title=say(N_("No.")), weight=0.4),
        Column(title=say(N_("Category")), weight=1.0),
        Column(title=say(N_("Part")), weight=3.4),
        Column(title=say(N_("Specification")), weight=2.6),
        Column(title=say(N_("Qty")), weight=0.5, align=Align.RIGHT),
        *((Column(title=say(N_("Slot")), weight=0.8),) if placed else ()),
        Column(title=say(N_("Done")), weight=0.5),
    )
    return Table(columns=columns, rows=rows)


def _part(number: int, line: BomLine, nodes: int, placed: bool, writer: Writer) -> Row:
    name = text(writer.part(line.item.name))
    details = [part for part in (line.item.part_number or "", line.note) if part]
    if details:
        name += text("\n" + " · ".join(details), tone=Tone.SECONDARY, small=True)
    return (
        writer.count_cell(number),
        writer.cell(writer.say(PART_KINDS[line.kind])),
        Cell(content=name),
        writer.cell(text(specification(line, writer), small=True)),
        writer.count_cell(line.quantity * nodes),
        *((writer.cell(", ".join(str(position) for position in line.slot)),) if placed else ()),
        writer.cell(DONE),
    )


_POWER = (
    ("load_w", N_("Continuous load")),
    ("peak_w", N_("Short peak")),
    ("rated_w", N_("Rated output of the supplies")),
    ("wall_w", N_("Power at the wall")),
    ("circuit_w", N_("Continuous limit of the circuit")),
)


def power_plan(check: CheckResult | None, build: Build, writer: Writer) -> list[Block]:
    """Loads part by part, then against supplies and circuit."""
    if check is None or not check.power:
        return []
    say, power = writer.say, check.power
    rows: list[Row] = []
    parts = power.get("parts")
    for name, watts in parts.items() if isinstance(parts, Mapping) else ():
        rows.append((writer.cell(_load_name(str(name), build, writer)), _watts(watts, writer)))
    foot = tuple(
        (writer.cell(text(say(label), bold=key == "load_w")), _watts(power.get(key), writer))
        for key, label in _POWER
        if key in power
    )
    columns = (
        Column(title=say(N_("Load")), weight=4),
        Column(title=say(N_("Power")), weight=1.4, align=Align.RIGHT),
    )
    picture = _picture(check, build, writer)
    table = [Table(columns=columns, rows=tuple(rows), foot=foot)] if rows or foot else []
    return [*table, *([] if picture is None else [picture])]


def _picture(check: CheckResult, build: Build, writer: Writer) -> PowerPicture | None:
    """From the wall to each load; None where a load is not known."""
    power, say = check.power, writer.say
    wall, load, parts = power.get("wall_w"), power.get("load_w"), power.get("parts")
    if (
        not isinstance(wall, int | float)
        or not isinstance(load, int | float)
        or not isinstance(parts, Mapping)
    ):
        return None

    def shown(label: str, watts: float, *, lost: bool = False) -> WattNode:
        return WattNode(label, watts, writer.formats.quantity(watts, "W"), lost)

    loads = sorted(((str(k), float(v)) for k, v in parts.items() if v), key=lambda p: -p[1])
    flow = WattFlow(
        wall=shown(say(N_("Mains")), float(wall)),
        supply=shown(say(N_("Output of the supplies")), float(load)),
        loads=tuple(shown(_load_name(name, build, writer), watts) for name, watts in loads),
        lost=shown(say(N_("Heat of the supplies")), float(wall) - float(load), lost=True),
        summary=say(N_("The breadth of a band is its power.")),
    )
    title = say(N_("{share} of the power at the wall reaches the parts"), share=writer.percent(load / wall))
    return PowerPicture(title, flow)


def _load_name(name: str, build: Build, writer: Writer) -> str:
    """A part by its id, with its quantity; else the kind of part, else the name as it is."""
    line = next((line for line in build.lines if line.item.id == name), None)
    if line is not None:
        return f"{line.quantity} × {writer.part(line.item.name)}"
    kinds = {
        **{kind.value: label for kind, label in PART_KINDS.items()},
        "board": PART_KINDS[Kind.MOTHERBOARD],
    }
    return writer.say(kinds[name]) if name in kinds else name


def _watts(value: object, writer: Writer) -> Cell:
    if not isinstance(value, int | float):
        return Cell(content=writer.unknown())
    return Cell(content=text(writer.formats.quantity(float(value), "W")), value=float(value))
