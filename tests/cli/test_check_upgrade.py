"""`gpuconfig check` with an upgrade: what stays, what is bought, and the rule where it cannot be done."""

from __future__ import annotations

import pytest

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.compatibility.prices import RegionalPricers
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.selection.composer.need import NoBuild
from gpuconfig.engine.selection.composer.upgrade import Upgrade, read_wish, upgrade_of
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.test_upgrade import HOST

DOCUMENT = {"parts": HOST, "mains": {"volts": 220, "amps": 16}}


def asked(gpu: str, count: int) -> Upgrade | NoBuild:
    """The answer for the machine of the upgrade tests."""
    rest, wish = read_wish({**DOCUMENT, "upgrade": {"gpu": gpu, "count": count}}, bundled_catalogue())
    assert wish is not None
    return upgrade_of(rest, wish, bundled_catalogue(), RegionalPricers(bundled_catalogue()))


def test_two_5090_change_the_supply_and_nothing_else() -> None:
    """The 1,200 W supply goes, board, processor, memory, case and drive stay; the result passes every rule."""
    answer = asked("RTX 5090", 2)
    assert isinstance(answer, Upgrade)
    assert {line.kind for line in answer.bought} == {Kind.ACCELERATOR, Kind.POWER_SUPPLY}
    assert {line.kind for line in answer.left_over} == {Kind.ACCELERATOR, Kind.POWER_SUPPLY}
    assert answer.check.verdict in (Status.OK, Status.WARNING)
    assert answer.total.middle.amount > 0


def test_a_card_without_a_fan_takes_a_server() -> None:
    """4090 to H100: a passive card needs ducted air, so the tower goes."""
    answer = asked("nvidia-h100-pcie-80", 1)
    assert isinstance(answer, Upgrade)
    assert Kind.SERVER in {line.kind for line in answer.bought}
    assert Kind.CHASSIS in {line.kind for line in answer.left_over}


def test_eight_thick_cards_go_on_a_frame_of_two_levels() -> None:
    """With risers, a board whose slots split, and the machine's own power within the circuit."""
    answer = asked("RTX 4090", 8)
    assert isinstance(answer, Upgrade)
    assert Kind.RISER in {line.kind for line in answer.bought}
    assert answer.check.verdict in (Status.OK, Status.WARNING)


def test_more_thick_cards_than_a_frame_holds_end_in_the_rule() -> None:
    answer = asked("RTX 4090", 13)
    assert isinstance(answer, NoBuild)
    assert answer.rule == "mechanics.case_brackets"


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"gpu": "RTX 5090", "count": 0}, "upgrade.count"),
        ({"count": 2}, "upgrade.gpu"),
        ({"gpu": "RTX 5091"}, "upgrade.gpu"),
        ({"gpu": "RTX 5090", "colour": "red"}, "upgrade.colour"),
        ("RTX 5090", "upgrade"),
    ],
)
def test_bad_wishes_name_the_field(wish: object, field: str) -> None:
    with pytest.raises(InputError) as error:
        read_wish({**DOCUMENT, "upgrade": wish}, bundled_catalogue())
    assert error.value.field == field
