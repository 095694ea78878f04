"""Axes of the trade-off chart: round ticks around every value, labels that do not cover each other."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from gpuconfig.documents.pdf.chart import axis
from gpuconfig.documents.write import render
from tests.documents import factory

VALUES = st.lists(st.floats(0.001, 1e9), min_size=1, max_size=40)


@given(VALUES)
def test_every_value_lies_on_the_axis_between_few_round_ticks(values: list[float]) -> None:
    made = axis(values, 50.0, 450.0)
    for value in values:
        assert 49.9 <= made.at(value) <= 450.1
    assert 2 <= len(made.ticks) <= 20
    assert list(made.ticks) == sorted(made.ticks)
    assert all(49.9 <= made.at(tick) <= 450.1 for tick in made.ticks)


@given(st.floats(0.5, 1e6), st.floats(13, 1e4))
def test_decades_make_the_axis_logarithmic(low: float, ratio: float) -> None:
    made = axis([low, low * ratio], 0.0, 100.0)
    assert made.logarithmic
    middle = made.at(low * ratio**0.5)
    assert abs(middle - (made.at(low) + made.at(low * ratio)) / 2) < 0.5


def test_many_options_are_drawn_and_only_the_front_is_named() -> None:
    base = factory.recommendation()
    copies = tuple(
        replace(
            base.options[1], accelerator=replace(base.options[1].accelerator, name=f"Copy {n}"), pareto=False
        )
        for n in range(200)
    )
    context = factory.context(recommendation=replace(base, considered=(*base.considered, *copies)))
    text = "\n".join(page.extract_text() for page in PdfReader(BytesIO(render(context, ".pdf"))).pages)
    assert "4× RTX 5090 32GB" in text
    assert "Copy 17" not in text
