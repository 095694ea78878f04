"""Every offer of one item as a table: newest first, with its age, condition, tax and source."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from gpuconfig.documents.labels import CONDITIONS, PRICE_KINDS
from gpuconfig.engine.catalogue.vocabulary import Channel, Origin, Region
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import TaxBasis
from gpuconfig.i18n import Translator
from gpuconfig.i18n.recorded import recorded_words
from gpuconfig.i18n.sources import source_words
from gpuconfig.presentation import badges
from gpuconfig.presentation.card_facts import offer_shown
from gpuconfig.presentation.shown import Shown, Tone
from gpuconfig.presentation.table import Column, Row, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gpuconfig.engine.catalogue.market import Offer
    from gpuconfig.engine.pricing.freshness import AgeLimits

SOURCE_SHOWN = 48

TAX_WORDS = {
    TaxBasis.INCLUDED: N_("with tax"),
    TaxBasis.EXCLUDED: N_("without tax"),
    TaxBasis.UNKNOWN: N_("tax not stated"),
}
REGION_WORDS = {
    Region.CN: N_("China"),
    Region.US: N_("USA"),
    Region.EU: N_("EU"),
    Region.WORLD: N_("everywhere"),
}
CHANNEL_WORDS = {
    Channel.UNKNOWN: N_("not stated"),
    Channel.RETAIL: N_("shop"),
    Channel.CHANNEL: N_("distributor"),
    Channel.GREY: N_("grey import"),
    Channel.MARKETPLACE: N_("marketplace"),
    Channel.LIST: N_("the maker's list"),
}


def offers_table(offers: Sequence[Offer], limits: AgeLimits, today: date, t: Translator) -> Table:
    """Offers as they are given; keys are their ids."""
    _ = t.gettext
    columns = (
        Column(key="date", title=_(N_("Date")), width=90),
        Column(key="price", title=_(N_("Price")), numeric=True, width=170),
        Column(key="condition", title=_(N_("New or used")), width=80),
        Column(key="kind", title=_(N_("Kind")), width=90),
        Column(key="tax", title=_(N_("Tax")), width=90),
        Column(key="region", title=_(N_("Region")), width=70),
        Column(key="channel", title=_(N_("From")), width=100),
        Column(key="lead", title=_(N_("Delivery time")), numeric=True, width=90),
        Column(key="source", title=_(N_("Source")), width=240),
    )
    rows = tuple(Row(key=offer.id, cells=_cells(offer, limits, today, t)) for offer in offers)
    return Table(columns=columns, rows=rows, name=_(N_("Prices")))


def _cells(offer: Offer, limits: AgeLimits, today: date, t: Translator) -> tuple[Shown, ...]:
    _ = t.gettext
    age = badges.age(offer.age_days(today), limits, t)
    days = offer.lead_time_days
    lead = (
        Shown(text=t.unknown, tone=Tone.UNKNOWN)
        if days is None
        else Shown(text=t.ngettext("{count} day", "{count} days", days), sort=days)
    )
    own = _(N_("yours")) if offer.origin is Origin.USER else ""
    return (
        Shown(text=offer.date or t.unknown, tone=age.tone, sort=offer.date or ""),
        offer_shown(offer, N_("Price"), today, t),
        Shown(text=t.pgettext("paper", CONDITIONS[offer.condition]), sort=offer.condition.value),
        Shown(
            text=t.pgettext("paper", PRICE_KINDS[offer.kind]),
            sort=offer.kind.value,
            assumed=offer.is_assumed(),
        ),
        Shown(text=_(TAX_WORDS[offer.tax]), sort=offer.tax.value),
        Shown(text=_(REGION_WORDS[offer.region]), sort=offer.region.value),
        Shown(text=_(CHANNEL_WORDS[offer.channel]), sort=offer.channel.value),
        lead,
        Shown(text=origin_in_words(offer, t), note=own, sort=offer.source),
    )


def origin_in_words(offer: Offer, t: Translator) -> str:
    """Where the price was seen, else why it is this amount; a long address is cut, the price opens all of it."""
    text = source_words(offer.source, t) or recorded_words(offer.basis, t)
    return text if len(text) <= SOURCE_SHOWN else text[: SOURCE_SHOWN - 1] + "…"
