"""How a window speaks and looks: its language, its colours, its icons, and what it says in passing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.i18n import Language, Translator, load, render, resolve
from gpuconfig.settings import LANGUAGE, THEME, LanguageChoice, ThemeChoice
from gpuconfig.ui import theme
from gpuconfig.ui.icons import IconSet
from gpuconfig.ui.wardrobe import Wardrobe

if TYPE_CHECKING:
    from gpuconfig.presentation.services import Services


class Appearance(QObject):
    """Language and colours of one window.

    Signals:
        language_changed, theme_changed: everything on screen is to be named or coloured anew.
        said: a toast: text, name of an action (or ""), callable or None.
    """

    language_changed = Signal()
    theme_changed = Signal()
    said = Signal(str, str, object)

    def __init__(self, services: Services, language: Language | None = None) -> None:
        super().__init__()
        self.services = services
        self.icons = IconSet()
        self.translator: Translator = load(language or resolve(services.settings.get(LANGUAGE)))
        self.tokens = theme.read_tokens(theme.is_dark(services.settings.get(THEME), app()))
        theme.apply(app(), self.tokens)
        self.wardrobe = Wardrobe(theme.style_sheet(self.tokens), self)

    def gettext(self, text: str) -> str:
        """`text` in the window's language."""
        return self.translator.gettext(text)

    def render(self, message: Message) -> str:
        """A message in the window's language."""
        return render(message, self.translator)

    def say(self, text: str, action: str = "", do: object = None) -> None:
        """Show a toast."""
        self.said.emit(text, action, do)

    def set_language(self, language: Language) -> None:
        """Speak another language from now on; where that cannot be kept it is told, and holds for this window."""
        choice = LanguageChoice(language.value)
        self._tell_if_lost(lambda: self.services.settings.set(LANGUAGE, choice))
        self._speak(language)

    def choose_language(self, choice: LanguageChoice) -> None:
        """Keep a choice of language, perhaps the computer's own, and speak it; raises OSError like `Settings.set`."""
        if choice is not self.services.settings.get(LANGUAGE):
            self.services.settings.set(LANGUAGE, choice)
        self._speak(resolve(choice))

    def _speak(self, language: Language) -> None:
        if language is not self.translator.language:
            self.translator = load(language)
            self.language_changed.emit()

    def set_theme(self, choice: ThemeChoice) -> None:
        """Other colours from now on; where that cannot be kept it is told, and holds for this window."""
        self._tell_if_lost(lambda: self.services.settings.set(THEME, choice))
        self._wear(choice)

    def choose_theme(self, choice: ThemeChoice) -> None:
        """Keep a choice of colours and wear them; raises OSError like `Settings.set`."""
        self.services.settings.set(THEME, choice)
        self._wear(choice)

    def _wear(self, choice: ThemeChoice) -> None:
        self.tokens = theme.read_tokens(theme.is_dark(choice, app()))
        theme.apply(app(), self.tokens)
        self.wardrobe.change(theme.style_sheet(self.tokens))
        self.theme_changed.emit()

    def follow_system(self) -> None:
        """The system went light or dark."""
        if self.services.settings.get(THEME) is ThemeChoice.SYSTEM:
            self._wear(ThemeChoice.SYSTEM)

    def _tell_if_lost(self, keep: Callable[[], None]) -> None:
        try:
            keep()
        except OSError as error:
            from gpuconfig.engine.provenance.system_errors import refusal  # rarely needed

            text = Message(N_("The setting could not be kept: {reason}"), {"reason": refusal(error)})
            self.say(self.render(text))


def app() -> QApplication:
    """The application, which exists before any window."""
    found = QApplication.instance()
    assert isinstance(found, QApplication)
    return found
