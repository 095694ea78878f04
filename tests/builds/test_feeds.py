"""Power plugs: native, through adapters, short."""

from __future__ import annotations

import pytest

from gpuconfig.engine.builds.feeds import Plugs, connector_budget_w, eight_pins_for_sixteen, offered, plug
from gpuconfig.engine.catalogue.accelerator import PowerConnector
from gpuconfig.engine.catalogue.enclosure import PowerSupply
from gpuconfig.engine.catalogue.vocabulary import ConnectorKind
from tests.bundled_catalogue import bundled_catalogue


def card(name: str):  # type: ignore[no-untyped-def]
    """One accelerator of the catalogue."""
    return bundled_catalogue().accelerator(name)


@pytest.mark.parametrize(
    ("kinds", "watts"),
    [
        ([], 75), ([(ConnectorKind.PCIE_8, 2)], 375), ([(ConnectorKind.PCIE_6, 1), (ConnectorKind.PCIE_8, 1)], 300),
        ([(ConnectorKind.PCIE_16, 1)], 675),
    ],
)  # fmt: skip
def test_budget(kinds: list[tuple[ConnectorKind, int]], watts: float) -> None:
    """Slot 75 W, 6-pin 75 W, 8-pin 150 W, 16-pin 600 W."""
    assert connector_budget_w(PowerConnector(kind, count) for kind, count in kinds) == watts


def test_sense_pins_limit_a_sixteen_pin_plug() -> None:
    """A plug that states 450 W carries no more."""
    assert connector_budget_w([PowerConnector(ConnectorKind.PCIE_16, 1, 450)]) == 525


def test_native_plugs_come_first() -> None:
    """Two 16-pin cards on one native plug: the other hangs on 8-pin plugs."""
    need = eight_pins_for_sixteen(card("nvidia-rtx-4090-24"))
    enough = plug([(card("nvidia-rtx-4090-24"), 2)], 1, Plugs(sixteen=1, eight=need, eps=2))
    assert enough is not None
    assert enough.works()
    assert enough.adapters == 1
    short = plug([(card("nvidia-rtx-4090-24"), 2)], 1, Plugs(sixteen=1, eight=need - 1, eps=2))
    assert short is not None
    assert short.short_eight == 1


def test_unknown_counts_are_unknown() -> None:
    """A supply that does not state its plugs offers no number, not zero."""
    assert offered([(PowerSupply(id="s", name="s", rated_w=1000), 1)]) is None
    known = PowerSupply(id="s", name="s", rated_w=1000, pcie_16=0, pcie_6plus2=4, eps_8=2)
    assert offered([(known, 2)]) == Plugs(0, 8, 4)


def test_processor_keeps_its_plug() -> None:
    """A card fed by EPS takes the second plug, never the processor's."""
    found = plug([(card("nvidia-rtx-a6000-48"), 1)], 1, Plugs(sixteen=0, eight=0, eps=1))
    assert found is not None
    assert not found.works()
    assert plug([(card("nvidia-rtx-a6000-48"), 1)], 1, Plugs(sixteen=0, eight=0, eps=2)).works()  # type: ignore[union-attr]
