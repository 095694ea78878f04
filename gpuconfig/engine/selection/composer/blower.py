"""A shroud with a blower: what lets a server's card without a fan stand in a desktop.

A maker vouches for such a card in a server's ducted air only. Where the card is bought with a warranty that counts;
where it is bought used there is none to lose, and people run them so.
"""

from __future__ import annotations

from gpuconfig.engine.catalogue.host import Cooler
from gpuconfig.engine.catalogue.vocabulary import FormFactor, Kind
from gpuconfig.engine.pricing.planning import AS_NEW
from gpuconfig.engine.selection.composer.need import Need
from gpuconfig.engine.selection.composer.shelf import Priced, Shelf


def blower_for(need: Need, shelf: Shelf) -> Priced[Cooler] | None:
    """The cheapest blower that carries the heat of one card; None where none does or the card has a warranty."""
    card, watts = need.accelerator, need.card_w()
    if card.form_factor is not FormFactor.PCIE or not watts:
        return None
    price = shelf.pricer.price(Kind.ACCELERATOR, card)
    mine = shelf.owned_count(Kind.ACCELERATOR, card.id) >= need.per_node
    if not mine and (price is None or price.offer.condition in AS_NEW):
        return None
    return next(
        (
            b
            for b in shelf.card_blowers
            if b.item.height_mm is not None and (b.item.cooling_w or 0.0) >= watts
        ),
        None,
    )
