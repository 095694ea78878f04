"""A killed window loses nothing: the next one offers its work, which can be taken or thrown away and brought back."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from gpuconfig import paths
from gpuconfig.i18n import Language
from gpuconfig.project.document import Project
from gpuconfig.project.journal import Journal
from tests.ui.conftest import pause, settle


@pytest.fixture
def left_behind(user_folder):  # noqa: ARG001 - the folder must be the test's own
    """The journal of a process that is gone."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    journal = Journal(paths.user_data())
    journal.write(Project(title="Half a project", answers={"task": "lora", "budget": "1,5"}), None)
    body = json.loads(journal.path.read_text(encoding="utf-8"))
    journal.path.write_text(json.dumps({**body, "pid": process.pid}), encoding="utf-8")
    assert journal.path.exists()
    return journal.path


def test_it_is_offered_and_taken(left_behind, make_window):
    window = make_window(Language.EN)
    start = window.pages["start"]
    assert start.recovery.isVisible()
    start.recovery._button.click()
    settle(window)
    assert window.session.project.title == "Half a project"
    assert window.session.answers["budget"] == "1,5"
    assert not window.session.history.is_saved
    assert not left_behind.exists()


def test_it_is_thrown_away_and_brought_back(left_behind, make_window):
    window = make_window(Language.EN)
    start = window.pages["start"]
    start.discard.click()
    pause(20)
    assert not left_behind.exists()
    assert not start.recovery.isVisible()
    window.toast._button.click()
    pause(20)
    assert left_behind.exists()
    assert start.recovery.isVisible()


def test_closing_with_unsaved_work_asks_nothing_and_keeps_it(make_window):
    window = make_window(Language.EN)
    window.files.new()
    window.pages["wizard"].forms[0].fields["task"].buttons["qlora"].setChecked(True)
    window.close()
    kept = list((paths.user_data() / "autosave").glob("*.json"))
    assert len(kept) == 1
    assert "qlora" in kept[0].read_text(encoding="utf-8")
