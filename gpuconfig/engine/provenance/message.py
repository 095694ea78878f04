"""Text for people that the engine emits untranslated: an English template and its values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


def N_(text: str) -> str:  # the name gettext extractors know
    """Mark `text` for extraction into the translation catalogue and return it unchanged."""
    return text


class Verbatim(str):
    """A value that no language says differently: a field, a file, an accepted word, what a person typed."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Message:
    """An English template with named `{placeholders}` and the values that fill it.

    A value may be a string, a number, a `Message`, or a `Quantity`-like object that the
    front end formats in the reader's locale.
    """

    text: str
    values: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))

    def english(self) -> str:
        """The message in English with plain formatting, for logs, JSON and tests."""
        filled = {k: v.english() if isinstance(v, Message) else v for k, v in self.values.items()}
        return self.text.format(**filled) if filled else self.text

    def verbatim(self) -> Message:
        """The same with every text among its values kept as written, in any language."""
        kept = {
            name: value.verbatim()
            if isinstance(value, Message)
            else Verbatim(value)
            if isinstance(value, str)
            else value
            for name, value in self.values.items()
        }
        return Message(self.text, kept)

    def __str__(self) -> str:
        return self.english()
