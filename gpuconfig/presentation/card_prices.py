"""What one card costs where somebody buys: all cards in one currency and tax basis, each price's kind and date."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gpuconfig.documents.labels import CONDITIONS, PRICE_KINDS
from gpuconfig.engine.catalogue.vocabulary import Kind, Region
from gpuconfig.engine.compatibility.environment import Environment
from gpuconfig.engine.compatibility.prices import RegionalPricers
from gpuconfig.engine.pricing.planning import PlannedPrice, Pricer
from gpuconfig.engine.provenance.message import N_
from gpuconfig.i18n import Language, Translator
from gpuconfig.presentation.card_facts import offer_shown
from gpuconfig.presentation.shown import Shown, Tone

if TYPE_CHECKING:
    from datetime import date

    from gpuconfig.engine.catalogue.accelerator import Accelerator
    from gpuconfig.engine.catalogue.repository import Catalogue

TITLE = N_("Price of one card")


def region_of_reader(t: Translator) -> Region:
    """Where a reader of the language buys, as long as no request says it."""
    return Region.CN if t.language is Language.ZH else Region.US


def card_pricer(catalogue: Catalogue, region: Region) -> Pricer:
    """Prices in the region, used and modified goods too: their condition stands beside the price."""
    buyer = RegionalPricers(catalogue).at(Environment(region=region)).buyer
    return Pricer(catalogue, replace(buyer, used_ok=True))


def card_price_shown(card: Accelerator, pricer: Pricer, today: date, t: Translator) -> Shown:
    """The planning price of one card in the buyer's currency; where it comes from is behind it."""
    planned = pricer.price(Kind.ACCELERATOR, card)
    if planned is None:
        return offer_shown(None, TITLE, today, t)
    shown = offer_shown(planned.offer, TITLE, today, t)
    return replace(
        shown,
        text=t.formats.money_range(planned.price),
        sort=float(planned.middle().amount),
        assumed=planned.assumed,
    )


def price_origin_shown(card: Accelerator, pricer: Pricer, t: Translator) -> Shown:
    """Kind, condition and date of that price, and the rate it was converted at."""
    planned = pricer.price(Kind.ACCELERATOR, card)
    if planned is None:
        return Shown(text=t.unknown, tone=Tone.UNKNOWN)
    offer = planned.offer
    words = [
        t.pgettext("paper", PRICE_KINDS[offer.kind]),
        t.pgettext("paper", CONDITIONS[offer.condition]),
        offer.date or t.unknown,
    ]
    return Shown(text=t.formats.join(words), note=_converted(planned, pricer, t), assumed=planned.assumed)


def _converted(planned: PlannedPrice, pricer: Pricer, t: Translator) -> str:
    if not planned.converted:
        return ""
    rate = pricer.rate()
    return t.gettext(N_("converted from {amount} at {rate} ({date})")).format(
        amount=t.formats.money_range(planned.offer.price()),
        rate=t.formats.number(rate.rate),
        date=rate.evidence.date,
    )
