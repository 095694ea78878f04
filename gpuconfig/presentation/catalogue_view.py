"""The catalogue page: lists of accelerators, models and parts, searched and filtered, each value with its source."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.kinds import CLASSES
from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.catalogue.titles import field_title
from gpuconfig.engine.catalogue.vocabulary import Kind, Origin
from gpuconfig.engine.provenance.explanation import Explanation
from gpuconfig.engine.provenance.message import N_
from gpuconfig.i18n import Translator
from gpuconfig.presentation.build_view import KIND_WORDS
from gpuconfig.presentation.card_facts import FACTS, evidence_mark, fact_shown, newest_offer, offer_shown
from gpuconfig.presentation.catalogue_filter import FieldFilter
from gpuconfig.presentation.reference import ReadyReference
from gpuconfig.presentation.services import Services
from gpuconfig.presentation.shown import Shown, Tone
from gpuconfig.presentation.table import Column, Row, Table

KINDS = (
    Kind.ACCELERATOR,
    Kind.MODEL,
    Kind.SERVER,
    Kind.CPU,
    Kind.MOTHERBOARD,
    Kind.MEMORY,
    Kind.POWER_SUPPLY,
    Kind.CHASSIS,
    Kind.COOLER,
    Kind.DRIVE,
    Kind.NIC,
    Kind.SWITCH,
    Kind.CABLE,
    Kind.RISER,
    Kind.BRIDGE,
    Kind.UPS,
    Kind.PDU,
    Kind.RACK,
)
MOST_LISTED = 300
"""Longer lists are narrowed by typing; nobody reads the four-hundredth case."""

CARD_COLUMNS = (
    "memory_bytes",
    "bandwidth_bytes_per_s",
    "bf16_fp32acc_flops",
    "link_name",
    "tdp_w",
    "software",
)
_COMMON = {f.name for f in fields(CatalogueItem)}
_PART_FIELDS: dict[Kind, tuple[str, ...]] = {
    Kind.CPU: ("socket", "cores", "usable_pcie_lanes", "pcie_generation", "memory_channels", "tdp_w"),
    Kind.MOTHERBOARD: (
        "socket",
        "chipset",
        "form_factor",
        "memory_channels",
        "dimm_slots",
        "max_dual_width_cards",
    ),
    Kind.MEMORY: ("memory_type", "module_form", "modules", "module_bytes", "speed_mts"),
    Kind.POWER_SUPPLY: ("rated_w", "atx_version", "efficiency", "pcie_16", "pcie_6plus2", "form_factor"),
    Kind.CHASSIS: ("form_factor", "max_gpu_length_mm", "expansion_slots", "max_cooler_mm", "rack_units"),
    Kind.COOLER: ("cooler_type", "height_mm", "radiator_mm", "cooling_w"),
    Kind.DRIVE: ("form_factor", "interface", "capacity_bytes", "read_bytes_per_s", "endurance_dwpd"),
    Kind.NIC: ("interface", "ports", "port_bits_per_s", "pcie_generation", "pcie_lanes", "rdma"),
    Kind.SWITCH: ("interface", "ports", "port_bits_per_s", "rack_units", "tdp_w"),
    Kind.CABLE: ("cable_type", "interface", "rate_bits_per_s", "length_mm"),
    Kind.RISER: ("riser_type", "interface", "pcie_generation", "lanes", "length_mm"),
    Kind.BRIDGE: ("interface", "slots_span", "bridges_needed"),
    Kind.SERVER: (
        "form_factor",
        "accelerator_form",
        "accelerator_count",
        "psu_count",
        "psu_w",
        "max_system_power_w",
    ),
    Kind.UPS: ("va", "watts", "input_text", "rack_units"),
    Kind.PDU: ("watts", "outlets_text", "rack_units"),
    Kind.RACK: ("rack_units", "depth_mm", "max_load_kg"),
    Kind.MODEL: ("family", "parameters", "active_parameters", "licence"),
}
FIELD_WORDS = {
    "socket": N_("Socket"),
    "cores": N_("Cores"),
    "usable_pcie_lanes": N_("Free PCIe lanes"),
    "pcie_generation": N_("PCIe generation"),
    "pcie_lanes": N_("PCIe lanes"),
    "memory_channels": N_("Memory channels"),
    "tdp_w": N_("Power"),
    "chipset": N_("Chipset"),
    "form_factor": N_("Form factor"),
    "dimm_slots": N_("Memory slots"),
    "max_dual_width_cards": N_("Two-slot cards"),
    "memory_type": N_("Kind of memory"),
    "module_form": N_("Module"),
    "modules": N_("Modules"),
    "module_bytes": N_("Module size"),
    "speed_mts": N_("Speed (MT/s)"),
    "rated_w": N_("Rated power"),
    "atx_version": N_("ATX version"),
    "efficiency": N_("Efficiency"),
    "pcie_16": N_("12V-2x6 plugs"),
    "pcie_6plus2": N_("6+2-pin plugs"),
    "max_gpu_length_mm": N_("Longest card"),
    "expansion_slots": N_("Expansion slots"),
    "max_cooler_mm": N_("Highest cooler"),
    "rack_units": N_("Rack units"),
    "cooler_type": N_("Type"),
    "height_mm": N_("Height"),
    "radiator_mm": N_("Radiator"),
    "cooling_w": N_("Heat carried"),
    "interface": N_("Interface"),
    "capacity_bytes": N_("Capacity"),
    "read_bytes_per_s": N_("Reads at"),
    "endurance_dwpd": N_("Writes a day"),
    "ports": N_("Ports"),
    "port_bits_per_s": N_("Rate of a port"),
    "rdma": N_("RDMA"),
    "cable_type": N_("Type"),
    "rate_bits_per_s": N_("Rate of the cable"),
    "riser_type": N_("Type"),
    "lanes": N_("Lanes"),
    "length_mm": N_("Length"),
    "slots_span": N_("Slots spanned"),
    "bridges_needed": N_("Bridges for a pair"),
    "accelerator_form": N_("Takes"),
    "accelerator_count": N_("Cards"),
    "psu_count": N_("Supplies"),
    "psu_w": N_("Each supply"),
    "max_system_power_w": N_("Largest power"),
    "va": N_("Apparent power (VA)"),
    "watts": N_("Real power"),
    "input_text": N_("Input"),
    "outlets_text": N_("Outlets"),
    "depth_mm": N_("Depth"),
    "max_load_kg": N_("Load (kg)"),
    "family": N_("Family"),
    "parameters": N_("Parameters"),
    "active_parameters": N_("Active parameters"),
    "licence": N_("Licence"),
}
_UNITS = {"_bytes": "B", "_w": "W", "_mm": "mm", "_bytes_per_s": "B/s"}


@dataclass(frozen=True, slots=True)
class Listing:
    """Some of the items found, and how many there are of them in all."""

    table: Table
    found: int


def listing(
    kind: Kind, query: str, filters: Sequence[FieldFilter], services: Services, t: Translator
) -> Listing:
    """Items of one kind that `query` means and every filter lets through; at most `MOST_LISTED` of them."""
    catalogue = services.catalogue()
    items = catalogue.parts(kind)
    if query.strip():
        items = catalogue.search(query, kind, len(items))
    found = [item for item in items if all(wanted.holds(item) for wanted in filters)]
    shown = found[:MOST_LISTED]
    if kind is Kind.ACCELERATOR:
        table = _cards([item for item in shown if isinstance(item, Accelerator)], services, t)
    else:
        table = _parts(kind, shown, services, t)
    return Listing(table, len(found))


def change_in_words(title: str, t: Translator) -> str:
    """The title of a step of the history with the fields' names as a person calls them."""

    def named(found: re.Match[str]) -> str:
        return t.gettext(field_title(found[0], None))

    return re.sub(r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b", named, title)


def kind_of(item: CatalogueItem) -> Kind:
    """The kind an item belongs to."""
    return next(kind for kind, cls in CLASSES.items() if type(item) is cls)


def _cards(cards: Sequence[Accelerator], services: Services, t: Translator) -> Table:
    _ = t.gettext
    facts = [next(fact for fact in FACTS if fact.key == key) for key in CARD_COLUMNS]
    columns = [Column(key="name", title=_("Item name"), width=230)]
    columns += [
        Column(key=fact.key, title=_(fact.title), numeric=bool(fact.unit), help=_(fact.help), width=110)
        for fact in facts
    ]
    columns.append(Column(key="price", title=_("Price of one card"), numeric=True, width=170))
    today = services.today()
    rows = []
    for card in cards:
        offer = newest_offer(card, Kind.ACCELERATOR, services)
        cells = [_name(card, t)]
        cells += [fact_shown(card, fact, t) for fact in facts]
        cells.append(offer_shown(offer, N_("Price of one card"), today, t))
        rows.append(Row(key=card.id, cells=tuple(cells)))
    return Table(columns=tuple(columns), rows=tuple(rows), name=_(KIND_WORDS[Kind.ACCELERATOR]), pinned=1)


def _parts(kind: Kind, items: Sequence[CatalogueItem], services: Services, t: Translator) -> Table:
    _ = t.gettext
    names = _PART_FIELDS.get(kind, ())
    columns = [
        Column(key="name", title=_("Item name"), width=250),
        Column(key="brand", title=_("Maker"), width=90),
    ]
    columns += [
        Column(key=name, title=_(FIELD_WORDS[name]), numeric=name in _NUMERIC, width=96) for name in names
    ]
    priced = kind is not Kind.MODEL
    if priced:
        columns.append(Column(key="price", title=_("Price"), numeric=True, width=150))
    today = services.today()
    rows = []
    for item in items:
        cells = [_name(item, t), Shown(text=item.brand, sort=item.brand)]
        cells += [field_shown(item, name, t) for name in names]
        if priced:
            cells.append(offer_shown(newest_offer(item, kind, services), N_("Price"), today, t))
        rows.append(Row(key=item.id, cells=tuple(cells)))
    return Table(columns=tuple(columns), rows=tuple(rows), name=_(KIND_WORDS[kind]), pinned=1)


_NUMERIC = frozenset(
    {name for name in FIELD_WORDS if name.endswith(("_w", "_bytes", "_mm", "_mts", "_per_s", "_kg", "_dwpd"))}
    | {"cores", "modules", "ports", "lanes", "watts", "va", "parameters", "active_parameters", "rack_units"}
    | {"usable_pcie_lanes", "pcie_generation", "pcie_lanes", "memory_channels", "dimm_slots", "psu_count"}
    | {"max_dual_width_cards", "pcie_16", "pcie_6plus2", "expansion_slots", "accelerator_count"}
    | {"slots_span", "bridges_needed"}
)


def _name(item: CatalogueItem, t: Translator) -> Shown:
    own = t.gettext(N_("yours")) if item.origin is Origin.USER else ""
    evidence = item.evidence()
    explanation = Explanation(
        name=item.id,
        title=item.name,
        value=item.name,
        unit="1",
        mark=evidence_mark(evidence),
        evidence=evidence,
        source=evidence.source,
    )
    note = own or (t.gettext(N_("edited")) if item.edits else "")
    return Shown(text=t.part(item.name), note=note, sort=item.name, reference=ReadyReference(explanation))


def field_shown(item: CatalogueItem, name: str, t: Translator) -> Shown:
    """One field of a part with its source."""
    value = getattr(item, name)
    value = getattr(value, "value", value)
    evidence = item.evidence(name)
    unit = next(
        (u for end, u in sorted(_UNITS.items(), key=lambda kv: -len(kv[0])) if name.endswith(end)), "1"
    )
    if name in ("parameters", "active_parameters"):
        unit = "parameter"
    explanation = Explanation(
        name=f"{item.id}.{name}",
        title=FIELD_WORDS.get(name, name),
        value=value if isinstance(value, int | float | str) and not isinstance(value, bool) else str(value),
        unit=unit,
        mark=evidence_mark(evidence),
        evidence=evidence,
        source=evidence.source,
    )
    reference = ReadyReference(explanation)
    if value is None or value == "":
        empty = isinstance(item, NeuralModel) and name == "active_parameters"
        return Shown(
            text="" if empty else t.unknown, tone=Tone.UNKNOWN, reference=None if empty else reference
        )
    if isinstance(value, bool):
        return Shown(text=t.gettext(N_("yes") if value else N_("no")), reference=reference, sort=str(value))
    if isinstance(value, str):
        return Shown(text=value, reference=reference, sort=value, assumed=item.is_assumed(name))
    text = _number(name, float(value), unit, t)
    return Shown(text=text, reference=reference, sort=float(value), assumed=item.is_assumed(name))


def _number(name: str, value: float, unit: str, t: Translator) -> str:
    if name == "capacity_bytes":
        return t.formats.capacity(value)
    if name == "port_bits_per_s":
        return f"{t.formats.number(value / 1e9)} Gbit/s"
    return t.formats.quantity(value, unit)
