"""A person who does anything at all: clicks, keys, undo, language, theme, resizing. Nothing breaks, nothing is lost."""

from __future__ import annotations

import ctypes
import gc
import os
import random
import sys
import threading
from pathlib import Path
from statistics import median

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QSlider,
    QWidget,
)

from gpuconfig.i18n import Language
from gpuconfig.project.document import Project
from gpuconfig.settings import ThemeChoice
from gpuconfig.ui.jobs import READERS
from gpuconfig.ui.main_window import MainWindow
from gpuconfig.ui.memory import give_back
from gpuconfig.ui.rail import PAGES
from gpuconfig.ui.widgets.figure_label import FigureLabel
from gpuconfig.ui.widgets.side_window import SideWindow
from tests.ui.conftest import SIZE, open_sample, pause, settle

KEYS = (
    Qt.Key.Key_Tab,
    Qt.Key.Key_Backtab,
    Qt.Key.Key_Return,
    Qt.Key.Key_Escape,
    Qt.Key.Key_Down,
    Qt.Key.Key_Up,
    Qt.Key.Key_Right,
    Qt.Key.Key_Space,
    Qt.Key.Key_F1,
    Qt.Key.Key_PageDown,
)
DEEDS = int(os.environ.get("GPUCONFIG_WALK", "2000"))
"""Of the long walk; nightly runs take 20,000."""
DIALOG_CLOSES = 0.3
"""Share of the deeds before which an open dialog is closed."""
FREE_SAMPLE = 0.1
"""Share of the samples opened that leave the accelerator open: their searches take seconds, the others' a moment."""
WORDS = ("7", "4k", "abc", "1,5", "-3", "500000", "qwen", "1B", "0", "9e9", "")
SIZES = ((1366, 768), (1024, 700), (1920, 1080), (960, 600), (1280, 800))
GROWTH_BYTES = 20 * 2**20
"""Of memory over 20,000 deeds after the first two thousand: caches are full by then."""
WARM_UP = 2000
SEED = int(os.environ.get("GPUCONFIG_WALK_SEED", "11"))
LAST_DEEDS = 20
"""After the last measure, so that there is something to undo."""
SMALL_OBJECT_BYTES = 77
"""Mean of the interpreter's own blocks in this program."""
WORKERS = "gpuconfig-"
LEGS = 10
"""Parts of the warm-up and of the walk; what each of the latter added is printed."""


class Walker:
    """Does one random thing after the other; remembers what was typed."""

    def __init__(self, window: MainWindow, seed: int) -> None:
        self.window = window
        self.random = random.Random(seed)
        self.most = 0
        projects = list(window.session.services.samples().values())
        self.quick = [p for p in projects if names_accelerators(p)]
        self.free = [p for p in projects if not names_accelerators(p)]
        self.deeds = (
            (30, self.click),
            (20, self.key),
            (14, self.type),
            (12, self.page),
            (6, self.figure),
            (6, self.undo),
            (3, self.redo),
            (3, self.language),
            (2, self.scheme),
            (3, self.resize),
            (2, self.sample),
            (2, self.palette),
            (4, self.slide),
            (2, self.what_if),
            (6, self.close_side),
        )

    def step(self) -> None:
        """One deed; a dialog that is in the way is closed before long, as a person must."""
        modal = QApplication.activeModalWidget()
        if modal is not None and self.random.random() < DIALOG_CLOSES:
            modal.close()
        deed = self.random.choices([d for _w, d in self.deeds], [w for w, _d in self.deeds])[0]
        deed()
        QApplication.processEvents()
        # What was replaced is deleted by the event loop, which a test is outside of.
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self.most = max(self.most, resident_bytes())

    def some(self, kind: type) -> QWidget | None:
        found = [w for w in self.window.findChildren(kind) if w.isVisible() and w.isEnabled()]
        return self.random.choice(found) if found else None

    def click(self) -> None:
        widget = self.some(QAbstractButton)
        if widget is not None and not widget.objectName().startswith("qt_"):
            widget.click()

    def key(self) -> None:
        QTest.keyClick(QApplication.focusWidget() or self.window, self.random.choice(KEYS))

    def type(self) -> None:
        edit = self.some(QLineEdit)
        if edit is not None and not isinstance(edit.parent(), QComboBox):
            edit.setFocus()
            edit.selectAll()
            word = self.random.choice(WORDS)
            QTest.keyClicks(edit, word) if word else QTest.keyClick(edit, Qt.Key.Key_Delete)

    def page(self) -> None:
        self.window.show_page(self.random.choice(PAGES)[0])

    def figure(self) -> None:
        label = self.some(FigureLabel)
        if label is not None:
            label.open()

    def close_side(self) -> None:
        """Perhaps while its work still runs."""
        window = self.some(SideWindow)
        if window is not None:
            window.close()

    def undo(self) -> None:
        self.window.session.undo()

    def redo(self) -> None:
        self.window.session.redo()

    def language(self) -> None:
        self.window.session.set_language(self.random.choice(list(Language)))

    def scheme(self) -> None:
        self.window.session.set_theme(self.random.choice([ThemeChoice.LIGHT, ThemeChoice.DARK]))

    def resize(self) -> None:
        self.window.resize(*self.random.choice(SIZES))

    def sample(self) -> None:
        free = self.random.random() < FREE_SAMPLE
        self.window.session.start(self.random.choice(self.free if free else self.quick))

    def palette(self) -> None:
        self.window.open_palette()

    def what_if(self) -> None:
        self.window.side.toggle_what_if()

    def slide(self) -> None:
        slider = self.some(QSlider)
        if isinstance(slider, QSlider):
            slider.setValue(self.random.randint(slider.minimum(), slider.maximum()))


def names_accelerators(project: Project) -> bool:
    """Whether a project says which cards it wants."""
    constraints = project.request.get("constraints")
    asked = project.answers.get("accelerators")
    return bool(asked) or (isinstance(constraints, dict) and bool(constraints.get("accelerators")))


@pytest.fixture
def walking_window(look, own_services, monkeypatch, tmp_path):  # noqa: ARG001
    """A window whose file dialogs answer by themselves; no search is remembered, so that its memory is its own."""
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(tmp_path / "saved.gpuconfig"), "")
    )
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a, **_k: ("", ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_a, **_k: "")
    window = MainWindow(own_services, Language.EN)
    window.resize(*SIZE)
    window.show()
    window.close = lambda: False  # a walk does not end by Quit
    yield window
    del window.close
    window.close()
    window.deleteLater()
    pause(20)


def walk(window: MainWindow, steps: int, seed: int) -> int:
    """So many deeds; returns the most bytes that were resident after one."""
    walker = Walker(window, seed)
    for _number in range(steps):
        walker.step()
    settle(window)
    return walker.most


def make_everything_once(window: MainWindow) -> None:
    """Every kind of work is answered and every page and chart shown: what is kept from then on is kept already."""
    for number in reversed(range(len(window.session.services.samples()))):
        window.session.start(list(window.session.services.samples().values())[number])
        settle(window)
        for key, _name in PAGES:
            window.show_page(key)
            settle(window)
    for chart in window.pages["tradeoff"].kinds.buttons():
        window.show_page("tradeoff")
        chart.setChecked(True)
        settle(window)


def rest(window: MainWindow) -> int:
    """Bytes in use where every walk ends alike: the same work on the same page, nothing beside it."""
    while (modal := QApplication.activeModalWidget()) is not None:
        modal.close()
        pause(10)
    for side in window.findChildren(SideWindow):
        side.close()
    window.session.set_language(Language.EN)
    window.session.set_theme(ThemeChoice.LIGHT)
    window.resize(*SIZE)
    open_sample(window, 0)
    window.show_page(PAGES[0][0])
    settle(window)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    give_back()
    return bytes_in_use()


def foreign_threads() -> set[str]:
    """Threads besides the window's own workers, which are as many as its jobs ever needed at once."""
    return {t.name for t in threading.enumerate() if not t.name.startswith(WORKERS)}


def workers() -> int:
    """The window's own threads: they start with the first job that finds the others busy, and stay."""
    return sum(t.name.startswith(WORKERS) for t in threading.enumerate())


def resident_bytes() -> int:
    with Path("/proc/self/statm").open() as file:
        return int(file.read().split()[1]) * 4096


class MallInfo(ctypes.Structure):
    """What `mallinfo2` of glibc tells, in bytes or pieces."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            "arena",
            "ordblks",
            "smblks",
            "hblks",
            "hblkhd",
            "usmblks",
            "fsmblks",
            "uordblks",
            "fordblks",
            "keepcost",
        )
    )


def bytes_in_use() -> int:
    """What somebody still holds: Qt's and numpy's blocks, mapped ones, and Python's small objects by their mean size.

    Resident bytes at rest say less: where a search has filled the interpreter's arenas, a few objects that stay keep
    whole mebibytes of free room in each, which the next search takes.
    """
    tell = ctypes.CDLL(None).mallinfo2
    tell.restype = MallInfo
    info = tell()
    return info.uordblks + info.hblkhd + sys.getallocatedblocks() * SMALL_OBJECT_BYTES


def check_nothing_lost(window: MainWindow) -> None:
    """Undoing everything and doing it again ends where it was."""
    session = window.session
    before = session.project
    count = len(session.history.titles())
    for _step in range(count):
        session.history.undo()
    for _step in range(count):
        session.history.redo()
    assert session.project == before


@pytest.mark.parametrize("seed", [1])
def test_a_short_walk(walking_window, seed):
    open_sample(walking_window, 0)
    walk(walking_window, 120, seed)
    check_nothing_lost(walking_window)
    assert not walking_window.session.jobs.running()


@pytest.mark.long
@pytest.mark.timeout(2700)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks glibc and /proc")
def test_a_long_walk(walking_window):
    """Neither what is held at rest nor what is resident at the height of a leg grows.

    Heights of the later legs are compared with those of the earlier ones, by their medians: what meets in one leg is
    chance, and a level that rises lifts them all.
    """
    make_everything_once(walking_window)
    for leg in range(LEGS):
        walk(walking_window, WARM_UP // LEGS, SEED + leg)
    held, threads = rest(walking_window), foreign_threads()
    peaks: list[int] = []
    for leg in range(LEGS):
        peaks.append(walk(walking_window, DEEDS // LEGS, SEED + LEGS + leg))
        more, most = ((b / 2**20) for b in (rest(walking_window) - held, peaks[-1] - peaks[0]))
        sys.stderr.write(f"{(leg + 1) * (DEEDS // LEGS)} deeds: held {more:+.1f} MiB, most {most:+.1f} MiB\n")
    walk(walking_window, LAST_DEEDS, SEED + 2 * LEGS)
    check_nothing_lost(walking_window)
    assert foreign_threads() <= threads
    assert workers() <= READERS + 2, "one searches, one writes"
    grown = rest(walking_window) - held
    assert grown < GROWTH_BYTES, f"{grown / 2**20:.0f} MiB more are held"
    more = median(peaks[LEGS // 2 :]) - median(peaks[: LEGS // 2])
    assert more < GROWTH_BYTES, f"{more / 2**20:.0f} MiB more are resident at the height of a leg"
