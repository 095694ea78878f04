"""The tables of the page on fields and defaults, from the dataclasses that read a request and a list of meanings."""

from __future__ import annotations

from gpuconfig.cli.field_meaning import MEANINGS
from gpuconfig.cli.field_table import OPEN, REQUIRED, sections
from gpuconfig.cli.help_tables.table import Gettext, markdown_table
from gpuconfig.engine.provenance.message import N_

PAGE = "defaults"
HEADS = (N_("Field"), N_("Default"), N_("What the default means"), N_("Accepted"))
_WORDS = {OPEN: N_("open"), REQUIRED: N_("required")}


def default_blocks(gettext: Gettext) -> dict[str, str]:
    """Each table of the page by the name of its place."""
    return {
        f"fields-{name}": markdown_table(
            [gettext(h) for h in HEADS],
            [
                [
                    f"`{row.path}`", gettext(_WORDS[row.default]) if row.default in _WORDS else f"`{row.default}`",
                    gettext(MEANINGS[f"{name}:{row.path}"]), row.accepted,
                ]
                for row in rows
            ],
        )
        for name, rows in sections().items()
    }  # fmt: skip
