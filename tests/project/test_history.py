"""Undo and redo, named; typing in one field is one step; the journal survives a killed process."""

import json
import os

from gpuconfig.engine.provenance.message import Message
from gpuconfig.project.commands import (
    ChooseOption,
    Override,
    SetAnswers,
    SetCompared,
    SetPaperFields,
    SetTitle,
)
from gpuconfig.project.document import Project
from gpuconfig.project.history import History
from gpuconfig.project.journal import Journal, recoverable

BUDGET = Message("Budget")


def typed(text):
    return SetAnswers({"budget": text}, BUDGET, typing=True)


def test_typing_is_one_step_until_it_settles():
    history = History(Project())
    for text in ("5", "50", "500"):
        history.do(typed(text))
    assert len(history.titles()) == 1
    history.settle()
    history.do(typed("5000"))
    assert history.undo().english() == "change of Budget"
    assert history.project.answers == {"budget": "500"}
    history.undo()
    assert history.project == Project()
    assert history.undo() is None


def test_redo_brings_all_back_and_a_new_deed_ends_it():
    history = History(Project())
    history.do(SetTitle("a"))
    history.do(ChooseOption("k", "4× RTX 5090"))
    history.undo()
    history.undo()
    assert history.redo_title().english() == "change of the project's name"
    history.redo()
    history.redo()
    assert (history.project.title, history.project.chosen) == ("a", "k")
    history.undo()
    history.do(SetCompared(("x", "y")))
    assert history.redo() is None


def test_what_changes_nothing_leaves_no_step():
    history = History(Project(title="a"))
    assert not history.do(SetTitle("a"))
    assert history.titles() == ()
    assert history.is_saved


def test_saved_again_after_undo():
    history = History(Project())
    history.mark_saved()
    history.do(SetPaperFields("seller", {"name": "x"}))
    assert not history.is_saved
    history.undo()
    assert history.is_saved


def test_an_override_is_taken_back_by_an_empty_reason():
    history = History(Project())
    history.do(Override("rule", "measured it"))
    assert history.project.overrides == {"rule": "measured it"}
    history.do(Override("rule", ""))
    assert history.project.overrides == {}


def test_the_journal_of_a_running_window_is_not_offered(tmp_path):
    journal = Journal(tmp_path)
    journal.write(Project(title="a"), None)
    assert recoverable(tmp_path) == []
    journal.clear()
    assert not journal.path.exists()


def test_the_journal_of_a_killed_window_is_offered(tmp_path):
    journal = Journal(tmp_path)
    journal.write(Project(title="lost"), tmp_path / "lost.gpuconfig")
    body = json.loads(journal.path.read_text())
    process = os.spawnv(os.P_NOWAIT, "/bin/true", ["true"])
    os.waitpid(process, 0)
    journal.path.write_text(json.dumps({**body, "pid": process}))
    (journal.path.parent / "broken.json").write_text("{")
    (found,) = recoverable(tmp_path)
    assert found.project.title == "lost"
    assert found.file == tmp_path / "lost.gpuconfig"
