"""Electricity of one's own bill: over a recorded tariff or beside it, kept in the overlay, undone as one step."""

from __future__ import annotations

import pytest

from gpuconfig import app
from gpuconfig.engine.catalogue.vocabulary import Region
from gpuconfig.engine.pricing.tariffs import choose_tariff, tariff_by_id
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.evidence import EvidenceKind
from gpuconfig.presentation.cost_wishes import OWN_TARIFF, kept_tariff, typed_tariff
from gpuconfig.presentation.desk.tariffs import TariffEntry
from gpuconfig.presentation.wizard.question import EXTRA

BEIJING = "cn-beijing-industrial"


@pytest.fixture
def services(tmp_path):
    return app.services(tmp_path / "overlay.sqlite")


def keep(services, **fields):
    desk = services.desk()
    desk.imports.apply(desk.tariffs.typed(TariffEntry(**{"source": "电费单", **fields})))
    return services.catalogue().tariffs()


def test_prices_of_hours_go_over_the_recorded_tariff_and_keep_the_rest(services):
    before = tariff_by_id(services.catalogue().tariffs(), BEIJING)
    found = keep(services, id=BEIJING, periods={"peak": "1.01", "valley": "0.40"}, date="2026-11-30")
    after = tariff_by_id(found, BEIJING)
    prices = {part.period: float(part.per_kwh) for part in after.periods}
    old = {part.period: float(part.per_kwh) for part in before.periods}
    assert (prices["peak"], prices["valley"]) == (1.01, 0.4)
    assert (prices["sharp"], prices["flat"]) == (old["sharp"], old["flat"])
    assert [p.hours_per_day for p in after.periods] == [p.hours_per_day for p in before.periods]
    assert (after.evidence.source, after.evidence.date) == ("电费单", "2026-11-30")
    assert after.evidence.kind is EvidenceKind.MEASURED
    assert len([t for t in found if t.id == BEIJING]) == 1


def test_a_tariff_of_ones_own_is_the_first_of_its_region(services):
    found = keep(services, id="my-bill", price="0.72")
    assert choose_tariff(found, Region.CN, server=True).id == "my-bill"
    assert choose_tariff(found, Region.US, server=True).id != "my-bill"
    assert float(tariff_by_id(found, "my-bill").per_kwh()) == 0.72


def test_it_survives_and_is_undone_as_one_step(services, tmp_path):
    keep(services, id="my-bill", price="0.72")
    again = app.services(tmp_path / "overlay.sqlite")
    assert tariff_by_id(again.catalogue().tariffs(), "my-bill")
    again.desk().history.undo()
    with pytest.raises(InputError):
        tariff_by_id(again.catalogue().tariffs(), "my-bill")


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"id": "", "price": "0.7"}, "tariff"),
        ({"id": "x", "price": "0.7", "source": " "}, "source"),
        ({"id": "x"}, "price"),
        ({"id": "x", "price": "-1"}, "price"),
        ({"id": "x", "price": "cheap"}, "price"),
        ({"id": "x", "price": "500"}, "price"),
        ({"id": "cn-industrial-mean", "periods": {"peak": "1"}}, "peak"),
        ({"id": "x", "price": "0.7", "date": "yesterday-ish"}, "date"),
    ],
)
def test_bad_input_names_its_field_and_writes_nothing(services, fields, named):
    with pytest.raises(InputError) as error:
        keep(services, **fields)
    assert error.value.field == named
    assert not services.desk().history.steps()


def test_the_form_becomes_an_entry_and_then_the_choice():

    answers = {EXTRA: {"cost.tariff": BEIJING, "cost.per_kwh_peak": 1.01, "cost.years": 4.0}}
    entry = typed_tariff(answers, "CN", "bill")
    assert (entry.id, entry.periods["peak"], entry.price) == (BEIJING, "1.01", "")
    assert kept_tariff(answers, BEIJING) == {EXTRA: {"cost.tariff": BEIJING, "cost.years": 4.0}}
    assert typed_tariff({EXTRA: {"cost.per_kwh": 0.7}}, "CN", "bill").id == OWN_TARIFF
    with pytest.raises(InputError):
        typed_tariff({EXTRA: {"cost.per_kwh_peak": 1.0}}, "CN", "bill")
