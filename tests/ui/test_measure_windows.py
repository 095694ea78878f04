"""Own runs and rates typed in or pasted at the parts database: seen first, then kept."""

from __future__ import annotations

import pytest

from gpuconfig.i18n import Language
from gpuconfig.ui.main_window import MainWindow
from gpuconfig.ui.pages.catalogue.measure_window import MeasureWindow
from gpuconfig.ui.pages.catalogue.page import CataloguePage
from gpuconfig.ui.pages.catalogue.rate_window import RateWindow
from tests.ui.conftest import pause, settle
from tests.ui.inspection import clipped, nameless, overlapping, stray_english

SMI = "| 45%   62C    P2   320W / 350W |  23011MiB / 24576MiB |     98%      Default |"


@pytest.fixture
def window(own_window: MainWindow) -> MainWindow:
    return own_window


@pytest.fixture
def page(window: MainWindow) -> CataloguePage:
    found = window.pages["catalogue"]
    assert isinstance(found, CataloguePage)
    return found


def test_pasted_lines_are_seen_first_then_kept_and_move_the_estimate(window, page) -> None:
    window.session.start(list(window.session.services.samples().values())[2])
    settle(window)
    page.open_measurements()
    made = window.findChildren(MeasureWindow)[-1]
    settle(window)
    assert "LoRA" in made.work.text()
    made.paste.setPlainText(SMI + "\nnothing to see here")
    made.read.click()
    settle(window)
    assert len(made.found.rows.rows) == 1
    assert window.session.services.desk().history.steps() == []
    made.source.setText("our own box")
    made.keep.click()
    settle(window)
    assert len(made.runs.rows.rows) == 1
    assert made.runs.rows.rows[0].cells[-1].text == "our own box"
    made.runs.selectRow(0)
    made.remove.click()
    settle(window)
    assert made.runs.rows.rows == ()


@pytest.mark.parametrize("text", ["", "lots", "-3", "0"])
def test_a_typed_value_that_cannot_be_is_told_and_not_kept(window, page, text: str) -> None:
    window.session.start(list(window.session.services.samples().values())[2])
    settle(window)
    page.open_measurements()
    made = window.findChildren(MeasureWindow)[-1]
    settle(window)
    made.value.setText(text)
    made.add.click()
    settle(window)
    assert made.notice.isVisible()
    assert window.session.services.desk().history.steps() == []


def test_without_a_project_nothing_can_be_kept_and_that_is_said(window, page) -> None:
    page.open_measurements()
    made = window.findChildren(MeasureWindow)[-1]
    settle(window)
    assert "Open a project" in made.work.text()
    assert not made.add.isEnabled()


def test_a_typed_rate_is_previewed_and_taken_over(window, page) -> None:
    page.open_rates()
    made = window.findChildren(RateWindow)[-1]
    made.rate.setText("7.01")
    made.source.setText("our bank")
    made.look.click()
    assert made.take.isEnabled()
    made.take.click()
    settle(window)
    assert "7.01" in made.now.text()
    assert len(window.session.services.desk().history.steps()) == 1


@pytest.mark.parametrize(
    ("rate", "source"), [("", "bank"), ("700", "bank"), ("x", "bank"), ("6.9", ""), ("NaN", "b")]
)
def test_a_rate_that_cannot_be_is_told(window, page, rate: str, source: str) -> None:
    page.open_rates()
    made = window.findChildren(RateWindow)[-1]
    made.rate.setText(rate)
    made.source.setText(source)
    made.look.click()
    assert made.notice.isVisible()
    assert not made.take.isEnabled()


def test_sources_that_do_not_answer_are_told_and_nothing_changes(window, page) -> None:
    page.open_rates()
    made = window.findChildren(RateWindow)[-1]
    made.list.setPlainText("rate https://localhost:9/none")
    made.ask.click()
    settle(window)
    assert made.notice.isVisible()
    assert window.session.services.desk().history.steps() == []


@pytest.mark.parametrize("kind", [MeasureWindow, RateWindow])
def test_measurements_and_rates_fit_in_chinese(window, page, kind) -> None:
    window.session.set_language(Language.ZH)
    page.open_measurements() if kind is MeasureWindow else page.open_rates()
    made = window.findChildren(kind)[-1]
    settle(window)
    pause(50)
    assert not clipped(made)
    assert not nameless(made)
    assert not overlapping(made)
    assert not [text for text in stray_english(made) if "http" not in text]
