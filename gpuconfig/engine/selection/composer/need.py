"""What a machine must hold, and the answer where no machine can be composed."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.vocabulary import Cooling, FormFactor, Region
from gpuconfig.engine.compatibility.machine import MTS_BYTES
from gpuconfig.engine.provenance.message import Message
from gpuconfig.engine.workloads.fields import real


@dataclass(frozen=True, slots=True, kw_only=True)
class Aims:
    """Weights of what a machine shall be; all 0 or only `cost`: the cheapest.

    Attributes:
        cost: of the price of everything but the cards.
        quiet: of the sound of coolers or of the server.
        cool: of the heat of the parts around the cards.
        upgradable: of the room for further cards on the board, in the case and at the supply.
    """

    cost: float = real(0.0, 0, 1000)
    quiet: float = real(0.0, 0, 1000)
    cool: float = real(0.0, 0, 1000)
    upgradable: float = real(0.0, 0, 1000)

    def only_cheap(self) -> bool:
        """Whether nothing but the price counts."""
        return not (self.quiet or self.cool or self.upgradable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One node's cards and the limits of the place.

    Attributes:
        per_node: cards in one machine.
        ram_bytes: host memory of one machine.
        host_bytes_per_s: what its channels must give together; 0: nothing is read from them in the work.
        lanes: PCIe lanes each card must have.
        circuit_w: what one outlet carries for long; None: machine room, not limited here.
        circuits: circuits that supplies may be spread over; None: one for each supply.
        volts: of the outlet; None: 200 V or more.
        server_feed_w: what the feed of each supply of a server carries for long; None: not limited here.
        frames: whether an open frame with the cards on risers will do.
        desktop, server: which forms are wanted.
        network_bits_per_gpu: rate between machines; 0 for one machine.
        aims: what counts besides the price; None: nothing.
    """

    accelerator: Accelerator
    per_node: int
    nodes: int = 1
    region: Region = Region.CN
    ram_bytes: float = 32 * 2**30
    host_bytes_per_s: float = 0.0
    cores: int = 6
    drive_bytes: float = 1e12
    lanes: int = 8
    circuit_w: float | None = None
    circuits: int | None = None
    volts: float | None = None
    server_feed_w: float | None = None
    frames: bool = True
    desktop: bool = True
    server: bool = True
    network_bits_per_gpu: float = 0.0
    power_limit_w: float | None = None
    aims: Aims | None = None

    def memory_mts(self, channels: int) -> float:
        """Least transfers a second, in millions, of memory on so many channels."""
        return self.host_bytes_per_s / channels / MTS_BYTES

    def card_w(self) -> float:
        """Watts of one card, 0 where not known (the composer refuses such cards first)."""
        tdp = self.accelerator.tdp_w or 0.0
        return tdp if self.power_limit_w is None else min(tdp, self.power_limit_w)

    def is_capped(self) -> bool:
        """Whether the cards are held below their power."""
        return self.card_w() < (self.accelerator.tdp_w or 0.0)

    def is_module(self) -> bool:
        """SXM, OAM and the like come only inside a server made for them."""
        return self.accelerator.form_factor not in (FormFactor.PCIE, FormFactor.BOX, FormFactor.SOC)

    def is_passive(self) -> bool:
        """Without a fan of its own."""
        return self.accelerator.cooling is Cooling.PASSIVE


@dataclass(frozen=True, slots=True, kw_only=True)
class NoBuild:
    """Why no machine can be composed: the rule that forbids it, with its figures."""

    rule: str
    message: Message
    measured: float | None = None
    required: float | None = None
    unit: str = ""
