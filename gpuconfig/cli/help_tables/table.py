"""Markdown tables, and the places of a page that hold them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.provenance.message import N_, Message

Gettext = Callable[[str], str]

UNKNOWN = "–"
_BLOCK = re.compile(r"<!-- begin (?P<name>[a-z-]+) -->\n.*?<!-- end -->", re.DOTALL)


def markdown_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; a vertical bar within a cell is escaped."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def filled(page: str, blocks: Mapping[str, str]) -> str:
    """The page with each place `<!-- begin NAME --> ... <!-- end -->` that has a new text holding it.

    Raises:
        DataError: a text has no place on the page.
    """
    missing = set(blocks) - block_names(page)
    if missing:
        reason = Message(N_("the page has no place for {names}"), {"names": ", ".join(sorted(missing))})
        raise DataError("no_place", reason)

    def fill(match: re.Match[str]) -> str:
        name = match["name"]
        return f"<!-- begin {name} -->\n\n{blocks[name]}\n\n<!-- end -->" if name in blocks else match[0]

    return _BLOCK.sub(fill, page)


def block_names(page: str) -> set[str]:
    """Names of the places of a page."""
    return {match["name"] for match in _BLOCK.finditer(page)}


def block(page: str, name: str) -> str:
    """What a place of a page holds; empty where there is none."""
    found = [m[0] for m in _BLOCK.finditer(page) if m["name"] == name]
    return "\n".join(found[0].splitlines()[1:-1]).strip() if found else ""
