"""The catalogue as the engine sees it; adapters implement it over a database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import Chassis, Pdu, PowerSupply, Rack, ServerPlatform, Ups
from gpuconfig.engine.catalogue.host import Cooler, Cpu, MemoryKit, Motherboard, Platform
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.market import CloudOffer, Offer, Tariff
from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.catalogue.peripheral import Bridge, Cable, Drive, Nic, Riser, Switch
from gpuconfig.engine.catalogue.record import Coefficient, Measurement, QuantFormat
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.quantities.money import Currency, ExchangeRate


@dataclass(frozen=True, slots=True)
class CatalogueVersion:
    """What answers name in `versions`: content hashes of catalogue and coefficients, and the seed's date."""

    catalogue: str
    coefficients: str
    date: str


class Catalogue(Protocol):
    """Read access. Every call is cheap after the first of its kind; sequences are in the seed's order.

    References (`ref`) are an id, a name or an alias, case-insensitive. An unknown one raises InputError
    with code `unknown_value`, the given `field` and the nearest names.
    """

    def version(self) -> CatalogueVersion:
        """Versions of the bundled data; the overlay's content changes `catalogue`."""

    def accelerators(self) -> Sequence[Accelerator]:
        """Every accelerator, hidden ones left out."""
        return cast("Sequence[Accelerator]", self.parts(Kind.ACCELERATOR))

    def accelerator(self, ref: str, field: str = "hardware.gpu") -> Accelerator:
        """One accelerator by id, name or alias."""
        return cast("Accelerator", self.part(Kind.ACCELERATOR, ref, field))

    def models(self) -> Sequence[NeuralModel]:
        """Every preset."""
        return cast("Sequence[NeuralModel]", self.parts(Kind.MODEL))

    def model(self, ref: str, field: str = "model") -> NeuralModel:
        """One preset by id, name, alias or Hugging Face name."""
        return cast("NeuralModel", self.part(Kind.MODEL, ref, field))

    def cpus(self) -> Sequence[Cpu]:
        """Every processor."""
        return cast("Sequence[Cpu]", self.parts(Kind.CPU))

    def motherboards(self) -> Sequence[Motherboard]:
        """Every board, with its slots."""
        return cast("Sequence[Motherboard]", self.parts(Kind.MOTHERBOARD))

    def platforms(self) -> Sequence[Platform]:
        """Every socket generation."""
        return cast("Sequence[Platform]", self.parts(Kind.PLATFORM))

    def memory_kits(self) -> Sequence[MemoryKit]:
        """Every memory kit."""
        return cast("Sequence[MemoryKit]", self.parts(Kind.MEMORY))

    def power_supplies(self) -> Sequence[PowerSupply]:
        """Every power supply."""
        return cast("Sequence[PowerSupply]", self.parts(Kind.POWER_SUPPLY))

    def chassis(self) -> Sequence[Chassis]:
        """Every case."""
        return cast("Sequence[Chassis]", self.parts(Kind.CHASSIS))

    def coolers(self) -> Sequence[Cooler]:
        """Every processor cooler."""
        return cast("Sequence[Cooler]", self.parts(Kind.COOLER))

    def drives(self) -> Sequence[Drive]:
        """Every drive."""
        return cast("Sequence[Drive]", self.parts(Kind.DRIVE))

    def nics(self) -> Sequence[Nic]:
        """Every network card."""
        return cast("Sequence[Nic]", self.parts(Kind.NIC))

    def risers(self) -> Sequence[Riser]:
        """Every riser, adapter and PCIe switch card."""
        return cast("Sequence[Riser]", self.parts(Kind.RISER))

    def switches(self) -> Sequence[Switch]:
        """Every network switch."""
        return cast("Sequence[Switch]", self.parts(Kind.SWITCH))

    def cables(self) -> Sequence[Cable]:
        """Every cable, transceiver and small part that joins machines or supplies."""
        return cast("Sequence[Cable]", self.parts(Kind.CABLE))

    def bridges(self) -> Sequence[Bridge]:
        """Every NVLink bridge."""
        return cast("Sequence[Bridge]", self.parts(Kind.BRIDGE))

    def ups_units(self) -> Sequence[Ups]:
        """Every UPS."""
        return cast("Sequence[Ups]", self.parts(Kind.UPS))

    def pdus(self) -> Sequence[Pdu]:
        """Every PDU."""
        return cast("Sequence[Pdu]", self.parts(Kind.PDU))

    def racks(self) -> Sequence[Rack]:
        """Every rack."""
        return cast("Sequence[Rack]", self.parts(Kind.RACK))

    def servers(self) -> Sequence[ServerPlatform]:
        """Every server platform."""
        return cast("Sequence[ServerPlatform]", self.parts(Kind.SERVER))

    def parts(self, kind: Kind) -> Sequence[CatalogueItem]:
        """Every item of `kind`, typed as its class."""

    def part(self, kind: Kind, ref: str, field: str = "") -> CatalogueItem:
        """One item of `kind` by id, name, alias or part number."""

    def find(self, kind: Kind, ref: str) -> CatalogueItem | None:
        """Like `part`, None where nothing matches."""

    def search(self, query: str, kind: Kind | None = None, limit: int = 200) -> Sequence[CatalogueItem]:
        """Items in whose names, aliases, part numbers or nicknames every word of `query` occurs, best first."""

    def offers(self, kind: Kind, item_id: str) -> Sequence[Offer]:
        """Offers of one item, seen prices first, newest first."""

    def all_offers(self) -> Sequence[Offer]:
        """Every offer."""

    def cloud_offers(self) -> Sequence[CloudOffer]:
        """Every rental price, newest first."""

    def exchange_rate(self, base: Currency, target: Currency) -> ExchangeRate:
        """The newest rate recorded; raises InputError (`missing`) where there is none."""

    def tariffs(self) -> Sequence[Tariff]:
        """Every electricity tariff."""

    def quant_formats(self) -> Sequence[QuantFormat]:
        """Every storage format in file order."""

    def coefficients(self, group: str) -> Sequence[Coefficient]:
        """Rows of one coefficient file, in file order; empty where there is no such file."""

    def coefficient_groups(self) -> Sequence[str]:
        """Names of the coefficient files."""

    def measurements(self, task: str | None = None) -> Sequence[Measurement]:
        """Rows of one measurement file, or of all; the user's own rows last."""
