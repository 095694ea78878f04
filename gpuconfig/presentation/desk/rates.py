"""Exchange rate and rental prices: typed in, or asked of public sources when a person says so."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import InputError, UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Currency, ExchangeRate
from gpuconfig.exchange.dates import read_days
from gpuconfig.exchange.numbers import NumberStyle, read_number
from gpuconfig.exchange.online import (
    PLAUSIBLE_CNY,
    Fetch,
    OnlineSource,
    SourceKind,
    fetch,
    read_cloud,
    read_rate,
    read_sources,
)
from gpuconfig.exchange.plan import ImportPlan, RowResult
from gpuconfig.exchange.price_rows import cloud_rows, rate_row
from gpuconfig.presentation.desk.workplace import Workplace


@dataclass(frozen=True, slots=True)
class Asked:
    """What sources answered, as a plan that nothing has written yet, and what did not answer."""

    plan: ImportPlan
    problems: tuple[Message, ...]


class RateBook:
    """Rates and rental prices over the user's overlay."""

    def __init__(self, place: Workplace, get: Fetch = fetch) -> None:
        self._place = place
        self._get = get

    def typed(self, value: str, date: str, source: str, style: NumberStyle = NumberStyle.POINT) -> ImportPlan:
        """A rate that a person types: CNY for one USD, its day and who says so; `Importer.apply` writes it.

        Raises:
            InputError: no such rate, no day, or no source.
        """
        number = read_number(value).alone(style)
        low, high = PLAUSIBLE_CNY
        if number is None or not low <= number <= high:
            accepted = Message("{low}-{high}", {"low": str(low), "high": str(high)})
            reason = Message(N_("this is no rate of CNY for one USD"))
            raise InputError("out_of_range", "rate", value, reason, accepted)
        day = read_days([date]).values[0] if date.strip() else self._place.today().isoformat()
        if day is None:
            raise InputError("wrong_type", "date", date, Message(N_("this is no day")), Message("2026-12-02"))
        if not source.strip():
            raise InputError("missing", "source", None, Message(N_("say who says so")))
        row = self._rate_row(format(number, "f"), day, source.strip())
        return ImportPlan(title=row.name, source=source.strip(), rows=(row,))

    def ask(self, which: str = "all", timeout: float = 10.0) -> Asked:
        """Ask the sources of the settings, one after the other; nothing is written. (long)

        Args:
            which: `rate`, `cloud` or `all`.
            timeout: seconds for each source.
        """
        rows: list[RowResult] = []
        problems: list[Message] = []
        names = []
        for source in read_sources(self._place.sources()):
            if which not in ("all", source.kind.value):
                continue
            try:
                rows += self._asked(source, timeout)
                names.append(source.address)
            except UserError as error:
                problems.append(error.message)
        title = f"online {self._place.today().isoformat()}"
        return Asked(ImportPlan(title=title, source=" ".join(names), rows=tuple(rows)), tuple(problems))

    def _asked(self, source: OnlineSource, timeout: float) -> list[RowResult]:
        content = self._get(source.address, timeout)
        if source.kind is SourceKind.RATE:
            rate, day = read_rate(content, source.address)
            return [self._rate_row(rate, day, source.address)]
        from gpuconfig.exchange.cloud_table import read_cloud_prices

        def find(name: str) -> str | None:
            item = self._place.catalogue.find(Kind.ACCELERATOR, name)
            return None if item is None else item.id

        day = self._place.today().isoformat()
        found = read_cloud_prices(read_cloud(content, source), source.provider, day, source.address, find)
        return cloud_rows(found, self._place.catalogue.cloud_offers())

    def _rate_row(self, rate: str, day: str, source: str) -> RowResult:
        row = {
            "base": "USD", "target": "CNY", "rate": rate, "date": day, "source": source,
            "evidence_kind": "measured", "note": "",
        }  # fmt: skip
        return rate_row(row, self._newest())

    def _newest(self) -> ExchangeRate | None:
        try:
            return self._place.catalogue.exchange_rate(Currency.USD, Currency.CNY)
        except InputError:
            return None
