"""A sample worked through without a display: a picture of every page, and the proposal as PDF."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from gpuconfig.i18n import Language, resolve
from gpuconfig.presentation.services import Services
from gpuconfig.settings import LANGUAGE, LanguageChoice
from gpuconfig.ui import theme
from gpuconfig.ui.main_window import MainWindow
from gpuconfig.ui.rail import PAGES

SIZE = QSize(1440, 900)
WAIT_S = 120.0
SETTLE_S = 0.4


def run_demo(services: Services, folder: Path, language: str | None) -> int:
    """Open the first sample, write pictures and the proposal into `folder`; returns the exit code."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    theme.load_fonts(app)
    choice = LanguageChoice(language) if language else services.settings.get(LANGUAGE)
    spoken = resolve(choice)
    window = MainWindow(services, spoken)
    theme.apply(app, window.session.tokens)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        return _work_through(app, window, services, folder, spoken)
    finally:
        window.close()


def _work_through(
    app: QApplication, window: MainWindow, services: Services, folder: Path, language: Language
) -> int:
    session = window.session
    window.resize(SIZE)
    window.show()
    _picture(app, window, folder, "start")
    project = next(iter(services.samples().values()))
    session.start(project)
    session.settle_now()
    session.search()
    if not _wait(app, lambda: session.recommendation is not None and not session.searching):
        return 1
    for page, _name in PAGES:
        if page != "start":
            window.show_page(page)
            _picture(app, window, folder, page)
    option = session.option
    if option is None or session.recommendation is None:
        return 1
    paper = folder / "proposal.pdf"
    services.export(
        "proposal", session.complete_project(), session.recommendation, option, language.value, paper
    )
    return 0


def _picture(app: QApplication, window: MainWindow, folder: Path, name: str) -> None:
    _wait(app, lambda: False, SETTLE_S)
    window.grab().save(str(folder / f"{len(list(folder.glob('*.png'))):02d}-{name}.png"))


def _wait(app: QApplication, done: object, seconds: float = WAIT_S) -> bool:
    """Let the event loop work until `done()` or the time is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        app.processEvents()
        if callable(done) and done():
            return True
        time.sleep(0.01)
    return False
