"""The desk: one object with everything a front end does to the user's own catalogue."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.presentation.desk.editing import ItemEditor
from gpuconfig.presentation.desk.freezing import DecisionKeeper
from gpuconfig.presentation.desk.history import ChangeHistory
from gpuconfig.presentation.desk.importing import Importer
from gpuconfig.presentation.desk.measuring import Estimates, MeasurementBook
from gpuconfig.presentation.desk.pricing import PriceBook
from gpuconfig.presentation.desk.rates import RateBook
from gpuconfig.presentation.desk.tariffs import TariffBook
from gpuconfig.presentation.desk.workplace import Workplace


class CatalogueDesk:
    """Editing, imports and history over one overlay; each part is made on first use.

    Calls are safe from a worker thread. After any of them that writes, the catalogue reads anew.
    """

    def __init__(
        self, place: Workplace, read: Callable[[object], EstimateRequest], estimate: Estimates
    ) -> None:
        self._place = place
        self._read = read
        self._estimate = estimate

    @cached_property
    def items(self) -> ItemEditor:
        """Forms: add, change, hide and revert items."""
        return ItemEditor(self._place)

    @cached_property
    def imports(self) -> Importer:
        """Files: recognise, map, preview, apply."""
        return Importer(self._place)

    @cached_property
    def prices(self) -> PriceBook:
        """Offers of one item: listed, added, taken away."""
        return PriceBook(self._place)

    @cached_property
    def measurements(self) -> MeasurementBook:
        """Own runs: pasted or typed; they shift the estimates of their card."""
        return MeasurementBook(self._place, self._read, self._estimate)

    @cached_property
    def rates(self) -> RateBook:
        """Exchange rate and rental prices: typed in, or asked online when a person says so."""
        return RateBook(self._place)

    @cached_property
    def tariffs(self) -> TariffBook:
        """Electricity as one's own bill says."""
        return TariffBook(self._place)

    @cached_property
    def decisions(self) -> DecisionKeeper:
        """What a project's decision rests on, and what of it has moved."""
        return DecisionKeeper(self._place)

    @cached_property
    def history(self) -> ChangeHistory:
        """Every step, with undo and redo."""
        return ChangeHistory(self._place)
