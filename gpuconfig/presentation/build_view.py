"""The build page: parts with price and age, findings with both sides, slot map and power tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import PowerSupply, ServerPlatform
from gpuconfig.engine.catalogue.host import Cpu, Motherboard, Slot
from gpuconfig.engine.catalogue.vocabulary import Kind, LaneSource
from gpuconfig.engine.compatibility.finding import CheckResult, Finding, Status
from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.i18n import Translator, render
from gpuconfig.presentation import badges
from gpuconfig.presentation.card_facts import evidence_mark
from gpuconfig.presentation.measures import short_name
from gpuconfig.presentation.option_view import amount_text
from gpuconfig.presentation.reference import PriceReference, ReadyReference
from gpuconfig.presentation.shown import BLANK, Shown, Tone
from gpuconfig.presentation.table import Column, Row, Table

KIND_WORDS: Mapping[Kind, str] = {
    Kind.ACCELERATOR: N_("Accelerator"),
    Kind.CPU: N_("Processor"),
    Kind.MOTHERBOARD: N_("Board"),
    Kind.PLATFORM: N_("Platform"),
    Kind.MEMORY: N_("Memory kit"),
    Kind.POWER_SUPPLY: N_("Power supply"),
    Kind.CHASSIS: N_("Case"),
    Kind.COOLER: N_("Cooler"),
    Kind.DRIVE: N_("Drive"),
    Kind.NIC: N_("Network card"),
    Kind.RISER: N_("Riser"),
    Kind.SWITCH: N_("Switch"),
    Kind.BRIDGE: N_("NVLink bridge"),
    Kind.UPS: N_("UPS"),
    Kind.PDU: N_("PDU"),
    Kind.RACK: N_("Rack"),
    Kind.SERVER: N_("Server"),
    Kind.MODEL: N_("Model"),
}
_ORDER = {Status.PROBLEM: 0, Status.UNKNOWN: 1, Status.WARNING: 2, Status.OK: 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingRow:
    """One finding as a row; `remedy` is empty where there is none."""

    rule: str
    status: Shown
    title: str
    message: str
    figures: Shown
    remedy: str
    overridden: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotBox:
    """One position of the board; `card` is what sits in it, `covered` what lies over it."""

    position: int
    label: str
    lanes: int
    card: str
    covered: str
    height: int
    tone: Tone
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class SlotMap:
    """The board from the top bracket down; `known` False where positions are not recorded."""

    title: str
    boxes: tuple[SlotBox, ...]
    known: bool
    summary: str


@dataclass(frozen=True, slots=True)
class PowerNode:
    """One load or source; `share` is load over rating where it has one."""

    name: str
    text: str
    share: float | None
    tone: Tone
    children: tuple[PowerNode, ...] = ()


def parts_table(option: Option, today: date, t: Translator) -> Table:
    """The bill of materials of one machine, then what stands once for all."""
    _ = t.gettext
    build = option.build
    columns = (
        Column(key="kind", title=_("Category"), width=90),
        Column(key="name", title=_("Part"), width=250),
        Column(key="quantity", title=_("Quantity"), numeric=True, width=56),
        Column(key="price", title=_("Price of one"), numeric=True, width=150),
        Column(key="sum", title=_("Sum"), numeric=True, width=150),
        Column(key="age", title=_("Price age"), width=110),
    )
    rows: list[Row] = []
    if build is not None:
        for number, line in enumerate(build.lines):
            rows.append(_part_row(option, line, f"{line.item.id}:{number}", today, t))
        if build.shared:
            rows.append(Row(key="shared", cells=(), heading=_("Once for all machines")))
            for number, line in enumerate(build.shared):
                rows.append(_part_row(option, line, f"shared:{line.item.id}:{number}", today, t))
    return Table(columns=columns, rows=tuple(rows), name=_("Parts"), pinned=2)


def _part_row(option: Option, line: BomLine, key: str, today: date, t: Translator) -> Row:
    offer = line.offer
    reference = PriceReference(option, line.item.id, N_("Price of a part"))
    assumed = offer is not None and offer.is_assumed()
    if line.price is None:
        price = Shown(text=t.unknown, tone=Tone.UNKNOWN, reference=reference)
        total = price
    else:
        converted = t.gettext(N_("converted")) if line.converted else ""
        price = Shown(
            text=t.formats.money_range(line.price),
            note=converted,
            reference=reference,
            sort=float(line.price.middle().amount),
            assumed=assumed,
        )
        whole = line.price * line.quantity
        total = Shown(
            text=t.formats.money_range(whole),
            reference=reference,
            sort=float(whole.middle().amount),
            assumed=assumed,
        )
    if line.reused:
        price = total = Shown(text=t.gettext(N_("already there")), tone=Tone.SECONDARY, reference=reference)
    quantity = Shown(text=t.formats.count(line.quantity), sort=float(line.quantity))
    part = Shown(
        text=line.item.name,
        note=line.item.part_number or "",
        sort=line.item.name,
        reference=_part_reference(line),
    )
    kind = t.gettext(KIND_WORDS[line.kind])
    age = BLANK if line.reused else badges.age(offer.age_days(today) if offer else None, t)
    return Row(key=key, cells=(Shown(text=kind, sort=kind), part, quantity, price, total, age))


def _part_reference(line: BomLine) -> ReadyReference:
    evidence = line.item.evidence()
    return ReadyReference(
        Explanation(
            name=line.item.id,
            title=line.item.name,
            value=line.item.name,
            unit="1",
            mark=evidence_mark(evidence),
            evidence=evidence,
            source=evidence.source,
        )
    )


def findings(
    check: CheckResult | None, overrides: Mapping[str, str], t: Translator
) -> tuple[FindingRow, ...]:
    """Findings, the gravest first."""
    if check is None:
        return ()
    ordered = sorted(check.findings, key=lambda finding: _ORDER[finding.status])
    return tuple(_finding_row(finding, overrides, t) for finding in ordered)


def _finding_row(finding: Finding, overrides: Mapping[str, str], t: Translator) -> FindingRow:
    measured, required = (
        None if value is None else amount_text(value, finding.unit, t)
        for value in (finding.measured, finding.required)
    )
    text = ""
    if measured and required:
        text = f"{measured} → {required}"
    elif measured or required:
        text = measured or required or ""
    unit = finding.unit or "1"
    explanation = Explanation(
        name=finding.rule,
        title=finding.title.text,
        value=finding.measured,
        unit=unit,
        mark=Mark.CALCULATED if finding.evidence is None else evidence_mark(finding.evidence),
        evidence=finding.evidence,
        source=finding.evidence.source if finding.evidence else "",
        inputs=(
            Explanation(
                name="required", title=N_("Required"), value=finding.required, unit=unit, mark=Mark.CALCULATED
            ),
        ),
    )
    remedy = ""
    if finding.remedy is not None:
        remedy = render(finding.remedy.text, t)
        if finding.remedy.cost is not None:
            remedy += f" ({t.formats.money_range(finding.remedy.cost)})"
        if finding.remedy.slower:
            slower = t.formats.percent(finding.remedy.slower)
            remedy += t.gettext(N_(", about {share} slower")).format(share=slower)
    return FindingRow(
        rule=finding.rule,
        status=badges.status(finding.status, t),
        title=render(finding.title, t),
        message=render(finding.message, t),
        figures=Shown(text=text, reference=ReadyReference(explanation)),
        remedy=remedy,
        overridden=overrides.get(finding.rule, finding.overridden),
    )


def not_checked(check: CheckResult | None, t: Translator) -> tuple[str, ...]:
    """What could not be judged, and which facts are missing."""
    if check is None:
        return ()
    return tuple(
        t.gettext(N_("{rule}: not known: {fields}")).format(
            rule=render(n.title, t), fields=t.formats.join(n.missing)
        )
        for n in check.not_checked
    )


def slot_map(build: Build | None, t: Translator) -> SlotMap | None:
    """The board's slots with the cards in them; None where the machine has no board of its own."""
    if build is None:
        return None
    line = build.first(Kind.MOTHERBOARD)
    if line is None or not isinstance(line.item, Motherboard) or not line.item.slots:
        return None
    board = line.item
    cards = _placed(build)
    boxes = []
    covered_until, covering = 0, ""
    for slot in sorted(board.slots, key=lambda s: s.position):
        card = cards.get(slot.position)
        name = short_name(card.name) if card else ""
        covered = covering if not card and slot.position <= covered_until else ""
        width = int(-(-(getattr(card, "slots", None) or 1.0) // 1)) if card else 1
        if card:
            covered_until, covering = slot.position + width - 1, name
        boxes.append(
            SlotBox(
                position=slot.position,
                label=_slot_label(slot, t),
                lanes=slot.physical_lanes,
                card=name,
                covered=covered,
                height=width,
                tone=Tone.ACCENT if card else Tone.SECONDARY,
            )
        )
    used = sum(bool(box.card) for box in boxes)
    summary = t.gettext(N_("{board}: {used} of {all} slots used")).format(
        board=board.name, used=used, all=len(boxes)
    )
    return SlotMap(title=board.name, boxes=tuple(boxes), known=board.positions_known, summary=summary)


def _placed(build: Build) -> dict[int, Accelerator]:
    placed: dict[int, Accelerator] = {}
    for line in build.of(Kind.ACCELERATOR) + build.of(Kind.NIC):
        for position in line.slot:
            placed[position] = line.item  # type: ignore[assignment]
    return placed


def _slot_label(slot: Slot, t: Translator) -> str:
    lanes = f"x{slot.electrical_lanes}" if slot.electrical_lanes is not None else t.unknown
    generation = f"PCIe {slot.generation}.0 " if slot.generation is not None else "PCIe "
    text = generation + lanes
    if slot.shared_lanes is not None and slot.shares_with:
        text += f" / x{slot.shared_lanes}"
    if slot.source is LaneSource.CHIPSET:
        text += " · " + t.gettext(N_("chipset"))
    return text


def power_tree(option: Option, t: Translator) -> PowerNode | None:
    """From the socket to each load, with ratings: one machine."""
    build = option.build
    if build is None:
        return None
    wall = option.estimate.power.wall_w.value if option.estimate.power is not None else None
    loads = [_load(line, t) for line in build.lines if line.kind in (Kind.ACCELERATOR, Kind.CPU)]
    children = tuple(load for load in loads if load is not None)
    supplies = [line for line in build.lines if line.kind in (Kind.POWER_SUPPLY, Kind.SERVER)]
    nodes = tuple(_supply(line, build, children, t) for line in supplies)
    per_node = None if wall is None else wall / max(build.nodes, 1)
    text = t.unknown if per_node is None else t.formats.quantity(per_node, "W")
    return PowerNode(t.gettext(N_("Mains")), text, None, Tone.NORMAL, nodes or children)


def _supply(line: BomLine, build: Build, children: tuple[PowerNode, ...], t: Translator) -> PowerNode:
    item = line.item
    rated: float | None = None
    if isinstance(item, PowerSupply):
        rated = item.rated_w * line.quantity
    elif isinstance(item, ServerPlatform) and item.psu_w is not None and item.psu_count is not None:
        rated = item.psu_w * max(item.psu_count - (item.psu_redundant or 0), 1)
    load = sum(_watts(part) * part.quantity for part in build.lines)
    share = load / rated if rated and load else None
    tone = Tone.OK
    if share is None:
        tone = Tone.UNKNOWN
    elif share > 1:
        tone = Tone.PROBLEM
    elif share > 0.8:
        tone = Tone.WARNING
    text = t.gettext(N_("{load} of {rated}")).format(
        load=t.formats.quantity(load, "W"), rated=t.formats.quantity(rated, "W")
    )
    name = item.name if line.quantity == 1 else f"{line.quantity}× {item.name}"
    return PowerNode(name, text, share, tone, children)


def _load(line: BomLine, t: Translator) -> PowerNode | None:
    watts = _watts(line)
    name = f"{line.quantity}× {short_name(line.item.name)}"
    text = t.formats.quantity(watts * line.quantity, "W") if watts else t.unknown
    return PowerNode(name, text, None, Tone.NORMAL if watts else Tone.UNKNOWN)


def _watts(line: BomLine) -> float:
    """Continuous draw of one piece, 0 where the part draws nothing worth drawing or is unknown."""
    item = line.item
    if line.power_limit_w is not None:
        return line.power_limit_w
    if isinstance(item, Accelerator):
        return item.tdp_w or 0.0
    if isinstance(item, Cpu):
        return item.max_turbo_w or item.tdp_w or 0.0
    return 0.0
