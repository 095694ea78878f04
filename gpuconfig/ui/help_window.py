"""The offline help in the window's language: guide, glossary and checked claims; follows the language while open."""

from __future__ import annotations

from PySide6.QtGui import (
    QColor,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
)
from PySide6.QtWidgets import QComboBox, QTextBrowser, QWidget

from gpuconfig import paths
from gpuconfig.engine.provenance.message import N_
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.side_window import SideWindow
from gpuconfig.ui.widgets.text import column, row

CHAPTERS = {
    "guide": N_("How to use it"),
    "glossary": N_("Glossary"),
    "accuracy": N_("How accurate is this?"),
    "claims": N_("Common claims, checked"),
    "articles": N_("The articles' figures, predicted"),
    "defaults": N_("Fields and their defaults"),
}

HEADING_STEPS = {1: 2, 2: 1}
"""Steps of Qt's scale over the body's size: 20 and 16 pixels."""
SPACE_BEFORE, SPACE_AFTER, CELL_PADDING = 20, 6, 5
"""Pixels around headings and inside cells."""


class HelpWindow(SideWindow):
    """One text to scroll and search through; not modal, so that it stays beside the work."""

    size_at_first = (940, 720)
    kept = True

    def __init__(self, parent: QWidget, session: Session) -> None:
        super().__init__(parent, session)
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)  # offline: an address is there to be copied
        self.chapters = QComboBox()
        for name in CHAPTERS:
            self.chapters.addItem("", name)
        self.chapters.currentIndexChanged.connect(lambda _number: self._read())
        self.setLayout(
            column(row(self.chapters, -1), self.text, row(-1, self.close_button), spacing=12, margins=16)
        )
        self.retranslate()

    def retranslate(self) -> None:
        """Read the text of the language anew."""
        super().retranslate()
        _ = self._session.gettext
        self.setWindowTitle(_(N_("gpuconfig help")))
        self.text.setAccessibleName(_(N_("gpuconfig help")))
        self.chapters.setAccessibleName(_(N_("Chapter")))
        for number, title in enumerate(CHAPTERS.values()):
            self.chapters.setItemText(number, _(title))
        self._read()

    def _read(self) -> None:
        name = f"{self.chapters.currentData()}.{self._session.translator.language.value}.md"
        self.text.setMarkdown((paths.resources() / "help" / name).read_text(encoding="utf-8"))
        self._set_type()

    def _set_type(self) -> None:
        """Headings in two sizes with space before them; tables with light lines and air in their cells."""
        document = self.text.document()
        cursor = QTextCursor(document)
        paragraph = QTextBlockFormat()
        paragraph.setBottomMargin(SPACE_AFTER)
        block = document.begin()
        while block.isValid():
            level = block.blockFormat().headingLevel()
            if level:
                cursor.setPosition(block.position())
                cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
                size = QTextCharFormat()
                size.setProperty(QTextFormat.Property.FontSizeAdjustment, HEADING_STEPS.get(level, 0))
                cursor.mergeCharFormat(size)
                space = QTextBlockFormat()
                space.setTopMargin(SPACE_BEFORE if block.blockNumber() else 0)
                space.setBottomMargin(SPACE_AFTER)
                cursor.mergeBlockFormat(space)
            elif document.frameAt(block.position()) is document.rootFrame() and block.textList() is None:
                cursor.setPosition(block.position())
                cursor.mergeBlockFormat(paragraph)
            block = block.next()
        lines = QColor(self._session.tokens.border)
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                shape = frame.format()
                shape.setBorderCollapse(True)
                shape.setBorder(1)
                shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
                shape.setBorderBrush(lines)
                shape.setCellPadding(CELL_PADDING)
                shape.setTopMargin(SPACE_AFTER)
                shape.setBottomMargin(2 * SPACE_AFTER)
                frame.setFormat(shape)
