"""The offline help in the window's language: guide, glossary and checked claims; follows the language while open."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialog, QTextBrowser, QWidget

from gpuconfig import paths
from gpuconfig.engine.provenance.message import N_
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.text import button, column, row

SIZE = (760, 680)
CHAPTERS = {
    "guide": N_("How to use it"),
    "glossary": N_("Glossary"),
    "accuracy": N_("How accurate is this?"),
    "claims": N_("Common claims, checked"),
}


class HelpWindow(QDialog):
    """One text to scroll and search through; not modal, so that it stays beside the work."""

    def __init__(self, parent: QWidget, session: Session) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._session = session
        self.setObjectName("help")
        self.resize(*SIZE)
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)  # offline: an address is there to be copied
        self.chapters = QComboBox()
        for name in CHAPTERS:
            self.chapters.addItem("", name)
        self.chapters.currentIndexChanged.connect(lambda _number: self._read())
        self.close_button = button()
        self.close_button.clicked.connect(self.close)
        self.setLayout(
            column(row(self.chapters, -1), self.text, row(-1, self.close_button), spacing=12, margins=16)
        )
        session.language_changed.connect(self.retranslate)
        session.theme_changed.connect(self.retranslate)
        self.retranslate()

    @staticmethod
    def show_for(parent: QWidget, session: Session) -> HelpWindow:
        """The window's help, made once."""
        found = parent.findChild(HelpWindow, "help")
        made = found if found is not None else HelpWindow(parent, session)
        made.show()
        made.raise_()
        made.activateWindow()
        return made

    def retranslate(self) -> None:
        """Read the text of the language anew."""
        _ = self._session.gettext
        self.setWindowTitle(_(N_("gpuconfig help")))
        self.text.setAccessibleName(_(N_("gpuconfig help")))
        self.close_button.setText(_(N_("Close")))
        self.close_button.setAccessibleName(_(N_("Close")))
        self.chapters.setAccessibleName(_(N_("Chapter")))
        for number, title in enumerate(CHAPTERS.values()):
            self.chapters.setItemText(number, _(title))
        self._read()

    def _read(self) -> None:
        name = f"{self.chapters.currentData()}.{self._session.translator.language.value}.md"
        self.text.setMarkdown((paths.resources() / "help" / name).read_text(encoding="utf-8"))
