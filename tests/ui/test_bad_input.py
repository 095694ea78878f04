"""Bad input on every field: the text stays, the error stands under it, and it can be mended."""

from __future__ import annotations

import pytest

from gpuconfig.i18n import Language
from gpuconfig.presentation.wizard.flow import STEPS
from gpuconfig.presentation.wizard.question import QuestionKind
from gpuconfig.ui.pages.wizard.editors import NumberField
from tests.ui.conftest import pause, settle

BAD = ("abc", "1,5", "-1", "1e99", "0x10", "１２a", "=1+1", " ", "9" * 40)
TASKS = ("lora", "serving", "video", "vision_training")


def number_fields(window, task):
    """Every number field of a task with its step."""
    window.files.new()
    page = window.pages["wizard"]
    page.forms[0].fields["task"].buttons[task].setChecked(True)
    for number, step in enumerate(STEPS):
        page.go_to(number)
        form = page.forms[number]
        for question in step.questions:
            kinds = (QuestionKind.WHOLE, QuestionKind.REAL, QuestionKind.AMOUNT)
            if question.kind in kinds and question.shown(window.session.answers):
                yield page, form.fields[question.key]


@pytest.mark.parametrize("task", TASKS)
def test_a_bad_number_stays_and_is_named(make_window, task):
    window = make_window(Language.EN)
    seen = 0
    for page, field in number_fields(window, task):
        assert isinstance(field, NumberField)
        for text in BAD:
            field.edit.setText(text)
            field.edit.textEdited.emit(text)
            page.refresh()
            assert field.edit.text() == text
            frost = (field.question.key, text) == ("ambient", "-1")  # a cold aisle in winter is no error
            if text.strip() and not frost:
                assert field.error.text(), (field.question.key, text)
                assert not field.error.isHidden()
        field.edit.setText("1")
        field.edit.textEdited.emit("1")
        page.refresh()
        problem = field.error.text()
        assert (
            not problem or "accepted" in problem or field.question.key in ("width", "height", "image_size")
        ), problem
        field.edit.setText("")
        field.edit.textEdited.emit("")
        seen += 1
    assert seen > 3


@pytest.mark.parametrize("amount", ["0", "-1", "1000000000000000", "abc", "1,5"])
def test_a_bad_budget_is_named_and_nothing_is_lost(make_window, amount):
    window = make_window(Language.ZH)
    window.session.start(next(iter(window.session.services.samples().values())))
    settle(window)
    window.show_page("wizard")
    page = window.pages["wizard"]
    page.go_to(3)
    field = page.forms[3].fields["budget"]
    before = dict(window.session.answers)
    field.edit.setText(amount)
    field.edit.textEdited.emit(amount)
    settle(window)
    assert field.edit.text() == amount
    assert field.error.text()
    assert {**window.session.answers, "budget": before["budget"]} == before
    window.show_page("result")
    pause(30)
    assert not window.pages["result"].state.isHidden()
    window.session.undo()
    settle(window)
    assert window.session.answers["budget"] == before["budget"]
    assert window.session.recommendation is not None


def test_a_model_nobody_knows_is_named_under_its_field(make_window):
    window = make_window(Language.EN)
    window.files.new()
    page = window.pages["wizard"]
    page.go_to(1)
    field = page.forms[1].fields["model"]
    field.edit.setText("no such model")
    field.edit.textEdited.emit("no such model")
    settle(window)
    assert "model" in window.session.field_errors
    assert field.error.text()
    assert field.edit.text() == "no such model"
