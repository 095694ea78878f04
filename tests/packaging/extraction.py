"""Finds the strings of the sources that a person reads, for the tests of the translations."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

# Function name -> positions of (context, singular, plural) among its arguments; None where it has none.
MARKERS: dict[str, tuple[int | None, int, int | None]] = {
    "N_": (None, 0, None),
    "_": (None, 0, None),
    "gettext": (None, 0, None),
    "tr": (None, 0, None),
    "Message": (None, 0, None),
    "pgettext": (0, 1, None),
    "ngettext": (None, 0, 1),
}


PLACEHOLDER = re.compile(r"\{[^}]*\}")


@dataclass(frozen=True, slots=True)
class Marked:
    """One string that needs a translation, and where it stands."""

    text: str
    context: str | None
    plural: str | None
    place: str


def marked_strings(folder: Path = ROOT / "gpuconfig") -> Iterator[Marked]:
    """Every string literal given to one of `MARKERS`, and the title line of every `@quantity`."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            place = f"{path.relative_to(ROOT).as_posix()}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Call):
                yield from _call(node, place)
            elif isinstance(node, ast.FunctionDef) and any(map(_is_quantity, node.decorator_list)):
                yield Marked((ast.get_docstring(node) or "").splitlines()[0].rstrip("."), None, None, place)


def _call(node: ast.Call, place: str) -> Iterator[Marked]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name not in MARKERS:
        return
    context, singular, plural = (_literal(node, position) for position in MARKERS[name])
    if singular and any(map(str.isalpha, PLACEHOLDER.sub("", singular))):
        yield Marked(singular, context, plural, place)


def _literal(node: ast.Call, position: int | None) -> str | None:
    if position is None or position >= len(node.args):
        return None
    argument = node.args[position]
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else None


def _is_quantity(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "quantity"
