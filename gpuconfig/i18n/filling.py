"""Placeholders of a message filled as the reader's language writes their values."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from enum import Enum
from string import Formatter
from typing import Any

from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_, Message, Verbatim
from gpuconfig.engine.quantities.money import Money, MoneyRange
from gpuconfig.i18n.translator import Translator


def fill(text: str, values: Mapping[str, object], translator: Translator) -> str:
    """`text`, which is translated already, with its placeholders filled as `render` fills them."""
    return _LocaleFormatter(translator).vformat(text, (), values)


class _LocaleFormatter(Formatter):
    """str.format whose plain `{name}` follows the locale; an explicit `{name:.1f}` keeps its own format."""

    def __init__(self, translator: Translator) -> None:
        self.translator = translator

    def format_field(self, value: Any, format_spec: str) -> Any:
        if format_spec and not isinstance(value, Message):
            return super().format_field(value, format_spec)
        return _text(value, self.translator)


def _text(value: object, translator: Translator) -> str:
    formats = translator.formats
    match value:
        case None:
            return translator.unknown
        case Message():
            inner = translator.gettext(value.text)
            return fill(inner, value.values, translator) if value.values else inner
        case Figure():
            return formats.figure(value)
        case Money():
            return formats.money(value)
        case MoneyRange():
            return formats.money_range(value)
        case Enum():
            return translator.gettext(str(value.value))
        case bool():
            return translator.gettext(N_("yes") if value else N_("no"))
        case int():
            return formats.count(value)
        case float() | Decimal():
            return formats.number(value)
        case date():
            return formats.date(value)
        case list() | tuple():
            return formats.join([_text(item, translator) for item in value])
        case _:
            return _words(value, translator)


def _words(value: object, translator: Translator) -> str:
    """A name with its generic words in the language, unless it must stay as written."""
    return str(value) if isinstance(value, Verbatim) else translator.part(str(value))
