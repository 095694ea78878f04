"""The slots on paper: cards where the rules placed them, to scale, and no picture where distances are not known."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise

import pytest
from reportlab.graphics import renderPDF
from reportlab.graphics.shapes import Rect

from gpuconfig.documents.pdf.fonts import Typeface
from gpuconfig.documents.pdf.slot_map import GUTTER, SCALE, lay_slots
from gpuconfig.documents.sections.slots import slot_picture
from gpuconfig.documents.slot_map import PITCH_MM, SlotPicture
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.compatibility.check import check_build
from gpuconfig.engine.compatibility.parts_list import read_parts
from gpuconfig.i18n import Language, load
from tests.bundled_catalogue import bundled_catalogue


def picture(gpu: str, count: int, board: str, language: Language = Language.EN) -> SlotPicture | None:
    """Cards on a board in a case of nine brackets."""
    parts = {
        "gpu": [{"ref": gpu, "quantity": count}],
        "motherboard": [{"ref": board}],
        "chassis": [{"name": "Fractal Design Define 7 XL"}],
    }
    build, place = read_parts({"parts": parts}, bundled_catalogue())
    check = check_build(build, place, bundled_catalogue())
    return slot_picture(build, check, Writer(load(language)))


@pytest.mark.parametrize(
    ("gpu", "count", "board", "places"),
    [
        ("nvidia-rtx-4090-24", 1, "board-asus-proart-x870e-creator-wifi", [1]),
        ("nvidia-rtx-4090-24", 2, "board-asus-proart-x870e-creator-wifi", [1, 4]),
        ("nvidia-rtx-pro-6000-maxq", 4, "board-asus-pro-ws-wrx90e-sage-se", [1, 3, 5, 7]),
    ],
)
def test_cards_are_drawn_where_they_sit(gpu: str, count: int, board: str, places: list[int]) -> None:
    """One block a card, at its bracket, as wide and as long as the card is."""
    shown = picture(gpu, count, board)
    assert shown is not None
    assert [card.position for card in shown.cards] == places
    card = bundled_catalogue().accelerator(gpu)
    block = lay_slots(shown, Typeface())
    drawn = [s for s in block.drawing.contents if isinstance(s, Rect) and s.strokeWidth == 0.9]
    assert len(drawn) == count
    for rect in drawn:
        assert rect.x == GUTTER
        assert rect.width == pytest.approx(card.length_mm * SCALE)
        assert rect.height == pytest.approx(card.slots * PITCH_MM * SCALE - 2)
    tops = sorted((rect.y + rect.height for rect in drawn), reverse=True)
    for (upper, lower), (first, second) in zip(pairwise(tops), pairwise(places), strict=True):
        assert upper - lower == pytest.approx((second - first) * PITCH_MM * SCALE)
    target = BytesIO()
    renderPDF.drawToFile(block.drawing, target)
    assert target.getvalue().startswith(b"%PDF")


def test_no_picture_without_recorded_positions() -> None:
    """A picture that guesses distances is none."""
    board = next(b for b in bundled_catalogue().motherboards() if b.slots and not b.positions_known)
    assert picture("nvidia-rtx-4090-24", 1, board.id) is None


def test_in_chinese() -> None:
    """Words of the picture in the paper's language."""
    shown = picture("nvidia-rtx-4090-24", 1, "board-asus-proart-x870e-creator-wifi", Language.ZH)
    assert shown is not None
    assert "插槽" in shown.title
    assert "侧视图" in shown.summary
