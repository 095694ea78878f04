"""Power connectors as written in a seed cell or by a person: `1x pcie_16@600 + 2x pcie_8`."""

from __future__ import annotations

import re

from gpuconfig.engine.catalogue.accelerator import PowerConnector
from gpuconfig.engine.catalogue.vocabulary import ConnectorKind

NONE = "none"
"""Written for a card that the slot alone feeds; an empty cell is unknown."""

_PLUG = re.compile(r"(?P<count>\d+)x (?P<kind>[a-z_0-9]+?)(?:@(?P<watts>\d+))?")


def parse_connectors(text: str) -> tuple[PowerConnector, ...]:
    """The plugs that `text` names, none for `none`.

    Raises:
        ValueError: text that is not in this form.
    """
    if text == NONE:
        return ()
    found: list[PowerConnector] = []
    for part in text.split(" + "):
        match = _PLUG.fullmatch(part.strip())
        if match is None:
            raise ValueError(f"{part!r} is not like '2x pcie_8'")
        watts = match["watts"]
        kind = ConnectorKind(match["kind"])
        found.append(PowerConnector(kind, int(match["count"]), float(watts) if watts else None))
    return tuple(found)


def write_connectors(connectors: tuple[PowerConnector, ...]) -> str:
    """The form that `parse_connectors` reads."""
    parts = [f"{c.count}x {c.kind}" + (f"@{c.max_w:g}" if c.max_w else "") for c in connectors]
    return " + ".join(parts) or NONE
