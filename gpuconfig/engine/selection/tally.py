"""What a search collects on its way: options, refusals, and how near each refusal came."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.provenance.message import Message
from gpuconfig.engine.selection.recommendation import Option, Rejected

_STAGES = ("over_budget", "rule", "target", "memory_close", "memory")
_SCREENED = frozenset(
    {
        "software",
        "engine",
        "vendor",
        "video",
        "export_status",
        "no_price",
        "no_system",
        "not_sold",
        "region",
        "unknown",
    }
)


@dataclass
class Tally:
    """What the search collects on its way."""

    rejected: list[Rejected] = field(default_factory=list)
    options: list[Option] = field(default_factory=list)
    over_budget: list[Option] = field(default_factory=list)
    strategies: int = 0

    def reject(
        self, card: Accelerator, code: str, reason: Message, measured: float | None = None,
        required: float | None = None, unit: str = "",
    ) -> None:  # fmt: skip
        """Note why a candidate fell out."""
        self.rejected.append(Rejected(card.id, card.name, reason, code, measured, required, unit))


def told(tally: Tally) -> list[Rejected]:
    """One line an accelerator, where it came closest; those on offer are left out. Nearest misses first."""
    offered = {o.accelerator.id for o in tally.options}
    best: dict[str, Rejected] = {}
    for item in tally.rejected:
        if item.accelerator in offered:
            continue
        known = best.get(item.accelerator)
        if known is None or _closeness(item) > _closeness(known):
            best[item.accelerator] = item
    return sorted(best.values(), key=_closeness, reverse=True)


def _closeness(item: Rejected) -> tuple[float, float]:
    """How near a candidate came: the later the stage the nearer, then by the ratio of the figures."""
    code = (
        "rule" if "." in item.code else item.code
    )  # a rule that forbids the machine: memory and time would do
    stage = next((len(_STAGES) - i for i, s in enumerate(_STAGES) if code.startswith(s)), 0)
    if item.code in _SCREENED:
        stage = -1
    ratio = 0.0
    if item.measured and item.required:
        ratio = min(item.measured / item.required, item.required / item.measured)
    return float(stage), ratio
