"""dev.py needs nothing but Python, says what is missing, and does nothing twice."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_only_the_standard_library():
    tree = ast.parse((ROOT / "dev.py").read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


def test_help_names_every_command():
    command = [sys.executable, str(ROOT / "dev.py"), "--help"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert all(word in text for word in ("setup", "run", "test", "--system"))


def test_missing_libraries_are_found(dev, monkeypatch):
    monkeypatch.setitem(dev.SYSTEM_LIBRARIES, "libnothing.so.7", "libnothing7")
    assert "libnothing7" in dev.missing_packages()


def test_missing_libraries_name_one_command(dev, monkeypatch, capsys):
    monkeypatch.setattr(dev, "missing_packages", lambda: ["libegl1", "libgl1"])
    monkeypatch.setattr(dev.shutil, "which", lambda name: f"/usr/bin/{name}")
    assert dev.check_system(False) is False
    assert "apt-get install --yes --no-install-recommends libegl1 libgl1" in capsys.readouterr().out


def test_second_setup_installs_nothing(dev, monkeypatch):
    """With a stamp of the same inputs, only the asset check runs."""
    ran = []
    monkeypatch.setattr(dev.subprocess, "run", lambda step, **_: ran.append(step) or _Done())
    assert dev.setup()
    assert [Path(step[1]).name for step in ran] == ["assets.py"]


def test_a_changed_lock_installs_again(dev, monkeypatch, tmp_path):
    monkeypatch.setattr(dev, "VENV", tmp_path)
    (tmp_path / "gpuconfig.stamp").write_text("(3, 11) old", encoding="utf-8")
    ran = []
    monkeypatch.setattr(dev.subprocess, "run", lambda step, **_: ran.append(step) or _Done())
    assert dev.setup()
    assert len(ran) == 4
    assert "--require-hashes" in ran[1]


def test_lock_has_a_hash_for_every_package_and_no_host():
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    packages = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert len(packages) > 40
    assert all("==" in line and line.endswith("\\") for line in packages)
    assert "://" not in text


@pytest.mark.skipif(
    sys.platform != "linux", reason="the display is told by environment variables on Linux only"
)
def test_without_a_display_the_sample_runs_headless(dev, monkeypatch, capsys):
    for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(variable, raising=False)
    ran = []
    monkeypatch.setattr(dev.subprocess, "run", lambda step, **options: ran.append((step, options)) or _Done())
    assert dev.run() == 0
    step, options = ran[0]
    assert "--headless-demo" in step
    assert options["env"]["QT_QPA_PLATFORM"] == "offscreen"
    assert "no display" in capsys.readouterr().out


class _Done:
    returncode = 0
