"""Board partners' cards: what the chip says comes from the catalogue, what the board says from the record."""

from __future__ import annotations

from collections.abc import Callable

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.plausibility import SLOT_W
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.units import GIB
from gpuconfig.exchange.buildcores.fields import Fields, sub
from gpuconfig.exchange.item_cells import to_cells, to_raw

FindChip = Callable[[str], Accelerator | None]
"""The catalogue's card of a chip's name and memory, None where it has none."""

_PLUGS = (
    ("pcie_6_pin", "pcie_6", 75.0),
    ("pcie_8_pin", "pcie_8", 150.0),
    ("pcie_12VHPWR", "pcie_16", 600.0),
    ("pcie_12V_2x6", "pcie_16", 600.0),
)
_KEPT_OF_CHIP = frozenset(
    {
        "vendor", "family", "architecture", "software", "compute_capability", "form_factor", "memory_gb",
        "memory_bytes", "usable_bytes", "memory_type", "ecc", "bus_bits", "bandwidth_bytes_per_s",
        "sparse_2to4", "sparse_headline", "tpp", "sm_count", "matrix_cores", "l2_bytes", "llc_bytes",
        "pcie_generation", "pcie_lanes", "link_kind", "link_name", "link_topology",
        "link_bytes_per_s_per_direction", "link_max_gpus", "link_known", "peer_to_peer",
        "peer_to_peer_note", "video_encode", "av1_encode", "vgpu", "market", "status", "launch_date",
        "export_status", "export_china", "restricted_cn_since", "inferred_fields", "derived_fields",
        "mig_instances",
    }
)  # fmt: skip
_POWER_MARGIN = 1.35
"""A factory-overclocked board takes at most this much more than the maker's; more is a supply's wattage."""


def read_card(f: Fields, find: FindChip) -> bool:
    """Fill the row of a card; False where neither the catalogue nor the record tells what it is."""
    chip_name = str(f.data.get("chipset") or "")
    memory = f.number(f.data.get("memory"), "memory_bytes", 0.25, 256)
    chip = find(f"{chip_name} {memory:g}GB") if memory else None
    chip = chip or find(chip_name)
    if chip is None or (memory and chip.memory_gb and abs(memory - chip.memory_gb) > 0.5):
        return False
    raw = to_raw(Kind.ACCELERATOR, to_cells(chip))
    f.row |= {
        name: value
        for name, value in raw.items()
        if name in _KEPT_OF_CHIP or name.endswith(("_flops", "_ops"))
    }
    f.row["sources"] = f"{f.row['sources']}|{chip.id}"
    if memory:
        f.row["memory_bytes"] = int(memory * GIB)
    plugs, budget = _plugs(f)
    f.row["tdp_w"] = _power(f, chip, budget)
    tdp = f.row["tdp_w"]
    if not plugs and isinstance(tdp, float) and tdp > SLOT_W:
        f.unknown("power_connectors", Message(N_("none is coded for a card above 75 W")))
    elif plugs:
        f.row |= {"power_connectors_known": 1, "accelerator_connector": plugs}
    length = f.number(f.data.get("length"), "length_mm", 100, 400)
    width = f.number(f.data.get("total_slot_width") or f.data.get("case_expansion_slot_width"), "slots", 1, 5)
    f.row |= {"length_mm": length, "slots": width, "cooling": _cooling(str(f.data.get("cooling") or ""))}
    return True


def _plugs(f: Fields) -> tuple[list[dict[str, object]], float]:
    coded = sub(f.data, "power_connectors")
    counts: dict[str, int] = {}
    budget = float(SLOT_W)
    for name, kind, watts in _PLUGS:
        number = coded.get(name)
        if isinstance(number, int) and 0 < number <= 4:
            counts[kind] = counts.get(kind, 0) + number
            budget += number * watts
    return [{"adapter": 0, "kind": kind, "count": n, "max_w": None} for kind, n in counts.items()], budget


def _power(f: Fields, chip: Accelerator, budget: float) -> float | None:
    """The board's power where it is possible, else the chip's; a supply's wattage stands in some records."""
    coded = f.number(f.data.get("tdp"), "tdp_w", 10, 800)
    if coded is None or chip.tdp_w is None:
        return coded or chip.tdp_w
    if coded > chip.tdp_w * _POWER_MARGIN or (budget > SLOT_W and coded > budget):
        text = N_("{value:g} W is more than the board can take: the chip's {tdp:g} W is used")
        f.notes.append(Message(text, {"value": coded, "tdp": chip.tdp_w}))
        return chip.tdp_w
    return coded


def _cooling(text: str) -> str | None:
    lowered = text.lower()
    if "water" in lowered or "liquid" in lowered or "radiator" in lowered:
        return "liquid"
    if "blower" in lowered:
        return "blower"
    if "passive" in lowered or "fanless" in lowered:
        return "passive"
    return "open_air" if "fan" in lowered else None
