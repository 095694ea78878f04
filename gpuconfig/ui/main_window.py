"""The main window: menus, rail, pages, why panel, status bar; and how it starts and ends."""

from __future__ import annotations

import gc
import importlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtGui import QIcon, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QWidget

from gpuconfig import __version__, paths
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.i18n import Language
from gpuconfig.presentation.services import Services
from gpuconfig.settings import WINDOW_GEOMETRY
from gpuconfig.ui import qt_texts
from gpuconfig.ui.actions import Actions, page_titles
from gpuconfig.ui.pages.start.page import StartPage
from gpuconfig.ui.project_files import ProjectFiles
from gpuconfig.ui.rail import Rail
from gpuconfig.ui.reading_order import ReadingOrder
from gpuconfig.ui.session import Session
from gpuconfig.ui.side import Side
from gpuconfig.ui.status_bar import StatusBar
from gpuconfig.ui.top_bar import TopBar
from gpuconfig.ui.widgets.dropped import dropped_file
from gpuconfig.ui.widgets.page import Page

if TYPE_CHECKING:
    from PySide6.QtGui import (
        QAction,
        QCloseEvent,
        QDragEnterEvent,
        QDropEvent,
        QKeyEvent,
        QPaintEvent,
        QResizeEvent,
    )

    from gpuconfig.ui.control_help import ControlHelpBox
    from gpuconfig.ui.tour import Tour
    from gpuconfig.ui.why_panel import WhyPanel
    from gpuconfig.ui.widgets.command_palette import CommandPalette
    from gpuconfig.ui.widgets.toast import Toast

SIZE = (1280, 800)
LEAST_SIZE = (960, 600)
PREFETCHED = ("numpy", "babel.numbers", "babel.dates")
"""Libraries of later pages, imported in idle time after the first paint."""

DRAWING = "pyqtgraph"
"""Makes Qt classes while it is imported, which is safe on the main thread only."""


class MainWindow(ReadingOrder, QMainWindow):
    """One project in one window."""

    def __init__(self, services: Services, language: Language | None = None) -> None:
        super().__init__()
        self.session = Session(services, language)
        self.files = ProjectFiles(self, self.session)
        self.pages: dict[str, Page] = {}
        self.key = "start"
        self.painted: Callable[[], object] | None = None
        self._was_painted = False
        self._control_help: ControlHelpBox | None = None
        self._tour: Tour | None = None
        self.setAcceptDrops(True)
        self.setMinimumSize(*LEAST_SIZE)
        self._build()
        self._menus()
        self._connect()
        self.retranslate()
        self.show_page("start")

    # building ----------------------------------------------------------------------------------------

    def _build(self) -> None:
        session = self.session
        self.rail = Rail(session)
        self.stack = QStackedWidget()
        self.status = StatusBar(session)
        self.setStatusBar(self.status)
        self._middle = QWidget()
        self._middle.setObjectName("content")
        self._row = QHBoxLayout(self._middle)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addWidget(self.rail)
        self._row.addWidget(self.stack, 1)
        self.setCentralWidget(self._middle)
        self.side = Side(session, self._middle, self._row, self._to_page)
        self._toast: Toast | None = None
        for part in (self.menuBar(), self.rail, self.status):
            session.wardrobe.add(part)
        self.palette_box: CommandPalette | None = None
        self.resize(*SIZE)
        geometry = session.services.settings.get(WINDOW_GEOMETRY)
        if geometry:
            self.restoreGeometry(QByteArray.fromBase64(geometry.encode()))

    def _menus(self) -> None:
        made = self.actions_ = Actions(self, self.session)
        file = made.menu("file", N_("&File"))
        made.add(file, "new", N_("&New project"), self.files.new, QKeySequence.StandardKey.New)
        made.add(file, "open", N_("&Open project ..."), self.files.ask_open, QKeySequence.StandardKey.Open)
        recent = made.menu("recent", N_("Open &recent"), file)
        recent.aboutToShow.connect(partial(self.files.fill_recent, recent))
        file.addSeparator()
        made.add(file, "save", N_("&Save"), self.files.save, QKeySequence.StandardKey.Save)
        made.add(file, "save_as", N_("Save &as ..."), self.files.save_as, "Ctrl+Shift+S")
        file.addSeparator()
        made.add(file, "export", N_("E&xport PDF ..."), self.export, "Ctrl+E")
        file.addSeparator()
        made.add(file, "settings", N_("Se&ttings ..."), self.open_settings, "Ctrl+,")
        made.add(file, "quit", N_("&Quit"), self.close, "Ctrl+Q")
        edit = made.menu("edit", N_("&Edit"))
        made.add(edit, "undo", N_("&Undo"), self.session.undo, "Ctrl+Z")
        made.add(edit, "redo", N_("&Redo"), self.session.redo, "Ctrl+Shift+Z")
        view = made.menu("view", N_("&View"))
        for key, name, shortcut in page_titles():
            made.add(view, f"page.{key}", name, partial(self.show_page, key), shortcut)
        view.addSeparator()
        made.add(view, "why", N_("&Why panel"), self.side.toggle_why, "Ctrl+Shift+W")
        made.add(view, "what_if", N_("What &if"), self.side.toggle_what_if, "Ctrl+I")
        language = made.menu("language", N_("Lan&guage"), view)
        colours = made.menu("theme", N_("&Colours"), view)
        made.add_choices(language, colours)
        project = made.menu("project", N_("&Project"))
        made.add(
            project, "search", N_("&Search machines again"), lambda: self.session.search(again=True), "F5"
        )
        made.add(project, "stop", N_("S&top searching"), self.session.stop_search)
        help_ = made.menu("help", N_("&Help"))
        made.add(help_, "palette", N_("&Find a command ..."), self.open_palette, "Ctrl+K")
        made.add(help_, "tour", N_("&Tour"), self.start_tour)
        made.add(help_, "contents", N_("&Contents"), self.open_help, "Ctrl+F1")
        made.add(help_, "about", N_("&About gpuconfig"), self.about)
        self.top = TopBar(self.session, self.open_palette)
        self.menuBar().setCornerWidget(self.top, Qt.Corner.TopRightCorner)

    def _connect(self) -> None:
        session = self.session
        self.files.opened.connect(self.show_page)
        self.files.model_dropped.connect(self._take_model)
        self.files.table_dropped.connect(self._take_table)
        self.rail.chosen.connect(self.show_page)
        session.page_requested.connect(self.show_page)
        session.step_requested.connect(self._show_step)
        session.why_requested.connect(self.side.open_why)
        session.what_if_requested.connect(self.side.toggle_what_if)
        session.said.connect(lambda text, action, do: self.toast.tell(text, action, do))
        session.language_changed.connect(self.retranslate)
        session.theme_changed.connect(self._recolour)
        session.project_changed.connect(self._project_changed)
        session.answer_changed.connect(self._project_changed)
        session.saved_changed.connect(self._project_changed)

    def retranslate(self) -> None:
        """Name what the window itself holds; pages name themselves."""
        qt_texts.install(self.session.translator.language)
        self.rail.retranslate()
        self.actions_.retranslate()
        self.status.retranslate()
        self.top.retranslate()
        self._place_top()
        self._name_window()

    def _place_top(self) -> None:
        """The bar asks a corner's width only when it is put there: it follows words and icons."""
        self.menuBar().setCornerWidget(self.top, Qt.Corner.TopRightCorner)
        self.top.show()

    def _recolour(self) -> None:
        self.top.retranslate()
        self._draw_icons()
        self.status.refresh()

    def _draw_icons(self) -> None:
        self.setWindowIcon(QIcon(str(paths.resources() / "icons" / "gpuconfig.svg")))
        self.rail.colour()
        self.top.colour()
        self._place_top()

    def _project_changed(self) -> None:
        self.actions_.refresh()
        self.status.refresh()
        self._name_window()

    def _name_window(self) -> None:
        session = self.session
        _ = session.gettext
        name = session.path.stem if session.path else _(session.project.title or N_("Untitled"))
        self.setWindowTitle(f"{name}[*] – gpuconfig" if session.is_open else "gpuconfig")
        self.setWindowModified(session.is_open and not session.history.is_saved)

    # pages -------------------------------------------------------------------------------------------

    def show_page(self, key: str) -> None:
        """Show a page; it is made when it is first shown."""
        if key not in self.pages:
            self.pages[key] = self._make_page(key)
            self.session.wardrobe.add(self.pages[key])
            self.stack.addWidget(self.pages[key])
        self.key = key
        self.stack.setCurrentWidget(self.pages[key])
        self.rail.show_page(key)
        self.side.place()
        if self.isVisible():
            self.pages[key].focus_first()

    def page(self, key: str) -> Page:
        """A page that was shown."""
        return self.pages[key]

    def _make_page(self, key: str) -> Page:
        if key == "start":
            page = StartPage(self.session)
            page.new_requested.connect(self.files.new)
            page.open_requested.connect(self.files.ask_open)
            page.file_requested.connect(self.files.open)
            page.tour_requested.connect(self.start_tour)
            return page
        module = importlib.import_module(f"gpuconfig.ui.pages.{key}.page")
        made: Page = getattr(module, f"{key.capitalize()}Page")(self.session)
        return made

    def _take_model(self, path: Path) -> None:
        self.show_page("wizard")
        self.pages["wizard"].take_model_file(path)  # type: ignore[attr-defined]

    def _take_table(self, path: Path) -> None:
        self.show_page("catalogue")
        self.pages["catalogue"].open_import(path)  # type: ignore[attr-defined]

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_file(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Projects and models' files may be dropped anywhere on the window."""
        dropped = dropped_file(event)
        if dropped is not None:
            event.acceptProposedAction()
            self.files.take(dropped)

    def _show_step(self, number: int) -> None:
        self.show_page("wizard")
        self.pages["wizard"].go_to(number)  # type: ignore[attr-defined]

    # beside the pages --------------------------------------------------------------------------------

    @property
    def toast(self) -> Toast:
        """What is said in passing, made when something is first said."""
        if self._toast is None:
            from gpuconfig.ui.widgets.toast import Toast

            self._toast = Toast(self._middle)
            self.session.wardrobe.add(self._toast)
        return self._toast

    @property
    def why(self) -> WhyPanel | None:
        """The why panel once it was asked for."""
        return self.side.why

    def _to_page(self) -> None:
        self.pages[self.key].focus_first()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.side.place()

    # papers and help -----------------------------------------------------------------------------------

    def export(self) -> None:
        """To the papers, and ask for the file at once."""
        self.show_page("documents")
        page = self.pages["documents"]
        QTimer.singleShot(0, page.ask_and_export)  # type: ignore[attr-defined]

    def open_palette(self) -> None:
        """Ctrl+K: find a command."""
        if self.palette_box is None:
            from gpuconfig.ui.widgets.command_palette import CommandPalette

            self.palette_box = CommandPalette(self._middle, self.session)
            self.session.wardrobe.add(self.palette_box)
        self.palette_box.open(self._palette_actions())

    def _palette_actions(self) -> list[QAction]:
        return self.actions_.all()

    def open_help(self) -> None:
        """The offline help in the window's language."""
        from gpuconfig.ui.help_window import HelpWindow

        HelpWindow.show_for(self, self.session)

    def explain_control(self) -> None:
        """F1: what the control with the keyboard is for; figures answer F1 themselves."""
        if self._control_help is None:
            from gpuconfig.ui.control_help import ControlHelpBox

            self._control_help = ControlHelpBox(self._middle, self.session, self.open_help)
            self.session.wardrobe.add(self._control_help)
        self._control_help.show_for(self.focusWidget() or self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F1 and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self.explain_control()
        elif event.key() == Qt.Key.Key_Escape and self.why is not None and self.why.isVisible():
            self.why.closed.emit()
        else:
            super().keyPressEvent(event)

    def start_tour(self) -> None:
        """Five pages of a sample."""
        if self._tour is None:
            from gpuconfig.ui.tour import Tour

            self._tour = Tour(self._middle, self.session)
            self._tour.ended.connect(self._to_page)
            self.session.wardrobe.add(self._tour)
        self._tour.start()

    def open_settings(self) -> None:
        """Every setting, beside the work."""
        from gpuconfig.ui.settings_window import SettingsWindow

        SettingsWindow.show_for(self, self.session)

    def about(self) -> None:
        """Version and licence."""
        _ = self.session.gettext
        self.toast.tell(_(N_("gpuconfig {version} · Apache-2.0 · works offline")).format(version=__version__))

    # start and end -----------------------------------------------------------------------------------

    def prefetch_soon(self) -> None:
        """Prefetch once the first page has been drawn in full."""
        QTimer.singleShot(200, self.prefetch)

    def prefetch(self) -> None:
        """Import the libraries of later pages while the person reads the first one."""

        def work(_job: object) -> None:
            for name in PREFETCHED:
                importlib.import_module(name)
            self.session.services.catalogue().accelerators()

        def draw(_none: object) -> None:
            importlib.import_module(DRAWING)
            from gpuconfig.ui.names import read_names

            read_names(self.session)

        self.session.jobs.read(Message(N_("Getting ready")), work, draw, quiet=True)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._was_painted:
            self._was_painted = True
            QTimer.singleShot(0, self._first_painted)

    def _first_painted(self) -> None:
        if not gc.isenabled():
            gc.enable()
            gc.freeze()  # modules and widgets of the start stay to the end: no need to look at them again
        if self.painted is not None:
            self.painted()
        if not self.isVisible():
            return
        self._draw_icons()
        start = self.pages.get("start")
        if isinstance(start, StartPage):
            start.fill_samples()
        from gpuconfig.ui.memory import Sweeper

        Sweeper(self.session, self)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close without a question: unsaved work stays in the journal and is offered at the next start."""
        settings, geometry = self.session.services.settings, self.saveGeometry().toBase64().toStdString()
        if geometry != settings.get(WINDOW_GEOMETRY):
            with suppress(OSError):  # the next window is as large as the first one was
                settings.set(WINDOW_GEOMETRY, geometry)
        if self.files.may_close():
            self.session.close()
            event.accept()
        else:
            event.ignore()
