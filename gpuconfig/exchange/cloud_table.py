"""Rental prices from public catalogues: gpuhunt and SkyPilot CSV files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from types import MappingProxyType

from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.exchange.sheet import Sheet

FindCard = Callable[[str], str | None]
"""The catalogue's id of an accelerator as a provider names it."""

Cell = str | int | None

_GPUHUNT = frozenset({"instance_name", "price", "gpu_count", "gpu_name"})
_SKYPILOT = frozenset({"InstanceType", "AcceleratorName", "AcceleratorCount", "Price"})


def is_cloud_table(sheet: Sheet) -> bool:
    """True where the first row holds the columns of gpuhunt or SkyPilot."""
    header = set(sheet.rows[0]) if sheet.rows else set()
    return header >= _GPUHUNT or header >= _SKYPILOT


def read_cloud_prices(
    sheet: Sheet, provider: str, date: str, source: str, find: FindCard
) -> list[dict[str, Cell]]:
    """Rows for the overlay's `cloud_offer`; instances without an accelerator and prices of 0 are left out.

    Args:
        sheet: the CSV file.
        provider: named by the file or the person.
        date: day of the catalogue.
        source: file or address.
        find: the catalogue's id of a card.

    Raises:
        DataError: neither of the two formats.
    """
    header = set(sheet.rows[0]) if sheet.rows else set()
    rows = [dict(zip(sheet.rows[0], row, strict=False)) for row in sheet.rows[1:]] if sheet.rows else []
    if header >= _GPUHUNT:
        found = _gpuhunt(rows)
    elif header >= _SKYPILOT:
        found = _skypilot(rows)
    else:
        text = N_("{sheet}: the columns are neither those of gpuhunt nor of SkyPilot")
        raise DataError("bad_table", Message(text, {"sheet": sheet.name}))
    common: Mapping[str, Cell] = MappingProxyType(
        {"provider": provider, "currency": "USD", "date": date, "source": source}
    )
    return [{**common, **row, "accelerator_id": find(str(row["accelerator_text"]))} for row in found]


def _gpuhunt(rows: Sequence[Mapping[str, str]]) -> Iterator[dict[str, Cell]]:
    for row in rows:
        memory = row.get("gpu_memory", "").removesuffix(".0")
        name = f"{row['gpu_name']} {memory}GB" if memory else row["gpu_name"]
        spot = row.get("spot", "").lower() in ("true", "1", "yes")
        yield from _offer(
            row["instance_name"], name, row["gpu_count"], row["price"], row.get("location", ""), spot=spot
        )


def _skypilot(rows: Sequence[Mapping[str, str]]) -> Iterator[dict[str, Cell]]:
    for row in rows:
        region, name, count = row.get("Region", ""), row["AcceleratorName"], row["AcceleratorCount"]
        yield from _offer(row["InstanceType"], name, count, row["Price"], region, spot=False)
        yield from _offer(row["InstanceType"], name, count, row.get("SpotPrice", ""), region, spot=True)


def _offer(
    instance: str, name: str, count: str, price: str, region: str, *, spot: bool
) -> Iterator[dict[str, Cell]]:
    try:
        number, amount = int(Decimal(count)), Decimal(price)
    except (InvalidOperation, ValueError):
        return
    if number > 0 and amount > 0 and name:
        yield {
            "instance": instance,
            "accelerator_text": name,
            "count": number,
            "per_hour": format(amount, "f"),
            "kind": "spot" if spot else "on_demand",
            "kind_text": "spot" if spot else "on-demand",
            "region": region,
        }
