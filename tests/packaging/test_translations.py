"""Every text has its Chinese, and the placeholders of both agree."""

from collections import Counter
from string import Formatter

import pytest

from tests.packaging.extraction import ROOT, marked_strings

CHINESE = ROOT / "resources" / "locale" / "zh_CN"


@pytest.fixture(scope="module")
def catalogue(translations):
    return translations.merge(sorted(CHINESE.glob("*.po")), "zh_CN")


def placeholders(text):
    return Counter(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def is_translated(catalogue, marked):
    key = (marked.text, marked.plural) if marked.plural else marked.text
    contexts = (
        {marked.context, "paper"} if marked.place.startswith("gpuconfig/documents/") else {marked.context}
    )
    return any(catalogue.get(key, context) is not None for context in contexts)


def test_every_marked_string_is_translated(catalogue):
    """The papers look all their texts up in the context "paper"; the others name theirs."""
    missing = [f"{m.place}: {m.text!r}" for m in marked_strings() if not is_translated(catalogue, m)]
    assert not missing, f"{len(missing)} without Chinese:\n" + "\n".join(missing)


def test_placeholders_agree(catalogue):
    wrong = []
    for message in catalogue:
        texts = message.id if isinstance(message.id, tuple) else (message.id,)
        translated = message.string if isinstance(message.string, tuple) else (message.string,)
        expected = set(placeholders(texts[-1]))
        wrong += [
            f"{texts[0]!r}: {text!r}"
            for text in translated
            if texts[0] and set(placeholders(text)) != expected
        ]
    assert not wrong, "\n".join(wrong)


def test_nothing_is_fuzzy():
    fuzzy = [path.name for path in CHINESE.glob("*.po") if "#, fuzzy" in path.read_text(encoding="utf-8")]
    assert not fuzzy


def test_contradicting_files_are_refused(translations, tmp_path):
    for name, text in (("a.po", "甲"), ("b.po", "乙")):
        (tmp_path / name).write_text(f'msgid "word"\nmsgstr "{text}"\n', encoding="utf-8")
    with pytest.raises(translations.CatalogueError, match=r"b\.po and a\.po"):
        translations.merge(sorted(tmp_path.glob("*.po")), "zh_CN")


def test_same_word_in_two_contexts_compiles(translations, tmp_path):
    source = tmp_path / "source" / "zh_CN"
    source.mkdir(parents=True)
    (source / "a.po").write_text(
        'msgctxt "verb"\nmsgid "open"\nmsgstr "打开"\n\nmsgctxt "state"\nmsgid "open"\nmsgstr "未关闭"\n',
        encoding="utf-8",
    )
    translations.compile_all(source.parent, tmp_path / "target")
    from gettext import translation

    found = translation("gpuconfig", tmp_path / "target", ["zh_CN"])
    assert (found.pgettext("verb", "open"), found.pgettext("state", "open")) == ("打开", "未关闭")


def test_broken_file_is_named(translations, tmp_path):
    (tmp_path / "broken.po").write_text('msgid "x\nmsgstr "y"\n', encoding="utf-8")
    with pytest.raises(translations.CatalogueError, match=r"broken\.po"):
        translations.merge([tmp_path / "broken.po"], "zh_CN")
