"""Where the machine stands: region, outlet, climate, noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from gpuconfig.engine.catalogue.vocabulary import Region


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """The place. None: not said.

    Attributes:
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


class _Mains(Protocol):
    @property
    def volts(self) -> float:
        """Voltage."""

    @property
    def amps(self) -> float:
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
