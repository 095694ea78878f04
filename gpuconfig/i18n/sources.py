"""Where a figure comes from, in the reader's words: addresses stay, words recorded with the data are translated."""

from __future__ import annotations

from gpuconfig.i18n.recorded import recorded_words
from gpuconfig.i18n.translator import Translator


def source_parts(source: str, translator: Translator) -> list[tuple[str, str]]:
    """Each source of a list separated by semicolons: as it was recorded, and as the reader is shown it."""
    parts = (part.strip() for part in source.split(";"))
    return [(part, recorded_words(part, translator)) for part in parts if part]


def source_words(source: str, translator: Translator) -> str:
    """The whole list in the reader's words."""
    return "; ".join(words for _part, words in source_parts(source, translator))
