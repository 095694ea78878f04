"""Accelerators, models and parts with their sources: list, search, filter."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QComboBox, QLineEdit

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.build_view import KIND_WORDS
from gpuconfig.presentation.catalogue_view import KINDS, listing
from gpuconfig.presentation.table import Table
from gpuconfig.ui.jobs import Job
from gpuconfig.ui.widgets.page import Page
from gpuconfig.ui.widgets.table_view import FigureTable
from gpuconfig.ui.widgets.text import button, label, row

PAUSE_MS = 150


class CataloguePage(Page):
    """What is known, since when and from whom."""

    key = "catalogue"
    wide = True

    def build(self) -> None:
        """Kind, search, list."""
        session = self.session
        self.kind = QComboBox()
        self.kind.setMinimumWidth(160)
        for kind in KINDS:
            self.kind.addItem("", kind.value)
        self.query = QLineEdit()
        self.query.setMinimumWidth(260)
        self.query.setClearButtonEnabled(True)
        self.count = label("secondary")
        self.csv = button()
        self.table = FigureTable(session, grows=False)
        self.table.setMinimumHeight(360)
        self.body.addLayout(row(self.kind, self.query, self.count, -1, self.csv, spacing=12))
        self.body.addWidget(self.table, 1)
        self._job: Job | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._search)
        self.kind.currentIndexChanged.connect(lambda _n: self._search())
        self.query.textChanged.connect(lambda _text: self._pause.start())
        self.csv.clicked.connect(lambda: self.table.copy("csv"))

    def retranslate(self) -> None:
        """Name what stays."""
        _ = self.session.gettext
        self.title.setText(_(N_("Parts database")))
        self.answers.setText(
            _(N_("What is known about each part, since when, and from whom? Every value opens its source."))
        )
        self.kind.setAccessibleName(_(N_("Kind of part")))
        for place, kind in enumerate(KINDS):
            self.kind.setItemText(place, _(KIND_WORDS[kind]))
        self.query.setPlaceholderText(_(N_("Name, maker or part number")))
        self.query.setAccessibleName(_(N_("Search the catalogue")))
        self.csv.setText(_(N_("Copy as CSV")))
        self.csv.setAccessibleName(_(N_("Copy as CSV")))

    def refresh(self) -> None:
        """List anew."""
        self._search()

    def touch(self) -> None:
        """The project does not matter here; language and theme do."""
        super().touch()

    def _search(self) -> None:
        if self._job is not None:
            self._job.cancel()
        kind, query = Kind(self.kind.currentData()), self.query.text()
        services, t = self.session.services, self.session.translator
        self._job = self.session.jobs.read(
            Message(N_("Reading the catalogue")),
            lambda _job: listing(kind, query, services, t),
            self._show,
            self._failed,
        )

    def _show(self, table: Table) -> None:
        self._job = None
        self.table.show_table(table)
        self.count.setText(self.session.translator.ngettext("{count} item", "{count} items", len(table.rows)))

    def _failed(self, fault: Exception) -> None:
        self._job = None
        self.count.setText(
            self.session.gettext(N_("The catalogue cannot be read: {reason}")).format(reason=fault)
        )

    def focus_first(self) -> None:
        """The search."""
        self.query.setFocus()
