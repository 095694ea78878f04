"""The machine that is composed decides what its cards hold: cap, room and neighbours reach the estimate."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gpuconfig import app
from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.builds.placement import place
from gpuconfig.engine.catalogue.vocabulary import Cooling, Kind
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.selection.demand import on_machine
from gpuconfig.engine.selection.request import Constraints

CARD = "nvidia-rtx-4090-24"


def _request(services: Any, count: int) -> Any:
    return services.read_estimate(
        {
            "model": "qwen2.5-7b",
            "workload": {"kind": "training", "method": "qlora"},
            "hardware": {"gpu": CARD, "gpus_per_node": count},
        }
    )


def _board(services: Any, card: Any, count: int, tight: bool) -> Any:
    boards = services.catalogue().motherboards()
    widths = [card.slots or 1.0] * count
    for board in boards:
        seats = place(board, widths) if board.positions_known else None
        if seats is not None and (seats.tight() > 0) == tight:
            return board
    raise AssertionError("no such board")


def test_cap_room_and_neighbours_reach_the_estimate() -> None:
    services = app.services()
    numbers = CoefficientSet.of(
        row
        for group in services.catalogue().coefficient_groups()
        for row in services.catalogue().coefficients(group)
    )
    request = _request(services, 2)
    card = replace(request.accelerator, cooling=Cooling.OPEN_AIR)
    request = replace(request, accelerator=card)

    def asked(tight: bool, room: float | None, cap: float | None = None, cooled: Any = None) -> Any:
        lines = (
            BomLine(kind=Kind.ACCELERATOR, item=card, quantity=2, power_limit_w=cap),
            BomLine(kind=Kind.MOTHERBOARD, item=_board(services, card, 2, tight), quantity=1),
        )
        own = request if cooled is None else replace(request, accelerator=replace(card, cooling=cooled))
        return on_machine(own, Build(lines=lines), Constraints(ambient_c=room), numbers).hardware

    rise = numbers.value("rules", "neighbour_rise_c")
    assert asked(tight=False, room=22.0).inlet_c == 22.0
    assert asked(tight=False, room=None).inlet_c is None
    assert asked(tight=True, room=30.0).inlet_c == 30.0 + rise
    assert asked(tight=True, room=None).inlet_c == numbers.value("selection", "usual_room_c") + rise
    assert asked(tight=True, room=30.0, cooled=Cooling.BLOWER).inlet_c == 30.0
    assert asked(tight=False, room=None, cap=300.0).power_limit_w == 300.0
    assert asked(tight=False, room=None).power_limit_w is None
