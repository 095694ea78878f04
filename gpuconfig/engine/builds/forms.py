"""Board sizes: reading how makers write them and what fits where."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from gpuconfig.engine.catalogue.enclosure import Chassis


class BoardForm(StrEnum):
    """Board sizes, small to large."""

    MINI_ITX = "mini_itx"
    MICRO_ATX = "micro_atx"
    ATX = "atx"
    SSI_CEB = "ssi_ceb"
    E_ATX = "e_atx"
    SSI_EEB = "ssi_eeb"
    PROPRIETARY = "proprietary"


DEPTH_MM = {
    BoardForm.MINI_ITX: 170,
    BoardForm.MICRO_ATX: 244,
    BoardForm.ATX: 244,
    BoardForm.SSI_CEB: 267,
    BoardForm.E_ATX: 330,
    BoardForm.SSI_EEB: 330,
}
"""Depth of a board of 305 mm height (Mini-ITX 170, Micro-ATX 244); E-ATX is sold from 267 to 330."""

BRACKETS = {
    BoardForm.MINI_ITX: 1,
    BoardForm.MICRO_ATX: 4,
    BoardForm.ATX: 7,
    BoardForm.SSI_CEB: 7,
    BoardForm.E_ATX: 8,
    BoardForm.SSI_EEB: 8,
}
"""Slot positions that a board of the size can have (pitch 20.32 mm); E-ATX and EEB boards carry 7, a few 8."""

_PATTERNS = (
    (r"eeb", BoardForm.SSI_EEB),
    (r"ceb", BoardForm.SSI_CEB),
    (r"e-?atx|extended", BoardForm.E_ATX),
    (r"micro|m-?atx|µatx|uatx", BoardForm.MICRO_ATX),
    (r"itx", BoardForm.MINI_ITX),
    (r"atx", BoardForm.ATX),
)


def board_form(text: str) -> BoardForm | None:
    """The form `text` means ("SSI-EEB 305x330 mm", "ATX 305x244 mm"); None where it is not known."""
    lowered = text.lower()
    for pattern, form in _PATTERNS:
        if re.search(pattern, lowered):
            return form
    return BoardForm.PROPRIETARY if lowered.strip() else None


def case_size(case: Chassis) -> str | None:
    """The size a case is sold as: `full_tower`, else the largest board it names; None where it names none."""
    words = case.form_factor or case.name
    if "full" in words.lower() and "tower" in words.lower():
        return "full_tower"
    named = [board_form(text) for text in (words, *case.board_form_factors)]
    known = [form for form in named if form is not None and form is not BoardForm.PROPRIETARY]
    return max(known, key=list(BoardForm).index, default=None)


def case_takes(case_forms: Iterable[str], board: BoardForm) -> bool | None:
    """Whether a case that names `case_forms` takes the board; None where the case names none.

    SSI-CEB has ATX mounting holes and 23 mm more depth; SSI-EEB has the size of a full E-ATX board: a case
    for E-ATX takes it in size, though standoffs may differ.
    """
    forms = {f for f in (board_form(t) for t in case_forms) if f is not None}
    if not forms:
        return None
    wider = {
        BoardForm.SSI_CEB: {BoardForm.SSI_CEB, BoardForm.E_ATX, BoardForm.SSI_EEB},
        BoardForm.SSI_EEB: {BoardForm.SSI_EEB, BoardForm.E_ATX},
        BoardForm.E_ATX: {BoardForm.E_ATX, BoardForm.SSI_EEB},
    }.get(board, {board})
    return not forms.isdisjoint(wider)
