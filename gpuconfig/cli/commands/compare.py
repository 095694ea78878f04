"""`gpuconfig compare`: two to six accelerators side by side, by the same rows as the window's page."""

from __future__ import annotations

from gpuconfig.cli.options import Exit
from gpuconfig.cli.run import Shell
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.card_prices import region_of_reader
from gpuconfig.presentation.comparison import LEAST, MOST, compare_cards
from gpuconfig.presentation.table import to_markdown


def run(shell: Shell) -> Exit:
    """Print the comparison; the first card is the baseline."""
    references = shell.options.references
    if not LEAST <= len(references) <= MOST:
        accepted = Message(N_("a number from {low} to {high}"), {"low": LEAST, "high": MOST})
        raise InputError(
            "out_of_range", "ID", len(references), Message(N_("so many cannot be compared")), accepted
        )
    catalogue = shell.services.catalogue()
    cards = [catalogue.accelerator(reference, "ID") for reference in references]
    t = shell.translator
    table = compare_cards(cards, 0, shell.options.differences, shell.services, t, region_of_reader(t))
    if shell.options.json:
        rows = [
            {"key": row.key, "heading": row.heading, "cells": [cell.plain() for cell in row.cells]}
            for row in table.rows
        ]
        shell.print_json({"accelerators": [card.id for card in cards], "rows": rows})
    else:
        shell.print(to_markdown(table))
    return Exit.DONE
