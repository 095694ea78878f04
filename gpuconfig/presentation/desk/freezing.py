"""What a decision rested on, kept in the project, and what of it has moved since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, cast

from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.market import Offer
from gpuconfig.engine.catalogue.vocabulary import Condition, Kind, PriceKind
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.engine.selection.performance import time_of
from gpuconfig.engine.selection.recommendation import Option, Recommendation
from gpuconfig.engine.workloads.request import Kind as WorkKind
from gpuconfig.exchange.item_cells import to_cells
from gpuconfig.presentation.desk.workplace import Workplace

_NOT_SPECS = frozenset(
    {
        "id",
        "name",
        "aliases",
        "sources",
        "date",
        "notes",
        "confidence",
        "evidence_kind",
        "inferred_fields",
        "derived_fields",
        "confirmations",
    }
)
"""Fields of an item that say how it is known, not what it is."""

_GROUPS: Mapping[WorkKind, tuple[str, ...]] = {
    WorkKind.TRAINING: ("memory", "compute", "communication"),
    WorkKind.SERVING: ("serving", "serving_formats", "engine_support", "communication"),
    WorkKind.IMAGE: ("diffusion",),
    WorkKind.VIDEO: ("diffusion",),
    WorkKind.VISION_TRAINING: ("vision",),
    WorkKind.VISION_INFERENCE: ("vision",),
}
"""Coefficient files behind an answer, besides those that every answer needs."""

_ALWAYS = ("power", "pricing", "rules", "selection")


class Moved(StrEnum):
    """What a change is of."""

    PRICE = "price"
    RATE = "rate"
    SPEC = "spec"
    COEFFICIENT = "coefficient"


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """One thing that is not as it was at the decision.

    Attributes:
        subject: a part by name, or a coefficient by group and name.
        field: of the part, or the scope of the coefficient.
        before, after: as text in base units; empty is unknown or gone.
        share: after against before less one, where both are numbers.
    """

    what: Moved
    subject: str
    field: str
    before: str
    after: str
    share: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One option at the decision and now; None where it is not offered any more, or was not known."""

    key: str
    name: str
    price_before: str
    price_after: str | None
    time_before: float | None
    time_after: float | None
    rank_before: int
    rank_after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectChanges:
    """What moved since a project was decided.

    Attributes:
        decided: ISO day of the decision; empty: nothing was kept.
        versions: by name, before and after, of those that differ.
        outcomes: what that changes, filled by `outcomes` from a new search.
    """

    decided: str
    versions: Mapping[str, tuple[str, str]]
    movements: tuple[Movement, ...]
    outcomes: tuple[Outcome, ...] = ()

    def any(self) -> bool:
        """Whether anything moved that the decision rested on."""
        return bool(self.movements)


class DecisionKeeper:
    """Keeps what a decision rests on and compares it with the catalogue."""

    def __init__(self, place: Workplace) -> None:
        self._place = place

    def frozen(self, answer: Recommendation) -> Mapping[str, object]:
        """What `answer` rests on, as `Project.frozen` keeps it: options, prices, specs, rate and coefficients."""
        options = answer.options
        return {
            "decided": self._place.today().isoformat(),
            "versions": dict(answer.versions),
            "rate": self._rate(),
            "options": [_option(option) for option in options],
            "prices": {key: _price(offer) for option in options for key, offer in _offers(option)},
            "specs": {f"{k.value}/{i.id}": _specs(i) for option in options for k, i in _items(option)},
            "coefficients": self._coefficients({option.estimate_request.kind for option in options}),
        }

    def changes(self, frozen: Mapping[str, object]) -> ProjectChanges:
        """What of `Project.frozen` is not so any more; nothing of it is read as unchanged where it is missing."""
        version = self._place.catalogue.version()
        now = {"catalogue": version.catalogue, "coefficients": version.coefficients}
        then = _texts(frozen.get("versions"))
        moved = [*self._prices(frozen), *self._moved_rate(frozen), *self._moved_specs(frozen)]
        moved += self._moved_coefficients(frozen)
        return ProjectChanges(
            decided=str(frozen.get("decided") or ""),
            versions={n: (then[n], now[n]) for n in now if n in then and then[n] != now[n]},
            movements=tuple(moved),
        )

    @staticmethod
    def outcomes(frozen: Mapping[str, object], answer: Recommendation) -> tuple[Outcome, ...]:
        """What the changes change: each option of the decision beside the same option of a new search."""
        new = {_key(option): option for option in answer.options}
        found = []
        for old in cast("list[dict[str, Any]]", frozen.get("options") or []):
            option = new.get(str(old.get("key")))
            found.append(
                Outcome(
                    key=str(old.get("key")),
                    name=str(old.get("name")),
                    price_before=str(old.get("price")),
                    price_after=None if option is None else _total(option),
                    time_before=old.get("time_s"),
                    time_after=None
                    if option is None
                    else time_of(option.estimate, option.estimate_request.kind),
                    rank_before=int(old.get("rank") or 0),
                    rank_after=None if option is None else option.rank,
                )
            )
        return tuple(found)

    def _rate(self) -> dict[str, str]:
        try:
            rate = self._place.catalogue.exchange_rate(Currency.USD, Currency.CNY)
        except InputError:
            return {}
        return {"rate": str(rate.rate), "date": rate.evidence.date or "", "source": rate.evidence.source}

    def _coefficients(self, kinds: set[WorkKind]) -> dict[str, dict[str, str]]:
        groups = {group for kind in kinds for group in _GROUPS[kind]} | set(_ALWAYS)
        return {
            group: {
                f"{row.name}|{row.scope}": "" if row.value is None else f"{row.value:.6g}"
                for row in self._place.catalogue.coefficients(group)
            }
            for group in sorted(groups)
        }

    def _prices(self, frozen: Mapping[str, object]) -> Iterator[Movement]:
        for key, before in _mapping(frozen.get("prices")).items():
            kind, item_id = _part(key)
            old = _texts(before)
            item = self._place.catalogue.find(kind, item_id)
            name = item_id if item is None else item.name
            offers = () if item is None else self._place.catalogue.offers(kind, item_id)
            same = [offer for offer in offers if _speaks_of_the_same(offer, old)]
            if any(_price(offer) == old for offer in same):
                same = [offer for offer in same if (offer.date or "") > old["date"]]
                if not same:
                    continue
            latest = max(same, key=lambda o: o.date or "", default=None)
            after = "" if latest is None else _span(_price(latest))
            share = None if latest is None else _share(_middle(old), _middle(_price(latest)))
            yield Movement(
                what=Moved.PRICE, subject=name, field=old["kind"], before=_span(old), after=after, share=share
            )

    def _moved_rate(self, frozen: Mapping[str, object]) -> Iterator[Movement]:
        old, new = _texts(frozen.get("rate")), self._rate()
        if old and new and old["rate"] != new["rate"]:
            share = _share(old["rate"], new["rate"])
            before, after = (f"{r['rate']} ({r['date']})" for r in (old, new))
            yield Movement(
                what=Moved.RATE, subject="USD/CNY", field="rate", before=before, after=after, share=share
            )

    def _moved_specs(self, frozen: Mapping[str, object]) -> Iterator[Movement]:
        for key, before in _mapping(frozen.get("specs")).items():
            kind, item_id = _part(key)
            old = _texts(before)
            item = self._place.catalogue.find(kind, item_id)
            new = {} if item is None else _specs(item)
            name = item_id if item is None else item.name
            for field in sorted(old.keys() | new.keys()):
                was, now = old.get(field, ""), new.get(field, "")
                if was != now:
                    yield Movement(
                        what=Moved.SPEC,
                        subject=name,
                        field=field,
                        before=was,
                        after=now,
                        share=_share(was, now),
                    )

    def _moved_coefficients(self, frozen: Mapping[str, object]) -> Iterator[Movement]:
        for group, before in _mapping(frozen.get("coefficients")).items():
            old = _texts(before)
            new = {
                f"{row.name}|{row.scope}": "" if row.value is None else f"{row.value:.6g}"
                for row in self._place.catalogue.coefficients(group)
            }
            for key in sorted(old.keys() | new.keys()):
                was, now = old.get(key, ""), new.get(key, "")
                if was != now:
                    name, _, scope = key.partition("|")
                    subject = f"{group}: {name}"
                    share = _share(was, now)
                    yield Movement(
                        what=Moved.COEFFICIENT,
                        subject=subject,
                        field=scope,
                        before=was,
                        after=now,
                        share=share,
                    )


def _option(option: Option) -> dict[str, object]:
    return {
        "key": _key(option),
        "name": f"{option.nodes}x{option.count} {option.accelerator.name}",
        "rank": option.rank,
        "price": _total(option),
        "time_s": time_of(option.estimate, option.estimate_request.kind),
    }


def _key(option: Option) -> str:
    return f"{option.kind.value} {option.accelerator.id} x {option.count} x {option.nodes}"


def _total(option: Option) -> str:
    total = option.price.total
    return f"{total.low.amount:f}-{total.high.amount:f} {total.low.currency.value}"


def _items(option: Option) -> Iterator[tuple[Kind, CatalogueItem]]:
    yield Kind.ACCELERATOR, option.accelerator
    for line, _ in option.build.all_lines() if option.build else ():
        yield line.kind, line.item


def _offers(option: Option) -> Iterator[tuple[str, Offer]]:
    for line, _ in option.build.all_lines() if option.build else ():
        if line.offer is not None:
            yield f"{line.kind.value}/{line.item.id}", line.offer


def _speaks_of_the_same(offer: Offer, old: Mapping[str, str]) -> bool:
    """Whether an offer could stand for the price of the decision: same goods, place and money, as well known."""
    unknown = Condition.UNKNOWN.value
    goods = unknown in (offer.condition.value, old["condition"]) or offer.condition.value == old["condition"]
    known = offer.kind.value == old["kind"] or offer.kind in (PriceKind.STREET, PriceKind.QUOTE)
    place = (offer.region.value, offer.currency.value) == (old["region"], old["currency"])
    return goods and known and place


def _price(offer: Offer) -> dict[str, str]:
    return {
        "low": f"{offer.low:f}", "high": f"{offer.high:f}", "currency": offer.currency.value,
        "kind": offer.kind.value, "condition": offer.condition.value, "region": offer.region.value,
        "date": offer.date or "", "source": offer.source,
    }  # fmt: skip


def _span(price: Mapping[str, str]) -> str:
    amount = price["low"] if price["low"] == price["high"] else f"{price['low']}-{price['high']}"
    return f"{amount} {price['currency']} ({price['date'] or '?'})"


def _middle(price: Mapping[str, str]) -> str:
    return str((Decimal(price["low"]) + Decimal(price["high"])) / 2)


def _specs(item: CatalogueItem) -> dict[str, str]:
    return {name: cell for name, cell in to_cells(item).items() if cell and name not in _NOT_SPECS}


def _part(key: str) -> tuple[Kind, str]:
    kind, _, item_id = key.partition("/")
    return Kind(kind), item_id


def _share(before: str, after: str) -> float | None:
    try:
        old, new = float(before), float(after)
    except ValueError:
        return None
    return new / old - 1 if old else None


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _texts(value: object) -> dict[str, str]:
    return {str(k): str(v) for k, v in _mapping(value).items()}
