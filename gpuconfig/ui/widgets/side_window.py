"""A window beside the main one: never modal, follows language and theme, made once or anew each time."""

from __future__ import annotations

from typing import Self

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFrame, QScrollArea, QWidget

from gpuconfig.engine.provenance.message import N_
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.text import button


class SideWindow(QDialog):
    """Base of the windows beside the main one; `kept` ones are made once and only hidden by closing."""

    size_at_first = (720, 640)
    kept = False

    def __init__(self, parent: QWidget, session: Session) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._session = session
        self.setObjectName(type(self).__name__)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, not self.kept)
        self.resize(*self.size_at_first)
        self.close_button = button()
        self.close_button.clicked.connect(self.close)
        session.language_changed.connect(self.retranslate)
        session.theme_changed.connect(self.retranslate)

    @classmethod
    def show_for(cls, parent: QWidget, session: Session) -> Self:
        """The window, made where it is not there yet, in front."""
        found = parent.findChild(cls, cls.__name__) if cls.kept else None
        made = found if found is not None else cls(parent, session)
        made.show()
        made.raise_()
        made.activateWindow()
        return made

    def retranslate(self) -> None:
        """Name everything in the window's language; subclasses name the rest."""
        text = self._session.gettext(N_("Close"))
        self.close_button.setText(text)
        self.close_button.setAccessibleName(text)


def scrolled(inner: QWidget) -> QScrollArea:
    """`inner` with scroll bars of its own and no frame; the keyboard goes past the bars."""
    inner.setObjectName("page")
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(inner)
    return area
