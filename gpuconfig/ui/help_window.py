"""The offline help in the window's language: guide, glossary and checked claims; follows the language while open."""

from __future__ import annotations

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


class HelpWindow(SideWindow):
    """One text to scroll and search through; not modal, so that it stays beside the work."""

    size_at_first = (760, 680)
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
