"""A host that shows no picture beside cards without an output: the card for the screen counts against it."""

from __future__ import annotations

from decimal import Decimal

from gpuconfig.engine.catalogue.host import Cpu, Motherboard
from gpuconfig.engine.compatibility.picture import display_card_price, has_graphics, is_managed, shows_none
from gpuconfig.engine.selection.composer.need import Need
from gpuconfig.engine.selection.composer.shelf import Shelf


class Screen:
    """Answers for one need."""

    def __init__(self, need: Need, shelf: Shelf) -> None:
        self._rules = shelf.rules
        self._price = Decimal(0)
        if shows_none(need.accelerator, shelf.rules):
            price = display_card_price(shelf.pricer, shelf.rules)
            self._price = Decimal(0) if price is None else shelf.weighed(price.middle().amount)

    def is_asked(self) -> bool:
        """Whether it counts who shows the picture."""
        return self._price > 0

    def shown_by(self, cpu: Cpu) -> bool:
        """Whether a processor needs no card for the screen beside it."""
        return not self.is_asked() or has_graphics(cpu, self._rules) is not False

    def cost(self, board: Motherboard, cpu: Cpu) -> Decimal:
        """The card for the screen where neither board nor processor shows a picture."""
        return Decimal(0) if self.shown_by(cpu) or is_managed(board, self._rules) else self._price
