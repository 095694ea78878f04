"""Whether an answer may become an option: it fits the card, and it is in time; else it is noted why not."""

from __future__ import annotations

from collections.abc import Sequence

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.estimation.answer import Estimate, Verdict
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.serving.engines import engine_lack, format_lack, last_release
from gpuconfig.engine.estimation.serving.formats import default_weight_format
from gpuconfig.engine.estimation.serving.settings import engine_for
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.selection.bounds import least_seconds, least_state_bytes
from gpuconfig.engine.selection.demand import Demand
from gpuconfig.engine.selection.performance import TARGETS, meets, memory_figures, target_figures
from gpuconfig.engine.selection.tally import Tally
from gpuconfig.engine.workloads.serving import ServingWorkload

_MEMORY = {
    Verdict.DOES_NOT_FIT: ("memory", N_("{count}× {card}: {needed} needed on one card, {usable} usable")),
    Verdict.TOO_CLOSE: (
        "memory_close",
        N_("{count}× {card}: up to {needed} of {usable}: too close to tell"),
    ),
}
_ONE_DEVICE = N_("{count}× {card}: {needed} needed on one device of a card, {usable} usable")
_UNKNOWN = ("unknown", N_("{count}× {card}: a needed fact is not known, so it cannot be offered"))


def engine_runs(card: Accelerator, demand: Demand, coefficients: CoefficientSet, tally: Tally) -> bool:
    """Whether the serving engine runs on the card in a release that one installs today, and reads the weights there.

    A card that is named may be one that stands there already: its last release will do, and is told with the figures.
    """
    work, wish, model = demand.workload, demand.request.constraints, demand.request.model
    if not isinstance(work, ServingWorkload):
        return True
    engine = work.engine or engine_for(card, model, work.weight_format, coefficients)
    lack = None
    if not (wish.accelerators and last_release(engine, card, coefficients)):
        lack = engine_lack(engine, card, coefficients, work.engine_version)
    if lack is None:
        stored = work.weight_format or default_weight_format(engine, model)
        lack = format_lack(engine, stored, card, coefficients)
    if lack is not None:
        tally.reject(card, "engine", lack)
    return lack is None


def states_fit(card: Accelerator, count: int, demand: Demand, tally: Tally) -> bool:
    """A bound before any estimate: all cards together must hold each trained parameter's states once."""
    each, capacity = least_state_bytes(demand.workload), card.capacity_bytes()
    if not each or capacity is None:
        return True
    needed = demand.request.model.parameters * each / count
    if needed <= capacity:
        return True
    values = _of(card, count, needed=Figure(needed, unit="B"), usable=Figure(capacity, unit="B"))
    text = N_("{count}× {card}: the states of the parameters alone are {needed} a card, {usable} usable")
    tally.reject(card, "memory", Message(text, values), needed, capacity, "B")
    return False


def fast_enough(
    card: Accelerator,
    count: int,
    demand: Demand,
    card_seconds: Sequence[float],
    best_scaling: float,
    tally: Tally,
) -> bool:
    """A bound before any estimate: every card at its peak all the time, or far better than fewer cards did.

    Args:
        card_seconds: time of runs on fewer of these cards, times their number.
        best_scaling: share of the time these card-hours give that more cards need at the least.
    """
    limit = demand.target.deadline_s
    least = least_seconds(demand.workload, demand.request.model, card, count)
    fewer = [each / count for each in card_seconds]
    if least is not None and fewer:
        least = max(least, best_scaling * max(fewer))
    if limit is None or least is None or least <= limit:
        return True
    values = _of(card, count, value=Figure(least, unit="s"), limit=Figure(limit, unit="s"))
    text = N_("{count}× {card}: {value} at the very least, {limit} is the longest")
    tally.reject(card, "target_deadline_s", Message(text, values), least, limit, "s")
    return False


def fits(card: Accelerator, count: int, answer: Estimate | UserError, tally: Tally) -> bool:
    """Whether the work fits `count` cards; where it does not, `tally` learns by how much."""
    if isinstance(answer, UserError):
        tally.reject(card, answer.code, answer.message)
        return False
    if answer.verdict is Verdict.FITS:
        return True
    needed, usable = memory_figures(answer)
    values = _of(card, count, needed=Figure(needed, unit="B"), usable=Figure(usable, unit="B"))
    code, text = _MEMORY.get(answer.verdict, _UNKNOWN)
    if answer.verdict is Verdict.DOES_NOT_FIT and card.devices > 1:
        text = _ONE_DEVICE
    tally.reject(card, code, Message(text, values), needed, usable, "B")
    return False


def on_time(card: Accelerator, count: int, estimate: Estimate, demand: Demand, tally: Tally) -> bool:
    """Whether every target that can be judged is met; where one is not, `tally` learns which.

    Work that waits for the host's memory is offered at a known speed only: how slow it is decides.
    """
    kind, target = demand.request.kind, demand.target
    met, name = meets(estimate, kind, target)
    waits = estimate.memory is not None and estimate.memory.host_bytes is not None
    if met is None and name and waits:
        code, reason = _UNKNOWN
        tally.reject(card, code, Message(reason, _of(card, count)))
        return False
    if met is not False:
        return True
    value, limit, unit = target_figures(estimate, kind, target, name)
    values = _of(
        card,
        count,
        name=Message(TARGETS[name]),
        value=Figure(value, unit=unit),
        limit=Figure(limit, unit=unit),
    )
    text = N_("{count}× {card}: {value} where {limit} is asked ({name})")
    tally.reject(card, f"target_{name}", Message(text, values), value, limit, unit)
    return False


def _of(card: Accelerator, count: int, **figures: object) -> dict[str, object]:
    return {"count": count, "card": card.name, **figures}
