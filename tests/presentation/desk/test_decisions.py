"""What a project's decision rested on, what moved since, and what that changes."""

import dataclasses
import json

import pytest

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import DataError, InputError
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind
from gpuconfig.engine.provenance.progress import Silent
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.exchange.online import read_rate, read_sources
from gpuconfig.exchange.plan import RowState
from gpuconfig.presentation.desk.freezing import Moved
from gpuconfig.presentation.desk.pricing import PriceEntry
from gpuconfig.presentation.desk.rates import RateBook
from gpuconfig.project.document import Project
from gpuconfig.project.files import dumps, loads

NEED = {
    "model": "qwen2.5-7b",
    "workload": {"kind": "training", "method": "lora", "sequence_length": 2048, "dataset_tokens": 5e7},
    "budget": {"amount": "60000", "currency": "CNY"},
    "constraints": {"accelerators": ["nvidia-rtx-4090-24"], "gpu_count": 1},
}
CARD = "nvidia-rtx-4090-24"
SEEN = Evidence("https://example.org", "2026-12-01", EvidenceKind.MEASURED)
JSON_RATE = b'{"amount":1.0,"base":"USD","date":"2026-12-01","rates":{"CNY":6.51}}'
ECB_RATE = (
    b"<Cube><Cube time='2026-12-01'><Cube currency='USD' rate='1.2000'/>"
    b"<Cube currency='CNY' rate='7.8000'/></Cube></Cube>"
)


@pytest.fixture
def decided(services):
    answer = services.recommend(services.read_request(NEED), Silent())
    project = Project(title="t", request=NEED, frozen=services.desk().decisions.frozen(answer))
    return loads(dumps(project), "t.gpuconfig")


def test_nothing_moves_by_itself(desk, decided):
    found = desk.decisions.changes(decided.frozen)
    assert not found.any()
    assert found.versions == {}
    assert found.decided
    prices, specs = decided.frozen["prices"], decided.frozen["specs"]
    assert f"accelerator/{CARD}" in specs
    assert prices
    assert set(decided.frozen["coefficients"]) >= {"memory", "compute", "pricing", "rules"}


def test_a_moved_spec_a_newer_price_and_the_rate_are_told_with_what_they_change(desk, services, decided):
    desk.items.save(Kind.ACCELERATOR, CARD, {"tdp_w": "400 W"}, SEEN)
    old = decided.frozen["prices"][f"accelerator/{CARD}"]
    entry = PriceEntry(low="30000", date="2026-12-02", source="shop", currency=Currency.CNY)
    desk.prices.add(Kind.ACCELERATOR, CARD, dataclasses.replace(entry, **_like(old)))
    desk.imports.apply(desk.rates.typed("6.5", "2026-12-02", "bank"))
    found = desk.decisions.changes(decided.frozen)
    moved = {(m.what, m.field): m for m in found.movements}
    spec = moved[Moved.SPEC, "tdp_w"]
    assert (spec.before, spec.after, spec.subject) == ("450", "400", "RTX 4090 24GB")
    assert spec.share == pytest.approx(-1 / 9)
    assert moved[Moved.RATE, "rate"].after.startswith("6.5 (")
    price = next(m for m in found.movements if m.what is Moved.PRICE and m.subject == "RTX 4090 24GB")
    assert "30000" in price.after
    assert set(found.versions) == {"catalogue"}
    answer = services.recommend(services.read_request(NEED), Silent())
    outcomes = desk.decisions.outcomes(decided.frozen, answer)
    assert outcomes[0].price_before != outcomes[0].price_after


def test_a_moved_coefficient_is_told(desk, decided):
    frozen = json.loads(json.dumps(decided.frozen))
    key = next(iter(frozen["coefficients"]["memory"]))
    frozen["coefficients"]["memory"][key] = "123456"
    (moved,) = desk.decisions.changes(frozen).movements
    assert (moved.what, moved.before) == (Moved.COEFFICIENT, "123456")
    assert moved.subject.startswith("memory: ")


def test_a_part_that_is_gone_is_told(desk, decided):
    desk.items.hide(Kind.ACCELERATOR, CARD)
    gone = [m for m in desk.decisions.changes(decided.frozen).movements if m.what is Moved.SPEC]
    assert gone
    assert all(m.after == "" for m in gone)


@pytest.mark.parametrize(("content", "rate"), [(JSON_RATE, "6.51"), (ECB_RATE, "6.5000")])
def test_rates_of_public_sources(content, rate):
    assert read_rate(content, "https://x") == (rate, "2026-12-01")


@pytest.mark.parametrize(
    "content",
    [b"", b"<html>not found</html>", b"{", JSON_RATE.replace(b"6.51", b"0.01"), JSON_RATE.replace(b"USD", b"EUR"),
     JSON_RATE.replace(b"2026-12-01", b"yesterday"), b"\xff\xfe\x00", b'{"base":"USD"}'],
)  # fmt: skip
def test_bad_answers_change_nothing(desk, content):
    place = dataclasses.replace(desk._place, sources=lambda: ("rate https://example.org/rate",))
    asked = RateBook(place, lambda address, timeout: content).ask()  # noqa: ARG005
    assert asked.plan.rows == ()
    assert len(asked.problems) == 1
    assert list(desk.history.steps()) == []


def test_what_is_asked_is_shown_before_it_is_written(desk, services):
    def answers(address, timeout):  # noqa: ARG001
        if "broken" in address:
            raise DataError("no_answer", read_problem())
        if "rate" in address:
            return JSON_RATE
        return (
            b"InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region\nx1,H100,8,20.0,9.5,eu\n"
        )

    lines = (
        "rate https://example.org/rate",
        "cloud acme https://example.org/a.csv",
        "rate https://broken.org",
    )
    place = dataclasses.replace(desk._place, sources=lambda: lines)
    before = services.catalogue().exchange_rate(Currency.USD, Currency.CNY).rate
    asked = RateBook(place, answers).ask()
    assert len(asked.problems) == 1
    assert [row.state for row in asked.plan.rows] == [RowState.CHANGED, RowState.ADDED, RowState.ADDED]
    assert services.catalogue().exchange_rate(Currency.USD, Currency.CNY).rate == before
    assert desk.imports.apply(asked.plan) == 3
    assert str(services.catalogue().exchange_rate(Currency.USD, Currency.CNY).rate) == "6.51"
    desk.history.undo()
    assert services.catalogue().exchange_rate(Currency.USD, Currency.CNY).rate == before


@pytest.mark.parametrize(
    "line", ["rate http://example.org", "rates https://x", "cloud https://x", "", "rate ftp://x"]
)
def test_only_https_sources_are_taken(line):
    with pytest.raises(InputError):
        read_sources((line,))


@pytest.mark.parametrize(
    ("value", "day", "source"),
    [("0.15", "", "bank"), ("1,5", "", "bank"), ("x", "", "bank"), ("6.7", "soon", "bank"), ("6.7", "", " ")],
)
def test_a_typed_rate_is_checked(desk, value, day, source):
    with pytest.raises(InputError):
        desk.rates.typed(value, day, source)


def read_problem():
    from gpuconfig.engine.provenance.message import Message

    return Message("no answer")


def _like(price):
    from gpuconfig.engine.catalogue.vocabulary import Condition, PriceKind, Region

    return {
        "condition": Condition(price["condition"]),
        "region": Region(price["region"]),
        "kind": PriceKind(price["kind"]),
    }
