"""A host older than its cards: what each generation of PCIe that it lies behind counts against it.

Such a host costs less than it is worth: it loads models and moves offloaded weights at half the rate, is out of
warranty and sells for nothing with the cards still young. A share of the cards' price a generation tells so: beside a
cheap old card an old host stays the best, beside a dear new one it does not.
"""

from __future__ import annotations

from decimal import Decimal

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.selection.composer.need import Need
from gpuconfig.engine.selection.composer.shelf import Shelf


class Lag:
    """Answers for one need. Nothing counts where a machine is kept: what is owned is not to be replaced by it."""

    def __init__(self, need: Need, shelf: Shelf) -> None:
        card = need.accelerator
        price = None if shelf.owned is not None else shelf.pricer.price(Kind.ACCELERATOR, card)
        cards = Decimal(0) if price is None else price.middle().amount * need.per_node
        self._each = shelf.weighed(cards * Decimal(str(shelf.rule("generation_behind_worth"))))
        self._own = card.pcie_generation

    def cost(self, *generations: int | None) -> Decimal:
        """Of a link through parts of these generations: the oldest counts; one that is not recorded is one behind."""
        own = self._own
        if own is None:
            return Decimal(0)
        return self._each * max(0, *(1 if g is None else own - g for g in generations))
