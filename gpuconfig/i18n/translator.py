"""Loads a language's catalogue; text without a translation stays English."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from gettext import NullTranslations, translation
from typing import TYPE_CHECKING

from gpuconfig import paths
from gpuconfig.i18n.language import Language

if TYPE_CHECKING:
    from gpuconfig.i18n.formats import Formats

DOMAIN = "gpuconfig"


@dataclass(frozen=True, slots=True)
class Translator:
    """Text and formats of one language.

    A window that switches language keeps no translated string: it asks a new Translator again.
    """

    language: Language
    catalogue: NullTranslations

    @property
    def formats(self) -> Formats:
        """Numbers, money, dates and sizes of the language."""
        return _formats(self.language)

    def gettext(self, text: str) -> str:
        """The translation of `text`; the empty text stays empty (gettext keeps its header there)."""
        return self.catalogue.gettext(text) if text else ""

    def pgettext(self, context: str, text: str) -> str:
        """The translation of `text` where it means what `context` says."""
        return self.catalogue.pgettext(context, text) if text else ""

    def ngettext(self, singular: str, plural: str, count: int) -> str:
        """The form for `count`, with `{count}` filled in."""
        return self.catalogue.ngettext(singular, plural, count).format(count=self.formats.count(count))

    def part(self, name: str) -> str:
        """A part's name with its generic words in the language; brand and model stay as sold."""
        from gpuconfig.i18n.part_names import part_name  # its pattern: the first window names no part

        return part_name(name, self) if self.language is not Language.EN else name

    @property
    def unknown(self) -> str:
        """The word that stands for a value nobody knows; never 0 and never a dash."""
        return self.formats.unknown


@cache
def load(language: Language) -> Translator:
    """The translator of `language`; English needs no catalogue, a missing catalogue leaves English text."""
    found: NullTranslations = NullTranslations()
    if language is not Language.EN:
        found = translation(DOMAIN, paths.translations(), [language.locale_name], fallback=True)
    return Translator(language, found)


@cache
def _formats(language: Language) -> Formats:
    from gpuconfig.i18n.formats import Formats  # decimal and money: the first window shows none

    return Formats(language, load(language).catalogue.gettext)
