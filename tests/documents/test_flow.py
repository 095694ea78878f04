"""Blocks on pages: no heading alone at a page's foot, nothing lost, no last page with next to nothing on it."""

from __future__ import annotations

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gpuconfig.documents.content import (
    Block,
    Bullets,
    Cell,
    Column,
    Fact,
    Facts,
    Heading,
    Paragraph,
    Signatures,
    Style,
    Table,
    text,
)
from gpuconfig.documents.pdf import prose
from gpuconfig.documents.pdf.flow import BOTTOM, TOP, Placeable, Placed, flowed
from gpuconfig.documents.pdf.fonts import Typeface
from gpuconfig.documents.pdf.render import _kept, _lay
from gpuconfig.documents.pdf.style import HEAD_HEIGHT
from gpuconfig.i18n import Language, load

FACE = Typeface()
FORMATS = load(Language.ZH).formats
WORDS = st.integers(1, 500).map(lambda count: text("显卡" * count))
HEADINGS = st.builds(Heading, st.just("标题"), st.sampled_from([1, 2]))
PARAGRAPHS = st.builds(Paragraph, WORDS, st.sampled_from(Style))
LISTS = st.builds(
    Bullets, st.lists(st.integers(1, 200).map(lambda n: text("项" * n)), min_size=1, max_size=9).map(tuple)
)
VALUES = st.integers(1, 120).map(lambda count: text("显卡" * count))
"""Of facts: a row of them is not divided, and an empty first page under the title would be the greater evil."""
FACTS = st.builds(
    Facts,
    st.lists(st.builds(Fact, st.just("名称"), VALUES), min_size=1, max_size=9).map(tuple),
    st.sampled_from([1, 2]),
)
TABLES = st.builds(
    lambda lengths: Table(
        columns=(Column(title="一"), Column(title="二")),
        rows=tuple((Cell(content=text("内容" * n)), Cell(content=text("1"))) for n in lengths),
    ),
    st.lists(st.integers(1, 150), min_size=1, max_size=15),
)
SIGNED = st.just(Signatures((("编制", ("签字", "日期")), ("批准", ("签字", "日期")))))
BLOCKS = st.lists(st.one_of(HEADINGS, PARAGRAPHS, LISTS, FACTS, TABLES, SIGNED), min_size=1, max_size=14)


def laid(blocks: list[Block]) -> list[Placeable | None]:
    made: list[Placeable | None] = []
    for index, block in enumerate(blocks):
        before = blocks[index - 1] if index else None
        following = blocks[index + 1] if index + 1 < len(blocks) else None
        made += _kept(_lay(block, FACE, FORMATS), block, before, following)
    return made


def last_is_heading(page: list[Placed]) -> bool:
    block = page[-1].block
    return isinstance(block, prose.Stack) and block.bookmark is not None


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(BLOCKS)
@example(
    [
        Heading("标题"),
        Paragraph(text("显卡" * 495), Style.LEAD),
        Table(
            columns=(Column(title="一"), Column(title="二")),
            rows=tuple((Cell(content=text("内容" * n)), Cell(content=text("1"))) for n in (1, 1, 149)),
        ),
    ]
)
@example(
    [
        Paragraph(text("显卡" * 276)),
        *[Heading("标题")] * 5,
        Table(
            columns=(Column(title="一"), Column(title="二")),
            rows=tuple(
                (Cell(content=text("内容" * n)), Cell(content=text("1"))) for n in (82, 82, 95, 109, 122)
            ),
        ),
    ]
)
def test_no_heading_stands_alone_at_the_foot_of_a_page(blocks: list[Block]) -> None:
    blocks = [*blocks, Paragraph(text("末"))]
    pages = flowed(laid(blocks), TOP - 90.0)
    assert not [number for number, page in enumerate(pages, 1) if last_is_heading(page)]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(BLOCKS)
def test_every_heading_is_placed_once_and_inside_the_page(blocks: list[Block]) -> None:
    pages = flowed(laid(blocks), TOP - 90.0)
    placed = [
        p for page in pages for p in page if isinstance(p.block, prose.Stack) and p.block.bookmark is not None
    ]
    assert len(placed) == sum(isinstance(block, Heading) for block in blocks)
    for page in pages:
        tops = [p.top for p in page]
        assert tops == sorted(tops, reverse=True)
        for p in page:
            assert p.top <= TOP + 0.01
            assert p.top - p.block.height >= BOTTOM - 0.1 or len(page) == 1


def test_a_last_page_with_a_few_lines_is_spared_by_tighter_gaps() -> None:
    blocks: list[Block] = [Paragraph(text("一")) for _ in range(60)]
    room = TOP - HEAD_HEIGHT - 90.0 - BOTTOM
    each = prose.paragraph(Paragraph(text("一")), FACE)[0]
    count = int(room / (each.height + each.after)) + 2
    pages = flowed(laid([*blocks, *blocks][:count]), TOP - HEAD_HEIGHT - 90.0)
    assert len(pages) == 1
