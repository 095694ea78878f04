"""The rail of pages at the left."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QSizePolicy, QToolButton

from gpuconfig.engine.provenance.message import N_
from gpuconfig.ui.session import Session
from gpuconfig.ui.theme import RAIL_WIDTH
from gpuconfig.ui.widgets.text import column, line

PAGES: tuple[tuple[str, str], ...] = (
    ("start", N_("Start")),
    ("wizard", N_("Requirement")),
    ("result", N_("Options")),
    ("comparison", N_("Comparison")),
    ("tradeoff", N_("Trade-off")),
    ("build", N_("Machine")),
    ("cost", N_("Cost")),
    ("documents", N_("Papers")),
    ("catalogue", N_("Parts database")),
)
"""Key and English name; the number of the page is its place."""


class Rail(QFrame):
    """One button a page.

    Signals:
        chosen: key of the page.
    """

    chosen = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setFixedWidth(RAIL_WIDTH)
        self._session = session
        self._coloured = False
        self._group = QButtonGroup(self)
        self.buttons: dict[str, QToolButton] = {}
        layout = column(spacing=2)
        layout.setContentsMargins(8, 12, 8, 12)
        for key, _name in PAGES:
            made = QToolButton()
            made.setCheckable(True)
            made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            made.setIconSize(QSize(16, 16))
            made.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            made.clicked.connect(lambda _on=False, k=key: self.chosen.emit(k))
            if key == "catalogue":
                layout.addStretch(1)
                layout.addWidget(line())
                layout.addSpacing(4)
            layout.addWidget(made)
            if key == "start":
                layout.addSpacing(8)
            self._group.addButton(made)
            self.buttons[key] = made
        self.setLayout(layout)

    def retranslate(self) -> None:
        """Name the buttons."""
        _ = self._session.gettext
        for number, (key, name) in enumerate(PAGES):
            made = self.buttons[key]
            prefix = f"{number}  " if 1 <= number <= 7 else ""
            made.setText(f"  {prefix}{_(name)}")
            made.setAccessibleName(_(name))

    def colour(self) -> None:
        """Draw the icons in the scheme's colours."""
        self._coloured = True
        for key, made in self.buttons.items():
            made.setIcon(self._session.icons.icon(key, self._session.tokens.secondary))
        self._mark()

    def show_page(self, key: str) -> None:
        """Mark the page that shows."""
        self.buttons[key].setChecked(True)
        if self._coloured:
            self._mark()

    def _mark(self) -> None:
        """The icon of the page that shows in the accent's colour; those of the others are drawn when they do."""
        tokens = self._session.tokens
        for key, made in self.buttons.items():
            if made.isChecked():
                made.setIcon(self._session.icons.icon(key, tokens.secondary, checked=tokens.accent))
