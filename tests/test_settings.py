"""Settings survive damage, newer versions and two windows."""

import json
from pathlib import Path
from unittest.mock import Mock

import pytest

from gpuconfig import settings
from gpuconfig.settings import LanguageChoice, Organisation, Settings


def test_each_default_without_a_file(user_folder):
    kept = Settings()
    assert all(kept.get(setting) == setting.default for setting in settings.SETTINGS)
    assert not user_folder.exists()


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        (settings.LANGUAGE, LanguageChoice.ZH),
        (settings.THEME, settings.ThemeChoice.DARK),
        (settings.WHY_PANEL, True),
        (settings.RECENT_PROJECTS, ("/a/b.json", "/项目.json")),
        (settings.ORGANISATION, Organisation(name="某某大学", phone="010-1234")),
        (settings.SELLER, Organisation(name="Seller", bank_account="622")),
        (settings.PROJECT_FOLDER, "/papers"),
        (settings.TOUR_OFFERED, True),
        (settings.WINDOW_GEOMETRY, "0a0b"),
    ],
)
def test_a_value_comes_back_after_a_restart(setting, value):
    Settings().set(setting, value)
    assert Settings().get(setting) == value


def test_every_setting_is_covered_and_named_once():
    keys = [setting.key for setting in settings.SETTINGS]
    declared = [value for value in vars(settings).values() if isinstance(value, settings.Setting)]
    assert len(set(keys)) == len(keys) == len(declared)
    assert all(bool(setting.title) == bool(setting.help) for setting in settings.SETTINGS)


def test_reset_brings_the_default_back():
    kept = Settings()
    kept.set(settings.WHY_PANEL, True)
    kept.reset(settings.WHY_PANEL)
    assert Settings().get(settings.WHY_PANEL) is False


@pytest.mark.parametrize("content", ["{", "[1]", "\x00"])
def test_a_damaged_file_is_put_aside_and_kept(user_folder, content):
    path = user_folder / "config" / "settings.json"
    path.parent.mkdir(parents=True)
    path.write_text(content, encoding="utf-8")
    kept = Settings()
    assert kept.get(settings.LANGUAGE) is LanguageChoice.SYSTEM
    assert kept.unreadable.read_text(encoding="utf-8") == content
    kept.set(settings.LANGUAGE, LanguageChoice.EN)
    assert Settings().get(settings.LANGUAGE) is LanguageChoice.EN


def test_a_nonsense_value_means_the_default():
    kept = Settings()
    kept.path.parent.mkdir(parents=True)
    kept.path.write_text('{"language": "klingon", "why_panel": "yes", "organisation": 3}', encoding="utf-8")
    fresh = Settings()
    for setting in (settings.LANGUAGE, settings.WHY_PANEL, settings.ORGANISATION):
        assert fresh.get(setting) == setting.default


def test_what_a_newer_version_wrote_is_kept():
    kept = Settings()
    kept.path.parent.mkdir(parents=True)
    kept.path.write_text('{"from_the_future": 1}', encoding="utf-8")
    kept.set(settings.WHY_PANEL, True)
    assert json.loads(kept.path.read_text(encoding="utf-8"))["from_the_future"] == 1


def test_two_windows_do_not_undo_each_other():
    first, second = Settings(), Settings()
    first.set(settings.WHY_PANEL, True)
    second.set(settings.LANGUAGE, LanguageChoice.EN)
    assert Settings().get(settings.WHY_PANEL) is True


def test_recent_projects_are_unique_newest_first_and_limited():
    kept = Settings()
    for number in [*range(12), 5]:
        kept.remember_project(Path(f"/projects/{number}.json"))
    recent = kept.get(settings.RECENT_PROJECTS)
    assert recent[0] == "/projects/5.json"
    assert len(recent) == len(set(recent)) == settings.RECENT_PROJECTS_KEPT


def test_a_failed_write_leaves_the_old_file(monkeypatch):
    kept = Settings()
    kept.set(settings.WHY_PANEL, True)
    monkeypatch.setattr("os.fsync", Mock(side_effect=OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        kept.set(settings.WHY_PANEL, False)
    assert Settings().get(settings.WHY_PANEL) is True
    assert [path.name for path in kept.path.parent.iterdir()] == ["settings.json"]
