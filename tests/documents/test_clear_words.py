"""Words and units that a reader meets: sources of a card's figures, names of software, dates, one unit of time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpuconfig.documents.assumption_lines import assumption_lines
from gpuconfig.documents.card_comparison import ROWS
from gpuconfig.documents.compose import compose
from gpuconfig.documents.content import PageBreak, Table, Tiles, TradeOff, plain
from gpuconfig.documents.kinds import DocumentKind
from gpuconfig.documents.naming import duration
from gpuconfig.documents.sections.options import comparison_tables
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.catalogue.item import Confirmation
from gpuconfig.engine.estimation.answer import Assumption, ImageAnswer
from gpuconfig.engine.provenance.evidence import EvidenceKind
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import Message
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.i18n import Language, load
from gpuconfig.i18n.formats import shown_unit
from tests.documents import factory

ZH = Writer(load(Language.ZH))
PAGE = Confirmation(
    address="https://www.nvidia.com/x", date="2026-12", fields=frozenset({"bandwidth_bytes_per_s"})
)


def test_a_comparison_tells_the_makers_figures_from_others() -> None:
    base = factory.context(kind=DocumentKind.CARD_COMPARISON)
    cards = tuple(
        replace(
            option.accelerator,
            evidence_kind=EvidenceKind.SECONDARY,
            confirmations=(PAGE,),
            inferred_fields=frozenset({"tdp_w"}),
            derived_fields=frozenset(),
        )
        for option in base.options[:1]
    )
    document = compose(replace(base, cards=cards))
    table = next(block for block in document.blocks if isinstance(block, Table))
    shown = {row.field: plain(cells[1].content) for row, cells in zip(ROWS, table.rows, strict=False)}
    assert shown["bandwidth_bytes_per_s"].endswith("√")
    assert shown["tdp_w"].endswith("°")
    assert shown["memory_gb"].endswith("GB")


def test_a_second_table_of_cards_starts_a_page() -> None:
    base = factory.context(kind=DocumentKind.CARD_COMPARISON)
    card = base.options[0].accelerator
    for count, breaks in ((4, 0), (6, 1)):
        document = compose(replace(base, cards=(card,) * count))
        assert sum(isinstance(block, PageBreak) for block in document.blocks) == breaks


def test_the_chart_counts_time_as_the_tables_do() -> None:
    base = factory.context(language=Language.EN)
    chart = next(block for block in compose(base).blocks if isinstance(block, TradeOff))
    assert base.option is not None
    seconds = duration(base.option.estimate)[1].value
    assert seconds is not None
    unit, divisor = shown_unit(seconds, "s")
    assert chart.y_label.endswith(f", {unit}")
    assert next(point.y for point in chart.points if point.chosen) == pytest.approx(seconds / divisor)


def of_images() -> tuple[Option, ...]:
    """The options with the speed of pictures, whose time and pace are one figure."""
    answer = ImageAnswer(seconds_per_image=Figure(33.6, 22.3, 40.8, "s"))
    return tuple(
        replace(option, estimate=replace(option.estimate, training=None, image=answer))
        for option in factory.context().options
    )


@pytest.mark.parametrize("options", [factory.context().options, of_images()])
def test_no_row_of_the_options_stands_twice(options: tuple[Option, ...]) -> None:
    for table in comparison_tables(factory.context(), options, ZH):
        assert isinstance(table, Table)
        heads = [plain(row[0].content) for row in table.rows]
        assert len(heads) == len(set(heads))


def test_the_first_page_states_the_cost_that_the_tables_state() -> None:
    chosen, *others = of_images()
    base = factory.context()
    assert chosen.tco is not None
    chosen = replace(
        chosen, tco=replace(chosen.tco, middle=chosen.tco.total.low)
    )  # not the middle of the range
    answer = replace(base.recommendation, options=(chosen, *others))
    assert chosen.tco is not None
    tiles = [
        tile
        for block in compose(replace(base, recommendation=answer, option=chosen)).blocks
        if isinstance(block, Tiles)
        for tile in block.items
    ]
    (total,) = [tile.value for tile in tiles if "总成本" in tile.label]
    assert total == ZH.formats.money(chosen.tco.planned())


@pytest.mark.parametrize(
    ("recorded", "said"), [("2025", "2025 年"), ("2025-06", "2025-06"), ("2025-06-30", "2025-06-30")]
)
def test_a_year_alone_says_that_it_is_one(recorded: str, said: str) -> None:
    assert ZH.day(recorded) == said
    assert Writer(load(Language.EN)).day(recorded) == recorded


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("software", "cuda", "CUDA"), ("workload.attention_kernel", "flash", "FlashAttention"),
        ("workload.engine", "tensorrt_llm", "TensorRT-LLM"), ("workload.other", "as it is", "as it is"),
    ],
)  # fmt: skip
def test_software_is_named_as_its_makers_write_it(field: str, value: str, said: str) -> None:
    (line,) = assumption_lines([Assumption(field, value, Message("why"))], "", ZH)
    assert line.value == said
