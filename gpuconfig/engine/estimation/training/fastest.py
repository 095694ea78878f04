"""The best strategy of many requests at once: every strategy is weighed, few are evaluated in full.

Three facts, each held by a test against the full table, spare most of the work and change no answer: one phase of a
step is a lower bound of the memory used; recomputation makes no run faster, so that it is tried only where the same
strategy does not fit without; and speed matters only where the run fits. Where nothing surely fits, speed is weighed by
the chance to fit (`chance_to_fit`); where nothing can fit, the least memory counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.graph import Value
from gpuconfig.engine.estimation.inputs.parallelism import schedule_columns
from gpuconfig.engine.estimation.training.graph import training_graph
from gpuconfig.engine.estimation.training.search import (
    StrategyBases,
    shared_columns,
    strategy_bases,
    training_of,
)
from gpuconfig.engine.estimation.training.strategy_grid import (
    CHUNK,
    DEGREES,
    Chosen,
    ChosenStrategy,
    checkpointing_of,
    losses_tried,
    split_of,
    strategy_chunks,
)
from gpuconfig.engine.provenance.errors import InputError, UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.training import Loss

PIECE = 4 * CHUNK
"""Strategies weighed together: most fall to the lower bound, and what is left stays in the processor's cache."""
SCHEDULE = ("bubble_filling_passes", "held_behind", "held_evenly")
LEAST = (
    "resident_bytes", "gradient_state_bytes", "step_temporary_bytes", "data_parallel_bucket_bytes",
    "process_overhead_bytes",
)  # fmt: skip
BAND = ("device_used_low_bytes", "device_used_bytes", "device_used_high_bytes")
WITHIN_STEP = (
    "micro_batch_size",
    "gradient_accumulation",
    "full_recompute",
    "selective_recompute",
    "sequence_parallel",
)
"""Degrees that no quantity of `LEAST` depends on; they run fastest in a grid."""


@dataclass(frozen=True, slots=True)
class _Search:
    """A request, `place` in the list asked for, with one of its losses."""

    place: int
    request: EstimateRequest
    bases: StrategyBases
    loss: Loss | None = None

    def strategy(self, degrees: dict[str, float], chosen: Chosen) -> ChosenStrategy:
        """One row of the grid as a record."""
        return ChosenStrategy(
            parallelism=split_of(degrees, training_of(self.request).pipeline_schedule),
            micro_batch_size=int(degrees["micro_batch_size"]),
            gradient_accumulation=int(degrees["gradient_accumulation"]),
            checkpointing=checkpointing_of(degrees), loss=self.loss,
            fits=chosen is Chosen.FASTEST, chosen=chosen,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Rows:
    """Strategies of one or more searches.

    Attributes:
        owner: position of the search of each row, ascending.
        degrees: columns of `DEGREES` and of the schedule.
        bases: columns that no strategy changes: one number, or one for each row of the bases of all searches here.
        index: row of `bases` that each strategy stands on.
    """

    owner: Any
    degrees: dict[str, Value]
    bases: dict[str, Any]
    index: Any

    def taken(self, kept: Value) -> _Rows:
        """The rows of a mask or an index."""
        degrees = {name: column[kept] for name, column in self.degrees.items()}
        return replace(self, owner=self.owner[kept], degrees=degrees, index=self.index[kept])

    def evaluated(self, wanted: tuple[str, ...], last_stage: bool = False) -> dict[str, Any]:
        """Values of the first pipeline stage, or of the last, for each row."""
        columns = {
            name: self.degrees[name] if name in self.degrees else self.shared(name)
            for name in _inputs_of(wanted)
        }
        columns["pipeline_stage"] = self.degrees["pipeline_parallel"] - 1.0 if last_stage else np.zeros(1)
        values = training_graph().evaluate(columns, wanted)
        return {
            name: np.broadcast_to(values[name] if name in values else columns[name], self.owner.shape)
            for name in wanted
        }

    def peak(self, name: str) -> Any:
        """A quantity of memory on the fuller of the first and the last pipeline stage."""
        found = np.array(self.evaluated((name,))[name])
        staged = np.flatnonzero(self.degrees["pipeline_parallel"] > 1)
        if staged.size:
            last = self.taken(staged).evaluated((name,), last_stage=True)[name]
            found[staged] = np.maximum(found[staged], last)
        return found

    def usable(self) -> Any:
        """Usable memory of each row's card."""
        return np.broadcast_to(self.shared("usable_memory_bytes"), self.owner.shape)

    def shared(self, name: str) -> Any:
        """A column that no strategy changes, of each row."""
        column = self.bases[name]
        return column[self.index] if np.ndim(column) else column

    def segments(self) -> Iterator[tuple[int, slice]]:
        """Each search that has rows here, with its rows."""
        starts = np.flatnonzero(np.diff(self.owner, prepend=-1))
        ends = [*starts[1:], self.owner.size]
        for start, end in zip(starts, ends, strict=True):
            yield int(self.owner[start]), slice(int(start), int(end))

    def at(self, row: int) -> dict[str, float]:
        """Degrees of one row."""
        return {name: float(self.degrees[name][row]) for name in DEGREES}


def best_strategies(
    requests: Sequence[EstimateRequest], coefficients: CoefficientSet
) -> list[ChosenStrategy | UserError]:
    """For each request the fastest strategy that surely fits.

    Where none does, the one of most speed times the chance to fit; where none can fit, the one that needs least memory.
    The losses of `losses_tried` are weighed alike, the framework's own first. A request that cannot be split at all, or
    is impossible, becomes the error that says why.
    """
    found: dict[int, ChosenStrategy | UserError] = {}
    searches: list[_Search] = []
    for place, request in enumerate(requests):
        try:
            losses = losses_tried(training_of(request), request.model, request.accelerator)
            tried = [strategy_bases(request, coefficients, loss=loss) for loss in losses]
        except UserError as error:
            found[place] = error
        else:
            pairs = zip(tried, losses, strict=True)
            searches.extend(_Search(place, request, bases, loss) for bases, loss in pairs)
    for chosen, weigh in WEIGHED:
        left = dict(enumerate(s for s in searches if s.place not in found))
        if left:
            found.update(_best(left, weigh(left), chosen))
    nothing = InputError(
        "impossible", "parallelism", None, Message(N_("no valid way to split the work was found"))
    )
    return [found.get(place, nothing) for place in range(len(requests))]


def chance_to_fit(low: Value, middle: Value, high: Value, usable: Value) -> Value:
    """Chance that a run fits, from the 90 % band of the memory it uses: 0 where even the low end is over the card."""
    ends = np.maximum(middle - low, 1.0), np.maximum(high - middle, 1.0)
    side = np.where(usable < middle, (usable - middle) / ends[0], (usable - middle) / ends[1])
    return np.where(usable < low, 0.0, np.clip(0.5 + 0.45 * side, 0.0, 0.95))


_Best = dict[int, tuple[float, dict[str, float]]]
"""Of each search the largest merit and the degrees it belongs to."""


def _best(searches: Mapping[int, _Search], merits: _Best, chosen: Chosen) -> dict[int, ChosenStrategy]:
    """The best strategy of each request that has one, over its searches; the first of equals."""
    best: dict[int, tuple[float, ChosenStrategy]] = {}
    for owner, (merit, degrees) in sorted(merits.items()):
        search = searches[owner]
        if search.place not in best or merit > best[search.place][0]:
            best[search.place] = (merit, search.strategy(degrees, chosen))
    return {place: strategy for place, (_, strategy) in best.items()}


def _keep(best: _Best, rows: _Rows, merit: Any) -> None:
    """Take over the row of most merit of each search here."""
    for owner, part in rows.segments():
        row = part.start + int(np.argmax(merit[part]))
        if owner not in best or merit[row] > best[owner][0]:
            best[owner] = (float(merit[row]), rows.at(row))


def _speed(rows: _Rows) -> Any:
    speed = rows.evaluated(("tokens_per_s",))["tokens_per_s"]
    return np.where(np.isnan(speed), 0.0, speed)  # not known: the first that fits


def _fastest(searches: dict[int, _Search]) -> _Best:
    """Of the strategies that surely fit the fastest."""
    best: _Best = {}
    for rows in _pieces(searches):
        hopeful = rows.taken(_least_used(rows) <= rows.usable())
        fitting = hopeful.taken(_fits(hopeful))
        if fitting.owner.size:
            _keep(best, fitting, _speed(fitting))
    return best


def _likeliest(searches: dict[int, _Search]) -> _Best:
    """Of the strategies that may fit the one of most speed times the chance to fit."""
    best: _Best = {}
    for rows in _pieces(searches):
        least = _least_used(rows) * rows.shared("device_low")
        hopeful = rows.taken(np.flatnonzero(least <= rows.usable()))
        near = hopeful.taken(np.flatnonzero(hopeful.peak("device_used_low_bytes") <= hopeful.usable()))
        if near.owner.size:
            low, middle, high = (near.peak(name) for name in BAND)
            _keep(best, near, _speed(near) * chance_to_fit(low, middle, high, near.usable()))
    return best


def _fits(rows: _Rows) -> Any:
    """Which rows surely fit and are not the recomputed form of one that does."""
    usable = rows.usable()
    kind = 2 * (rows.degrees["full_recompute"] > 0) + (rows.degrees["selective_recompute"] > 0)
    same = _same_but_recompute(rows)
    fits, done = np.zeros(rows.owner.size, bool), np.zeros(same.max(initial=-1) + 1, bool)
    for level in range(3):
        tried = np.flatnonzero((kind == level) & ~done[same])
        if tried.size:
            fits[tried] = rows.taken(tried).peak("device_used_high_bytes") <= usable[tried]
            done[same[fits]] = True
    return fits


def _least_used(rows: _Rows) -> Any:
    """A lower bound of the memory used: the optimizer step of the first stage without logits that are still held."""
    starts, group = _groups(rows, tuple(name for name in DEGREES if name not in WITHIN_STEP))
    return sum(rows.taken(starts).evaluated(LEAST).values(), np.zeros(1))[group]


def _same_but_recompute(rows: _Rows) -> Any:
    """A number for each row, shared by strategies that differ in recomputation alone.

    In a grid the kinds of recomputation run just above sequence parallelism, which runs fastest.
    """
    inner = ("full_recompute", "selective_recompute", "sequence_parallel")
    _, group = _groups(rows, tuple(name for name in DEGREES if name not in inner))
    return 2 * group + (rows.degrees["sequence_parallel"] > 0)


def _groups(rows: _Rows, names: tuple[str, ...]) -> tuple[Any, Any]:
    """First row of each run of rows of one search that agree in `names`, and the number of the run of each row."""
    change = np.ones(rows.owner.size, bool)
    change[1:] = rows.owner[1:] != rows.owner[:-1]
    for name in names:
        column = rows.degrees[name]
        change[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(change), np.cumsum(change) - 1


def _smallest(searches: dict[int, _Search]) -> _Best:
    """The strategy that needs least memory."""
    best: _Best = {}
    for rows in _pieces(searches):
        left = rows.taken(_may_be_smallest(rows))
        _keep(best, left, -left.peak("device_used_bytes"))
    return best


def _may_be_smallest(rows: _Rows) -> Any:
    """Rows whose lower bound is within what some row of their search needs."""
    bound = _least_used(rows)
    order = np.lexsort((-rows.degrees["full_recompute"], rows.degrees["micro_batch_size"], bound, rows.owner))
    first = order[np.flatnonzero(np.diff(rows.owner[order], prepend=-1))]
    mine = np.searchsorted(rows.owner[first], rows.owner)
    limit = rows.taken(first).peak("device_used_bytes")
    lean = np.flatnonzero((rows.degrees["full_recompute"] > 0) & (bound <= limit[mine]))
    if lean.size:
        np.minimum.at(limit, mine[lean], rows.taken(lean).peak("device_used_bytes"))
    return bound <= limit[mine]


def _pieces(searches: dict[int, _Search]) -> Iterator[_Rows]:
    """The strategies of all searches in pieces of at least `PIECE` rows (but for the last)."""
    waiting: list[tuple[int, dict[str, Value]]] = []
    rows = 0
    for place, search in searches.items():
        schedule = training_of(search.request).pipeline_schedule
        for part in strategy_chunks(search.bases.space):
            count = part["tensor_parallel"].size
            if not count:
                continue
            waiting.append((place, {**part, **schedule_columns(schedule, part["pipeline_parallel"])}))
            rows += count
            if rows >= PIECE:
                yield _joined(searches, waiting)
                waiting, rows = [], 0
    if waiting:
        yield _joined(searches, waiting)


def _joined(searches: dict[int, _Search], parts: Sequence[tuple[int, dict[str, Value]]]) -> _Rows:
    places = list(dict.fromkeys(place for place, _ in parts))
    starts = dict(zip(places, np.cumsum([0, *(len(searches[p].bases.rows) for p in places)]), strict=False))
    return _Rows(
        owner=np.concatenate([np.full(part["tensor_parallel"].size, place) for place, part in parts]),
        degrees={
            name: np.concatenate([part[name] for _, part in parts]) for name in (*DEGREES, *SCHEDULE)
        },
        bases=shared_columns([row for place in places for row in searches[place].bases.rows]),
        index=np.concatenate([starts[place] + searches[place].bases.of(part) for place, part in parts]),
    )  # fmt: skip


@cache
def _inputs_of(wanted: tuple[str, ...]) -> frozenset[str]:
    """Inputs of the graph that `wanted` rest on."""
    graph = training_graph()
    needed = {parameter for item in graph.plan(wanted) for parameter in item.parameters}
    return frozenset(needed & graph.inputs.keys()) | (frozenset(wanted) & graph.inputs.keys())


WEIGHED: tuple[tuple[Chosen, Callable[[dict[int, _Search]], _Best]], ...] = (
    (Chosen.FASTEST, _fastest), (Chosen.LIKELIEST, _likeliest), (Chosen.SMALLEST, _smallest),
)  # fmt: skip
"""What a strategy is chosen by, each where the one before finds none."""
