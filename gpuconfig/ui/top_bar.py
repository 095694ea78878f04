"""At the right of the menu bar: command search, language, colours."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from gpuconfig.engine.provenance.message import N_
from gpuconfig.i18n import Language
from gpuconfig.settings import ThemeChoice
from gpuconfig.ui.session import Session


class TopBar(QWidget):
    """Three small buttons."""

    def __init__(self, session: Session, find: Callable[[], object]) -> None:
        super().__init__()
        self.setObjectName("topbar")
        self._session = session
        self.search, self.language, self.colours = QToolButton(), QToolButton(), QToolButton()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 8, 4)  # its words on the line of the menus'
        layout.setSpacing(4)
        for made in (self.search, self.language, self.colours):
            made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            made.setIconSize(QSize(14, 14))
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            layout.addWidget(made)
        self.colours.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.search.clicked.connect(lambda _on=False: find())
        self.language.clicked.connect(self._switch_language)
        self.colours.clicked.connect(self._switch_colours)

    def retranslate(self) -> None:
        """Name the buttons."""
        _, tokens = self._session.gettext, self._session.tokens
        self.search.setText(_(N_("Ctrl+K  Find a command")))
        self.search.setAccessibleName(_(N_("Find a command")))
        other = self._other()
        self.language.setText(other.own_name)
        self.language.setAccessibleName(_(N_("Switch to {language}")).format(language=other.own_name))
        self.language.setToolTip(self.language.accessibleName())
        name = _(N_("Switch to light colours")) if tokens.dark else _(N_("Switch to dark colours"))
        self.colours.setAccessibleName(name)
        self.colours.setToolTip(name)

    def colour(self) -> None:
        """Draw the icons in the scheme's colours."""
        colour, icons = self._session.tokens.secondary, self._session.icons
        self.search.setIcon(icons.icon("search", colour))
        self.colours.setIcon(icons.icon("theme", colour))

    def _other(self) -> Language:
        return Language.EN if self._session.translator.language is Language.ZH else Language.ZH

    def _switch_language(self) -> None:
        self._session.set_language(self._other())

    def _switch_colours(self) -> None:
        self._session.set_theme(ThemeChoice.LIGHT if self._session.tokens.dark else ThemeChoice.DARK)
