"""Without a display: the first sample from start to PDF in the real window, drawn off screen, with pictures."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from pathlib import Path

from gpuconfig.presentation.services import Services

PAGES = ("wizard", "result", "comparison", "tradeoff", "build", "cost", "documents", "catalogue")
PATIENCE_S = 180.0


def run_demo(services: Services, folder: Path, lang: str | None) -> int:
    """Work through the first sample; pictures of every page and the proposal land in `folder`.

    Returns:
        0, or 1 where the sample has no option or the paper could not be written.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QEventLoop, QTimer
    from PySide6.QtWidgets import QApplication

    from gpuconfig.i18n import Language
    from gpuconfig.ui import theme
    from gpuconfig.ui.main_window import MainWindow

    app = QApplication.instance() or QApplication([*sys.argv[:1], *theme.STYLE_OPTION])
    assert isinstance(app, QApplication)
    theme.load_fonts(app)
    window = MainWindow(services, Language(lang) if lang else None)
    window.show()
    folder.mkdir(parents=True, exist_ok=True)
    session = window.session

    def pause(milliseconds: int) -> None:
        loop = QEventLoop()
        QTimer.singleShot(milliseconds, loop.quit)
        loop.exec()

    def settle() -> None:
        limit = time.monotonic() + PATIENCE_S
        while session.jobs.running() and time.monotonic() < limit:
            pause(50)
        pause(100)

    window.grab().save(str(folder / "0-start.png"))
    sample = next(iter(services.samples().values()))
    session.start(replace(sample, title=session.gettext(sample.title)))
    settle()
    for number, key in enumerate(PAGES, 1):
        window.show_page(key)
        settle()
        window.grab().save(str(folder / f"{number}-{key}.png"))
    done = session.option is not None
    if done:
        paper = folder / "proposal.pdf"
        window.pages["documents"].export_to(paper)  # type: ignore[attr-defined]
        settle()
        done = paper.exists()
    if not done:
        window.show_page("documents" if session.option else "result")
        window.grab().save(str(folder / "failure.png"))
        sys.stderr.write(f"The sample did not become a PDF; {folder / 'failure.png'} shows why.\n")
    window.close()
    return 0 if done else 1
