"""Imports go downward only, as pyproject.toml's contracts say."""

from pathlib import Path

from importlinter.cli import lint_imports


def test_import_contracts_hold(capsys):
    """Every contract of [tool.importlinter] is kept, and no package is missing from the layers."""
    code = lint_imports(config_filename=str(Path(__file__).parents[2] / "pyproject.toml"), no_cache=True)
    assert code == 0, capsys.readouterr().out
