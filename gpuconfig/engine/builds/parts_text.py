"""Facts in free text: plugs, sizes, modules, links, mains, as parts lists write them."""

from __future__ import annotations

import re

from gpuconfig.engine.builds.build import CardLink, Via
from gpuconfig.engine.builds.written import plain
from gpuconfig.engine.catalogue.accelerator import PowerConnector
from gpuconfig.engine.catalogue.vocabulary import ConnectorKind, Cooling

_PLUGS = (
    (r"16-?pin|12vhpwr|12v-?2x6", ConnectorKind.PCIE_16),
    (r"12-?pin", ConnectorKind.PCIE_12),
    (r"eps", ConnectorKind.EPS_8),
    (r"8-?pin", ConnectorKind.PCIE_8),
    (r"6-?pin", ConnectorKind.PCIE_6),
)


def connectors(text: str) -> tuple[PowerConnector, ...] | None:
    """`2x8-pin`, `1x 16-pin (12V-2x6, 600 W)`, `8-pin + 6-pin`; None where nothing is recognised."""
    found = []
    lowered = re.sub(r"12v-?2x6", "12v2x6", text.lower())
    for part in re.split(r"\+|,| and ", re.sub(r"\(.*?\)", "", lowered)):
        for pattern, kind in _PLUGS:
            if re.search(pattern.replace("12v-?2x6", "12v2x6"), part):
                count = re.match(r"\s*(\d+)\s*x", part)
                watts = re.search(r"(\d{3}) ?w", lowered)
                most = float(watts.group(1)) if watts and kind is ConnectorKind.PCIE_16 else None
                found.append(PowerConnector(kind, int(count.group(1)) if count else 1, most))
                break
    return tuple(found) or None


def slots_wide(value: object) -> float | None:
    """Width in slots; of `3-4` the larger."""
    numbers = re.findall(r"\d+(?:\.\d+)?", str(value))
    return max(float(n) for n in numbers) if numbers else None


def positions(value: object) -> tuple[int, ...]:
    """`1,3,5,7`, 3 or [1, 3]."""
    if isinstance(value, list | tuple):
        return tuple(int(v) for v in value if isinstance(v, int))
    text = str(value)
    return () if text.lstrip().startswith("-") else tuple(int(n) for n in re.findall(r"\d+", text))


def cooling(text: str) -> Cooling | None:
    """How a card sheds heat, by the word that is used."""
    lowered = text.lower()
    words = (
        ("passive", Cooling.PASSIVE),
        ("被动", Cooling.PASSIVE),
        ("涡轮", Cooling.BLOWER),
        ("水冷", Cooling.LIQUID),
        ("blower", Cooling.BLOWER),
        ("water", Cooling.LIQUID),
        ("liquid", Cooling.LIQUID),
        ("aio", Cooling.LIQUID),
        ("flow", Cooling.FLOW_THROUGH),
        ("open", Cooling.OPEN_AIR),
        ("axial", Cooling.OPEN_AIR),
    )
    return next((kind for word, kind in words if word in lowered), None)


_EACH_TIMES = re.compile(r"(\d+)\s*gb?(?=[\sx,])(?:(?!\d\s*gb?\b).)*?(?<!\d)x\s*(\d{1,2})\b(?!\s*gb?\b)")
"""One module and how many: `16G*4`, `32G 2933 *8`, `32GB DDR5 RDIMM x16`."""


_BARE_PRODUCT = re.compile(r"(?<![\d.])(\d{1,2})\s*x\s*(4|8|16|24|32|48|64|96|128|256)\b(?!\s*(?:g|t|mm))")
"""Modules and the GB of each without the unit: `2x16 DDR5`, `8*32 ddr4 ecc`."""


def _times(text: str) -> str:
    return plain(text).lower().replace("*", "x")


def capacity_gb(text: str) -> float | None:
    """Total memory in GB of `128 GB (8x16)`, `2 TB`, `10x48 GB DDR5`, `32G*4`, `4x DDR5 RDIMM, 192 GB`."""
    lowered = _times(text)
    product = (
        re.search(r"(\d+)\s*x\s*(\d+)\s*gb?\b", lowered)
        or _EACH_TIMES.search(lowered)
        or _BARE_PRODUCT.search(lowered)
    )
    if product is not None:
        return float(product.group(1)) * float(product.group(2))
    total = re.search(r"(\d+(?:\.\d+)?)\s*(tb?|gb?)\b", lowered)
    if total is None:
        return None
    return float(total.group(1)) * (1024 if total.group(2).startswith("t") else 1)


def modules(text: str) -> int | None:
    """Number of modules: `(8x16)`, `4x DDR5`, `32G*4`, `1 DIMM`, `4条`."""
    lowered = _times(text)
    each = None if re.search(r"\d+\s*x\s*\d+\s*gb?\b", lowered) else _EACH_TIMES.search(lowered)
    if each is not None:
        return int(each.group(2))
    for pattern in (r"\(?(\d+)\s*x\s*\d+", r"(\d+)\s*x\s*ddr", r"(\d+)\s*(?:dimm|module|stick|条|根)"):
        found = re.search(pattern, lowered)
        if found is not None:
            return int(found.group(1))
    return None


def rating_w(text: str) -> float | None:
    """Watts of a supply's name: `850W`, else the number of its model, which tells them (`RM850x`, `HCG1000`)."""
    stated = re.search(r"(\d{3,4})\s*w\b", text.lower())
    if stated is not None:
        return float(stated.group(1))
    models = (int(n) for n in re.findall(r"(?<!\d)\d{3,4}(?!\d)", text))
    return next((float(n) for n in models if 300 <= n <= 3200 and n % 50 == 0), None)


def mains(text: str) -> tuple[float | None, float | None]:
    """Volts and amperes of `120 V 15 A`."""
    volts = re.search(r"(\d{3})\s*v", text.lower())
    amps = re.search(r"(\d{1,3})\s*a\b", text.lower())
    return (float(volts.group(1)) if volts else None, float(amps.group(1)) if amps else None)


def links(text: str) -> tuple[CardLink, ...]:
    """Links in a remark: `5.0 x16 + 4.0 x4`, `x4/x16/x8/x16`, `PCIe 3.0`, `3.0 x1 USB risers`."""
    lowered = text.lower()
    if "mcio" in lowered or "slimsas" in lowered or "bifurcation" in lowered:
        return ()
    via = Via.EXTERNAL if re.search(r"oculink|thunderbolt|tb\d|egpu", lowered) else None
    pairs = re.findall(r"(\d)\.0\s*x(\d+)(?!\.)", lowered)
    row = re.search(r"x(\d+)(?:/x(\d+))+", lowered)
    generation = re.search(r"\b(\d)\.0\b", lowered) or re.search(r"gen ?(\d)", lowered)
    each = int(generation.group(1)) if generation else None
    if row is not None:
        widths = re.findall(r"x(\d+)", row.group())
        return tuple(CardLink(gpu=i, generation=each, lanes=int(w), via=via) for i, w in enumerate(widths))
    if len(pairs) > 1:
        return tuple(
            CardLink(gpu=i, generation=int(g), lanes=int(w), via=via) for i, (g, w) in enumerate(pairs)
        )
    width = re.search(r"\bx(\d+)\b", lowered)
    if each is None and width is None:
        return ()
    if width is None and "pcie" not in lowered:
        return ()
    if "switch" in lowered or "retimer" in lowered:
        return ()
    return (CardLink(generation=each, lanes=int(width.group(1)) if width else None, via=via),)
