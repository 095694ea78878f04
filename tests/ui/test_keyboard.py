"""The whole way without a mouse: from the start page to the PDF, and to what is behind a figure."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFileDialog,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QWidget,
)

from gpuconfig.i18n import Language
from gpuconfig.ui.main_window import MainWindow
from gpuconfig.ui.rail import PAGES
from gpuconfig.ui.widgets import mnemonics
from gpuconfig.ui.widgets.figure_label import FigureLabel
from gpuconfig.ui.widgets.letters import letters_of
from gpuconfig.ui.widgets.side_window import SideWindow
from tests.ui.conftest import open_sample, pause, settle

MOST_TABS = 60


def tab_to(window: MainWindow, wanted) -> QWidget:
    """Press Tab until the keyboard is in a widget that `wanted` accepts."""
    for _press in range(MOST_TABS):
        widget = QApplication.focusWidget()
        if widget is not None and wanted(widget):
            return widget
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
        pause(1)
    raise AssertionError("Tab does not lead there")


def press(window: MainWindow, key: Qt.Key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(QApplication.focusWidget() or window, key, modifier)
    pause(20)


def go_on(window: MainWindow) -> None:
    """To the button that leads on, and press it."""
    page = window.pages["wizard"]
    tab_to(window, lambda w: w is page.next)
    press(window, Qt.Key.Key_Space)
    settle(window)


@pytest.mark.parametrize("number", range(6))
def test_each_sample_from_start_to_pdf(make_window, number, tmp_path, monkeypatch):
    window = make_window(Language.EN)
    paper = tmp_path / "paper.pdf"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(paper), ""))
    title = list(window.session.services.samples().values())[number].title
    window.activateWindow()
    window.show_page("start")
    tab_to(window, lambda w: w.accessibleName().startswith(title))
    press(window, Qt.Key.Key_Space)
    settle(window)
    assert window.key == "result"
    answer = window.session.recommendation
    assert answer is not None, window.session.fault or window.session.request_error
    if window.session.option is None:
        pytest.skip("the sample has no option at these prices, and says so")
    press(window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    settle(window)
    assert paper.read_bytes().startswith(b"%PDF-")
    assert Path(paper).stat().st_size > 10_000


def test_a_new_project_by_keyboard_alone(make_window):
    window = make_window(Language.EN)
    press(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    settle(window)
    page = window.pages["wizard"]
    press(window, Qt.Key.Key_Right)  # from full fine-tuning to LoRA
    assert window.session.answers["task"] == "lora"
    go_on(window)
    assert page.number == 1
    edit = tab_to(window, lambda w: isinstance(w, QLineEdit) and w.accessibleName() == "Model")
    settle(window)
    QTest.keyClicks(edit, "llama 3.1 8b")
    pause(20)
    press(window, Qt.Key.Key_Down)
    press(window, Qt.Key.Key_Return)
    for step in (2, 3):
        go_on(window)
        assert page.number == step
    edit = tab_to(window, lambda w: isinstance(w, QLineEdit) and w.accessibleName() == "Budget")
    QTest.keyClicks(edit, "100000")
    press(window, Qt.Key.Key_Return)  # Enter is next
    assert page.number == 4
    go_on(window)
    go_on(window)
    assert window.key == "result"
    assert window.session.recommendation is not None
    assert window.session.answers["model"] == "llama-3.1-8b"


def test_f1_on_a_figure_opens_it_and_escape_closes(make_window):
    window = make_window(Language.EN)
    window.session.start(next(iter(window.session.services.samples().values())))
    window.show_page("result")
    settle(window)
    tab_to(window, lambda w: isinstance(w, FigureLabel))
    press(window, Qt.Key.Key_F1)
    settle(window)
    assert window.why is not None
    assert window.why.isVisible()
    assert window.why.path[-1].value is not None
    assert window.why.path[-1].inputs
    window.why.close_button.setFocus()
    press(window, Qt.Key.Key_Escape)
    assert not window.why.isVisible()


def test_who_types_before_the_samples_are_there_keeps_the_keyboard(make_window):
    window = make_window(Language.EN)
    press(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(QApplication.focusWidget(), "data")
    window.pages["start"].fill_samples()
    QTest.keyClicks(QApplication.focusWidget(), "base")
    press(window, Qt.Key.Key_Return)
    settle(window)
    assert window.key == "catalogue"


def test_the_command_search_runs_what_was_typed(make_window):
    window = make_window(Language.EN)
    press(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(QApplication.focusWidget(), "database")
    press(window, Qt.Key.Key_Return)
    settle(window)
    assert window.key == "catalogue"


def test_pages_have_numbers(make_window):
    window = make_window(Language.EN)
    for number, key in enumerate(
        ("wizard", "result", "comparison", "tradeoff", "build", "cost", "documents")
    ):
        press(window, Qt.Key(Qt.Key.Key_1.value + number), Qt.KeyboardModifier.ControlModifier)
        assert window.key == key
    settle(window)


@pytest.mark.parametrize("language", list(Language))
def test_no_letter_means_two_things(make_window, language):
    window = make_window(language)
    open_sample(window, 0)
    menus = [mnemonics.letter(action.text()) for action in window.menuBar().actions()]
    for key, _name in PAGES:
        window.show_page(key)
        settle(window)
        given = [*menus, *letters_of(window.pages[key])]
        assert len(given) == len(set(given)), (key, sorted(given))
        silent = [
            made.text()
            for made in window.pages[key].findChildren(QPushButton)
            if made.isVisibleTo(window)
            and made.property("role") == "primary"
            and not mnemonics.letter(made.text())
        ]
        assert silent == [], key
    for name, menu in window.actions_.menus.items():
        given = [mnemonics.letter(action.text()) for action in menu.actions() if action.text()]
        given = [letter for letter in given if letter]
        assert len(given) == len(set(given)), (name, sorted(given))


@pytest.mark.parametrize("language", list(Language))
def test_windows_beside_have_letters_of_their_own(make_window, language):
    window = make_window(language)
    window.open_settings()
    window.open_help()
    settle(window)
    for beside in window.findChildren(SideWindow):
        given = list(letters_of(beside))
        assert given, beside
        assert len(given) == len(set(given)), (beside, sorted(given))


@pytest.mark.parametrize("language", list(Language))
def test_no_letter_means_two_things_beside_an_open_panel(make_window, language):
    window = make_window(language)
    open_sample(window, 0)
    menus = [mnemonics.letter(action.text()) for action in window.menuBar().actions()]
    for toggle in (window.side.toggle_why, window.side.toggle_what_if):
        toggle()
        for key in ("result", "build", "wizard"):
            window.show_page(key)
            settle(window)
            given = [*menus, *letters_of(window.centralWidget())]
            assert len(given) == len(set(given)), (key, sorted(given))


@pytest.mark.parametrize("language", list(Language))
def test_every_choice_of_a_step_has_a_letter_of_its_own(make_window, language):
    window = make_window(language)
    window.files.new()
    page = window.pages["wizard"]
    for number in range(5):
        page.go_to(number)
        settle(window)
        letters = [
            b.shortcut().toString() for b in window.findChildren(QAbstractButton) if b.isVisibleTo(window)
        ]
        given = [letter for letter in letters if letter]
        assert len(given) == len(set(given)), number
        radios = [b for b in page.forms[number].findChildren(QRadioButton) if b.isVisibleTo(window)]
        assert all(radio.shortcut().toString() for radio in radios)
