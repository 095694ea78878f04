"""Slots of the board: a table of what each gives, and the picture of board and case from the side."""

from __future__ import annotations

from collections.abc import Mapping

from gpuconfig.documents.content import Block, Column, Fact, Facts, Heading, SlotMapPicture, Table, Tone, text
from gpuconfig.documents.labels import LANE_SOURCES
from gpuconfig.documents.slot_map import CardBlock, SlotLine, SlotPicture
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import Chassis
from gpuconfig.engine.catalogue.vocabulary import Kind, LaneSource
from gpuconfig.engine.compatibility.finding import CheckResult
from gpuconfig.engine.provenance.message import N_

CONNECTOR_MM: Mapping[int, float] = {1: 25.0, 4: 39.0, 8: 56.0, 16: 89.0}
"""Length of a slot's connector by its physical lanes, as the card electromechanical specification has it."""


def slots(build: Build, check: CheckResult | None, card: str, writer: Writer) -> list[Block]:
    """The board's slots from the top bracket down, with the card in each."""
    found = check.pcie.get("slots") if check else None
    if not check or not isinstance(found, list | tuple) or not found:
        return []
    say = writer.say
    rows = []
    for slot in found:
        if not isinstance(slot, Mapping):
            continue
        seats = [number + 1 for number in slot.get("cards", ())]
        told = N_("card {number}: {name}") if len(seats) == 1 else N_("cards {number}: {name}")
        rows.append(
            (
                writer.cell(str(slot.get("position", ""))),
                writer.cell(f"x{slot.get('physical_lanes')}"),
                writer.cell(text(f"x{slot['lanes']}") if slot.get("lanes") is not None else writer.unknown()),
                writer.cell(
                    text(f"{slot['generation']}.0")
                    if slot.get("generation") is not None
                    else writer.unknown()
                ),
                writer.cell(say(LANE_SOURCES[LaneSource(str(slot.get("source", "unknown")))])),
                writer.cell(
                    text(say(told, number=seats, name=card), bold=True)
                    if seats
                    else text(say(N_("empty")), tone=Tone.SECONDARY)
                ),
            )
        )
    columns = (
        Column(title=say(N_("Position")), weight=0.8),
        Column(title=say(N_("Physical width")), weight=0.9),
        Column(title=say(N_("Lanes")), weight=0.8),
        Column(title=say(N_("PCIe")), weight=0.8),
        Column(title=say(N_("Fed by")), weight=1.2),
        Column(title=say(N_("Holds")), weight=3.6),
    )
    blocks: list[Block] = [Heading(say(N_("Slots"))), Table(columns=columns, rows=tuple(rows))]
    if check.pcie.get("positions_known") is False:
        note = say(
            N_("The board's bracket positions are not recorded: the order is right, the distances are not.")
        )
        blocks.insert(1, Facts((Fact(say(N_("Note")), text(note, tone=Tone.WARNING)),)))
    picture = slot_picture(build, check, writer)
    return blocks if picture is None else [*blocks, SlotMapPicture(picture)]


def slot_picture(build: Build, check: CheckResult, writer: Writer) -> SlotPicture | None:
    """The picture of a machine; None where its cards stand elsewhere or its board's brackets are not recorded."""
    found = check.pcie.get("slots")
    rows = [row for row in found if isinstance(row, Mapping)] if isinstance(found, list | tuple) else []
    board, case = build.first(Kind.MOTHERBOARD), build.first(Kind.CHASSIS)
    drawn = check.pcie.get("positions_known") is True and not check.pcie.get("carried")
    if board is None or not rows or not drawn:
        return None
    say, cards, blocks = writer.say, _cards(build), []
    for row in rows:
        number = row.get("card")
        if isinstance(number, int) and number < len(cards):
            card = cards[number]
            name = say(N_("card {number}: {name}"), number=number + 1, name=card.name)
            width = card.slots if card.slots is not None else float(row.get("covers") or 1)
            blocks.append(CardBlock(row["position"], width, card.length_mm, name, _size(card, writer)))
    chassis = case.item if case is not None and isinstance(case.item, Chassis) else None
    length = chassis.max_gpu_length_mm if chassis is not None else None
    held = say(N_("{count} of {slots} slots hold a card"), count=len(blocks), slots=len(rows))
    means = N_(
        "Seen from the side, brackets counted from the top; brackets, lengths and connectors to scale."
    )
    return SlotPicture(
        title=f"{writer.part(board.item.name)}: {held}",
        lines=tuple(
            SlotLine(row["position"], _connector(row.get("physical_lanes")), _feed(row, writer))
            for row in rows
        ),
        cards=tuple(blocks),
        case_brackets=None if chassis is None else chassis.expansion_slots,
        case_length_mm=length,
        case_label=""
        if length is None
        else say(N_("longest card of the case: {length}"), length=writer.formats.quantity(length, "mm")),
        summary=say(means),
    )


def _cards(build: Build) -> list[Accelerator]:
    lines = build.of(Kind.ACCELERATOR)
    return [line.item for line in lines for _ in range(line.quantity) if isinstance(line.item, Accelerator)]


def _connector(lanes: object) -> float:
    return CONNECTOR_MM.get(lanes, CONNECTOR_MM[16]) if isinstance(lanes, int) else CONNECTOR_MM[16]


def _feed(row: Mapping[str, object], writer: Writer) -> str:
    generation, lanes = row.get("generation"), row.get("lanes")
    text = "PCIe" if generation is None else f"PCIe {generation}.0"
    text += f" x{lanes}" if lanes is not None else f" {writer.translator.unknown}"
    chipset = row.get("source") == LaneSource.CHIPSET.value
    return f"{text} · {writer.say(N_('chipset'))}" if chipset else text


def _size(card: Accelerator, writer: Writer) -> str:
    length = writer.translator.unknown
    if card.length_mm is not None:
        length = writer.formats.quantity(card.length_mm, "mm")
    slots = writer.translator.unknown if card.slots is None else writer.formats.number(card.slots)
    return writer.say(N_("{slots} slots · {length}"), slots=slots, length=length)
