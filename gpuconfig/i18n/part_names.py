"""Generic words in the names of parts, in the reader's language; brands, models and their units stay as sold."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from gpuconfig.engine.provenance.message import N_

if TYPE_CHECKING:
    from gpuconfig.i18n.translator import Translator

GENERIC = (
    N_("8-GPU server"), N_(", used"), N_("(used)"), N_(", from retired servers"), N_("(any maker)"),
    N_("(modified, China)"), N_("(modified)"), N_("on a PCIe adapter (China)"), N_("(China)"),
    N_("(per GPU)"), N_("(one chip)"), N_("-core GPU"), N_("Blackwell Workstation"), N_("Blackwell Server"),
    N_("NVLink bridge for"), N_("NVLink bridge"), N_("(one of three)"), N_(", 3- and 4-slot"),
    N_(", 4-slot"), N_("3-slot"), N_("2-slot"), N_("patch cable"), N_("supply starter"),
    N_("transceivers with fibre"),
    N_("Adapter of two 8-pin plugs to EPS, for one card"),
    N_("Full Tower Computer Case"), N_("Flexible Mid Tower Computer Case"), N_("Full Tower"),
    N_("Mid Tower"), N_("mid tower"), N_("Mini-ITX Tower"), N_("Mini-ITX Desktop"), N_("ATX Desktop"),
    N_("Black Edition"), N_("Black Silent"), N_("Black / Gold"), N_("Black / Silver"), N_("Silver / Black"),
    N_("Black / White"), N_("Brown / Black"), N_("Green / Brown"),
    N_("Charcoal Black with Mesh Side Panel and"), N_("Black with Tinted Tempered Glass Side Panel and"),
    N_("Black with Tempered Glass Side Panel and Front Panel"), N_("Black with Tempered Glass Side Panel"),
    N_("Black with"), N_("Black"), N_("White"), N_("Dark Tinted Tempered Glass"),
    N_("Tinted Tempered Glass Side Panel"), N_("Tempered Glass Side Panel"),
    N_("Side Panel Tempered Glass"), N_("Tempered Glass"), N_("Acrylic Side Panel and"),
    N_("Acrylic Side Panel"), N_("Mesh Side Panel"), N_("Front Panel"), N_(", and USB"),
    N_("Type-C and USB"), N_("80+ Gold Certified"), N_("80+ Gold"), N_("80+ Platinum Certified"),
    N_("80 PLUS® Platinum Certified"), N_("80+ Platinum"), N_("80+ Titanium Certified"), N_("80+ Titanium"),
    N_("Fully Modular"), N_("Platinum Modular"), N_("ATX Power Supply"), N_("High Performance SFX PSU"),
    N_(" Watts"), N_(" Watt"), N_("passive heatsink"), N_("Four-heat-pipe tower cooler for"),
    N_("SNK-P0064AP4 active"), N_("(hard disk)"), N_("Server boot M.2"), N_("NVMe drive M.2"),
    N_(" class)"), N_("X99 board of a Chinese maker, 4 memory slots"), N_("P620 board"),
    N_("Basic rack PDU"), N_("rack PDU"), N_(", 8 outlets 10 A"),
    N_("mining and server supply (redundant, CRPS 2000)"), N_("Rack 27U"), N_("riser cable"),
    N_("ribbon riser"), N_("host adapter"), N_("device adapter"), N_("switch board"), N_(", 100 lanes"),
    N_("8i cable"), N_("4i to U.2 cable"), N_("to PCIe x16 slot with 8 lanes, device adapter"),
    N_("to PCIe x16"), N_("for SlimSAS adapters"), N_("x16 passive"), N_("(tower/4U)"),
    N_("rack chassis kit"), N_("custom 6-10U"), N_("MI325X server"), N_("Gaudi 3 server"),
    N_("4U 8-card server with MCIO adapters for GeForce and blower cards (Chinese barebone, dual SP5)"),
    N_("4U 8-card server for dual-width cards (Chinese barebone, dual SP3)"), N_("XE9680 with 8x H100"),
    N_("tower for 4 cards"), N_("Z440 workstation"), N_("(management)"), N_("Open-frame rack, 8 cards"),
    N_("Open-frame rack, 12 cards in two levels"),
    N_("4U rack case for EEB board and 4 dual-width cards (Chinese GPU case)"),
    N_("6U rack case for EEB board and 6 to 8 cards (Chinese GPU case)"), N_("(online)"),
    N_("Blower with shroud for a card without a fan"),
    N_("bridge"), N_("(cut)"), N_("2-way/4-way"), N_("(3 links)"), N_("(7 links x 76.5 GB/s one way)"),
    N_("(7x128 GB/s mesh)"), N_("(2 units)"),
)  # fmt: skip
"""Phrases of the catalogue's names that are no part of a brand or model."""


def part_name(name: str, translator: Translator) -> str:
    """The name with its generic words in the reader's language; the longest phrase counts."""

    def said(found: re.Match[str]) -> str:
        words = translator.gettext(found["phrase"])
        return (
            words if words.startswith("（") else found["gap"] + words
        )  # full-width brackets bring their own gap

    return _pattern().sub(said, name)


@cache
def _pattern() -> re.Pattern[str]:
    phrases = "|".join(_bounded(phrase) for phrase in sorted(GENERIC, key=len, reverse=True))
    return re.compile(f"(?P<gap> ?)(?P<phrase>{phrases})")


def _bounded(phrase: str) -> str:
    """The phrase as whole words: "Black" is not in "Blackwell"."""
    start = r"(?<![\w-])" if phrase[0].isalnum() else ""
    return start + re.escape(phrase) + (r"(?![\w-])" if phrase[-1].isalnum() else "")
