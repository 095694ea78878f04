"""F1 explains every control, and the tour leads through the pages and is left at any moment."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QPlainTextEdit, QWidget

from gpuconfig.i18n import Language
from gpuconfig.settings import TOUR_OFFERED
from gpuconfig.ui.control_help import ControlHelpBox, help_for
from gpuconfig.ui.main_window import MainWindow
from gpuconfig.ui.pages.wizard.page import StepForm
from gpuconfig.ui.rail import PAGES
from gpuconfig.ui.tour import STOPS, Tour
from tests.ui.conftest import open_sample, pause, settle
from tests.ui.inspection import clipped, stray_english


def controls(root: QWidget) -> list[QWidget]:
    kinds = (QAbstractButton, QComboBox, QLineEdit, QPlainTextEdit)
    return [
        w
        for w in root.findChildren(QWidget)
        if isinstance(w, kinds) and w.isVisibleTo(root) and w.focusPolicy() != Qt.FocusPolicy.NoFocus
    ]


def test_every_control_of_every_page_has_a_name_and_says_what_it_is_for(window: MainWindow) -> None:
    open_sample(window, 0)
    silent = []
    for key, _name in PAGES:
        window.show_page(key)
        settle(window)
        for widget in controls(window.pages[key]):
            found = help_for(widget, window.session)
            if not found.title or not found.paragraphs:
                silent.append(f"{key}: {type(widget).__name__} {widget.accessibleName()!r}")
    assert silent == []


def test_f1_on_a_question_says_what_it_accepts_and_escape_gives_the_keyboard_back(window: MainWindow) -> None:
    window.files.new()
    window.page("wizard").go_to(3)
    form = window.page("wizard").forms[3]
    assert isinstance(form, StepForm)
    edit = form.fields["budget"].focus_widget()
    edit.setFocus()
    QTest.keyClick(edit, Qt.Key.Key_F1)
    box = window.findChild(ControlHelpBox)
    assert box is not None
    assert box.isVisible()
    assert "50万" in box.accessibleDescription()
    assert "I don't know" in box.accessibleDescription()
    QTest.keyClick(box.guide, Qt.Key.Key_Escape)
    assert not box.isVisible()
    assert window.focusWidget() is edit


def test_f1_on_a_figure_opens_the_figure_and_not_the_help(window: MainWindow) -> None:
    open_sample(window, 0)
    window.show_page("result")
    settle(window)
    from gpuconfig.ui.widgets.figure_label import FigureLabel

    figure = next(w for w in window.pages["result"].findChildren(FigureLabel) if w.shown.reference)
    figure.setFocus()
    QTest.keyClick(figure, Qt.Key.Key_F1)
    assert window.why is not None
    assert window.why.isVisible()
    assert window.findChild(ControlHelpBox) is None


def test_the_tour_is_offered_once_and_leads_through_the_pages(make_window) -> None:
    window = make_window(Language.ZH)
    start = window.pages["start"]
    assert start.tour.isVisible()
    start._take_tour()
    assert window.session.services.settings.get(TOUR_OFFERED) is True
    tour = window.findChild(Tour)
    seen = []
    while tour.isVisible():
        pause(10)
        seen.append(window.key)
        assert not clipped(tour)
        assert not stray_english(tour)
        tour.next.click()
    assert seen == [stop.page for stop in STOPS]
    settle(window)
    window.show_page("start")
    assert not window.pages["start"].tour.isVisible()


def test_escape_leaves_the_tour(window: MainWindow) -> None:
    window.start_tour()
    tour = window.findChild(Tour)
    QTest.keyClick(tour.next, Qt.Key.Key_Escape)
    assert not tour.isVisible()
    settle(window)


def test_a_control_without_words_is_explained_without_a_word_of_qt(window: MainWindow, qtlog) -> None:
    nameless = QWidget(window.pages["start"])
    window.explain_control()
    box = window.findChild(ControlHelpBox)
    box.show_for(nameless)
    assert box.title.isHidden()
    assert not [record.message for record in qtlog.records if "Negative" in record.message]
    box.close_help()


def test_the_keyboard_is_on_the_page_after_the_tour(window: MainWindow) -> None:
    window.start_tour()
    settle(window)
    QTest.keyClick(window.findChild(Tour).next, Qt.Key.Key_Escape)
    assert window.pages[window.key].isAncestorOf(window.focusWidget())
