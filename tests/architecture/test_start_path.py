"""What a start loads: help and first window stay light, and no command loads Qt."""

import json
import subprocess
import sys

import pytest

HEAVY = {"numpy", "pyqtgraph", "reportlab", "sqlite_utils", "babel", "openpyxl", "PIL"}
QT = {"PySide6", "shiboken6"}

PROBE = """
import json, sys
from gpuconfig.__main__ import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
sys.stderr.write(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def loaded_by(*arguments: str) -> set[str]:
    """Top-level packages in memory after `gpuconfig` ran with `arguments`."""
    command = [sys.executable, "-c", PROBE, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("recommend", "--help"), ("nonsense",)])
def test_help_and_usage_load_nothing_heavy(arguments):
    assert not loaded_by(*arguments) & (HEAVY | QT)


def test_the_first_window_loads_nothing_heavy():
    assert not loaded_by("--quit-after-first-paint") & HEAVY


@pytest.mark.parametrize(
    "arguments",
    [
        ("catalogue", "list", "--kind", "accelerator", "--json"),
        ("estimate", "no-such-file.json"),
        ("doctor",),
    ],
)
def test_commands_load_no_qt(arguments):
    assert not loaded_by(*arguments) & QT
