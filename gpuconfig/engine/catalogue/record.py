"""Quantisation formats, fitted coefficients and real measurements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from gpuconfig.engine.provenance.evidence import Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantFormat:
    """Effective bits per weight of a storage format, for one model or in general.

    Attributes:
        format: as its project names it, for example `GGUF Q4_K_M`.
        scope: `whole model`, or the tensors the figure speaks of.
        bits_per_weight: effective, scales included; None where only a size is recorded.
        basis: `measured`, `calculated`, `nominal`.
    """

    format: str
    family: str
    scope: str
    bits_per_weight: float | None
    basis: str
    model: str = ""
    parameters: float | None = None
    size_bytes: float | None = None
    block_size: int | None = None
    block_text: str = ""
    computed_bits_per_weight: float | None = None
    notes: str = ""
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """A fitted or published number of a model, one row of `db/seed/coefficients/<group>.csv`.

    Attributes:
        scope: what it holds for, as its reader writes it (`*`, `ampere`, `nvidia-rtx-4090-24|bf16`).
        low, high: 90 % band of the fit where known.
    """

    group: str
    name: str
    scope: str
    value: float | None
    low: float | None = None
    high: float | None = None
    unit: str = "1"
    evidence: Evidence
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """A real measurement, one row of `db/seed/measurements/<task>.csv`.

    Attributes:
        task: name of the file.
        quantity: which answer was measured, for example `memory.peak_reserved_bytes`.
        value: in `unit`, base units.
        request: the configuration as a JSON request of the command line.
        licence: of the source.
        fields: further columns of the file, unread by the catalogue.
        own: the user's, not the bundle's: it shifts the estimates of its card.
    """

    id: str
    task: str
    quantity: str
    value: float
    unit: str
    request: str
    evidence: Evidence
    licence: str = ""
    note: str = ""
    fields: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    own: bool = False
