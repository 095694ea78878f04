"""How the window starts: application, fonts, language, colours; and what a fault in it does."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from types import TracebackType

from PySide6.QtWidgets import QApplication

from gpuconfig import __version__
from gpuconfig.i18n import Language
from gpuconfig.presentation.services import Services
from gpuconfig.ui import theme
from gpuconfig.ui.main_window import MainWindow


def run(services: Services, options: Namespace) -> int:
    """Open the window; returns the exit code.

    Args:
        services: what the window may call.
        options: `lang`, `quit_after_first_paint`, and `open`, a project's file.
    """
    app = QApplication.instance() or QApplication([*sys.argv[:1], *theme.STYLE_OPTION])
    assert isinstance(app, QApplication)
    app.setApplicationName("gpuconfig")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("gpuconfig")
    sys.excepthook = _report
    theme.load_fonts(app)
    language = Language(options.lang) if getattr(options, "lang", None) else None
    window = MainWindow(services, language)
    quits = bool(getattr(options, "quit_after_first_paint", False))
    window.painted = window.close if quits else window.prefetch_soon
    app.styleHints().colorSchemeChanged.connect(lambda _scheme: window.session.follow_system())
    window.show()
    if getattr(options, "open", None):
        window.files.open(Path(options.open))
    return app.exec()


def _report(kind: type[BaseException], value: BaseException, trace: TracebackType | None) -> None:
    """A fault in a slot: to standard error, and the window goes on."""
    sys.__excepthook__(kind, value, trace)
