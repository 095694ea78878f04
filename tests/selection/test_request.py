"""The recommend request: budgets are read exactly or refused with the field's name."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.quantities.money import Currency, Money
from gpuconfig.engine.selection.request import BUDGET_MAX, read_amount, read_budget
from tests.selection.requests import ROWS, request


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("500000", "500000"),
        ("500,000", "500000"),
        ("1,234,567.89", "1234567.89"),
        (20000, "20000"),
        (" 150000.5 ", "150000.5"),
    ],
)
def test_amounts_as_people_write_them(text: object, amount: str) -> None:
    assert read_amount("budget.amount", text) == Decimal(amount)


@pytest.mark.parametrize("text", ["1,5", "0,500", "12,34,567", "1,23.4"])
def test_a_comma_that_can_be_read_in_two_ways_is_asked_about(text: str) -> None:
    with pytest.raises(InputError, match=r"budget\.amount.*comma"):
        read_amount("budget.amount", text)


@pytest.mark.parametrize(
    "value", [0, "0", -1, "-1", 10**15, "1e15", "NaN", "inf", float("nan"), float("inf")]
)
def test_amounts_out_of_range(value: object) -> None:
    with pytest.raises(InputError) as caught:
        read_amount("budget.amount", value)
    assert (caught.value.code, caught.value.field) == ("out_of_range", "budget.amount")


@pytest.mark.parametrize("value", ["abc", "", True, None, [], "50万元左右", "0x10"])
def test_what_is_not_an_amount(value: object) -> None:
    with pytest.raises(InputError) as caught:
        read_amount("budget.amount", value)
    assert caught.value.code in ("wrong_type", "missing")
    assert caught.value.accepted is not None


def test_a_budget_has_currency_and_tax_basis() -> None:
    budget = read_budget({"amount": "26400", "currency": "usd", "tax_included": False})
    assert budget.money == Money(Decimal(26400), Currency.USD)
    assert not budget.tax_included
    assert read_budget({"amount": 1, "currency": "RMB"}).money.currency is Currency.CNY
    with pytest.raises(InputError, match=r"budget\.currency"):
        read_budget({"amount": 1, "currency": "EUR"})
    with pytest.raises(InputError, match=r"budget\.amuont"):
        read_budget({"amuont": 1})


@given(st.decimals(min_value=Decimal("0.01"), max_value=BUDGET_MAX, places=2))
def test_an_amount_with_separators_reads_back(amount: Decimal) -> None:
    assert read_amount("budget.amount", f"{amount:,}" if amount >= 1000 else str(amount)) == amount


@pytest.mark.parametrize(
    ("constraints", "field"),
    [
        ({"gpu_count": 4, "max_gpus": 2}, "constraints.gpu_count"),
        ({"vendors": ["Nvidia", "NVDIA"]}, "constraints.vendors[1]"),
        ({"vendors": [""]}, "constraints.vendors[0]"),
        ({"av1_encode": "yes"}, "constraints.av1_encode"),
    ],
)
def test_constraints_that_cannot_be_met_are_refused_by_field(
    constraints: dict[str, object], field: str
) -> None:
    with pytest.raises(InputError) as caught:
        request({**ROWS["sdxl"], "constraints": constraints})
    assert caught.value.field == field


def test_makers_are_read_in_any_case() -> None:
    assert request({**ROWS["sdxl"], "constraints": {"vendors": ["amd", "INTEL"]}}).constraints.vendors == (
        "AMD",
        "Intel",
    )


def test_a_whole_request_that_is_none_is_named_without_a_colon() -> None:
    """There is no field to name: the sentence begins with the reason."""
    bodies: tuple[object, ...] = ("text", 3, None, [])
    for body in bodies:
        with pytest.raises(InputError) as caught:
            request(body)  # type: ignore[arg-type]
        assert caught.value.message.english().startswith("an object")
