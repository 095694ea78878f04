"""Prices in the comparison: one currency and tax basis, each with its kind and date."""

from __future__ import annotations

from datetime import date

import pytest

from gpuconfig.engine.catalogue.vocabulary import Region
from gpuconfig.i18n import Language, load
from gpuconfig.presentation.card_prices import card_price_shown, card_pricer, price_origin_shown
from tests.bundled_catalogue import bundled_catalogue

CARDS = (
    "nvidia-rtx-4090-24",
    "nvidia-h100-pcie-80",
    "nvidia-rtx-3060-12",
    "nvidia-rtx-5090-32",
    "nvidia-a100-sxm4-80",
)


@pytest.mark.parametrize(("region", "sign"), [(Region.CN, "¥"), (Region.US, "$"), (Region.EU, "$")])
def test_every_price_is_in_the_buyers_currency_with_its_kind_and_date(region: Region, sign: str) -> None:
    t, pricer = load(Language.EN), card_pricer(bundled_catalogue(), region)
    for name in CARDS:
        card = bundled_catalogue().accelerator(name)
        shown = card_price_shown(card, pricer, date(2026, 12, 2), t)
        origin = price_origin_shown(card, pricer, t)
        assert shown.text.startswith(sign)
        assert "20" in origin.text.split(", ")[-1]
        assert origin.text.count(", ") == 2


def test_a_price_from_another_currency_names_amount_rate_and_day() -> None:
    t, pricer = load(Language.EN), card_pricer(bundled_catalogue(), Region.US)
    converted = [
        price_origin_shown(card, pricer, t).note
        for card in bundled_catalogue().accelerators()
        if price_origin_shown(card, pricer, t).note
    ]
    assert converted
    assert all(note.startswith("converted from ¥") and "(20" in note for note in converted)


def test_a_card_without_any_price_is_unknown() -> None:
    t, pricer = load(Language.EN), card_pricer(bundled_catalogue(), Region.US)
    bare = [
        c
        for c in bundled_catalogue().accelerators()
        if card_price_shown(c, pricer, date(2026, 12, 2), t).sort is None
    ]
    assert bare
    assert {price_origin_shown(card, pricer, t).text for card in bare} == {t.unknown}
