"""Templates fill in a whole requirement, as one step, and each leads to a machine."""

from __future__ import annotations

import pytest

from gpuconfig.engine.provenance.progress import Silent
from gpuconfig.presentation.wizard.draft import draft
from gpuconfig.presentation.wizard.flow import STEPS
from gpuconfig.presentation.wizard.restore import answers_of
from gpuconfig.ui.main_window import MainWindow
from gpuconfig.ui.pages.wizard.page import StepForm
from tests.ui.conftest import settle

SCENARIOS_AND_TIERS = 9


def pick(window: MainWindow, place: int) -> None:
    form = window.page("wizard").forms[0]
    assert isinstance(form, StepForm)
    assert form.templates is not None
    form.templates.choices.setCurrentIndex(place)
    form.templates.choices.activated.emit(place)


def test_a_template_answers_every_question_and_undo_brings_the_old_answers_back(window: MainWindow) -> None:
    window.files.new()
    before = dict(window.session.answers)
    pick(window, 4)
    settle(window)
    assert window.session.draft().complete
    assert window.session.answers["task"] == "serving"
    assert window.session.recommendation is not None
    form = window.page("wizard").forms[0]
    assert isinstance(form, StepForm)
    assert form.templates is not None
    assert form.templates.choices.currentIndex() == 4
    window.session.undo()
    settle(window)
    assert dict(window.session.answers) == before
    assert form.templates.choices.currentIndex() == 0


@pytest.mark.long
@pytest.mark.parametrize("place", range(SCENARIOS_AND_TIERS))
def test_every_template_leads_to_a_machine_within_its_budget(services, place: int) -> None:
    templates = list(services.templates().values())
    assert len(templates) == SCENARIOS_AND_TIERS
    found = draft(answers_of(templates[place].request))
    assert found.complete, found.problems
    answer = services.recommend(services.read_request(found.request), Silent())
    assert any(option.within_budget and option.meets_target for option in answer.options)


def test_notes_of_the_summary_are_kept_as_typed_and_taken_back_in_one_step(window: MainWindow) -> None:
    window.files.new()
    wizard = window.page("wizard")
    wizard.go_to(len(STEPS) - 1)
    form = wizard.forms[-1]
    form.notes.insertPlainText("Agreed with ")
    form.notes.insertPlainText("finance <b>on Monday</b>")
    assert window.session.project.notes == "Agreed with finance <b>on Monday</b>"
    window.session.undo()
    assert window.session.project.notes == ""
    assert form.notes.toPlainText() == ""
