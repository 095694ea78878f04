"""Network cards in the slots that the accelerators leave: where they sit, and what port and slot let through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gpuconfig.engine.builds.placement import Placement, Seat, beside, free_slots
from gpuconfig.engine.catalogue.host import Motherboard, Slot
from gpuconfig.engine.catalogue.peripheral import Nic
from gpuconfig.engine.catalogue.vocabulary import LaneSource
from gpuconfig.engine.quantities.pcie import LANE_BYTES_PER_S

NIC_LANES = 16
"""Of a network card whose lanes are not recorded."""
ENOUGH_LANES = 8
"""An accelerator gives up lanes to a network card down to these: fewer slow work that is shared over cards."""


@dataclass(frozen=True, slots=True)
class SeatedNics:
    """Where network cards sit.

    Attributes:
        seats: of each network card, in order; None for one that finds no slot.
        cards: seats of the accelerators with what lanes the network cards leave them.
    """

    seats: tuple[Seat | None, ...]
    cards: Placement


def ports_bits_per_s(nic: Nic) -> float | None:
    """All ports of the card together; None where their rate is not recorded."""
    return None if nic.port_bits_per_s is None else nic.port_bits_per_s * (nic.ports or 1)


def usable_bits_per_s(nic: Nic, generation: int | None, lanes: int | None) -> float | None:
    """The lesser of ports and slot in bit/s; None where the rate of the ports is not recorded.

    A slot of unknown generation or width counts as the card's own.
    """
    ports = ports_bits_per_s(nic)
    speeds = [g for g in (generation, nic.pcie_generation) if g is not None]
    widths = [n for n in (lanes, nic.pcie_lanes) if n is not None]
    if ports is None or not speeds or not widths:
        return ports
    return min(ports, LANE_BYTES_PER_S[min(speeds)] * min(widths) * 8.0)


def takes_slot(nic: Nic) -> bool:
    """Whether the card goes into a PCIe slot: one of the OCP form has a place of its own."""
    return "OCP" not in nic.form_factor.upper()


def seat_nics(board: Motherboard, cards: Placement, nics: Sequence[Nic]) -> SeatedNics:
    """The network cards one after the other, each in the free slot that lets most through.

    A slot that takes lanes from an accelerator is used only where that one keeps enough.
    """
    free = list(free_slots(board, cards))
    taken: list[Slot] = []
    seats: list[Seat | None] = []
    for nic in nics:
        fitting = [s for s in free if s.physical_lanes >= (nic.pcie_lanes or NIC_LANES)]
        if not fitting:
            seats.append(None)
            continue

        def worth(slot: Slot, nic: Nic = nic) -> tuple[bool, float, int, bool]:
            placed = beside(cards, [*taken, slot])
            least = placed.least_lanes()
            kept = cards.least_lanes() or 0
            seat = beside(Placement((), None), [*(s.slot for s in cards.seats), *taken], slot)
            rate = usable_bits_per_s(nic, slot.generation, seat.seats[0].lanes) or 0.0
            enough = least is None or least >= min(ENOUGH_LANES, kept)
            return enough, rate, least or 0, slot.source is not LaneSource.CHIPSET

        best = max(fitting, key=worth)
        free.remove(best)
        taken.append(best)
        seats.append(Seat(best, None, 1))
    return _shared_out(cards, taken, seats)


def _shared_out(cards: Placement, taken: Sequence[Slot], seats: Sequence[Seat | None]) -> SeatedNics:
    """The seats with the lanes each has once every slot is taken."""
    used = [*(s.slot for s in cards.seats), *taken]
    of_nics = tuple(
        None if seat is None else beside(Placement((), None), used, seat.slot).seats[0] for seat in seats
    )
    return SeatedNics(of_nics, beside(cards, taken))
