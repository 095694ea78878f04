"""The planning price of a part: which offer counts for this buyer, in the buyer's currency and tax basis.

An offer of the buyer's own market beats any from elsewhere, which is an import; a price from another region is
a conversion, whatever it was there, and is never shown as a street price. Conditions are never merged: who wants
new goods gets no price of used ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.market import Offer
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import Condition, Kind, Market, Origin, PriceKind, Region
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Currency, ExchangeRate, Money, MoneyRange, TaxBasis

_ORDER = {
    PriceKind.STREET: 0,
    PriceKind.QUOTE: 1,
    PriceKind.LIST: 2,
    PriceKind.CONVERTED: 3,
    PriceKind.ASSUMED: 4,
}
_LAST = len(_ORDER)
AS_NEW = frozenset({Condition.NEW, Condition.UNKNOWN})
"""Conditions that a buyer of new goods accepts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Buyer:
    """Who buys: where, in which currency, and what goods are acceptable.

    Attributes:
        tax_rate: value-added or sales tax added to an amount without it, and to an import.
        used_ok: used, refurbished and modified goods may be taken too.
        within_days: offers known to take longer are left out; None: no matter.
    """

    region: Region
    currency: Currency
    tax_included: bool = True
    tax_rate: Decimal = Decimal(0)
    used_ok: bool = False
    within_days: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedPrice:
    """Low-high of one piece as the buyer would pay it.

    Attributes:
        converted: through an exchange rate.
        assumed: nobody was seen to ask it in the buyer's region: assumed, or converted from elsewhere.
        imported: no offer of the buyer's market is recorded.
    """

    price: MoneyRange
    offer: Offer
    converted: bool
    assumed: bool
    imported: bool = False

    def middle(self) -> Money:
        """The planning value."""
        return self.price.middle()


class Pricer:
    """Prices of one buyer over a catalogue; each part is looked up once."""

    def __init__(self, catalogue: Catalogue, buyer: Buyer, rate: ExchangeRate | None = None) -> None:
        self.catalogue = catalogue
        self.buyer = buyer
        self._rate = rate
        self._known: dict[tuple[Kind, str], PlannedPrice | None] = {}

    def price(self, kind: Kind, item: CatalogueItem) -> PlannedPrice | None:
        """The planning price of one piece, None where no offer is acceptable."""
        key = (kind, item.id)
        if key not in self._known:
            offers = acceptable(self.catalogue.offers(kind, item.id), item, self.buyer)
            self._known[key] = None if not offers else self.planned(best(offers, self.buyer))
        return self._known[key]

    def planned(self, offer: Offer) -> PlannedPrice:
        """`offer` in the buyer's currency and tax basis."""
        abroad = _abroad(offer, self.buyer)
        low, high = self._for_buyer(offer, offer.low), self._for_buyer(offer, offer.high)
        return PlannedPrice(
            price=MoneyRange(low, high),
            offer=offer,
            converted=offer.currency is not self.buyer.currency,
            assumed=offer.is_assumed() or abroad,
            imported=not same_market(offer.region, self.buyer.region),
        )

    def convert(self, money: Money) -> Money:
        """`money` in the buyer's currency at the dated rate."""
        if money.currency is self.buyer.currency:
            return money
        return self.rate().convert(money, self.buyer.currency)

    def rate(self) -> ExchangeRate:
        """The newest US dollar rate."""
        if self._rate is None:
            self._rate = self.catalogue.exchange_rate(Currency.USD, Currency.CNY)
        return self._rate

    def _for_buyer(self, offer: Offer, amount: Decimal) -> Money:
        # Imported goods pay the buyer's tax on top, whatever was included where the price was seen.
        excluded = offer.tax is TaxBasis.EXCLUDED or (
            offer.tax is TaxBasis.UNKNOWN and (offer.currency is Currency.USD or _abroad(offer, self.buyer))
        )
        factor = Decimal(1) + self.buyer.tax_rate
        if self.buyer.tax_included and excluded:
            amount = amount * factor
        elif not self.buyer.tax_included and not excluded:
            amount = amount / factor
        return self.convert(Money(amount, offer.currency)).rounded()


def acceptable(offers: Sequence[Offer], item: CatalogueItem, buyer: Buyer) -> list[Offer]:
    """Offers of the condition the buyer accepts. A list price of a product that is no longer made is history."""
    gone = isinstance(item, Accelerator) and item.market is Market.END_OF_LIFE
    modified = isinstance(item, Accelerator) and item.modified
    result = []
    for offer in offers:
        if gone and offer.kind is PriceKind.LIST:
            continue
        if buyer.within_days is not None and (offer.lead_time_days or 0) > buyer.within_days:
            continue
        if not buyer.used_ok and (modified or offer.condition not in AS_NEW):
            continue
        result.append(offer)
    return result


def same_market(one: Region, other: Region) -> bool:
    """Whether goods of one region are on sale in the other.

    China is a market of its own: models made for it, brands sold only there, others that may not be sent there.
    """
    return Region.WORLD in (one, other) or (one is Region.CN) is (other is Region.CN)


def why_unpriced(offers: Sequence[Offer], item: CatalogueItem, buyer: Buyer) -> Message:
    """What keeps every offer of an item from this buyer."""
    if not offers:
        return Message(N_("no price is recorded"))
    if acceptable(offers, item, buyer):
        return Message(N_("on offer in other regions only: an import; name it to see it"))
    if acceptable(offers, item, replace(buyer, used_ok=True)):
        return Message(
            N_("only used or modified ones are on offer; constraints.condition = used_ok takes them")
        )
    if acceptable(offers, item, replace(buyer, within_days=None)):
        return Message(N_("every offer takes longer than constraints.available_within_days"))
    return Message(N_("no price is recorded that this buyer can use"))


def best(offers: Sequence[Offer], buyer: Buyer) -> Offer:
    """The offer to plan with: the buyer's own, the market, the strongest kind, new before used, the newest."""
    return min(offers, key=lambda o: _rank(o, buyer))


def try_rate(pricer: Pricer) -> ExchangeRate | None:
    """The exchange rate, None where the catalogue has none."""
    try:
        return pricer.rate()
    except InputError:
        return None


def _abroad(offer: Offer, buyer: Buyer) -> bool:
    if offer.region in (buyer.region, Region.WORLD):
        return offer.region is Region.WORLD and offer.currency is Currency.USD and buyer.region is Region.CN
    return True


def _rank(offer: Offer, buyer: Buyer) -> tuple[bool, bool, int, int, int, str]:
    abroad = _abroad(offer, buyer)
    # What this buyer was asked himself replaces what others were: a quotation in hand beats any price list.
    own = offer.origin is Origin.USER and not abroad and not offer.is_assumed()
    kind = max(_ORDER[offer.kind], _ORDER[PriceKind.CONVERTED]) if abroad else _ORDER[offer.kind]
    if abroad and offer.is_assumed():
        kind = _LAST  # somebody else's guess or conversion: only where there is nothing else
    condition = 0 if offer.condition in AS_NEW else 1
    # With used goods accepted the cheaper condition of the same strength is not preferred blindly:
    # a seen price beats a guess first, then new beats used, then the newest wins.
    # A year without a day is taken for its first: it never passes for newer than a price with a day.
    day = f"{offer.date}-01-01"[:10] if offer.date else ""
    newest = "".join(chr(0x10FFFF - ord(c)) for c in day)
    foreign = not same_market(offer.region, buyer.region)
    return (not own, foreign, kind, condition, 1 if abroad else 0, newest or "\U0010ffff")
