"""What the estimator answers for candidates: in the layout and, where need be, the leaner form that comes furthest."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gpuconfig.engine.estimation.answer import Estimate, Verdict
from gpuconfig.engine.estimation.estimator import Estimator
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.message import Message
from gpuconfig.engine.selection.demand import Demand
from gpuconfig.engine.selection.host_kept import host_kept
from gpuconfig.engine.selection.layouts import layouts
from gpuconfig.engine.selection.leaner import leaner
from gpuconfig.engine.selection.performance import meets, time_of
from gpuconfig.engine.workloads.hardware import Hardware, Parallelism
from gpuconfig.engine.workloads.request import EstimateRequest, Workload

Key = tuple[str, Hardware, Workload, Parallelism | None]
Memo = dict[tuple[Key, bool], Estimate | UserError]
"""Answers by what was asked, and whether with advice; kept from one search of a requirement to the next."""


class Answers:
    """Answers for the candidates of one demand.

    Attributes:
        in_host: part of the work may lie in the host's memory.
    """

    def __init__(
        self, demand: Demand, estimator: Estimator, look: Callable[[Message], None], memo: Memo
    ) -> None:
        self.demand = demand
        self.estimator = estimator
        self.coefficients = estimator.coefficients
        self.in_host = False
        self._look = look
        self._memo = memo
        self._gain = self.coefficients.value("selection", "layout_gain")
        self._doubt = self.coefficients.value("selection", "stages_doubt")

    def estimated(
        self, asked: Sequence[EstimateRequest], text: Message
    ) -> tuple[list[EstimateRequest], list[Estimate | UserError]]:
        """Requests and answers; what does not do as asked is tried in its leaner forms, the first that does wins.

        Where none does, the form that came furthest is the one that is told.
        """
        requests, answers = self.laid_out(asked)
        again = [
            (i, form) for i, a in enumerate(answers) if self._reach(a) < 2 for form in self._forms(asked[i])
        ]
        if again:
            self._look(text)
        for (i, _), form, answer in zip(again, *self.laid_out([form for _, form in again]), strict=True):
            if self._reach(answer) > self._reach(answers[i]):
                requests[i], answers[i] = form, answer
        return requests, answers

    def laid_out(
        self, asked: Sequence[EstimateRequest]
    ) -> tuple[list[EstimateRequest], list[Estimate | UserError]]:
        """Each request with its answer in the layout that comes furthest, of these the one of the highest rate."""
        requests, answers = list(asked), self.of(asked)
        others = [
            (i, other)
            for i, answer in enumerate(answers)
            if self._reach(answer)
            for other in layouts(asked[i], self.coefficients)
        ]
        usual = list(answers)
        for (i, other), answer in zip(others, self.of([other for _, other in others]), strict=True):
            if self._is_better(answer, answers[i]) and self._is_better(answer, usual[i], self._gain):
                requests[i], answers[i] = other, answer
        return requests, answers

    def _is_better(self, one: Estimate | UserError, other: Estimate | UserError, gain: float = 1.0) -> bool:
        """Whether an answer comes further, or as far and so many times as fast."""
        reach, least = self._reach(one), self._reach(other)
        if reach != least or not isinstance(one, Estimate) or not isinstance(other, Estimate):
            return reach > least
        seconds, before = self._counted(one), self._counted(other)
        return seconds is not None and before is not None and seconds * gain < before

    def _counted(self, answer: Estimate) -> float | None:
        """Time of the work as layouts are compared by: stages count for slower than they are told to be."""
        seconds = time_of(answer, self.demand.request.kind)
        stages = answer.parallelism.get("pipeline", 1)
        return seconds if seconds is None or stages == 1 else seconds * self._doubt

    def _forms(self, request: EstimateRequest) -> tuple[EstimateRequest, ...]:
        return (
            *leaner(request, self.coefficients),
            *(host_kept(request, self.coefficients) if self.in_host else ()),
        )

    def _reach(self, answer: Estimate | UserError) -> int:
        """How far it comes: 2 fits and meets the target, as far as that can be judged; 1 fits; 0 neither."""
        if not isinstance(answer, Estimate) or answer.verdict is not Verdict.FITS:
            return 0
        return 1 if meets(answer, self.demand.request.kind, self.demand.target)[0] is False else 2

    def of(self, requests: Sequence[EstimateRequest], advice: bool = False) -> list[Estimate | UserError]:
        """Estimates; what an earlier search of the same requirement answered is not asked again.

        Args:
            advice: with the measurements near each, for machines that may be shown.
        """
        new = [r for r in requests if (_key(r), advice) not in self._memo]
        for request, answer in zip(new, self.estimator.estimate(new, advice) if new else [], strict=True):
            self._memo[_key(request), advice] = answer
        return [self._memo[_key(r), advice] for r in requests]


def _key(request: EstimateRequest) -> tuple[str, Hardware, Workload, Parallelism | None]:
    return request.id, request.hardware, request.workload, request.parallelism
