"""Every declared setting with its help, made from the declarations; a change holds at once and can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from enum import Enum
from typing import Any

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QGridLayout,
    QLabel,
    QLineEdit,
    QWidget,
)

from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.system_errors import refusal
from gpuconfig.settings import LANGUAGE, ORGANISATION_FIELDS, SETTINGS, THEME, Organisation, Setting
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.side_window import SideWindow, scrolled
from gpuconfig.ui.widgets.text import button, column, label, line, row


class SettingsWindow(SideWindow):
    """All settings that a person may choose; not modal, so that the effect is seen beside it."""

    size_at_first = (660, 640)
    kept = True

    def __init__(self, parent: QWidget, session: Session) -> None:
        super().__init__(parent, session)
        self.editors: dict[str, SettingEditor] = {}
        parts: list[QWidget] = []
        for setting in SETTINGS:
            if not setting.title:
                continue
            made = SettingEditor(session, setting)
            self.editors[setting.key] = made
            parts += [made, line()]
        inner = QWidget()
        inner.setLayout(column(*parts[:-1], -1, spacing=16, margins=16))
        buttons = row(-1, self.close_button)
        buttons.setContentsMargins(16, 8, 16, 12)
        layout = column(scrolled(inner), buttons, spacing=0)
        layout.setStretch(0, 1)
        self.setLayout(layout)
        self.retranslate()

    def showEvent(self, event: QShowEvent) -> None:
        self.retranslate()  # language and colours may have been chosen elsewhere meanwhile
        super().showEvent(event)

    def retranslate(self) -> None:
        """Name everything and show what holds now."""
        super().retranslate()
        _ = self._session.gettext
        self.setWindowTitle(_(N_("Settings")))
        for editor in self.editors.values():
            editor.retranslate()
            editor.load()


class SettingEditor(QWidget):
    """One setting: name, help, editor by its type, and the way back to the default."""

    def __init__(self, session: Session, setting: Setting[Any]) -> None:
        super().__init__()
        self._session = session
        self.setting = setting
        self.title = label("strong")
        self.help = label("secondary", wrap=True)
        self.back = button("link")
        self.back.clicked.connect(self._reset)
        policy = self.back.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # the lines under it stay where they are
        self.back.setSizePolicy(policy)
        self._editor: _Choices | _Switch | _Line | _Party = _editor(session, setting, self.change)
        self.title.setBuddy(self._editor.focus)
        self.setLayout(
            column(row(self.title, -1, self.back, spacing=8), self.help, self._editor.widget, spacing=4)
        )

    def retranslate(self) -> None:
        """Name everything."""
        _ = self._session.gettext
        self.title.setText(_(self.setting.title))
        self.help.setText(_(self.setting.help))
        self.back.setText(_(N_("Back to the default")))
        self.back.setAccessibleName(f"{_(self.setting.title)}: {self.back.text()}")
        self._editor.name(_(self.setting.title), _(self.setting.help), _)

    def load(self) -> None:
        """Show the value that holds."""
        value = self._session.services.settings.get(self.setting)
        self._editor.load(value)
        self.back.setVisible(value != self.setting.default)

    def change(self, value: object) -> None:
        """Keep a value; where the file cannot be written that is told and the old one stays."""
        settings = self._session.services.settings
        old = settings.get(self.setting)
        if value == old:
            return
        if self._keep(value):
            self.back.setVisible(value != self.setting.default)
            return
        self._editor.load(old)

    def _keep(self, value: object) -> bool:
        session = self._session
        try:
            if self.setting is LANGUAGE:
                session.choose_language(value)  # type: ignore[arg-type]
            elif self.setting is THEME:
                session.choose_theme(value)  # type: ignore[arg-type]
            else:
                session.services.settings.set(self.setting, value)
        except OSError as error:
            text = Message(N_("The setting could not be kept: {reason}"), {"reason": refusal(error)})
            session.say(session.render(text))
            return False
        return True

    def _reset(self) -> None:
        session = self._session
        old = session.services.settings.get(self.setting)
        self.change(self.setting.default)
        self.load()

        def bring_back() -> None:
            self.change(old)
            self.load()

        _ = session.gettext
        session.say(_(N_("Back to the default")) + f": {self.title.text()}", _(N_("Undo")), bring_back)
        self._editor.focus.setFocus()


Change = Callable[[object], None]


class _Choices:
    """One of a few values."""

    def __init__(self, setting: Setting[Any], change: Change) -> None:
        self._setting = setting
        self.widget = self.focus = QComboBox()
        self.widget.setMaximumWidth(260)
        self.widget.addItems([""] * len(setting.choices))
        self.widget.activated.connect(lambda place: change(setting.choices[place][0]))

    def name(self, title: str, help_text: str, gettext: Callable[[str], str]) -> None:
        self.widget.setAccessibleName(title)
        self.widget.setAccessibleDescription(help_text)
        for place, (_value, words) in enumerate(self._setting.choices):
            self.widget.setItemText(place, gettext(words))

    def load(self, value: object) -> None:
        values = [choice for choice, _words in self._setting.choices]
        self.widget.setCurrentIndex(values.index(value) if value in values else 0)


class _Switch:
    """Yes or no."""

    def __init__(self, change: Change) -> None:
        self.widget = self.focus = QCheckBox()
        self.widget.toggled.connect(change)

    def name(self, title: str, help_text: str, _gettext: Callable[[str], str]) -> None:
        self.widget.setText(title)
        self.widget.setAccessibleName(title)
        self.widget.setAccessibleDescription(help_text)

    def load(self, value: object) -> None:
        self.widget.blockSignals(True)
        self.widget.setChecked(bool(value))
        self.widget.blockSignals(False)


class _Line:
    """A line of text; a folder may be chosen too."""

    def __init__(self, setting: Setting[Any], change: Change) -> None:
        self._change = change
        self._gettext: Callable[[str], str] = str
        self.focus = QLineEdit()
        self.choose = button()
        self.choose.setVisible(setting.is_folder)
        self.widget = QWidget()
        layout = row(self.focus, self.choose)
        self.widget.setLayout(layout)
        self.focus.editingFinished.connect(lambda: change(self.focus.text().strip()))
        self.choose.clicked.connect(self._ask)

    def name(self, title: str, help_text: str, gettext: Callable[[str], str]) -> None:
        self._gettext = gettext
        self.focus.setAccessibleName(title)
        self.focus.setAccessibleDescription(help_text)
        self.choose.setText(gettext(N_("Choose ...")))
        self.choose.setAccessibleName(f"{title}: {self.choose.text()}")

    def load(self, value: object) -> None:
        self.focus.setText(str(value))

    def _ask(self) -> None:
        title = self._gettext(N_("Choose a folder"))
        chosen = QFileDialog.getExistingDirectory(self.widget, title, self.focus.text())
        if chosen:
            self.focus.setText(chosen)
            self._change(chosen)


class _Party:
    """The fields of an organisation."""

    def __init__(self, session: Session, setting: Setting[Any], change: Change) -> None:
        self._session, self._setting, self._change = session, setting, change
        self.widget = QWidget()
        grid = QGridLayout(self.widget)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        self.edits: dict[str, QLineEdit] = {}
        self._labels: dict[str, QLabel] = {}
        for number, name in enumerate(ORGANISATION_FIELDS):
            title, edit = label("secondary"), QLineEdit()
            title.setBuddy(edit)
            grid.addWidget(title, number // 2, (number % 2) * 2)
            grid.addWidget(edit, number // 2, (number % 2) * 2 + 1)
            edit.editingFinished.connect(lambda n=name, e=edit: self._edited(n, e.text().strip()))
            self.edits[name], self._labels[name] = edit, title
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        self.focus = next(iter(self.edits.values()))

    def _edited(self, name: str, text: str) -> None:
        held = self._session.services.settings.get(self._setting)
        self._change(replace(held, **{name: text}))

    def name(self, title: str, _help_text: str, gettext: Callable[[str], str]) -> None:
        for name, words in ORGANISATION_FIELDS.items():
            self._labels[name].setText(gettext(words))
            self.edits[name].setAccessibleName(f"{title}: {gettext(words)}")

    def load(self, value: object) -> None:
        assert isinstance(value, Organisation)
        for name, text in asdict(value).items():
            if name in self.edits:
                self.edits[name].setText(text)


def _editor(session: Session, setting: Setting[Any], change: Change) -> _Choices | _Switch | _Line | _Party:
    if isinstance(setting.default, Enum):
        return _Choices(setting, change)
    if isinstance(setting.default, bool):
        return _Switch(change)
    if isinstance(setting.default, Organisation):
        return _Party(session, setting, change)
    return _Line(setting, change)
