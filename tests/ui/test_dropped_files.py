"""Files dropped on the window: projects open, models answer the wizard, others are named and change nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent

from gpuconfig.ui.main_window import MainWindow
from tests.ui.conftest import settle


def drop(window: MainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    window.dropEvent(QDropEvent(QPointF(5, 5), copy, data, left, Qt.KeyboardModifier.NoModifier))
    settle(window)


def test_a_project_dropped_on_any_page_is_opened(window: MainWindow, tmp_path: Path) -> None:
    project = next(iter(window.session.services.samples().values()))
    file = tmp_path / "项目.gpuconfig"
    window.session.services.save_project(project, file)
    window.show_page("catalogue")
    drop(window, file)
    assert window.session.path == file
    assert window.key == "result"
    recent = window.actions_.menus["recent"]
    recent.aboutToShow.emit()
    assert "项目" in recent.actions()[0].text()
    file.unlink()
    recent.aboutToShow.emit()
    assert not recent.actions()[0].isEnabled()


def test_a_models_file_dropped_on_the_start_page_begins_a_project(window: MainWindow, tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"model_type": "llama"}), encoding="utf-8")
    drop(window, file)
    assert window.key == "wizard"
    assert window.session.answers["model_file"] == str(file)


@pytest.mark.parametrize("name", ["quote.docx", "no-suffix"])
def test_an_unknown_file_is_named_and_changes_nothing(window: MainWindow, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_bytes(b"\x00\x01")
    drop(window, file)
    assert window.key == "start"
    assert not window.session.is_open
    assert name in window.toast._text.text()
