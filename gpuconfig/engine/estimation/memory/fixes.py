"""The cheapest ways to make a run fit: single changes, else pairs, evaluated on the same graph as the run itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
class ChangedRun:
    """A run whose speed is asked for.

    Attributes:
        case: index of the case it is a change of.
        card: id of the card it runs on instead; None: its own.
    """

    case: int
    settings: TrainingSettings
    columns: Columns
    card: str | None = None


Timed = Callable[[Sequence[ChangedRun]], Sequence[float]]
"""Seconds a token of each run; NaN is unknown."""


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
    settings: TrainingSettings
    columns: Columns
    shown: Mapping[str, object]
    card: str | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class _Judged:
    """Trials of one case: device memory that each saves, and whether it then surely fits."""

    trials: Sequence[_Trial]
    saved: Any
    fits: Any

    @property
    def found(self) -> list[int]:
        """Trials that make the run fit, cheapest first."""
        return [i for i in range(len(self.trials)) if self.fits[i] and self.saved[i] > 0]

    def chosen(self, index: int) -> _Chosen:
        """The trial with what it saves."""
        return _Chosen(self.trials[index], float(self.saved[index]))


@dataclass(frozen=True, slots=True)
class _Chosen:
    trial: _Trial
    saved: float


def with_fixes(
    cases: Sequence[FixCase], coefficients: CoefficientSet, timed: Timed | None = None
) -> list[MemoryAnswer]:
    """The answers in order, with the cheapest fixes in those that do not surely fit.

    Args:
        timed: tells what a change costs in speed; None: not asked.
    """
    sure = (Verdict.FITS, Verdict.UNKNOWN)
    pending = [i for i, item in enumerate(cases) if memory_verdict(item.answer) not in sure]
    answers = [item.answer for item in cases]
    at = None if timed is None else lambda runs: timed([replace(run, case=pending[run.case]) for run in runs])
    fixes = all_fixes([cases[i] for i in pending], coefficients, at)
    for index, found in zip(pending, fixes, strict=True):
        answers[index] = replace(answers[index], cheapest_fixes=found)
    return answers


def cheapest_fixes(case: FixCase, coefficients: CoefficientSet) -> tuple[Fix, ...]:
    """Up to four changes that make the run fit, cheapest first, or those that save most; then a larger card."""
    return all_fixes([case], coefficients)[0]


def all_fixes(
    cases: Sequence[FixCase], coefficients: CoefficientSet, timed: Timed | None = None
) -> list[tuple[Fix, ...]]:
    """`cheapest_fixes` of many runs, whose trials are evaluated together."""
    singles = _judge(cases, [_singles(case, coefficients) for case in cases])
    asked = [_pairs(case, one, coefficients) for case, one in zip(cases, singles, strict=True)]
    pairs = _judge(cases, asked)
    cards = _judge(cases, [_larger_cards(case, coefficients) for case in cases])
    chosen = [
        (*_chosen(one, two), *_first_card(card)) for one, two, card in zip(singles, pairs, cards, strict=True)
    ]
    ratios = iter(_ratios(cases, chosen, timed))
    return [tuple(_fix(c.trial, c.saved, next(ratios)) for c in own) for own in chosen]


def _ratios(
    cases: Sequence[FixCase], chosen: Sequence[Sequence[_Chosen]], timed: Timed | None
) -> list[float | None]:
    """Time of a token with each chosen change over that of its case, in order."""
    if timed is None:
        return [None for own in chosen for _ in own]
    before = timed([ChangedRun(i, case.settings, case.columns) for i, case in enumerate(cases)])
    runs = [
        ChangedRun(i, c.trial.settings, c.trial.columns, c.trial.card)
        for i, own in enumerate(chosen)
        for c in own
    ]
    ratios = [after / before[run.case] for run, after in zip(runs, timed(runs), strict=True)]
    return [None if np.isnan(ratio) else round(float(ratio), 3) for ratio in ratios]


def _larger_cards(case: FixCase, coefficients: CoefficientSet) -> list[_Trial]:
    """The run as it is on each usual card that has more memory, the smallest first."""
    now = case.columns["usable_memory_bytes"]
    return [
        _Trial(
            (),
            case.settings,
            {**case.columns, "usable_memory_bytes": usable},
            {"hardware.gpu": card},
            card,
            name,
        )
        for usable, card, name in coefficients.once((GROUP, LARGER_CARD), lambda: _usual_cards(coefficients))
        if usable > now
    ]


def _usual_cards(coefficients: CoefficientSet) -> list[tuple[float, str, str]]:
    rows = (r for r in coefficients.rows if r.group == GROUP and r.name == LARGER_CARD)
    return sorted((r.value, r.scope, r.note) for r in rows if r.value is not None)


def _first_card(cards: _Judged) -> tuple[_Chosen, ...]:
    enough = next((trial for trial, fits in zip(cards.trials, cards.fits, strict=True) if fits), None)
    return () if enough is None else (_Chosen(enough, 0.0),)


def _singles(case: FixCase, coefficients: CoefficientSet) -> list[_Trial]:
    return [t for c in CHANGES if (t := _trial(case, (c,), coefficients)) is not None]


def _pairs(case: FixCase, singles: _Judged, coefficients: CoefficientSet) -> list[_Trial]:
    """Pairs of the changes that save most and do not do alone, where too few do alone."""
    found, trials = singles.found, singles.trials
    if len(found) >= SHOWN:
        return []
    best = sorted(
        (i for i in np.argsort(-singles.saved)[:SIDES] if i not in found),
        key=lambda i: CHANGES.index(trials[i].changes[0]),
    )
    return [
        t
        for a, b in combinations(best, 2)
        if trials[a].changes[0].name != trials[b].changes[0].name
        and (t := _trial(case, (trials[a].changes[0], trials[b].changes[0]), coefficients)) is not None
    ]


def _chosen(singles: _Judged, pairs: _Judged) -> tuple[_Chosen, ...]:
    fixes = [singles.chosen(i) for i in singles.found]
    fixes += [pairs.chosen(i) for i in range(len(pairs.trials)) if pairs.fits[i]]
    if fixes:
        return tuple(fixes[:SHOWN])
    best = np.argsort(-singles.saved)[:SHOWN] if len(singles.trials) else ()
    return tuple(singles.chosen(i) for i in best if singles.saved[i] > 0)


def _judge(cases: Sequence[FixCase], trials: Sequence[Sequence[_Trial]]) -> list[_Judged]:
    """The trials of each case, evaluated in one go."""
    together = [t for own in trials for t in own]
    used, fits = _evaluate(together) if together else (np.zeros(0), np.zeros(0, bool))
    judged, start = [], 0
    for case, own in zip(cases, trials, strict=True):
        part = slice(start, start + len(own))
        judged.append(_Judged(own, _used(case.answer) - used[part], fits[part]))
        start += len(own)
    return judged


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
    return _Trial(changes, settings, columns, shown)


def _evaluate(trials: Sequence[_Trial]) -> tuple[Any, Any]:
    """Bytes of device memory used on the worst of first and last stage, and whether that surely fits."""
    columns = {name: np.array([t.columns[name] for t in trials]) for name in memory_graph().inputs}
    used, high = np.zeros(len(trials)), np.zeros(len(trials))
    for stage in (np.zeros(len(trials)), columns["pipeline_parallel"] - 1):
        values = memory_graph().evaluate({**columns, "pipeline_stage": stage}, ["device_used_high_bytes"])
        used = np.maximum(used, values["device_used_bytes"])
        high = np.maximum(high, values["device_used_high_bytes"])
    return used, high <= columns["usable_memory_bytes"]


def _used(answer: MemoryAnswer) -> float:
    value = answer.device_used_bytes.value
    return float("nan") if value is None else value


def _fix(trial: _Trial, saved: float, ratio: float | None) -> Fix:
    costs = [Message(c.cost) for c in trial.changes]
    if trial.card is not None:
        costs = [Message(N_("{card} instead: another card, the same run."), {"card": trial.name})]
    cost = costs[0]
    if len(costs) > 1:
        cost = Message(N_("{first} {second}"), {"first": costs[0], "second": costs[1]})
    if ratio is not None:
        words = Message(N_("A token takes {ratio} times as long."), {"ratio": f"{ratio:.2f}"})
        cost = Message(N_("{first} {second}"), {"first": cost, "second": words})
    return Fix(trial.shown, float(round(saved)), cost, ratio)
