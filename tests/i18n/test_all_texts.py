"""Every text that the product marks for people has Chinese, with the same placeholders."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from gpuconfig.documents.writer import CONTEXT
from gpuconfig.i18n import Language, load

PACKAGE = Path(__file__).resolve().parents[2] / "gpuconfig"
LETTERS = re.compile(r"[A-Za-z]{2,}")
FIELD = re.compile(r"{(\w+)")
SAME_IN_BOTH = re.compile(r"[A-Z0-9][\w.+/×·: \-–()]{0,24}|token/s|dB\(A\)|[\d.]+ ?[A-Za-z/]+")
"""Names and units are the same in both languages: PCIe, FP32, kWh."""
GIVEN_AS_THEY_ARE = {
    "rate https://... / cloud PROVIDER https://...",
    "diffusers",
    "image",
    "interleaved",
    "token",
    "tokens/s",
    "torch.compile",
    "torchtune",
    "vGPU",
    "{size} MiB",
}
"""Values of fields, names and units."""


def marked_texts() -> dict[str, str]:
    found: dict[str, str] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and node.args):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            first = node.args[0]
            marked = name in {"N_", "_", "gettext", "Message"}
            if marked and isinstance(first, ast.Constant) and isinstance(first.value, str):
                found.setdefault(first.value, f"{path.relative_to(PACKAGE)}:{node.lineno}")
    return found


def test_every_text_has_chinese_with_its_placeholders() -> None:
    chinese = load(Language.ZH)
    texts = marked_texts()
    assert len(texts) > 3000
    missing, wrong = [], []
    for text, place in texts.items():
        plain = re.sub(r"{[^}]*}", "", text)
        translated = chinese.pgettext(CONTEXT, text)
        if translated == text:
            translated = chinese.gettext(text)
        if (
            translated == text
            and LETTERS.search(plain)
            and not SAME_IN_BOTH.fullmatch(text)
            and text not in GIVEN_AS_THEY_ARE
        ):
            missing.append((place, text))
        if not set(FIELD.findall(translated)) <= set(FIELD.findall(text)):
            wrong.append((place, text, translated))
    assert missing == []
    assert wrong == []
