"""The build page: parts with price and age, findings with both sides, slot map and power tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.catalogue.enclosure import ServerPlatform
from gpuconfig.engine.catalogue.host import Motherboard, Slot
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.titles import missing_title
from gpuconfig.engine.catalogue.vocabulary import Kind, LaneSource
from gpuconfig.engine.compatibility.finding import CheckResult, Finding, Status
from gpuconfig.engine.pricing.freshness import PriceAges
from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.recommendation import Option, Rejected
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
    Kind.CABLE: N_("Cable"),
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


def parts_table(option: Option, ages: PriceAges, today: date, t: Translator) -> Table:
    """The bill of materials of one machine, then what stands once for all."""
    _ = t.gettext
    build = option.build
    columns = (
        Column(key="kind", title=_("Category"), width=90),
        Column(key="name", title=_("Part"), width=250, wide=True),
        Column(key="quantity", title=_("Quantity"), numeric=True, width=56),
        Column(key="price", title=_("Price of one"), numeric=True, width=150),
        Column(key="sum", title=_("Sum"), numeric=True, width=150),
        Column(key="age", title=_("Price age"), spare_notes=True),
    )
    rows: list[Row] = []
    if build is not None:
        for number, line in enumerate(build.lines):
            rows.append(_part_row(option, line, f"{line.item.id}:{number}", ages, today, t))
        if build.shared:
            rows.append(Row(key="shared", cells=(), heading=_("Once for all machines")))
            for number, line in enumerate(build.shared):
                rows.append(_part_row(option, line, f"shared:{line.item.id}:{number}", ages, today, t))
    return Table(columns=columns, rows=tuple(rows), name=_("Parts"), pinned=2)


def _part_row(option: Option, line: BomLine, key: str, ages: PriceAges, today: date, t: Translator) -> Row:
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
        words = N_("in the server's price") if _is_included(option.build, line) else N_("already there")
        price = total = Shown(text=t.gettext(words), tone=Tone.SECONDARY, reference=reference)
    quantity = Shown(text=t.formats.count(line.quantity), sort=float(line.quantity))
    part = Shown(
        text=t.part(line.item.name),
        note=_part_number_beside(line.item),
        sort=line.item.name,
        reference=_part_reference(line),
    )
    kind = t.gettext(KIND_WORDS[line.kind])
    days = offer.age_days(today) if offer else None
    age = BLANK if line.reused else badges.age(days, ages.limits(line.item), t)
    return Row(key=key, cells=(Shown(text=kind, sort=kind), part, quantity, price, total, age))


def _is_included(build: Build | None, line: BomLine) -> bool:
    """Whether a server that is sold with its accelerators brings this line along."""
    server = build.first(Kind.SERVER) if build is not None else None
    item = server.item if server is not None else None
    return isinstance(item, ServerPlatform) and item.includes_accelerators and line.kind is Kind.ACCELERATOR


def _part_number_beside(item: CatalogueItem) -> str:
    """The maker's number, but for one whose words stand in the name already."""
    number, name = item.part_number or "", item.name.casefold()
    return "" if all(word in name for word in number.casefold().split()) else number


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
            rule=render(n.title, t),
            fields=t.formats.join([render(missing_title(m, KIND_WORDS), t) for m in n.missing]),
        )
        for n in check.not_checked
    )


def why_no_machine(rejected: Sequence[Rejected], t: Translator) -> str:
    """What keeps the first of what was asked for from being built; where nothing was asked, that it was not."""
    if not rejected:
        return t.gettext(N_("No machine yet: it is composed once the requirement is answered."))
    first = rejected[0]
    text = t.gettext(N_("No machine does it. {name}: {reason}"))
    return text.format(name=t.part(first.name), reason=render(first.reason, t))


def slot_map(build: Build | None, check: CheckResult | None, t: Translator) -> SlotMap | None:
    """The board's slots with the cards in them; None where the machine has no board of its own."""
    line = build.first(Kind.MOTHERBOARD) if build is not None else None
    if build is None or line is None or not isinstance(line.item, Motherboard) or not line.item.slots:
        return None
    board = line.item
    seats = _seats(build, check)
    carried = check is not None and check.pcie.get("carried") is True
    led_away = f" · {t.gettext(N_('by riser or cable'))}" if carried else ""
    boxes = []
    covered_until, covering = 0, ""
    for slot in sorted(board.slots, key=lambda s: s.position):
        seat = seats.get(slot.position)
        name, lanes, covers = seat if seat is not None else ("", slot.electrical_lanes, 0)
        covered = covering if not name and board.positions_known and slot.position <= covered_until else ""
        if name:
            covered_until, covering = slot.position + covers - 1, name
        boxes.append(
            SlotBox(
                position=slot.position,
                label=_slot_label(slot, lanes, t) + (led_away if name else ""),
                lanes=slot.physical_lanes,
                card=name,
                covered=covered,
                height=max(covers, 1) if board.positions_known else 1,
                tone=Tone.ACCENT if name else Tone.SECONDARY,
            )
        )
    used = sum(bool(box.card) for box in boxes)
    summary = t.gettext(N_("{board}: {used} of {all} slots used.")).format(
        board=t.part(board.name), used=used, all=len(boxes)
    )
    return SlotMap(title=t.part(board.name), boxes=tuple(boxes), known=board.positions_known, summary=summary)


def _seats(build: Build, check: CheckResult | None) -> dict[int, tuple[str, int | None, int]]:
    """Position -> card's name, lanes it gets, brackets it covers, as the check placed the cards."""
    cards = [line.item.name for line in build.of(Kind.ACCELERATOR) for _ in range(line.quantity)]
    slots = check.pcie.get("slots") if check is not None else None
    placed: dict[int, tuple[str, int | None, int]] = {}
    for row in slots if isinstance(slots, list | tuple) else ():
        numbers = [number for number in row.get("cards", ()) if number < len(cards)]
        if numbers:
            name = short_name(cards[numbers[0]])
            told = name if len(numbers) == 1 else f"{len(numbers)}× {name}"
            placed[row["position"]] = (told, row.get("lanes"), row.get("covers") or 1)
    return placed


def _slot_label(slot: Slot, lanes_now: int | None, t: Translator) -> str:
    lanes = f"x{lanes_now}" if lanes_now is not None else t.unknown
    generation = f"PCIe {slot.generation}.0 " if slot.generation is not None else "PCIe "
    text = generation + lanes
    if lanes_now is not None and slot.electrical_lanes is not None and lanes_now < slot.electrical_lanes:
        text += " " + t.gettext(N_("(shared)"))
    if slot.source is LaneSource.CHIPSET:
        text += " · " + t.gettext(N_("chipset"))
    return text
