"""A real window over the real catalogue and engine. Searches are remembered, since many tests ask the same."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from gpuconfig import app as wiring
from gpuconfig.i18n import Language
from gpuconfig.presentation.services import Services
from gpuconfig.settings import Settings
from gpuconfig.ui import theme
from gpuconfig.ui.main_window import MainWindow
from gpuconfig.ui.widgets.slices import Slices

PATIENCE_S = 120.0
REMEMBERED = 16
SIZE = (1366, 768)


@pytest.fixture(scope="session")
def real_services() -> Services:
    """The product's own wiring; an answer that was found once is not searched again."""
    made = wiring.services()
    known: dict[str, object] = {}

    def recommend(request, progress):
        key = repr(request)
        if key not in known:
            known[key] = made.recommend(request, progress)
            if len(known) > REMEMBERED:
                del known[next(iter(known))]
        return known[key]

    return replace(made, recommend=recommend)


@pytest.fixture
def services(real_services: Services, tmp_path: Path) -> Services:
    """The wiring with the settings of a person who has just installed the program."""
    return replace(real_services, settings=Settings(tmp_path / "settings.json"))


@pytest.fixture
def own_services(tmp_path: Path) -> Services:
    """The wiring with settings and an overlay of its own, both empty; every search is searched."""
    own = wiring.services(tmp_path / "own.sqlite")
    return replace(own, settings=Settings(tmp_path / "settings.json"))


@pytest.fixture
def own_window(look: QApplication, own_services: Services) -> Iterator[MainWindow]:  # noqa: ARG001
    """An English window over an empty overlay of its own, at the parts database."""
    made = MainWindow(own_services, Language.EN)
    made.resize(*SIZE)
    made.show()
    made.show_page("catalogue")
    settle(made)
    yield made
    made.close()
    made.deleteLater()
    pause(20)


@pytest.fixture
def look(qapp: QApplication) -> QApplication:
    """The product's fonts."""
    theme.load_fonts(qapp)
    return qapp


@pytest.fixture
def make_window(look: QApplication, services: Services) -> Iterator[Callable[..., MainWindow]]:  # noqa: ARG001
    """Makes windows and closes them at the end."""
    made: list[MainWindow] = []

    def make(language: Language = Language.EN, size: tuple[int, int] = SIZE) -> MainWindow:
        window = MainWindow(services, language)
        window.resize(*size)
        window.show()
        made.append(window)
        pause(20)
        return window

    yield make
    for window in made:
        window.close()
        window.deleteLater()
    pause(20)


@pytest.fixture
def window(make_window: Callable[..., MainWindow]) -> MainWindow:
    """An English window at the start page."""
    return make_window()


def pause(milliseconds: int) -> None:
    """Let the event loop run."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def settle(window: MainWindow) -> None:
    """Wait until nothing runs, nothing is about to, and every part has found its place."""
    limit = time.monotonic() + PATIENCE_S
    session = window.session
    while (
        session.jobs.running()
        or session.settling
        or session.wardrobe.is_dressing
        or any(slices.is_active for slices in window.findChildren(Slices))
    ) and time.monotonic() < limit:
        pause(10)
    before: object = None
    while (now := _places(window)) != before and time.monotonic() < limit:
        before = now
        pause(60)


def _places(window: MainWindow) -> list[object]:
    shown = window.pages[window.key].findChildren(QWidget)
    return [widget.geometry() for widget in shown if widget.isVisibleTo(window)]


def open_sample(window: MainWindow, number: int) -> None:
    """Open a bundled sample and wait for its answer."""
    project = list(window.session.services.samples().values())[number]
    window.session.start(project)
    settle(window)
    session = window.session
    assert session.recommendation is not None, session.fault or session.request_error
