"""Prices of what moves fast age sooner, by data."""

from __future__ import annotations

import pytest

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.pricing.freshness import PriceAges
from gpuconfig.i18n import Language, load
from gpuconfig.presentation import badges
from tests.bundled_catalogue import bundled_catalogue

CARD, FAST = "nvidia-rtx-4090-24", "nvidia-rtx-5090-32"


@pytest.mark.parametrize(
    ("item", "days", "word"),
    [
        (CARD, 0, ""), (CARD, 90, ""), (CARD, 91, "ageing"), (CARD, 180, "ageing"), (CARD, 181, "stale"),
        (FAST, 30, ""), (FAST, 31, "ageing"), (FAST, 91, "stale"),
    ],
)  # fmt: skip
def test_the_limits_are_those_of_the_family(item: str, days: int, word: str) -> None:
    bundled = bundled_catalogue()
    limits = PriceAges(bundled.coefficients("pricing")).limits(bundled.part(Kind.ACCELERATOR, item))
    assert badges.age(days, limits, load(Language.EN)).note == word


def test_what_is_no_card_takes_the_common_limits_and_no_day_is_undated() -> None:
    limits = PriceAges(bundled_catalogue().coefficients("pricing")).limits(None)
    assert (limits.fresh_days, limits.stale_days) == (90, 180)
    assert badges.age(None, limits, load(Language.EN)).text == "undated"
