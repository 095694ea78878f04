"""The settings window shows every declared setting, a change holds at once, and can be taken back."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit

from gpuconfig.i18n import Language
from gpuconfig.settings import ORGANISATION, SETTINGS, THEME, WHY_PANEL, ThemeChoice
from gpuconfig.ui.main_window import MainWindow
from gpuconfig.ui.settings_window import SettingsWindow
from tests.ui.conftest import pause
from tests.ui.inspection import clipped, nameless, stray_english


@pytest.fixture
def opened(window: MainWindow) -> SettingsWindow:
    window.open_settings()
    found = window.findChild(SettingsWindow)
    assert found is not None
    return found


def test_every_setting_for_people_is_there_with_a_name_and_help(opened: SettingsWindow) -> None:
    assert list(opened.editors) == [setting.key for setting in SETTINGS if setting.title]
    for editor in opened.editors.values():
        assert editor.title.text()
        assert editor.help.text()


def test_a_change_holds_at_once_and_the_default_comes_back(
    window: MainWindow, opened: SettingsWindow
) -> None:
    editor = opened.editors[THEME.key]
    choice = editor.findChild(QComboBox)
    assert choice is not None
    choice.setCurrentIndex(2)
    choice.activated.emit(2)
    assert window.session.services.settings.get(THEME) is ThemeChoice.DARK
    assert window.session.tokens.dark
    assert editor.back.isVisible()
    editor.back.click()
    assert window.session.services.settings.get(THEME) is ThemeChoice.SYSTEM
    window.toast._button.click()  # Undo
    assert window.session.services.settings.get(THEME) is ThemeChoice.DARK


def test_the_organisation_is_kept_field_by_field(window: MainWindow, opened: SettingsWindow) -> None:
    edit = opened.editors[ORGANISATION.key].findChildren(QLineEdit)[0]
    edit.setFocus()
    edit.setText("某某大学")
    edit.editingFinished.emit()
    assert window.session.services.settings.get(ORGANISATION).name == "某某大学"


def test_the_why_panel_opens_at_the_next_start_where_that_is_wished(
    opened: SettingsWindow, make_window
) -> None:
    box = opened.editors[WHY_PANEL.key].findChild(QCheckBox)
    assert box is not None
    box.click()
    again = make_window()
    assert again.why is not None
    assert again.why.isVisible()


def test_a_setting_that_cannot_be_written_is_told_and_the_old_one_stays(
    window: MainWindow, opened: SettingsWindow, tmp_path
) -> None:
    window.session.services.settings.path = tmp_path / "settings.json" / "under-a-file"
    (tmp_path / "settings.json").write_text("{}", encoding="utf-8")
    box = opened.editors[WHY_PANEL.key].findChild(QCheckBox)
    assert box is not None
    box.click()
    assert not box.isChecked()
    assert "could not be kept" in window.toast._text.text()


def test_it_speaks_the_language_of_the_window(window: MainWindow, opened: SettingsWindow) -> None:
    window.session.set_language(Language.ZH)
    pause(100)
    assert opened.windowTitle() == "设置"
    assert not stray_english(opened)
    assert not nameless(opened)
    assert not clipped(opened)
