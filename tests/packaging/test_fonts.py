"""The built fonts: static weights, full GBK, embeddable in a PDF with text that can be copied."""

import io
import re

import pytest
from fontTools.ttLib import TTFont

from gpuconfig import paths

RARE_IN_NAMES = "喆堃昇玥瑄翀赟镕"
SIGNS = "¥￥€·×±≥≤≈–—…“”『』①→↑°℃²³μΔΣ√∞●■▲◆▼"


@pytest.mark.parametrize(("index", "weight", "style"), [(0, 400, "Regular"), (1, 700, "Bold")])
def test_static_weight(index, weight, style):
    font = TTFont(paths.fonts()[index])
    assert "fvar" not in font
    assert "glyf" in font
    assert font["OS/2"].usWeightClass == weight
    assert font["name"].getDebugName(1) == paths.FONT_FAMILY
    assert font["name"].getDebugName(2) == style


@pytest.mark.parametrize("index", [0, 1])
def test_coverage(index):
    known = TTFont(paths.fonts()[index]).getBestCmap()
    hanzi = {ord(b.decode("gb2312")) for b in _two_byte_codes(0xB0, 0xF7, 0xA1) if _decodes(b, "gb2312")}
    assert len(hanzi) == 6763
    assert not hanzi - set(known)
    assert not [sign for sign in RARE_IN_NAMES + SIGNS if ord(sign) not in known]


def test_licence_lies_beside_the_fonts():
    assert (
        "SIL OPEN FONT LICENSE" in (paths.fonts()[0].parent / "OFL.txt").read_text(encoding="utf-8").upper()
    )


def test_recipe_covers_gbk(fonts):
    assert len([c for c in fonts.characters() if 0x4E00 <= c <= 0x9FA5]) == 20902


def test_text_of_a_pdf_can_be_copied():
    from pypdf import PdfReader
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont as PdfFont
    from reportlab.pdfgen.canvas import Canvas

    text = "采购方案 Llama-3.1-8B ¥186,000.00 方 喆"
    pdfmetrics.registerFont(PdfFont("Test Noto", str(paths.fonts()[0])))
    file = io.BytesIO()
    canvas = Canvas(file)
    canvas.setFont("Test Noto", 12)
    canvas.drawString(72, 720, text)
    canvas.save()
    assert re.sub(r"\s+", " ", PdfReader(file).pages[0].extract_text()).strip() == text


def _two_byte_codes(first, last, trail):
    return [bytes((lead, low)) for lead in range(first, last + 1) for low in range(trail, 0xFF)]


def _decodes(code, encoding):
    try:
        code.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
