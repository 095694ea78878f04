"""A supplier's quotation: its lines, their prices with tax basis, and which catalogue items they mean."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType

from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.lookup import key
from gpuconfig.engine.catalogue.vocabulary import Condition, Kind, Region
from gpuconfig.engine.provenance.errors import DataError, InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Currency, Money, TaxBasis
from gpuconfig.exchange.amounts import read_money
from gpuconfig.exchange.columns import ColumnMapping
from gpuconfig.exchange.dates import read_days
from gpuconfig.exchange.numbers import NumberStyle, read_column
from gpuconfig.exchange.sheet import Sheet

_PRICE_FIELDS = (
    ("price_included", TaxBasis.INCLUDED),
    ("price_excluded", TaxBasis.EXCLUDED),
    ("price", TaxBasis.UNKNOWN),
)
_CONDITIONS = MappingProxyType(
    {
        "全新": Condition.NEW, "新": Condition.NEW, "new": Condition.NEW, "二手": Condition.USED,
        "拆机": Condition.USED, "used": Condition.USED, "改装": Condition.MODIFIED, "魔改": Condition.MODIFIED,
        "modified": Condition.MODIFIED, "翻新": Condition.REFURBISHED, "refurbished": Condition.REFURBISHED,
    }
)  # fmt: skip
_TOTAL_ROWS = ("合计", "总计", "小计", "total", "subtotal", "大写", "税额")
_MATCH = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteLine:
    """One line of a quotation.

    Attributes:
        unit_price: of one piece, in the basis the sheet states; None where `problems` say why.
        match: the catalogue item it most likely means, with how sure (0..1).
    """

    line: int
    name: str
    part_number: str
    quantity: int
    unit_price: Money | None
    tax: TaxBasis
    condition: Condition
    date: str | None
    lead_time_days: int | None
    match: tuple[Kind, str, float] | None
    problems: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Matcher:
    """Finds the catalogue item a line of a quotation means."""

    items: Sequence[tuple[Kind, CatalogueItem]]

    def find(self, name: str, part_number: str) -> tuple[Kind, str, float] | None:
        """The most likely item and how sure it is: 1 by part number, 0.95 by name, below that by shared words."""
        number, plain, words = key(part_number), key(name), _words(name)
        best: tuple[float, Kind, str] | None = None
        for kind, item in self.items:
            sure = _sureness(item, number, plain, words)
            if sure >= _MATCH and (best is None or sure > best[0]):
                best = (sure, kind, item.id)
        return None if best is None else (best[1], best[2], best[0])


def read_quotation(
    sheet: Sheet, mapping: ColumnMapping, matcher: Matcher, currency: Currency = Currency.CNY
) -> tuple[QuoteLine, ...]:
    """The lines of a quotation.

    Args:
        sheet: the table.
        mapping: its columns.
        matcher: over the catalogue.
        currency: of amounts without a mark.

    Raises:
        DataError: the sheet has no price column.
    """
    prices = [(name, basis) for name, basis in _PRICE_FIELDS if mapping.column(name) is not None]
    if not prices:
        raise DataError(
            "no_price", Message(N_("{sheet}: no column of unit prices was found"), {"sheet": sheet.name})
        )
    field, basis = prices[0]
    rows = [(i, row) for i, row in enumerate(sheet.rows) if i > mapping.header and _is_line(row, mapping)]
    amounts = _amounts([_cell(row, mapping, field) for _, row in rows], currency, field)
    days = read_days([_cell(row, mapping, "date") for _, row in rows])
    lines = []
    for (index, row), amount, day in zip(rows, amounts, days.values, strict=True):
        name, number = _cell(row, mapping, "name"), _cell(row, mapping, "part_number")
        quantity = re.sub(r"\D", "", _cell(row, mapping, "quantity").split(".")[0])
        if any(row[len(sheet.rows[mapping.header]) :]):
            amount = Message(N_("this line has more cells than the heading: a comma inside an amount?"))
        problems = (amount,) if isinstance(amount, Message) else ()
        lines.append(
            QuoteLine(
                line=sheet.line(index),
                name=name,
                part_number=number,
                quantity=int(quantity) if quantity else 1,
                unit_price=amount if isinstance(amount, Money) else None,
                tax=basis,
                condition=_condition(_cell(row, mapping, "condition") + name),
                date=day,
                lead_time_days=_days(_cell(row, mapping, "lead_time")),
                match=matcher.find(name, number),
                problems=problems,
            )
        )
    return tuple(lines)


def quote_offers(
    lines: Iterable[QuoteLine], source: str, date: str, region: Region
) -> list[dict[str, str | int | None]]:
    """Offers, ready for the overlay, of the lines that are matched and priced.

    Args:
        lines: as read, matches confirmed by the person.
        source: the quotation's file or number.
        date: its day, for lines without their own.
        region: where it holds.
    """
    offers = []
    for line in lines:
        if line.match is None or line.unit_price is None:
            continue
        kind, item_id, _ = line.match
        amount = format(line.unit_price.amount, "f")
        offers.append(
            {
                "id": f"quote-{key(source)[:40]}-{line.line}-{item_id}",
                "subject_kind": kind.value,
                "subject_id": item_id,
                "low": amount,
                "high": amount,
                "currency": line.unit_price.currency.value,
                "tax": line.tax.value,
                "condition": line.condition.value,
                "region": region.value,
                "channel": "channel",
                "date": line.date or date,
                "source": source,
                "kind": "quote",
                "confidence": "high",
                "lead_time_days": line.lead_time_days,
            }
        )
    return offers


def _amounts(cells: Sequence[str], currency: Currency, field: str) -> list[Money | Message | None]:
    """Every amount in the one writing the column allows; a text with two readings becomes a question."""
    numbers = read_column([re.sub(r"[^\d.,'’\s+-]", "", cell) for cell in cells])
    style = numbers.style or NumberStyle.POINT
    amounts: list[Money | Message | None] = []
    for index, cell in enumerate(cells):
        if not cell:
            amounts.append(Message(N_("no price")))
        elif index in numbers.ambiguous:
            amounts.append(Message(N_("{value} can be read in two ways"), {"value": cell}))
        else:
            try:
                amounts.append(_positive(read_money(cell, field, currency, style)))
            except InputError as error:
                amounts.append(error.message)
    return amounts


def _positive(money: Money) -> Money | Message:
    return money if money.amount > Decimal(0) else Message(N_("a price must be above zero"))


def _is_line(row: Sequence[str], mapping: ColumnMapping) -> bool:
    name = _cell(row, mapping, "name")
    joined = "".join(row).lower()
    return bool(name) and not any(
        joined.startswith(word) or name.lower().startswith(word) for word in _TOTAL_ROWS
    )


def _cell(row: Sequence[str], mapping: ColumnMapping, field: str) -> str:
    column = mapping.column(field)
    return row[column].strip() if column is not None and column < len(row) else ""


def _condition(text: str) -> Condition:
    lowered = text.lower()
    for word in sorted(_CONDITIONS, key=len, reverse=True):
        if word in lowered and (len(word) > 1 or lowered.startswith(word)):
            return _CONDITIONS[word]
    return Condition.UNKNOWN


def _days(text: str) -> int | None:
    plain = unicodedata.normalize("NFKC", text)
    if "现货" in plain or "in stock" in plain.lower():
        return 0
    match = re.search(r"(\d+)\s*(天|日|工作日|周|week|day|d\b|w\b|个?月|month)?", plain)
    if match is None:
        return None
    unit = match[2] or "天"
    factor = 7 if unit in ("周", "week", "w") else 30 if unit.endswith(("月", "month")) else 1
    return int(match[1]) * factor


def _sureness(item: CatalogueItem, number: str, plain: str, words: frozenset[str]) -> float:
    if number and item.part_number and key(item.part_number) == number:
        return 1.0
    names = (item.name, *item.aliases)
    if plain in {key(name) for name in names}:
        return 0.95
    best = 0.0
    for name in names:
        own = _words(name)
        digits = {word for word in own if any(c.isdigit() for c in word)}
        # A model number that is missing rules the item out, however many other words agree.
        if own and digits <= words:
            best = max(best, 0.9 * len(own & words) / len(own | words))
    return best


def _words(text: str) -> frozenset[str]:
    plain = unicodedata.normalize("NFKC", text).lower()
    return frozenset(
        word for word in re.findall(r"[a-z]+\d*[a-z]*\d*|\d+[a-z]*|[\u4e00-\u9fff]+", plain) if word
    )
