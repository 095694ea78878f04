"""Asking the product for the figures of a help page, and writing them into cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gpuconfig.cli.help_tables.table import UNKNOWN, Gettext
from gpuconfig.engine.estimation.answer import Estimate, Verdict
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.units import GB
from gpuconfig.presentation.services import Services

VERDICTS = {
    Verdict.FITS: N_("fits"), Verdict.TOO_CLOSE: N_("too close to say"), Verdict.DOES_NOT_FIT: N_("does not fit"),
    Verdict.UNKNOWN: N_("unknown"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """One training run; `split` None is searched, {} is plain data parallelism."""

    model: str
    card: str
    work: Mapping[str, object]
    count: int = 1
    nodes: int = 1
    split: Mapping[str, object] | None = None
    hardware: Mapping[str, object] = field(default_factory=dict)

    def request(self) -> dict[str, Any]:
        """The contract's JSON."""
        machine = {"gpu": self.card, "gpus_per_node": self.count, "nodes": self.nodes, **self.hardware}
        asked: dict[str, Any] = {
            "id": self.card, "model": self.model, "workload": {"kind": "training", **self.work}, "hardware": machine,
        }  # fmt: skip
        return asked if self.split is None else {**asked, "parallelism": dict(self.split)}


Asker = Callable[[Sequence[Asked]], list[Estimate]]


def asker(services: Services) -> Asker:
    """Estimates of runs that all must be valid; raises the error of one that is not."""

    def ask(asked: Sequence[Asked]) -> list[Estimate]:
        answers = services.estimate([services.read_estimate(a.request()) for a in asked])
        for answer in answers:
            if isinstance(answer, UserError):
                raise answer
        return [a for a in answers if isinstance(a, Estimate)]

    return ask


def figure(one: object, name: str) -> float | None:
    """The value of one figure of the training part."""
    found = one.figure(name) if isinstance(one, Estimate) else None
    return None if found is None else found.value


def band(found: Figure | None) -> str:
    """A figure with its 90 % band."""
    if found is None or found.value is None:
        return UNKNOWN
    if found.low is None or found.high is None:
        return f"{found.value:,.0f}"
    return f"{found.value:,.0f} ({found.low:,.0f}–{found.high:,.0f})"


def percent(share: float | None) -> str:
    """A share in whole percent."""
    return UNKNOWN if share is None else f"{share * 100:.0f} %"


def verdict(one: Estimate, gettext: Gettext) -> str:
    """Whether it fits the card."""
    return gettext(VERDICTS[one.verdict])


def memory(one: Estimate) -> str:
    """Memory of the fullest card of what it can use, in gigabytes."""
    if one.memory is None or one.memory.device_used_bytes.value is None or not one.memory.usable_bytes:
        return UNKNOWN
    return f"{one.memory.device_used_bytes.value / GB:,.0f} / {one.memory.usable_bytes / GB:,.0f} GB"
