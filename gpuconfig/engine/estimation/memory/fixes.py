"""The cheapest ways to make a run fit: single changes, else pairs, evaluated on the same graph as the run itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from gpuconfig.engine.catalogue.neural_model import Architecture
from gpuconfig.engine.estimation.answer import Fix, MemoryAnswer, Verdict
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.inputs.workload import GROUP, workload_columns
from gpuconfig.engine.estimation.memory.answer import memory_verdict
from gpuconfig.engine.estimation.memory.changes import CHANGES, Change
from gpuconfig.engine.estimation.memory.graph import memory_graph
from gpuconfig.engine.estimation.training.settings import TrainingSettings
from gpuconfig.engine.provenance.message import N_, Message

SHOWN = 4
"""Fixes named in an answer."""
LARGER_CARD = "larger_card"
"""Coefficients that name cards by id, with the memory that each can use."""
SIDES = 6
"""Changes that pairs are made of: those that save most."""
Columns = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class FixCase:
    """A run that may need fixes: what it is made of, its columns and its answer."""

    settings: TrainingSettings
    shape: Architecture
    columns: Columns
    answer: MemoryAnswer


@dataclass(frozen=True, slots=True)
class _Trial:
    changes: tuple[Change, ...]
    columns: Columns
    shown: Mapping[str, object]


def with_fixes(cases: Sequence[FixCase], coefficients: CoefficientSet) -> list[MemoryAnswer]:
    """The answers in order, with the cheapest fixes in those that do not surely fit."""
    return [
        item.answer
        if memory_verdict(item.answer) in (Verdict.FITS, Verdict.UNKNOWN)
        else replace(item.answer, cheapest_fixes=cheapest_fixes(item, coefficients))
        for item in cases
    ]


def cheapest_fixes(case: FixCase, coefficients: CoefficientSet) -> tuple[Fix, ...]:
    """Up to four changes that make the run fit, cheapest first, or those that save most; then a larger card."""
    return (*_changes(case, coefficients), *_larger_card(case, coefficients))


def _larger_card(case: FixCase, coefficients: CoefficientSet) -> tuple[Fix, ...]:
    """The smallest usual card on which the run as it is surely fits; none where no card is large enough."""
    now = case.columns["usable_memory_bytes"]
    rows = (r for r in coefficients.rows if r.group == GROUP and r.name == LARGER_CARD)
    cards = sorted((r.value, r.scope, r.note) for r in rows if r.value is not None and r.value > now)
    if not cards:
        return ()
    trials = [_Trial((), {**case.columns, "usable_memory_bytes": usable}, {}) for usable, _, _ in cards]
    _, fits = _evaluate(trials)
    for (_, card, name), enough in zip(cards, fits, strict=True):
        if enough:
            cost = Message(N_("{card} instead: another card, the same run."), {"card": name})
            return (Fix({"hardware.gpu": card}, 0.0, cost),)
    return ()


def _changes(case: FixCase, coefficients: CoefficientSet) -> tuple[Fix, ...]:
    singles = [t for c in CHANGES if (t := _trial(case, (c,), coefficients)) is not None]
    if not singles:
        return ()
    used, fits = _evaluate(singles)
    saved = _used(case.answer) - used
    found = [i for i in range(len(singles)) if fits[i] and saved[i] > 0]
    if len(found) >= SHOWN:
        return tuple(_fix(singles[i], saved[i]) for i in found[:SHOWN])
    first = [_fix(singles[i], saved[i]) for i in found]
    best = sorted(
        (i for i in np.argsort(-saved)[:SIDES] if i not in found),
        key=lambda i: CHANGES.index(singles[i].changes[0]),
    )
    pairs = [
        t
        for a, b in combinations(best, 2)
        if singles[a].changes[0].name != singles[b].changes[0].name
        and (t := _trial(case, (singles[a].changes[0], singles[b].changes[0]), coefficients)) is not None
    ]
    if pairs:
        used, fits = _evaluate(pairs)
        more = _used(case.answer) - used
        first += [_fix(pairs[i], more[i]) for i in range(len(pairs)) if fits[i]][: SHOWN - len(first)]
    if first:
        return tuple(first)
    return tuple(_fix(singles[i], saved[i]) for i in np.argsort(-saved)[:SHOWN] if saved[i] > 0)


def _trial(case: FixCase, changes: tuple[Change, ...], coefficients: CoefficientSet) -> _Trial | None:
    settings, columns = case.settings, dict(case.columns)
    shown: dict[str, object] = {}
    for change in changes:
        altered = change.apply(settings, columns)
        if altered is None:
            return None
        shown.update(change.shown(settings, columns))
        settings = altered.settings
        columns.update(altered.columns)
    sharded = columns["zero_stage"] >= 3
    columns.update(workload_columns(settings, case.shape, coefficients, sharded))
    return _Trial(changes, columns, shown)


def _evaluate(trials: Sequence[_Trial]) -> tuple[Any, Any]:
    """Bytes of device memory used on the worst of first and last stage, and whether that surely fits."""
    columns = {name: np.array([t.columns[name] for t in trials]) for name in trials[0].columns}
    used, high = np.zeros(len(trials)), np.zeros(len(trials))
    for stage in (np.zeros(len(trials)), columns["pipeline_parallel"] - 1):
        values = memory_graph().evaluate({**columns, "pipeline_stage": stage}, ["device_used_high_bytes"])
        used = np.maximum(used, values["device_used_bytes"])
        high = np.maximum(high, values["device_used_high_bytes"])
    return used, high <= columns["usable_memory_bytes"]


def _used(answer: MemoryAnswer) -> float:
    value = answer.device_used_bytes.value
    return float("nan") if value is None else value


def _fix(trial: _Trial, saved: float) -> Fix:
    costs = [Message(c.cost) for c in trial.changes]
    if len(costs) == 1:
        return Fix(trial.shown, float(round(saved)), costs[0])
    return Fix(
        trial.shown,
        float(round(saved)),
        Message(N_("{first} {second}"), {"first": costs[0], "second": costs[1]}),
    )
