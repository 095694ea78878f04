"""Every command of the window as an action: menus, shortcuts and the command search share them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from gpuconfig.engine.provenance.message import N_
from gpuconfig.i18n import Language
from gpuconfig.settings import THEME, ThemeChoice
from gpuconfig.ui.rail import PAGES
from gpuconfig.ui.session import Session

THEME_WORDS = {
    ThemeChoice.LIGHT: N_("&Light"),
    ThemeChoice.DARK: N_("&Dark"),
    ThemeChoice.SYSTEM: N_("As the &system"),
}


class Actions:
    """Actions by key, in menus by the order they were made."""

    def __init__(self, window: QMainWindow, session: Session) -> None:
        self._window = window
        self._session = session
        self._titles: dict[str, str] = {}
        self.actions: dict[str, QAction] = {}
        self.menus: dict[str, QMenu] = {}
        self._menu_titles: dict[str, str] = {}
        self._languages = QActionGroup(window)
        self._themes = QActionGroup(window)

    def menu(self, key: str, title: str, parent: QMenu | None = None) -> QMenu:
        """A menu of the bar, or one inside another."""
        made = QMenu(self._window)
        if parent is None:
            self._window.menuBar().addMenu(made)
        else:
            parent.addMenu(made)
        self._session.wardrobe.add_menu(made)
        self.menus[key] = made
        self._menu_titles[key] = title
        return made

    def add(
        self,
        menu: QMenu,
        key: str,
        title: str,
        do: Callable[[], object],
        shortcut: str | QKeySequence.StandardKey = "",
    ) -> QAction:
        """An action; `title` is English with its `&`."""
        made = QAction(self._window)
        made.setMenuRole(QAction.MenuRole.NoRole)
        made.triggered.connect(lambda _on=False: do())
        if shortcut:
            made.setShortcut(QKeySequence(shortcut))
        menu.addAction(made)
        self.actions[key] = made
        self._titles[key] = title
        return made

    def add_choices(self, language_menu: QMenu, theme_menu: QMenu) -> None:
        """Language and colours as exclusive choices."""
        session = self._session
        for language in Language:
            key = f"language.{language.value}"
            made = self.add(language_menu, key, language.own_name, partial(session.set_language, language))
            made.setCheckable(True)
            self._languages.addAction(made)
        for choice, title in THEME_WORDS.items():
            key = f"theme.{choice.value}"
            made = self.add(theme_menu, key, title, partial(session.set_theme, choice))
            made.setCheckable(True)
            self._themes.addAction(made)

    def retranslate(self) -> None:
        """Name everything; undo and redo name what they take back."""
        _ = self._session.gettext
        for key, title in self._menu_titles.items():
            self.menus[key].setTitle(_(title))
        for key, action in self.actions.items():
            action.setText(_(self._titles[key]))
        self.refresh()

    def refresh(self) -> None:
        """Enable what is possible; tick the choices."""
        session = self._session
        _ = session.gettext
        for key, word, title in (
            ("undo", N_("&Undo"), session.history.undo_title()),
            ("redo", N_("&Redo"), session.history.redo_title()),
        ):
            text = (
                _(word)
                if title is None
                else _(N_("{command} {what}")).format(command=_(word), what=session.render(title))
            )
            self.actions[key].setText(text)
            self.actions[key].setEnabled(title is not None)
        self.actions["save"].setEnabled(session.is_open)
        self.actions["save_as"].setEnabled(session.is_open)
        self.actions["export"].setEnabled(session.option is not None)
        self.actions["search"].setEnabled(session.is_open and not session.searching)
        self.actions["stop"].setEnabled(session.searching)
        language, theme = session.translator.language, session.services.settings.get(THEME)
        self.actions[f"language.{language.value}"].setChecked(True)
        self.actions[f"theme.{theme.value}"].setChecked(True)

    def all(self) -> list[QAction]:
        """Every action, for the command search."""
        return [action for key, action in self.actions.items() if key != "palette"]


def page_titles() -> list[tuple[str, str, str]]:
    """Key, title and shortcut of each page: Ctrl+1…7 for the numbered ones."""
    return [
        (key, name, f"Ctrl+{number}" if 1 <= number <= 7 else {"start": "Ctrl+0", "catalogue": "Ctrl+8"}[key])
        for number, (key, name) in enumerate(PAGES)
    ]
