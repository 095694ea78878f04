"""Puts words and figures of a paper into the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from gpuconfig.documents.amount_in_words import LARGEST, amount_in_words
from gpuconfig.documents.content import Cell, Span, Text, Tone, text
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Currency, Money, MoneyRange
from gpuconfig.i18n import Language, Translator, render
from gpuconfig.i18n.filling import fill
from gpuconfig.i18n.formats import Formats, shown_unit

YEAR_DIGITS = 4
CONTEXT = "paper"
"""Context of the papers' words in the translation catalogue: “Memory” is 内存 here and 显存 elsewhere."""


@dataclass(frozen=True, slots=True)
class Writer:
    """Text of one language; every method gives what is printed."""

    translator: Translator

    @property
    def formats(self) -> Formats:
        """Numbers, money and dates."""
        return self.translator.formats

    @property
    def language(self) -> Language:
        """The paper's language."""
        return self.translator.language

    def say(self, template: str, **values: object) -> str:
        """A marked English template in the paper's language, filled in."""
        translated = self.word(template)
        return fill(translated, values, self.translator) if values else translated

    def part(self, name: str) -> str:
        """A part's name with its generic words in the language."""
        return self.translator.part(name)

    def word(self, text: str) -> str:
        """`text` as papers say it (their words have a context of their own), else as everything does."""
        translated = self.translator.pgettext(CONTEXT, text)
        return translated if translated != text else self.translator.gettext(text)

    def message(self, message: Message) -> str:
        """What the engine says."""
        return render(message, self.translator)

    def money(self, amount: Money | None) -> str:
        """To the cent (分), as papers print it."""
        return self.formats.money(amount, cents=True)

    def about(self, amounts: MoneyRange | None) -> str:
        """Low–high of a forecast, to the yuan or dollar: never payable."""
        return self.formats.money_range(amounts)

    def figure(self, figure: Figure | None) -> Text:
        """A figure with its band; unknown in the unknown colour."""
        if figure is None or figure.value is None:
            return self.unknown()
        return text(self.formats.figure(figure))

    def figures(self, column: Sequence[Figure]) -> list[Text]:
        """Figures that stand under one another, all in the unit of the largest: no hours among minutes."""
        largest = max((abs(figure.value) for figure in column if figure.value is not None), default=None)
        return [
            self.unknown()
            if figure.value is None
            else text(self.formats.band(figure.value, figure.low, figure.high, figure.unit, largest))
            for figure in column
        ]

    def unknown(self) -> Text:
        """The word for what nobody knows."""
        return text(self.translator.unknown, tone=Tone.UNKNOWN)

    def given(self, words: str) -> Text:
        """`words`, or unknown where there are none."""
        return text(words) if words else self.unknown()

    def day(self, day: date | str | None) -> str:
        """A day; the ISO text of a recorded date stays as it is, a year alone says that it is one."""
        if isinstance(day, str):
            return f"{day} 年" if self.language is Language.ZH and len(day) == YEAR_DIGITS else day
        return self.formats.date(day)

    def sentences(self, items: list[str]) -> str:
        """Sentences one after the other, each with its full stop."""
        stop = "。" if self.language is Language.ZH else "."
        if self.language is Language.EN:
            items = [item[:1].upper() + item[1:] for item in items]
        closed = [item if item.endswith((".", "。", "!", "！", "?", "？")) else item + stop for item in items]
        return "".join(item if item.endswith("。") else item + " " for item in closed).rstrip()

    def share(self, figure: Figure) -> Text:
        """A figure between 0 and 1 with its band, in per cent: 31% (26–36)."""
        if figure.value is None:
            return self.unknown()
        shown = self.percent(figure.value)
        if figure.low is not None and figure.high is not None:
            low, high = self.formats.number(figure.low * 100), self.formats.number(figure.high * 100)
            shown = f"{shown} ({low}–{high})"
        return text(shown)

    def between(self, figure: Figure) -> str:
        """The band alone: 944–1,280 token/s; empty where none is known."""
        if figure.value is None or figure.low is None or figure.high is None:
            return ""
        unit, divisor = shown_unit(figure.value, figure.unit)
        low, high = self.formats.number(figure.low / divisor), self.formats.number(figure.high / divisor)
        return f"{low}–{high} {self.translator.gettext(unit)}".strip()

    def tokens(self, count: float) -> str:
        """A given number of tokens, exact: 4,096 tokens."""
        return self.say(N_("{count} tokens"), count=int(count))

    def join(self, items: list[str]) -> str:
        """A list in a sentence."""
        return self.formats.join(items)

    def words(self, amount: Money) -> str:
        """大写 of an RMB amount, in either language's paper; empty for other currencies."""
        if amount.currency is not Currency.CNY or abs(amount.amount) >= LARGEST:
            return ""
        return amount_in_words(amount.amount)

    # Cells -----------------------------------------------------------------------------------------------

    def cell(self, content: str | Text, *, indent: int = 0) -> Cell:
        """A cell of text."""
        return Cell(content=text(content) if isinstance(content, str) else content, indent=indent)

    def money_cell(
        self, amount: Decimal | None, currency: Currency, *, bold: bool = False, formula: str = ""
    ) -> Cell:
        """A payable amount, typed for the spreadsheet."""
        if amount is None:
            return Cell(
                content=self.unknown(), currency=currency, formula=f"IFERROR({formula},0)" if formula else ""
            )
        shown = text(self.money(Money(amount, currency)), bold=bold)
        return Cell(content=shown, value=amount, currency=currency, formula=formula)

    def count_cell(self, count: int) -> Cell:
        """A whole number."""
        return Cell(content=text(self.formats.count(count)), value=count)

    def percent_cell(self, share: float | Decimal | None) -> Cell:
        """A share, typed."""
        if share is None:
            return Cell(content=self.unknown())
        return Cell(content=text(self.percent(share)), value=share, percent=True)

    def percent(self, share: float | Decimal | None) -> str:
        """12.5%."""
        return self.formats.percent(None if share is None else float(share))

    def parallelism(self, split: Mapping[str, object]) -> str:
        """A strategy in the field's short form: DP 8 · TP 2 · ZeRO-3."""
        short = (("data", "DP"), ("tensor", "TP"), ("pipeline", "PP"), ("context", "CP"), ("expert", "EP"))
        parts = [f"{name} {split[key]}" for key, name in short if split.get(key) not in (None, 1, "1")]
        if split.get("zero_stage"):
            parts.append(f"ZeRO-{split['zero_stage']}")
        return " · ".join(parts)


def linked(source: str, words: str = "") -> Span:
    """A source; a link where it is a web address, alone or with the place on the page in brackets behind it."""
    written = source.strip()
    address = written.partition(" (")[0]
    is_web = address.startswith(("https://", "http://")) and " " not in address and address.isprintable()
    return Span(words or written, link=address if is_web else "")
