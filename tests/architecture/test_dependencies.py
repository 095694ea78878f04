"""Every package that an installation brings is used by the program: what only tests need is a development tool."""

from __future__ import annotations

import ast
import re
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]


def imported() -> set[str]:
    """Top-level modules that the package imports, at any place in its code."""
    names = set()
    for path in (ROOT / "gpuconfig").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module)
    return {name.partition(".")[0] for name in names}


def test_each_declared_dependency_is_imported() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {re.split(r"[<>=]", text)[0].lower() for text in project["dependencies"]}
    providers = packages_distributions()
    used = {name.lower().replace("_", "-") for module in imported() for name in providers.get(module, ())}
    assert len(declared) > 5
    assert declared <= used
