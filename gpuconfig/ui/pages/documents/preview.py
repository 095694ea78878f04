"""A paper looked at before it is kept: its pages one under another; printed from here."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage, QPainter, QPixmap
from PySide6.QtWidgets import QDialog, QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.ui.jobs import Job
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.letters import give_letters
from gpuconfig.ui.widgets.side_window import within_screen
from gpuconfig.ui.widgets.text import button, label, row

if TYPE_CHECKING:
    from gpuconfig.documents.preview import PagePicture

SCREEN_DPI, PRINT_DPI = 96.0, 200.0
PAGES_SHOWN, PAGES_PRINTED = 60, 400
WIDTH, HEIGHT = 900, 860


class PreviewDialog(QDialog):
    """Pages of a paper that was written to a temporary file."""

    def __init__(self, session: Session, title: str, write: Callable[[Path], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._write = write
        self.folder = tempfile.TemporaryDirectory(prefix="gpuconfig-")
        self.file = Path(self.folder.name) / "paper.pdf"
        self.setWindowTitle(title)
        self.resize(*within_screen(self, WIDTH, HEIGHT))
        self.state = label("secondary")
        self.print_button = button()
        self.print_button.setEnabled(False)
        self.print_button.clicked.connect(self._print)
        self._sheet = QWidget()
        self._pages = QVBoxLayout(self._sheet)
        self._pages.setSpacing(16)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(self._sheet)
        layout = QVBoxLayout(self)
        layout.addLayout(row(self.state, -1, self.print_button))
        layout.addWidget(area, 1)
        self._job: Job | None = None
        self._count: int | None = None
        self.retranslate()
        session.language_changed.connect(self.retranslate)
        self.finished.connect(lambda _code: self._end())
        self.destroyed.connect(self.folder.cleanup)

    def retranslate(self) -> None:
        """Name everything; the paper keeps its own language."""
        _ = self._session.gettext
        self.print_button.setText(_(N_("Print ...")))
        self.print_button.setAccessibleName(_(N_("Print")))
        give_letters(self)
        if self._count is None:
            self.state.setText(_(N_("Writing the paper")))
        else:
            self.state.setText(_(N_("{count} pages")).format(count=self._count))

    def start(self) -> None:
        """Write and draw off the main thread."""
        self._job = self._session.jobs.read(
            Message(N_("Preview")),
            self._work,
            self._show,
            lambda fault: self.state.setText(str(fault)),
            alone=True,
        )

    def _end(self) -> None:
        """Nobody waits for the pages any more."""
        if self._job is not None and shiboken6.isValid(self._job):
            self._job.cancel()
        self.folder.cleanup()

    def _work(self, _job: Job) -> tuple[tuple[PagePicture, ...], int]:
        self._write(self.file)
        return self._session.services.pages(self.file, SCREEN_DPI, PAGES_SHOWN)

    def _show(self, found: tuple[tuple[PagePicture, ...], int]) -> None:
        pictures, self._count = found
        self.retranslate()
        _ = self._session.gettext
        for number, picture in enumerate(pictures, start=1):
            page = QLabel()
            page.setPixmap(QPixmap.fromImage(image_of(picture)))
            page.setAccessibleName(_(N_("Page {number}")).format(number=number))
            page.setFrameShape(QFrame.Shape.Box)
            self._pages.addWidget(page, 0, Qt.AlignmentFlag.AlignHCenter)
        self._pages.addStretch(1)
        self.print_button.setEnabled(True)

    def _print(self) -> None:
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter  # only where somebody prints

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setFullPage(True)  # papers bring their own margins: printed as large as they are
        if QPrintDialog(printer, self).exec() != QDialog.DialogCode.Accepted:
            return
        self._session.jobs.read(
            Message(N_("Printing")),
            lambda _job: self._session.services.pages(self.file, PRINT_DPI, PAGES_PRINTED),
            lambda found: print_pages(found[0], printer),
            lambda fault: self.state.setText(str(fault)),
        )


def image_of(picture: PagePicture) -> QImage:
    """The picture as Qt draws it; it keeps its own copy of the pixels."""
    image = QImage(picture.pixels, picture.width, picture.height, picture.stride, QImage.Format.Format_RGB32)
    return image.copy()


def print_pages(pictures: tuple[PagePicture, ...], printer) -> None:  # type: ignore[no-untyped-def]
    """One picture a sheet, as large as the sheet, its sides kept in proportion."""
    painter = QPainter(printer)
    try:
        for number, picture in enumerate(pictures):
            if number:
                printer.newPage()
            image = image_of(picture)
            room = painter.viewport()
            size = image.size().scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
            painter.drawImage(QRect(room.topLeft(), size), image)
    finally:
        painter.end()
