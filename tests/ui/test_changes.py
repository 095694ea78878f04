"""A project opened after prices moved says so, and shows what that changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.i18n import Language
from gpuconfig.presentation.desk.pricing import PriceEntry
from gpuconfig.ui.main_window import MainWindow
from gpuconfig.ui.pages.result.changes import ChangesWindow
from tests.ui.conftest import open_sample, settle
from tests.ui.inspection import clipped, nameless, stray_english

TWO_4090 = 2
CARD = "nvidia-rtx-4090-24"


@pytest.fixture
def window(own_window: MainWindow) -> MainWindow:
    own_window.session.set_language(Language.ZH)
    return own_window


def test_a_price_that_moved_is_told_when_the_project_is_opened(window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "decided.gpuconfig"
    open_sample(window, TWO_4090)
    assert window.session.save(file)
    window.files.open(file)
    settle(window)
    result = window.page("result")
    assert not result.changes.isVisible()
    window.session.services.desk().prices.add(
        Kind.ACCELERATOR, CARD, PriceEntry(low="26000", source="a shop", high="")
    )
    window.files.open(file)
    settle(window)
    assert result.changes.isVisible()
    result.changes.open_window()
    made = window.findChildren(ChangesWindow)[-1]
    settle(window)
    assert any("26,000" in cell.text for row in made.moved.rows.rows for cell in row.cells)
    assert made.outcomes.isVisible()
    assert not clipped(made)
    assert not nameless(made)
    assert not stray_english(made)
