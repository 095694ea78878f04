"""Rental prices from public catalogues: gpuhunt and SkyPilot CSV files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from types import MappingProxyType

from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.exchange.sheet import Sheet

FindCard = Callable[[str], str | None]
"""The catalogue's id of an accelerator as a provider names it."""

Cell = str | int | None

_SOLD_GB = (4, 6, 8, 10, 11, 12, 16, 20, 24, 32, 40, 48, 64, 80, 94, 96, 128, 141, 180, 192, 256, 288)
_HIDDEN_SHARE = 0.08
"""Of its memory a card hides as much at most: 24 GB are told as 22,888 MiB."""
_UNSAID_GB = MappingProxyType({"A100": 40, "V100": 16})
"""SkyPilot names the larger ones of these cards with their memory."""
_SIZE_IN_NAME = re.compile(r"\d+ ?GB", re.IGNORECASE)
_SIZE_OF_CARD = re.compile(r"['\"]SizeInMiB['\"]: *(\d+(?:\.\d+)?)")
_FORM = re.compile(r"(?<![a-z])(PCIe|SXM|NVL)", re.IGNORECASE)

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
        name = f"{row['gpu_name']}{_form(row['gpu_name'], row['instance_name'])}"
        name = f"{name} {memory}GB" if memory else name
        spot = row.get("spot", "").lower() in ("true", "1", "yes")
        yield from _offer(
            row["instance_name"], name, row["gpu_count"], row["price"], row.get("location", ""), spot=spot
        )


def _skypilot(rows: Sequence[Mapping[str, str]]) -> Iterator[dict[str, Cell]]:
    """The offers; of a region with zones the cheapest of them."""
    cheapest: dict[tuple[Cell, ...], dict[str, Cell]] = {}
    for row in rows:
        if not row["AcceleratorName"]:
            continue
        region, count, price = row.get("Region", ""), row["AcceleratorCount"], row["Price"]
        name = _skypilot_card(row)
        spot = row.get("SpotPrice", "")
        offers = [*_offer(row["InstanceType"], name, count, price, region, spot=False)]
        if spot != price:  # providers without spot machines repeat the price
            offers += _offer(row["InstanceType"], name, count, spot, region, spot=True)
        if not row.get("AvailabilityZone"):
            yield from offers
            continue
        for offer in offers:
            key = tuple(offer[n] for n in ("instance", "accelerator_text", "count", "kind", "region"))
            if key not in cheapest or Decimal(str(offer["per_hour"])) < Decimal(
                str(cheapest[key]["per_hour"])
            ):
                cheapest[key] = offer
    yield from cheapest.values()


def _skypilot_card(row: Mapping[str, str]) -> str:
    """The card with the form and the memory that the row tells beside its name: "A100" alone is the one of 40 GB."""
    name, told = row["AcceleratorName"], row.get("GpuInfo", "")
    card = name + _form(name, f"{row['InstanceType']} {told}")
    if _SIZE_IN_NAME.search(name):
        return card
    found = _SIZE_OF_CARD.search(told)
    if found is None:
        return f"{card} {_UNSAID_GB[name]}GB" if name in _UNSAID_GB else card
    size = float(found[1])
    size = size / 1024 if size >= 1024 else size  # some providers write GiB where MiB is meant
    sold = min(_SOLD_GB, key=lambda gb: abs(gb - size))
    return (
        f"{card} {sold if abs(sold - size) <= _HIDDEN_SHARE * sold else round(size)}GB" if size > 0 else card
    )


def _form(name: str, told: str) -> str:
    form = _FORM.search(told)
    return "" if form is None or _FORM.search(name) else f" {form[1].upper()}"


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
