"""Sizes, names and shapes that keep the source readable."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("gpuconfig", "packaging", "tests")
SOURCES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))

FILE_LINES = 400
FUNCTION_LINES = 60
DEV_LINES = 150
FORBIDDEN_NAMES = {"core", "common", "utils", "util", "helpers", "misc", "manager", "managers"}


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_sources_are_found():
    assert len(SOURCES) > 20


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_file_is_short_enough(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= FILE_LINES


def test_dev_is_short_enough():
    assert len((ROOT / "dev.py").read_text(encoding="utf-8").splitlines()) <= DEV_LINES


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_functions_are_short_enough(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    long = [f"{node.name}: {_length(node)} lines" for node in functions if _length(node) > FUNCTION_LINES]
    assert not long


def test_no_forbidden_names():
    parts = {part.removesuffix(".py") for path in SOURCES for part in path.relative_to(ROOT).parts}
    assert not parts & FORBIDDEN_NAMES


@pytest.mark.parametrize("path", [path for path in SOURCES if path.name == "__init__.py"], ids=_name)
def test_init_files_only_document_and_export(path):
    """A package's __init__ holds a docstring, imports, __all__ and __version__, and no logic."""
    allowed = (ast.Import, ast.ImportFrom, ast.Assign, ast.Expr)
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        assert isinstance(node, allowed), f"line {node.lineno}"
        if isinstance(node, ast.Assign):
            assert {target.id for target in node.targets} <= {"__all__", "__version__"}


@pytest.mark.parametrize("path", [path for path in SOURCES if ROOT / "gpuconfig" in path.parents], ids=_name)
def test_no_mutable_module_state(path):
    """Lists, sets and dicts at module level are constants (upper case) and never changed by `global`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Global)]
    mutable = (ast.List, ast.Set, ast.ListComp, ast.SetComp, ast.Dict, ast.DictComp)
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, mutable):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                name = target.id if isinstance(target, ast.Name) else ""
                assert name.isupper() or name == "__all__", f"line {node.lineno}: {ast.unparse(target)}"


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1
