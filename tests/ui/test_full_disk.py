"""A disk that takes no more, and a process that is killed: it is told, and nothing that was there is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from gpuconfig import paths
from gpuconfig.i18n import Language
from gpuconfig.project.files import SUFFIX
from gpuconfig.settings import LANGUAGE, PROJECT_FOLDER, THEME, LanguageChoice, Settings, ThemeChoice
from gpuconfig.ui.autosave import SOON_MS
from tests.ui.conftest import pause, settle

if sys.platform == "win32":
    pytest.skip("there is no limit of a file's size to set", allow_module_level=True)

import resource


@contextmanager
def full_disk() -> Iterator[None]:
    """No file of this process can grow, as on a disk without room."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def edited(make_window):
    """A window with an answer that is in no file."""
    window = make_window(Language.EN)
    window.files.new()
    window.pages["wizard"].forms[0].fields["task"].buttons["qlora"].setChecked(True)
    return window


def said(window) -> str:
    """What the toast says; empty where none shows."""
    return window.toast._text.text() if window.toast.isVisible() else ""


def journals() -> list[str]:
    """The journals as they lie on the disk; files that were begun and given up do not stay."""
    folder = paths.user_data() / "autosave"
    assert not list(folder.glob(".*"))
    return [path.read_text(encoding="utf-8") for path in folder.glob("*.json")]


def test_autosave_tells_and_works_again_when_there_is_room(edited):
    with full_disk():
        pause(SOON_MS + 200)
        settle(edited)
        assert "cannot be kept" in said(edited)
        assert "not kept" in edited.status.saved.text()
        assert edited.session.answers["task"] == "qlora"
        assert journals() == []
    edited.pages["wizard"].forms[0].fields["task"].buttons["pretrain"].setChecked(True)
    pause(SOON_MS + 200)
    settle(edited)
    assert "kept for recovery" in edited.status.saved.text()
    assert "not kept" not in edited.status.saved.text()
    assert [("pretrain" in text) for text in journals()] == [True]


def test_an_older_state_stays_where_the_newer_one_has_no_room(edited):
    pause(SOON_MS + 200)
    settle(edited)
    before = journals()
    edited.pages["wizard"].forms[0].fields["task"].buttons["pretrain"].setChecked(True)
    with full_disk():
        pause(SOON_MS + 200)
        settle(edited)
    assert journals() == before
    assert "qlora" in before[0]


def test_closing_is_refused_once_and_told(edited):
    with full_disk():
        edited.close()
        assert edited.isVisible()
        assert "cannot be kept" in said(edited)
        edited.close()
        assert not edited.isVisible()
    assert journals() == []


def test_closing_after_room_was_made_keeps_the_work(edited):
    with full_disk():
        edited.close()
    assert edited.isVisible()
    edited.close()
    assert not edited.isVisible()
    assert "qlora" in journals()[0]


def test_language_and_colours_change_for_this_window_and_it_is_told(make_window, services):
    window = make_window(Language.EN)
    services.settings.set(PROJECT_FOLDER, "/where/projects/lie")
    before = services.settings.path.read_bytes()
    with full_disk():
        window.session.set_theme(ThemeChoice.DARK)
        assert "could not be kept" in said(window)
        window.session.set_language(Language.ZH)
        settle(window)
        assert window.session.tokens.dark
        assert window.rail.buttons["start"].text().strip() == "开始"
    assert services.settings.path.read_bytes() == before
    again = Settings(services.settings.path)
    assert (again.get(THEME), again.get(LANGUAGE)) == (ThemeChoice.SYSTEM, LanguageChoice.SYSTEM)
    assert again.get(PROJECT_FOLDER) == "/where/projects/lie"
    assert [path.name for path in services.settings.path.parent.glob("settings*")] == ["settings.json"]


def test_saving_is_told_and_the_old_file_stays(edited, tmp_path):
    path = tmp_path / f"mine{SUFFIX}"
    assert edited.session.save(path)
    before = path.read_bytes()
    edited.pages["wizard"].forms[0].fields["task"].buttons["pretrain"].setChecked(True)
    with full_disk():
        assert not edited.session.save(path)
        assert said(edited)
    assert path.read_bytes() == before
    assert edited.session.is_unsaved
    assert edited.session.save(path)
    assert b"pretrain" in path.read_bytes()


def test_another_project_does_not_cost_the_unsaved_one(edited):
    sample = next(iter(edited.session.services.samples().values()))
    edited.session.start(sample)
    edited.session.cancel_search()
    assert ["qlora" in text for text in journals()] == [True]


def test_what_was_put_aside_and_brought_back_is_kept_once(edited):
    edited.files.new()
    assert len(journals()) == 1
    edited.toast._button.click()
    settle(edited)
    assert edited.session.answers["task"] == "qlora"
    pause(SOON_MS + 200)
    settle(edited)
    assert ["qlora" in text for text in journals()] == [True]


KILLED = """
import os, signal, sys
from PySide6.QtWidgets import QApplication
from gpuconfig import app as wiring
from gpuconfig.i18n import Language
from gpuconfig.ui import theme
from gpuconfig.ui.autosave import SOON_MS
from gpuconfig.ui.main_window import MainWindow
from tests.ui.conftest import pause

app = QApplication(sys.argv[:1])
theme.load_fonts(app)
window = MainWindow(wiring.services(), Language.EN)
window.show()
window.files.new()
task = window.pages["wizard"].forms[0].fields["task"]
task.buttons["qlora"].setChecked(True)
pause(SOON_MS + 500)
task.buttons["pretrain"].setChecked(True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_window_gives_back_what_was_two_seconds_old(make_window):
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", KILLED], env=environment, timeout=120, check=False)
    assert done.returncode == -signal.SIGKILL
    window = make_window(Language.EN)
    start = window.pages["start"]
    assert start.recovery.isVisible()
    start.recovery._button.click()
    settle(window)
    assert window.session.answers["task"] == "qlora"
    assert window.session.is_open
