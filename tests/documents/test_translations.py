"""Every text of papers is in Chinese too, with the same placeholders."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from gpuconfig.cli.field_table import sections
from gpuconfig.documents.field_titles import FIELD_TITLES
from gpuconfig.documents.writer import CONTEXT
from gpuconfig.i18n import Language, load

PACKAGE = Path(__file__).resolve().parents[2] / "gpuconfig" / "documents"
SAME_IN_BOTH = {"PCIe", "FP32"}


def marked_texts() -> list[str]:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "N_":
                found.append(ast.literal_eval(node.args[0]))
    return found


def test_every_text_is_translated_with_its_placeholders() -> None:
    chinese = load(Language.ZH)
    missing, wrong = [], []
    for text in marked_texts():
        translated = chinese.pgettext(CONTEXT, text)
        if translated == text:
            translated = chinese.gettext(text)
        if translated == text and text not in SAME_IN_BOTH:
            missing.append(text)
        if set(re.findall(r"{(\w+)}", text)) != set(re.findall(r"{(\w+)}", translated)):
            wrong.append(text)
    assert len(marked_texts()) > 300
    assert missing == []
    assert wrong == []


def test_every_field_of_a_request_has_a_title_in_both_languages() -> None:
    untitled = {row.path for rows in sections().values() for row in rows} - set(FIELD_TITLES)
    assert not untitled
    english, chinese = load(Language.EN), load(Language.ZH)
    for path, title in FIELD_TITLES.items():
        assert english.gettext(title)
        named = chinese.pgettext(CONTEXT, title)
        shown = chinese.gettext(title) if named == title else named
        assert re.search(r"[\u4e00-\u9fff]", shown), (path, title)
