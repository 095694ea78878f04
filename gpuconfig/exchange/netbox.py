"""Device types of the NetBox library (YAML, CC0): switches, power distribution, UPS and servers with their size.

Only plain YAML is read: no tags, no objects, files up to a limit.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.titles import field_title
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.progress import Progress, Silent
from gpuconfig.exchange.parts_table import Candidate, plan_items, slug
from gpuconfig.exchange.plan import ImportPlan, RowResult, RowState

LICENCE = "NetBox Device Type Library, CC0 1.0"
MAX_FILE_BYTES = 2**20
MAX_FILES = 20_000

_RATE = re.compile(r"(\d+)(\.\d+)?(m?)(?:gbase|base)|infiniband-([a-z]+)")
_INFINIBAND = MappingProxyType({"edr": 100, "hdr": 200, "ndr": 400, "xdr": 800, "fdr": 56, "qdr": 40})
_SWITCH_PORTS = 8
_SLOWEST = 10
"""Gbit/s of a port from which a switch is one for this catalogue."""
_OF_A_SERVER = ("power-ports", "interfaces", "module-bays")
_TOLD_OF_A_SERVER = ("psu_count", "psu_w", "weight_kg")
_REPORT_EVERY = 100
_KILOGRAMS = MappingProxyType({"kg": 1.0, "g": 0.001, "lb": 0.45359237, "oz": 0.028349523})
_RACK_UNIT_MM = 44.45


def netbox_files(path: Path) -> list[Path]:
    """The YAML files of a folder, or the file itself.

    Raises:
        DataError: none there, or more than the limit.
    """
    if path.is_file():
        return [path]
    found = sorted(p for ending in ("*.yaml", "*.yml") for p in path.rglob(ending))
    if not found:
        raise DataError("no_records", Message(N_("{folder} holds no YAML file"), {"folder": str(path)}))
    if len(found) > MAX_FILES:
        raise DataError("too_large", Message(N_("more than {count} records"), {"count": MAX_FILES}))
    return found


def read_device(path: Path, number: int) -> tuple[Kind | None, Candidate]:
    """What kind of thing a file describes, and it as a candidate; None for things this catalogue does not list.

    Args:
        path: one device type.
        number: its place, shown as its line.
    """
    import yaml  # only for this import

    if path.stat().st_size > MAX_FILE_BYTES:
        return None, (number, None, (Message(N_("{file} is too large"), {"file": path.name}),))
    try:
        data = yaml.load(path.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        reason = Message(
            N_("{file} is no readable YAML: {reason}"), {"file": path.name, "reason": str(error)[:200]}
        )
        return None, (number, None, (reason,))
    if not isinstance(data, dict) or not isinstance(data.get("manufacturer"), str) or not data.get("model"):
        return None, (number, None, (Message(N_("{file} describes no device type"), {"file": path.name}),))
    kind = _kind(data)
    if not isinstance(kind, Kind):
        return None, (number, None, (kind,))
    row = _row(kind, data, path)
    return kind, (number, row, _unstated(row) if kind is Kind.SERVER else ())


def _kind(data: Mapping[str, Any]) -> Kind | Message:
    """What it is, or why it is nothing this catalogue lists."""
    name = f"{data['model']} {data.get('slug', '')}".lower()
    if _ports(data, "power-outlets"):
        return Kind.UPS if "ups" in re.split(r"[^a-z]+", name) else Kind.PDU
    if sum(_rates(data).values()) >= _SWITCH_PORTS:
        return Kind.SWITCH
    if sum(_rates(data, 0.0).values()) >= _SWITCH_PORTS:
        return Message(N_("a switch slower than {rate} Gbit/s"), {"rate": _SLOWEST})
    if _ports(data, "front-ports") or _ports(data, "rear-ports"):
        return Message(N_("a panel that passes cables through"))
    if not _positive(data.get("u_height")):
        return Message(N_("no height in rack units (u_height): not a machine of a rack"))
    if not any(_ports(data, name) for name in _OF_A_SERVER):
        names = ", ".join(_OF_A_SERVER)
        return Message(N_("nothing tells a server from a shelf: none of {names} is stated"), {"names": names})
    return Kind.SERVER


def _unstated(row: Mapping[str, object]) -> tuple[Message, ...]:
    """What a server's file leaves open."""
    lacking = tuple(Message(field_title(name, Kind.SERVER)) for name in _TOLD_OF_A_SERVER if name not in row)
    return (Message(N_("not stated: {fields}"), {"fields": lacking}),) if lacking else ()


def _row(kind: Kind, data: Mapping[str, Any], path: Path) -> dict[str, object]:
    supplies = _ports(data, "power-ports")
    draws = [float(p["maximum_draw"]) for p in supplies if _positive(p.get("maximum_draw"))]
    units = float(data["u_height"]) if _positive(data.get("u_height")) else None
    row: dict[str, object] = {
        "id": slug(f"netbox-{data['manufacturer']}-{data['model']}"),
        "name": f"{data['manufacturer']} {data['model']}", "brand": data["manufacturer"],
        "part_number": str(data["part_number"]) if data.get("part_number") else None,
        "sources": f"{LICENCE}: {path.parent.name}/{path.name}", "evidence_kind": "secondary", "confidence": "medium",
        "rack_units": int(units) if units is not None and units == int(units) else None,
    }  # fmt: skip
    if kind is Kind.SWITCH:
        rates = _rates(data)
        fastest = max(rates)
        row |= {
            "ports": rates[fastest],
            "port_bits_per_s": fastest * 1e9,
            "interface": _interface(data, fastest),
        }
        row["tdp_w"] = max(draws, default=None)
    elif kind is Kind.SERVER:
        row |= {"psu_count": len(supplies) or None, "psu_w": max(draws, default=None)}
        row |= {"airflow": str(data.get("airflow") or ""), "form_factor": "rack"}
        row["height_mm"] = None if units is None else round(units * _RACK_UNIT_MM, 1)
        row["weight_kg"] = _weight(data)
    else:
        row["outlets_text"] = ", ".join(
            f"{count}× {outlet}"
            for outlet, count in Counter(
                str(o.get("type") or "?") for o in _ports(data, "power-outlets")
            ).items()
        )
        row["watts"] = max(draws, default=None)
        if kind is Kind.UPS:
            row["input_text"] = ", ".join(sorted({str(p.get("type") or "?") for p in supplies}))
            row.pop("outlets_text")
    return {name: value for name, value in row.items() if value is not None}


def _rates(data: Mapping[str, Any], slowest: float = _SLOWEST) -> Counter[float]:
    """How many data ports there are of each rate in Gbit/s, from `slowest` on; management is left out."""
    found: Counter[float] = Counter()
    for port in _ports(data, "interfaces"):
        match = _RATE.match(str(port.get("type") or ""))
        if match is None or port.get("mgmt_only"):
            continue
        rate = (
            float(_INFINIBAND.get(match[4], 0))
            if match[4]
            else float(match[1])
            if "gbase" in match[0]
            else 0.0
        )
        if rate >= slowest:
            found[rate] += 1
    return found


def _interface(data: Mapping[str, Any], rate: float) -> str:
    types = [str(p.get("type") or "") for p in _ports(data, "interfaces")]
    fitting = next(t for t in types if (m := _RATE.match(t)) and (m[1] == f"{rate:g}" or m[4]))
    return (
        "InfiniBand" if fitting.startswith("infiniband") else f"Ethernet {fitting.rpartition('-')[2].upper()}"
    )


def _ports(data: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    found = data.get(name)
    return [p for p in found if isinstance(p, dict)] if isinstance(found, list) else []


def _weight(data: Mapping[str, Any]) -> float | None:
    factor = _KILOGRAMS.get(str(data.get("weight_unit") or ""))
    return round(float(data["weight"]) * factor, 2) if factor and _positive(data.get("weight")) else None


def _positive(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def plan_netbox(
    path: Path, existing: Mapping[Kind, Sequence[CatalogueItem]], progress: Progress | None = None
) -> ImportPlan:
    """What importing the device types at `path` would write.

    Args:
        path: a YAML file, or a folder of them.
        existing: the catalogue's items by kind.
        progress: told often; may cancel, and then nothing is planned.
    """
    listener = progress or Silent()
    files = netbox_files(path)
    candidates: dict[Kind, list[Candidate]] = defaultdict(list)
    rows: list[RowResult] = []
    for number, file in enumerate(files, start=1):
        if number % _REPORT_EVERY == 0:
            listener.report(number / len(files), Message(N_("{count} records read"), {"count": number}))
        kind, candidate = read_device(file, number)
        if kind is not None:
            candidates[kind].append(candidate)
        else:
            rows.append(RowResult(line=number, state=RowState.REJECTED, name=file.name, reasons=candidate[2]))
    for kind, found in sorted(candidates.items()):
        rows += plan_items("", LICENCE, kind, found, existing.get(kind, ())).rows
    return ImportPlan(title=f"NetBox {path.name}", source=LICENCE, rows=tuple(rows))
