"""A supplier's quotation becomes offers: tax basis, conditions, lead times, matches with confidence."""

from decimal import Decimal

import pytest

from gpuconfig.engine.catalogue.vocabulary import Condition, Kind, Region
from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.quantities.money import TaxBasis
from gpuconfig.exchange.columns import guess_mapping
from gpuconfig.exchange.quotation import Matcher, quote_offers, read_quotation
from gpuconfig.exchange.text_table import parse_text_table

TEXT = """某某科技报价单,,,,,
产品名称,型号/料号,数量,含税单价(元),货期,备注
RTX 4090 24GB 全新,,8,"15,500.00",现货,
老黄 4090 涡轮 48G 改装,,2,￥22500,3周,
三星 SSD,MZ-V9P2T0B/AM,2,"1,599.00",10天,
不知名的东西,,1,100,,
面议服务器,,1,面议,,
合计,,,170000,,
"""


@pytest.fixture
def matcher(catalogue):
    return Matcher(
        [(kind, item) for kind in Kind for item in catalogue.parts(kind) if kind is not Kind.MODEL]
    )


def lines_of(text, matcher):
    sheet = parse_text_table(text, "q.csv")
    return read_quotation(sheet, guess_mapping(sheet), matcher)


def test_lines_prices_and_matches(matcher):
    card, modified, drive, strange, open_price = lines_of(TEXT, matcher)
    assert (card.unit_price.amount, card.tax, card.quantity) == (Decimal("15500.00"), TaxBasis.INCLUDED, 8)
    assert (card.condition, card.lead_time_days) == (Condition.NEW, 0)
    assert card.match[:2] == (Kind.ACCELERATOR, "nvidia-rtx-4090-24")
    assert modified.match[:2] == (Kind.ACCELERATOR, "nvidia-rtx-4090-48-mod")
    assert (modified.condition, modified.lead_time_days) == (Condition.MODIFIED, 21)
    assert drive.match == (Kind.DRIVE, "drive-samsung-990-pro-2-tb", 1.0)
    assert strange.match is None
    assert open_price.unit_price is None
    assert open_price.problems


def test_a_4090_is_never_taken_for_a_4080(matcher):
    text = "name,unit price\nGeForce RTX 4099 24GB,9999\n"
    (line,) = lines_of(text, matcher)
    assert line.match is None or "4090" not in line.match[1]


def test_untaxed_column_is_told_apart(matcher):
    (line,) = lines_of("name,未税单价\nRTX 4090,13716.81\n", matcher)
    assert line.tax is TaxBasis.EXCLUDED


def test_ambiguous_price_is_asked_about(matcher):
    lines = lines_of('name,price\nRTX 4090,"15,500"\nRTX 3090,"5,200"\n', matcher)
    assert all(line.unit_price is None and line.problems for line in lines)


def test_only_matched_and_priced_lines_become_offers(matcher):
    offers = quote_offers(lines_of(TEXT, matcher), "quotation 17", "2026-11-30", Region.CN)
    assert [offer["subject_id"] for offer in offers] == [
        "nvidia-rtx-4090-24", "nvidia-rtx-4090-48-mod", "drive-samsung-990-pro-2-tb",
    ]  # fmt: skip
    assert {offer["kind"] for offer in offers} == {"quote"}
    assert offers[0]["low"] == "15500.00"


def test_sheet_without_prices_is_refused(matcher):
    with pytest.raises(DataError) as error:
        lines_of("name,quantity\nRTX 4090,1\n", matcher)
    assert error.value.code == "no_price"


def test_a_comma_that_splits_an_amount_is_asked_about(matcher):
    """`15,800.00` without quotation marks is not 15."""
    split, whole = lines_of("name,price,currency\nRTX 4090,15,800.00,CNY\nRTX 3090,5200,CNY,,\n", matcher)
    assert split.unit_price is None
    assert split.problems
    assert whole.unit_price is not None
