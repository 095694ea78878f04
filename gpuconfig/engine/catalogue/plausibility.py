"""What one value of an item says against another: asked about when a person edits or imports it."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import PowerSupply
from gpuconfig.engine.catalogue.host import Motherboard
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.vocabulary import ConnectorKind, FormFactor
from gpuconfig.engine.provenance.message import N_, Message

DATA_RATES = MappingProxyType(
    {
        "GDDR5": (6.0, 9.0), "GDDR5X": (10.0, 11.4), "GDDR6": (10.0, 20.0), "GDDR6X": (18.9, 24.0),
        "GDDR7": (18.0, 32.0), "HBM2": (1.4, 2.45), "HBM2e": (2.4, 3.7), "HBM3": (4.7, 6.5), "HBM3e": (5.9, 9.2),
        "LPDDR5": (6.4, 6.4), "LPDDR5X": (7.5, 9.6),
    }
)  # fmt: skip
"""Gbit/s on one pin of the memory kinds on sale."""

PLUG_W = MappingProxyType(
    {
        ConnectorKind.PCIE_6: 75, ConnectorKind.PCIE_8: 150, ConnectorKind.PCIE_12: 600,
        ConnectorKind.PCIE_16: 600, ConnectorKind.EPS_8: 300, ConnectorKind.PROPRIETARY: 300,
    }
)  # fmt: skip
"""The most a plug of each kind may carry (PCIe CEM, EPS12V)."""

SLOT_W = 75

_CHIPSETS = (
    (
        3,
        "X79 X99 X299 C422 C612 Z77 Z87 Z97 Z170 Z270 Z370 Z390 Z490 H110 B150 H170 B250 B360 B365 H310 H370",
    ),
    (3, "H410 B460 H470 X399 A320 B350 X370 B450 X470"),
    (4, "X570 B550 TRX40 WRX80 H510 B560 H570 Z590 A620 B650 B840"),
    (5, "B650E X670E X870 X870E Z690 Z790 Z890 W680 W880 TRX50 WRX90 W790"),
)

CHIPSET_GENERATIONS = MappingProxyType(
    {name: number for number, names in _CHIPSETS for name in names.split()}
)
"""The highest PCIe generation of a card slot by chipset, where all boards agree."""

_RATE_MARGIN = 0.02

MATRIX_FLOP_PER_CLOCK = MappingProxyType(
    {"7.0": 1024, "7.5": 1024, "8.0": 2048, "8.6": 1024, "8.9": 1024, "9.0": 4096, "10.0": 8192, "12.0": 1024}
)
"""FP16 operations of all matrix units in one streaming multiprocessor a clock, dense, by compute capability."""

VECTOR_FLOP_PER_CLOCK = MappingProxyType(
    {"7.0": 128, "7.5": 128, "8.0": 128, "8.6": 256, "8.9": 256, "9.0": 256, "10.0": 256, "12.0": 256}
)
"""FP32 operations of the vector units in one streaming multiprocessor a clock, by compute capability."""

CLOCK_HZ = (0.7e9, 3.2e9)
"""What chips of the last ten years run at."""


def doubts(item: CatalogueItem) -> Iterator[Message]:
    """Contradictions inside `item`; a value that is not known contradicts nothing."""
    if isinstance(item, Accelerator):
        yield from _accelerator(item)
    elif isinstance(item, Motherboard):
        yield from _motherboard(item)
    elif isinstance(item, PowerSupply):
        yield from _power_supply(item)


def _accelerator(card: Accelerator) -> Iterator[Message]:
    rates = DATA_RATES.get(card.memory_type or "")
    if card.bus_bits and card.bandwidth_bytes_per_s and rates is not None:
        rate = card.bandwidth_bytes_per_s * 8 / card.bus_bits / 1e9
        low, high = rates
        if not low * (1 - _RATE_MARGIN) <= rate <= high * (1 + _RATE_MARGIN):
            text = N_("bandwidth and bus mean {rate:.3g} Gbit/s a pin; {memory} runs at {low:g} to {high:g}")
            yield Message(text, {"rate": rate, "memory": card.memory_type, "low": low, "high": high})
    if card.form_factor is FormFactor.PCIE and card.power_connectors is not None and card.tdp_w:
        supply = SLOT_W + sum(p.count * (p.max_w or PLUG_W[p.kind]) for p in card.power_connectors)
        if supply < card.tdp_w:
            text = N_("slot and plugs carry {supply:g} W, the card takes {tdp:g} W")
            yield Message(text, {"supply": supply, "tdp": card.tdp_w})
    fast, exact = card.fp16_fp16acc_flops, card.fp16_fp32acc_flops
    if fast and exact and fast < exact:
        yield Message(N_("the rate with FP16 accumulation is below the one with FP32 accumulation"))
    yield from _clock(card)
    if card.usable_bytes and card.memory_bytes and card.usable_bytes > card.memory_bytes * 1.05:
        yield Message(N_("more memory is usable than the card has"))


def _clock(card: Accelerator) -> Iterator[Message]:
    """Rate = units x clock x operations a clock: the clock that a dense rate means must be one that chips have."""
    capability, units = card.compute_capability or "", card.sm_count
    if not units or capability not in MATRIX_FLOP_PER_CLOCK:
        return
    low, high = CLOCK_HZ
    text = N_(
        "{rate} means a clock of {clock:.2g} GHz; chips run at {low:g} to {high:g}: sparse taken for dense?"
    )
    vector = (card.fp32_flops or 0) / (units * VECTOR_FLOP_PER_CLOCK[capability])
    matrix = max(card.fp16_fp16acc_flops or 0, card.fp16_fp32acc_flops or 0, card.bf16_fp32acc_flops or 0)
    fastest = matrix / (units * MATRIX_FLOP_PER_CLOCK[capability])
    for rate, clock, least in (("FP32", vector, low), ("FP16", fastest, 0.0)):
        if clock and not least <= clock <= high:
            yield Message(text, {"rate": rate, "clock": clock / 1e9, "low": low / 1e9, "high": high / 1e9})


def _motherboard(board: Motherboard) -> Iterator[Message]:
    limit = CHIPSET_GENERATIONS.get(board.chipset)
    for slot in board.slots:
        if limit and slot.generation and slot.generation > limit:
            text = N_("slot {position} is given PCIe {generation}.0; {chipset} boards have at most {limit}.0")
            values = {"position": slot.position, "generation": slot.generation}
            yield Message(text, {**values, "chipset": board.chipset, "limit": limit})
        if slot.electrical_lanes is not None and slot.electrical_lanes > slot.physical_lanes:
            yield Message(
                N_("slot {position} has more lanes than its length holds"), {"position": slot.position}
            )


def _power_supply(supply: PowerSupply) -> Iterator[Message]:
    plugs = (supply.pcie_16 or 0) * PLUG_W[ConnectorKind.PCIE_16] + (supply.pcie_6plus2 or 0) * PLUG_W[
        ConnectorKind.PCIE_8
    ]
    known = supply.pcie_16 is not None and supply.pcie_6plus2 is not None
    if known and not plugs and supply.rated_w >= 600:
        yield Message(N_("a supply of {watts:g} W without a plug for a card"), {"watts": supply.rated_w})
