"""Importing a file or folder: how it is read, what it would do row by row, and all of it or nothing."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QLineEdit,
    QProgressBar,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from gpuconfig.engine.catalogue.vocabulary import Region
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.presentation.desk.importing import ImportPlan, ImportTerms
from gpuconfig.presentation.price_view import REGION_WORDS
from gpuconfig.presentation.shown import Tone
from gpuconfig.settings import PROJECT_FOLDER
from gpuconfig.ui.jobs import Job
from gpuconfig.ui.pages.catalogue.import_parts import PartEdit
from gpuconfig.ui.pages.catalogue.import_preview import ImportPreview
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.dropped import dropped_file
from gpuconfig.ui.widgets.letters import give_letters
from gpuconfig.ui.widgets.notice import Notice
from gpuconfig.ui.widgets.side_window import SideWindow, scrolled
from gpuconfig.ui.widgets.text import button, clear, column, label, row


class ImportWindow(SideWindow):
    """Three stages in one window: file, how it is read, preview.

    Signals:
        imported: rows were written; how many.
    """

    imported = Signal(int)
    size_at_first = (980, 700)

    def __init__(self, parent: QWidget, session: Session) -> None:
        super().__init__(parent, session)
        self._imports = session.services.desk().imports
        self._job: Job | None = None
        self._path: Path | None = None
        self.parts: list[PartEdit] = []
        self.setAcceptDrops(True)
        self._build()
        session.jobs.progress.connect(self._progress)
        self.retranslate()
        self._show_stage(0)

    # building ----------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.heading = label("section", wrap=True)
        self.help = label("secondary", wrap=True)
        self.notice = Notice(self._session)
        self.choose_file, self.choose_folder = button("primary"), button()
        self.choose_file.clicked.connect(self._ask_file)
        self.choose_folder.clicked.connect(self._ask_folder)
        self.stack = QStackedWidget()
        first = QWidget()
        self.formats = label("secondary", wrap=True)
        first.setLayout(column(row(self.choose_file, self.choose_folder, -1), self.formats, -1, spacing=12))
        self.preview = ImportPreview(self._session, self._imports)
        self.stack.addWidget(first)
        self.stack.addWidget(self._reading())
        self.stack.addWidget(self.preview)
        self.doing = label("secondary")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(160)
        self.cancel, self.back, self.next = button("link"), button(), button("primary")
        self.cancel.clicked.connect(self.stop)
        self.back.clicked.connect(lambda: self._show_stage(self.stack.currentIndex() - 1))
        self.next.clicked.connect(self._go_on)
        layout = column(
            self.heading,
            self.help,
            self.notice,
            self.stack,
            row(self.doing, self.bar, self.cancel, -1, self.close_button, self.back, self.next),
            margins=16,
        )
        layout.setStretch(3, 1)
        self.setLayout(layout)
        self._show_progress(None)

    def _reading(self) -> QWidget:
        self.region, self.currency = QComboBox(), QComboBox()
        for region in REGION_WORDS:
            self.region.addItem("", region.value)
        for currency in Currency:
            self.currency.addItem(currency.value, currency.value)
        self.day, self.provider = QLineEdit(), QLineEdit()
        self.day.setMaximumWidth(120)
        self.region_title, self.currency_title = label("secondary"), label("secondary")
        self.day_title, self.provider_title = label("secondary"), label("secondary")
        self.list = QVBoxLayout()
        self.list.setSpacing(12)
        inner = QWidget()
        inner.setLayout(column(self.list, -1))
        terms = row(
            self.region_title, self.region, 8, self.currency_title, self.currency, 8, self.day_title, self.day,
            8, self.provider_title, self.provider, -1,
        )  # fmt: skip
        made = QWidget()
        layout = column(terms, scrolled(inner), spacing=12)
        layout.setStretch(1, 1)
        made.setLayout(layout)
        return made

    def retranslate(self) -> None:
        """Name everything."""
        super().retranslate()
        _ = self._session.gettext
        self.setWindowTitle(_(N_("Import")))
        self.choose_file.setText(_(N_("Choose a file ...")))
        self.choose_folder.setText(_(N_("Choose a folder ...")))
        self.formats.setText(
            _(
                N_(
                    "CSV, Excel, JSON, Markdown or YAML; quotations and price lists in Chinese or English; tables "
                    "of graphics cards and of rental prices; the BuildCores Open Database; NetBox device types. "
                    "A file may also be dropped here. Nothing is written before you have seen what would change."
                )
            )
        )
        names = (N_("Region of the prices"), N_("Currency"), N_("Date of the prices"), N_("Rented from"))
        titles = (self.region_title, self.currency_title, self.day_title, self.provider_title)
        boxes = (self.region, self.currency, self.day, self.provider)
        for title, box, name in zip(titles, boxes, names, strict=True):
            title.setText(_(name))
            title.setBuddy(box)
            box.setAccessibleName(_(name))
        for place, words in enumerate(REGION_WORDS.values()):
            self.region.setItemText(place, _(words))
        self.cancel.setText(_(N_("Cancel")))
        self.back.setText(_(N_("Back")))
        for part in self.parts:
            part.retranslate()
        self.preview.retranslate()
        self._name_stage()
        for made in (
            self.choose_file,
            self.choose_folder,
            self.cancel,
            self.back,
            self.next,
        ):
            made.setAccessibleName(made.text())

    def _name_stage(self) -> None:
        _ = self._session.gettext
        stage = self.stack.currentIndex()
        name = self._path.name if self._path else ""
        headings = (
            _(N_("Import parts, prices and quotations")),
            _(N_("How is {name} read?")).format(name=name),
            _(N_("This is what {name} would do")).format(name=name),
        )
        helps = (
            "",
            _(N_("Prices that say nothing else are taken as follows.")),
            _(N_("All of it is written as one step, or nothing; Undo takes it back.")),
        )
        self.heading.setText(headings[stage])
        self.help.setText(helps[stage])
        self.help.setVisible(bool(helps[stage]))
        self.next.setText(_(N_("Preview")) if stage == 1 else _(N_("Import")))
        self.next.setAccessibleName(self.next.text())

    # stages ------------------------------------------------------------------------------------------

    def _show_stage(self, stage: int) -> None:
        self.stack.setCurrentIndex(stage)
        self.notice.hide()
        self.back.setVisible(stage > 0)
        self.next.setVisible(stage > 0)
        self._name_stage()
        self._enable()
        give_letters(self)

    def _enable(self) -> None:
        stage, busy = self.stack.currentIndex(), self._job is not None
        possible = any(part.wanted for part in self.parts) if stage == 1 else self.preview.writes() > 0
        self.next.setEnabled(possible and not busy)
        self.back.setEnabled(not busy)
        for made in (self.choose_file, self.choose_folder):
            made.setEnabled(not busy)

    def _go_on(self) -> None:
        if self.stack.currentIndex() == 1:
            self._plan()
        else:
            self._apply()

    def _ask_file(self) -> None:
        _ = self._session.gettext
        folder = self._session.services.settings.get(PROJECT_FOLDER)
        patterns = "*.csv *.tsv *.txt *.xlsx *.json *.md *.yaml *.yml *.tar.xz *.tar.gz"
        filters = _(N_("Tables and databases ({patterns})")).format(patterns=patterns)
        chosen, _used = QFileDialog.getOpenFileName(
            self, _(N_("Choose a file")), folder, f"{filters};;" + _(N_("All files (*)"))
        )
        if chosen:
            self.read(Path(chosen))

    def _ask_folder(self) -> None:
        title = self._session.gettext(N_("Choose a folder"))
        chosen = QFileDialog.getExistingDirectory(
            self, title, self._session.services.settings.get(PROJECT_FOLDER)
        )
        if chosen:
            self.read(Path(chosen))

    def read(self, path: Path) -> None:
        """Read what a file holds."""
        if self._job is not None:
            return
        self._path = path
        imports = self._imports
        self._start(
            Message(N_("Reading {name}"), {"name": path.name}), lambda _job: imports.open(path), self._opened
        )

    def _opened(self, parts: object) -> None:
        self._job = None
        clear(self.list)
        self.parts = []
        for part in parts:  # type: ignore[attr-defined]
            made = PartEdit(self._session, self._imports, part)
            made.changed.connect(self._enable)
            self.parts.append(made)
            self.list.addWidget(made)
        rented = any(part.part.format.value == "cloud" for part in self.parts)
        self.provider.setVisible(rented)
        self.provider_title.setVisible(rented)
        self.day.setText(self._session.services.today().isoformat())
        self._show_stage(1)

    def terms(self) -> ImportTerms:
        """What the file does not say itself."""
        return ImportTerms(
            region=Region(self.region.currentData()),
            currency=Currency(self.currency.currentData()),
            date=self.day.text().strip(),
            provider=self.provider.text().strip(),
        )

    def _plan(self) -> None:
        parts, terms, imports = [part.part for part in self.parts if part.wanted], self.terms(), self._imports
        self._start(
            Message(N_("Comparing with the catalogue")),
            lambda job: imports.plan(parts, terms, job),
            self._planned,
        )

    def _planned(self, plan: ImportPlan) -> None:
        self._job = None
        self.preview.show_plan(plan)
        self._show_stage(2)

    def _apply(self) -> None:
        plan, left, imports = self.preview.plan, frozenset(self.preview.left), self._imports
        if plan is None:
            return
        self._start(
            Message(N_("Writing the catalogue")),
            lambda job: imports.apply(plan, job, left),
            self._applied,
            writes=True,
        )

    def _applied(self, count: int) -> None:
        self._job = None
        self._enable()
        self.imported.emit(count)
        self.close()

    # jobs --------------------------------------------------------------------------------------------

    def _start(self, title: Message, work: object, done: object, *, writes: bool = False) -> None:
        self.notice.hide()
        start = self.writing if writes else self.reading
        self._job = start(title, work, done, self._failed)  # type: ignore[arg-type]
        self._show_progress(self._job)
        self._enable()
        self._job.ended.connect(self._ended)

    def _ended(self) -> None:
        """Delivered after Cancel too, which brings no result."""
        if self._job is not None and self._job.is_cancelled:
            self._job = None
        self._show_progress(None)
        self._enable()

    def stop(self) -> None:
        """Cancel what runs; nothing of it stays."""
        if self._job is not None:
            self._job.cancel()

    def _progress(self, _loudest: object) -> None:
        self._show_progress(self._job)

    def _show_progress(self, job: Job | None) -> None:
        for widget in (self.doing, self.bar, self.cancel):
            widget.setVisible(job is not None)
        if job is not None:
            self.doing.setText(self._session.render(job.what))
            self.bar.setRange(0, 0 if job.fraction <= 0 else 100)
            self.bar.setValue(round(job.fraction * 100))

    def _failed(self, fault: Exception) -> None:
        self._job = None
        self._enable()
        reason = self._session.render(fault.message) if isinstance(fault, UserError) else str(fault)
        self.notice.tell(Tone.PROBLEM, reason)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_file(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        dropped = dropped_file(event)
        if dropped is not None:
            event.acceptProposedAction()
            self.read(dropped)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.stop()
        super().closeEvent(event)
