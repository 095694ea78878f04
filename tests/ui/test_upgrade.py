"""Other cards put into the machine that shows: the parts by what becomes of them, or the rule that forbids it."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel

from gpuconfig.engine.selection.composer.need import NoBuild
from gpuconfig.i18n import Language
from tests.ui import inspection
from tests.ui.conftest import open_sample, settle
from tests.ui.test_pages_look import keep


def texts(fold) -> list[str]:
    return [child.text() for child in fold.body.findChildren(QLabel) if child.isVisibleTo(fold)]


def opened(make_window, language=Language.EN):
    window = make_window(language)
    open_sample(window, 0)
    window.show_page("build")
    settle(window)
    fold = window.pages["build"].upgrade
    fold.set_open(True)
    settle(window)
    return window, fold


@pytest.mark.parametrize(
    ("language", "bought", "stays"), [(Language.EN, "Bought", "Stays"), (Language.ZH, "需购", "沿用")]
)
def test_what_stays_and_what_is_bought(make_window, language, bought, stays):
    window, fold = opened(make_window, language)
    before = window.session.option
    fold.choose("nvidia-rtx-5070ti-16", 2)
    settle(window)
    shown = texts(fold)
    assert bought in shown
    assert stays in shown
    assert any("5070" in text for text in shown)
    assert window.session.option is before
    window.pages["build"].area.ensureWidgetVisible(fold, 0, 0)
    keep(window, f"upgrade-{language}")
    found = inspection.clipped(window) + inspection.overlapping(window) + inspection.nameless(window)
    stray = inspection.stray_english if language is Language.ZH else inspection.stray_chinese
    assert found + stray(window) == []


@pytest.mark.parametrize("language", list(Language))
def test_what_cannot_be_names_its_rule(make_window, language):
    window, fold = opened(make_window, language)
    fold.choose("nvidia-h100-sxm5-80", 3)
    settle(window)
    assert isinstance(fold._answer, NoBuild)
    assert any(("Not possible" if language is Language.EN else "不可行") in text for text in texts(fold))
    window.pages["build"].area.ensureWidgetVisible(fold, 0, 0)
    keep(window, f"upgrade-forbidden-{language}")


def test_a_name_that_is_none_is_said_and_nothing_is_composed(make_window):
    window, fold = opened(make_window)
    fold.card.setEditText("no such card")
    fold.ask.click()
    settle(window)
    assert fold._answer is None
    assert any("Choose an accelerator" in text for text in texts(fold))
