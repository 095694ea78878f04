"""The catalogue as the engine sees it; adapters implement it over a database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import Chassis, Pdu, PowerSupply, Rack, ServerPlatform, Ups
from gpuconfig.engine.catalogue.host import Cooler, Cpu, MemoryKit, Motherboard, Platform
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.market import CloudOffer, Offer, Tariff
from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.catalogue.peripheral import Bridge, Drive, Nic, Riser, Switch
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

    def accelerator(self, ref: str, field: str = "hardware.gpu") -> Accelerator:
        """One accelerator by id, name or alias."""

    def models(self) -> Sequence[NeuralModel]:
        """Every preset."""

    def model(self, ref: str, field: str = "model") -> NeuralModel:
        """One preset by id, name, alias or Hugging Face name."""

    def cpus(self) -> Sequence[Cpu]:
        """Every processor."""

    def motherboards(self) -> Sequence[Motherboard]:
        """Every board, with its slots."""

    def platforms(self) -> Sequence[Platform]:
        """Every socket generation."""

    def memory_kits(self) -> Sequence[MemoryKit]:
        """Every memory kit."""

    def power_supplies(self) -> Sequence[PowerSupply]:
        """Every power supply."""

    def chassis(self) -> Sequence[Chassis]:
        """Every case."""

    def coolers(self) -> Sequence[Cooler]:
        """Every processor cooler."""

    def drives(self) -> Sequence[Drive]:
        """Every drive."""

    def nics(self) -> Sequence[Nic]:
        """Every network card."""

    def risers(self) -> Sequence[Riser]:
        """Every riser, adapter and PCIe switch card."""

    def switches(self) -> Sequence[Switch]:
        """Every network switch."""

    def bridges(self) -> Sequence[Bridge]:
        """Every NVLink bridge."""

    def ups_units(self) -> Sequence[Ups]:
        """Every UPS."""

    def pdus(self) -> Sequence[Pdu]:
        """Every PDU."""

    def racks(self) -> Sequence[Rack]:
        """Every rack."""

    def servers(self) -> Sequence[ServerPlatform]:
        """Every server platform."""

    def parts(self, kind: Kind) -> Sequence[CatalogueItem]:
        """Every item of `kind`, typed as its class."""

    def part(self, kind: Kind, ref: str, field: str = "") -> CatalogueItem:
        """One item of `kind` by id, name, alias or part number."""

    def find(self, kind: Kind, ref: str) -> CatalogueItem | None:
        """Like `part`, None where nothing matches."""

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
