"""Four newcomers with no mouse, each from the start page to the PDF, with a look behind a figure on the way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QListWidget, QRadioButton

from gpuconfig.i18n import Language
from gpuconfig.presentation.option_view import all_options
from gpuconfig.ui.main_window import MainWindow
from gpuconfig.ui.widgets.table_view import FigureTable
from tests.ui.by_keyboard import Keyboard, name_of
from tests.ui.conftest import settle

FEWEST_OPTIONS = 3
"""A newcomer is to leave with that many justified options."""
MOST_KEYS = 700
"""Of the whole way; about a quarter of an hour of unhurried pressing would be five times as many."""
DOWN, RETURN, SPACE = Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Space


@pytest.fixture
def paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the system's own file dialog, which is not ours to test, says the paper is to go."""
    path = tmp_path / "paper.pdf"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(path), ""))
    return path


def begin(make_window: Callable[..., MainWindow], language: Language) -> Keyboard:
    """The window as it opens; the first key that matters is New project."""
    window = make_window(language)
    settle(window)
    keys = Keyboard(window)
    keys.look()
    assert keys.place is window.pages["start"].new
    keys.press(SPACE)
    assert window.key == "wizard"
    return keys


def pick_radio(keys: Keyboard, value: str) -> None:
    """Arrow keys from the button with the keyboard to the one that answers `value`."""
    page = keys.window.pages["wizard"]
    fields = page.forms[page.number].fields.values()
    field = next(f for f in fields if value in getattr(f, "buttons", {}))
    for _press in range(len(field.buttons) + 1):
        if field.buttons[value].isChecked() and keys.place is field.buttons[value]:
            return
        keys.press(DOWN)
    raise AssertionError(f"arrow keys do not lead to {value}")


def pick_model(keys: Keyboard, words: str, wanted: str) -> None:
    """Type a part of the name, go down the list, take one."""
    keys.calm()  # the catalogue is read
    edit = keys.tab_to("the model", lambda w: w is keys.window.pages["wizard"].forms[1].fields["model"].edit)
    keys.write(words)
    found = keys.window.pages["wizard"].forms[1].fields["model"].list
    for _press in range(found.count()):
        keys.press(DOWN)
        if found.currentItem().data(Qt.ItemDataRole.UserRole) == wanted:
            break
    keys.press(RETURN)
    assert edit.text() == wanted
    assert keys.window.session.answers["model"] == wanted


def to_step(keys: Keyboard, number: int) -> None:
    """The button that leads on, until this step shows."""
    page = keys.window.pages["wizard"]
    while page.number < number:
        keys.tab_to("Next", lambda w: w is page.next)
        keys.press(SPACE)


def type_into(keys: Keyboard, question: str, text: str) -> None:
    """Tab to a question and write its answer."""
    page = keys.window.pages["wizard"]
    field = page.forms[page.number].fields[question]
    keys.tab_to(question, lambda w: w is field.focus_widget())
    keys.write(text)
    assert not field.error.isVisible(), field.error.text()


def show_result(keys: Keyboard) -> None:
    """Past the summary; the result has options that say why."""
    window = keys.window
    to_step(keys, 5)
    page = window.pages["wizard"]
    keys.tab_to("the last button", lambda w: w is page.next)
    keys.press(SPACE)
    assert window.key == "result", window.session.field_errors
    keys.calm()
    answer = window.session.recommendation
    assert answer is not None, window.session.fault or window.session.request_error
    assert len(all_options(answer)) >= FEWEST_OPTIONS
    shown = [card for card in window.pages["result"].card_widgets if card.isVisible()]
    assert len(shown) == FEWEST_OPTIONS
    assert all(any(word.text() for word in card._words) for card in shown)


def look_behind_the_price(keys: Keyboard) -> None:
    """F1 on a price, down into its first input, back, and out: the keyboard is where it was."""
    window = keys.window
    cards = window.pages["result"].card_widgets
    price = cards[0]._rows[0][1].value
    keys.tab_to("the first price", lambda w: w is price)
    keys.press(Qt.Key.Key_F1)
    keys.calm()
    why = window.why
    assert why is not None
    assert why.isAncestorOf(keys.place)
    assert why.path[0].inputs
    keys.tab_to("an input", lambda w: any(w is link for _node, link in why._inputs))
    left = name_of(keys.place)
    keys.press(RETURN)
    assert len(why.path) == 2
    assert why.isAncestorOf(keys.place)
    keys.press(Qt.Key.Key_Backspace)
    assert name_of(keys.place) == left
    keys.press(Qt.Key.Key_Escape)
    assert not why.isVisible()
    assert keys.place is price


def choose_second(keys: Keyboard) -> None:
    """Take the second card's option and take it back again."""
    window = keys.window
    second = window.pages["result"].card_widgets[1]
    before = window.session.option
    keys.tab_to("Choose", lambda w: w is second.select)
    keys.press(RETURN)
    assert window.session.option is not before
    keys.calm()
    assert keys.place is second.select
    keys.ctrl(Qt.Key.Key_Z)
    keys.calm()
    assert window.session.option is before


def compare(keys: Keyboard) -> None:
    """The comparison's cells, one of them opened, differences only."""
    window = keys.window
    keys.ctrl(Qt.Key.Key_3)
    keys.calm()
    assert window.key == "comparison"
    page = window.pages["comparison"]
    keys.tab_to("Differences only", lambda w: w is page.differences)
    keys.press(SPACE)
    assert page.differences.isChecked()
    assert keys.place is page.differences
    table = keys.tab_to("the table", lambda w: w is page.table)
    assert isinstance(table, FigureTable)
    keys.press(Qt.Key.Key_Right)
    for _row in range(table.rows.rowCount()):
        keys.press(DOWN)
        index = table.currentIndex()
        if table.rows.cell(index.row(), index.column()).reference is not None:
            break
    keys.press(Qt.Key.Key_F1)
    keys.calm()
    assert window.why is not None
    assert window.why.isAncestorOf(keys.place)
    keys.press(Qt.Key.Key_Escape)
    assert keys.place is table


def look_at_the_machine(keys: Keyboard) -> None:
    """The parts row by row to the last one, every row in sight; then what was found."""
    window = keys.window
    keys.ctrl(Qt.Key.Key_5)
    keys.calm()
    assert window.key == "build"
    page = window.pages["build"]
    parts = keys.tab_to("the parts", lambda w: w is page.parts)
    assert isinstance(parts, FigureTable)
    for _row in range(parts.rows.rowCount()):
        keys.press(DOWN)
        spot = parts.visualRect(parts.currentIndex()).center()
        assert parts.viewport().visibleRegion().contains(spot), parts.current_key()
    assert parts.currentIndex().row() == parts.rows.rowCount() - 1
    keys.tab_to("the rules that passed", lambda w: w is page.passed.head)
    keys.press(SPACE)
    keys.calm()
    assert page.passed_rows.count()
    assert keys.place is page.passed.head


def export(keys: Keyboard, paper: Path) -> None:
    """Ctrl+7, the button, a PDF."""
    window = keys.window
    keys.ctrl(Qt.Key.Key_7)
    page = window.pages["documents"]
    keys.tab_to("Export", lambda w: w is page.export)
    keys.press(RETURN)
    keys.calm()
    assert paper.read_bytes().startswith(b"%PDF-")
    assert paper.stat().st_size > 10_000


def the_rest(keys: Keyboard, paper: Path) -> None:
    """What everyone does after the answers."""
    look_behind_the_price(keys)
    choose_second(keys)
    compare(keys)
    look_at_the_machine(keys)
    export(keys, paper)
    assert keys.pressed < MOST_KEYS, keys.pressed


def test_lora_of_8b_for_20000_yuan(make_window, paper):
    keys = begin(make_window, Language.ZH)
    pick_radio(keys, "lora")
    to_step(keys, 1)
    pick_model(keys, "llama 8b", "llama-3.1-8b")
    to_step(keys, 3)
    type_into(keys, "budget", "2万")
    accept_used(keys)
    show_result(keys)
    assert keys.window.session.answers["budget"] == "2万"
    the_rest(keys, paper)


def test_70b_for_20_users_for_150000_dollars(make_window, paper):
    keys = begin(make_window, Language.EN)
    pick_radio(keys, "serving")
    to_step(keys, 1)
    pick_model(keys, "llama 70b", "llama-3.3-70b")
    to_step(keys, 2)
    type_into(keys, "users", "20")
    to_step(keys, 3)
    type_into(keys, "budget", "150k")
    keys.tab_to("the currency", lambda w: isinstance(w, QRadioButton))
    pick_radio(keys, "USD")
    show_result(keys)
    request = keys.window.session.request
    assert request is not None
    assert (request.budget.money.amount, request.budget.money.currency.value) == (150_000, "USD")
    the_rest(keys, paper)


def test_sdxl_at_home_for_6000_yuan(make_window, paper):
    keys = begin(make_window, Language.ZH)
    pick_radio(keys, "image")
    to_step(keys, 1)
    pick_model(keys, "sdxl", "stable-diffusion-xl-base-1.0")
    to_step(keys, 3)
    type_into(keys, "budget", "6000")
    accept_used(keys)
    show_result(keys)
    the_rest(keys, paper)


def test_full_7b_for_500000_yuan_with_a_machine_in_use(make_window, paper):
    keys = begin(make_window, Language.EN)
    pick_radio(keys, "full")
    to_step(keys, 1)
    pick_model(keys, "qwen2.5 7b", "qwen2.5-7b")
    to_step(keys, 3)
    type_into(keys, "budget", "500,000")
    to_step(keys, 4)
    page = keys.window.pages["wizard"]
    keys.tab_to("More options", lambda w: w is page.forms[4].more.head)
    keys.press(SPACE)
    keys.calm()
    tick_owned(keys, "gigabyte", 1)
    show_result(keys)
    reused = keys.window.session.complete_project().request["constraints"]["reuse"]
    assert len(reused["parts"]) == 1
    the_rest(keys, paper)


def tick_owned(keys: Keyboard, words: str, count: int) -> None:
    """Find parts by typing and tick some of them with Space."""
    field = keys.window.pages["wizard"].forms[4].fields["owned"]
    keys.tab_to("parts in use", lambda w: w is field.edit)
    keys.write(words)
    listed = keys.tab_to("the list", lambda w: w is field.list)
    assert isinstance(listed, QListWidget)
    for _tick in range(count):
        keys.press(DOWN)
        keys.press(SPACE)
        assert keys.place is listed
    assert len(keys.window.session.answers["owned"]) == count


def accept_used(keys: Keyboard) -> None:
    """Step 5: used parts may be offered."""
    to_step(keys, 4)
    keys.tab_to("used parts", lambda w: isinstance(w, QRadioButton) and "used_ok" in _values(keys, w))
    pick_radio(keys, "used_ok")


def _values(keys: Keyboard, radio: QRadioButton) -> list[str]:
    page = keys.window.pages["wizard"]
    fields = page.forms[page.number].fields.values()
    return [v for f in fields if radio in getattr(f, "buttons", {}).values() for v in f.buttons]
