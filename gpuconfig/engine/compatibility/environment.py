"""Where the machine stands: region, outlet, climate, noise."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from gpuconfig.engine.catalogue.vocabulary import Region
from gpuconfig.engine.estimation.coefficients import CoefficientSet

DEFAULT_REGION = Region.CN
"""Where a machine stands if nobody says: one place for `check` and `recommend`."""
LOW_LINE_BELOW_V = 160
"""Between the outlets of 100-127 V and those of 200 V and more."""
MAINS_REGIONS = frozenset({Region.CN, Region.US, Region.EU})
"""Regions whose ordinary outlet is recorded."""


class Noise(StrEnum):
    """Where a machine stands, by the noise that is borne there."""

    OFFICE = "office"
    LAB = "lab"
    MACHINE_ROOM = "machine_room"


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """The place. None: not said.

    Attributes:
        region: None is judged as `DEFAULT_REGION`, which is told.
        volts, amps: of the outlet where the person names it; else the region's ordinary one is taken.
        machine_room: servers have a feed for each supply.
    """

    region: Region | None = None
    volts: float | None = None
    amps: float | None = None
    ambient_c: float | None = None
    altitude_m: float | None = None
    noise: str | None = None
    machine_room: bool = False

    def names_circuit(self) -> bool:
        """Whether the person says which circuit there is."""
        return self.volts is not None and self.amps is not None


def mains_region(place: Environment) -> Region:
    """The region whose outlets count."""
    region = place.region
    return region if region is not None and region in MAINS_REGIONS else DEFAULT_REGION


def outlet(place: Environment, numbers: CoefficientSet) -> tuple[float, float]:
    """Volts and amperes: as named, else of the region's ordinary outlet, else of the default region's."""
    scope = mains_region(place).value
    return (
        place.volts or numbers.value("rules", "mains_volts", scope),
        place.amps or numbers.value("rules", "mains_amps", scope),
    )


def machine_room_feed(place: Environment, numbers: CoefficientSet) -> tuple[float, float]:
    """Volts and amperes of the feed that each supply of a rack server has: American rooms give them two phases."""
    return (
        place.volts or numbers.value("rules", "machine_room_volts", mains_region(place).value),
        numbers.value("rules", "machine_room_amps"),
    )


class _Mains(Protocol):
    @property
    def volts(self) -> float | None:
        """Voltage."""

    @property
    def amps(self) -> float | None:
        """Amperes."""


class Wishes(Protocol):
    """The part of a request's constraints that speaks of the place."""

    @property
    def region(self) -> Region:
        """Where."""

    @property
    def mains(self) -> _Mains | None:
        """Outlet."""

    @property
    def ambient_c(self) -> float | None:
        """Temperature."""

    @property
    def noise(self) -> object:
        """Place by noise."""


def environment_of(constraints: Wishes) -> Environment:
    """The place a request speaks of."""
    mains, noise = constraints.mains, constraints.noise
    return Environment(
        region=constraints.region,
        volts=None if mains is None else mains.volts,
        amps=None if mains is None else mains.amps,
        ambient_c=constraints.ambient_c,
        noise=None if noise is None else str(noise),
        machine_room=str(noise) == "machine_room",
    )
