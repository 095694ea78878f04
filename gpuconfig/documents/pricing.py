"""The bill of an option: its parts priced for a paper, with the mark each price carries."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

from gpuconfig.documents.bill import Bill, Rounding, TaxRule
from gpuconfig.documents.content import Span, Text, Tone
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.labels import CONDITIONS, PRICE_KINDS
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.builds.build import BomLine
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.record import Coefficient
from gpuconfig.engine.catalogue.titles import PART_KINDS
from gpuconfig.engine.catalogue.vocabulary import Condition, Kind, PriceKind
from gpuconfig.engine.pricing.wishes import CostWishes
from gpuconfig.engine.provenance.evidence import EvidenceKind
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Currency, Money
from gpuconfig.engine.selection.recommendation import Option, OptionKind


@dataclass(frozen=True, slots=True)
class PricedLine:
    """A part with its quantity over all machines and its planning price; or the one line of a rent.

    Attributes:
        rent_years: the line is a rent for so many years; None for a part.
        seen: the day of the oldest price list of a rent.
    """

    line: BomLine
    quantity: int
    unit_price: Decimal | None
    rent_years: float | None = None
    seen: str | None = None

    def category(self, writer: Writer) -> str:
        """Kind of part, or that it is a rent."""
        return writer.say(N_("Rent") if self.rent_years is not None else PART_KINDS[self.line.kind])

    def unit(self, writer: Writer) -> str:
        """Piece, or the years of a rent."""
        if self.rent_years is None:
            return writer.say(N_("pc."))
        return writer.say(N_("{years} years"), years=self.rent_years)

    def mark(self, writer: Writer) -> Text:
        """How the price is known."""
        if self.rent_years is None:
            return price_mark(self.line, writer)
        seen = self.seen or writer.say(N_("undated"))
        return (Span(writer.say(N_("providers' price lists")) + f" {seen}", tone=Tone.SECONDARY),)


@dataclass(frozen=True, slots=True, kw_only=True)
class PricedBuild:
    """All parts of an option and their bill; `lines` and the bill's rows run in parallel."""

    lines: tuple[PricedLine, ...]
    bill: Bill

    @property
    def total(self) -> Money:
        """What is to be paid, tax included where the rate is known."""
        return Money(self.bill.total.gross, self.bill.currency)

    @property
    def currency(self) -> Currency:
        """Of every amount."""
        return self.bill.currency


def priced_build(context: DocumentContext, option: Option | None = None) -> PricedBuild | None:
    """The bill of `option` (None: the chosen one); None where nothing is paid for (keeping, nothing fits)."""
    chosen = option or context.option
    if chosen is None or chosen.kind is OptionKind.KEEP:
        return None
    lines = _lines(chosen)
    if not lines:
        return None
    bill = Bill(
        currency=chosen.price.total.low.currency,
        rule=tax_rule(context, chosen),
        quantities=tuple(line.quantity for line in lines),
        unit_prices=tuple(line.unit_price for line in lines),
    )
    return PricedBuild(lines=lines, bill=bill)


def _lines(option: Option) -> tuple[PricedLine, ...]:
    if option.build is not None:
        return tuple(
            PricedLine(line, count, _planning_price(line)) for line, count in option.build.all_lines()
        )
    if option.kind is not OptionKind.RENT:
        return ()
    hardware = option.estimate_request.hardware
    name = f"{hardware.gpu_count} × {option.accelerator.name}"
    item = CatalogueItem(id=option.accelerator.id, name=name, brand=option.accelerator.brand)
    years = option.tco.years if option.tco is not None else 1.0
    line = BomLine(kind=Kind.ACCELERATOR, item=item, price=option.price.total)
    return (PricedLine(line, 1, option.price.planned().amount, years, option.price.oldest_date),)


def tax_rule(context: DocumentContext, option: Option) -> TaxRule:
    """The rule given, in the option's tax basis; a rent's rate is the provider's to name."""
    if context.tax is None or option.kind is OptionKind.RENT:
        return TaxRule(rate=None, included=option.price.tax_included)
    if option is context.option:
        return context.tax
    return replace(context.tax, included=option.price.tax_included)


def tax_of_region(row: Coefficient | None, included: bool) -> TaxRule | None:
    """The rule of a recorded tax rate; None where it is unknown or assumed: the rate is then the buyer's to name."""
    if row is None or row.value is None or row.evidence.kind is EvidenceKind.ASSUMED:
        return None
    return TaxRule(
        rate=Decimal(str(row.value)),
        included=included,
        source=row.evidence.source,
        date=row.evidence.date or "",
    )


def tax_wished(wishes: CostWishes, row: Coefficient | None, included: bool) -> TaxRule | None:
    """The rule with what the person said of rate and rounding, over the region's."""
    rule = tax_of_region(row, included)
    rounding = Rounding(wishes.rounding.value)
    if wishes.tax_rate is not None:
        return TaxRule(rate=Decimal(str(wishes.tax_rate)), included=included, rounding=rounding)
    return None if rule is None else replace(rule, rounding=rounding)


def planning_total(context: DocumentContext, option: Option) -> Money:
    """The middle of an option's price range in its own tax basis: for comparing with the range and the budget."""
    priced = priced_build(context, option)
    if priced is None:
        return option.price.planned().rounded()
    return Money(priced.bill.subtotal, priced.currency)


def total_of(context: DocumentContext, option: Option) -> Money:
    """The amount to be paid for `option`: the bill's total with tax, else the middle of its range."""
    priced = priced_build(context, option)
    return priced.total if priced else option.price.planned().rounded()


def price_mark(line: BomLine, writer: Writer) -> Text:
    """How a price is known: kind, condition where not new, date; assumed and converted stand out."""
    if line.reused:
        return (Span(writer.say(N_("already owned")), tone=Tone.SECONDARY),)
    offer = line.offer
    if line.price is None:
        return (Span(writer.say(N_("no price found")), tone=Tone.UNKNOWN),)
    if offer is None:
        return (Span(writer.say(N_("assumed")), tone=Tone.WARNING),)
    converted = is_converted(line)
    kinds = [writer.say(PRICE_KINDS[offer.kind])]
    if converted and offer.kind is not PriceKind.CONVERTED:
        kinds.append(writer.say(PRICE_KINDS[PriceKind.CONVERTED]))
    if offer.condition is not Condition.NEW:
        kinds.append(writer.say(CONDITIONS[offer.condition]))
    tone = Tone.WARNING if converted or line.assumed or offer.is_assumed() else Tone.SECONDARY
    return (
        Span(writer.join(kinds), tone=tone),
        Span(" " + (offer.date or writer.say(N_("undated"))), tone=Tone.SECONDARY),
    )


def is_converted(line: BomLine) -> bool:
    """Whether the price came through an exchange rate: nobody asks this amount."""
    return line.converted or (line.offer is not None and line.offer.kind is PriceKind.CONVERTED)


def _planning_price(line: BomLine) -> Decimal | None:
    if line.reused:
        return Decimal(0)
    return None if line.price is None else line.price.middle().amount
