"""What the ranking reads of an estimate: its time, whether it meets the target, its memory headroom."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from gpuconfig.engine.estimation.answer import Estimate, Verdict
from gpuconfig.engine.pricing.case_inputs import Work
from gpuconfig.engine.provenance.figure import BAND, BAND_SIGMAS, UNKNOWN, Figure
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.units import HOUR_S
from gpuconfig.engine.selection.request import RecommendRequest, Target
from gpuconfig.engine.workloads.request import Kind
from gpuconfig.engine.workloads.serving import ServingWorkload


def time_of(estimate: Estimate, kind: Kind) -> float | None:
    """Seconds of the work: a run, an output token over all users, an image, a clip, a sample. None: unknown."""
    if kind is Kind.SERVING:
        return None if estimate.serving is None else _inverse(estimate.serving.output_tokens_per_s)
    seconds = _time_figure(estimate, kind).value
    return seconds or (None if estimate.vision is None else _inverse(estimate.vision.samples_per_s))


def timed_as(estimate: Estimate, kind: Kind) -> Kind:
    """The kind of work whose words tell `time_of`: epochs over images that are stated are a training run."""
    if estimate.vision is not None and estimate.vision.time_to_train_s.value is not None:
        return Kind.TRAINING
    return kind


def meets(estimate: Estimate, kind: Kind, target: Target) -> tuple[bool | None, str]:
    """Whether every target is met, and the name of the first that is not; None where one cannot be judged."""
    results = [(judged.name, judged.met()) for judged in judged_targets(estimate, kind, target)]
    for name, ok in results:
        if ok is False:
            return False, name
    for name, ok in results:
        if ok is None:
            return None, name
    return (True if results else None), ""


def asked_target(request: RecommendRequest) -> Target:
    """What the person asked for, wherever it was written; limits that are only taken for patience are not in it."""
    target, workload = request.target, request.workload
    if not isinstance(workload, ServingWorkload):
        return target
    return replace(
        target,
        ttft_ms=workload.ttft_target_ms if target.ttft_ms is None else target.ttft_ms,
        tpot_ms=workload.tpot_target_ms if target.tpot_ms is None else target.tpot_ms,
    )


def target_figures(
    estimate: Estimate, kind: Kind, target: Target, name: str
) -> tuple[float | None, float | None, str]:
    """Measured and required of the target `name`, with the unit."""
    for judged in judged_targets(estimate, kind, target):
        if judged.name == name:
            return judged.figure.value, judged.limit, UNITS[name]
    return None, None, ""


def close_targets(estimate: Estimate, kind: Kind, target: Target) -> tuple[Judged, ...]:
    """Targets that the planning value meets and an end of its 90 % band does not."""
    return tuple(
        judged
        for judged in judged_targets(estimate, kind, target)
        if judged.met() and (judged.chance_of_missing() or 0.0) > TAIL
    )


def work_of(estimate: Estimate) -> Work:
    """What a machine does in a second, as cost counts it."""
    training, serving = estimate.training, estimate.serving
    if training is not None:
        seconds = training.time_to_train_s.value
        return Work(
            rate=training.tokens_per_s,
            unit="token",
            run_hours=None if seconds is None else seconds / HOUR_S,
        )
    if serving is not None:
        return Work(rate=serving.output_tokens_per_s, unit="token")
    if estimate.image is not None:
        return Work(rate=_rate(estimate.image.seconds_per_image), unit="image")
    if estimate.video is not None:
        return Work(rate=_rate(estimate.video.seconds_per_clip), unit="clip")
    if estimate.vision is not None:
        seconds = estimate.vision.time_to_train_s.value
        return Work(
            rate=estimate.vision.samples_per_s,
            unit="sample",
            run_hours=None if seconds is None else seconds / HOUR_S,
        )
    return Work()


def _rate(seconds: Figure) -> Figure:
    """Pieces a second of a time for one piece."""
    if not seconds.value:
        return UNKNOWN
    low, high = (None if not end else 1 / end for end in (seconds.high, seconds.low))
    return Figure(1 / seconds.value, low, high, "1/s")


def headroom(estimate: Estimate) -> float | None:
    """Free share of the card's memory at the high end of what is needed."""
    memory, needed = estimate.memory, needed_bytes(estimate)
    if memory is None or not memory.usable_bytes or needed is None:
        return None
    return 1 - needed / memory.usable_bytes


def needed_bytes(estimate: Estimate) -> float | None:
    """High end of what the work needs on a card.

    An allocator's cache grows into whatever is free and is given back when it is needed: it is used, not needed.
    """
    memory = estimate.memory
    if memory is None:
        return None
    used, allocated = memory.device_used_bytes, memory.peak_allocated_bytes
    context = memory.breakdown_bytes.get("context", 0.0)
    ends = [used.high, None if allocated.high is None else allocated.high + context]
    return min((end for end in ends if end is not None), default=used.value)


def memory_figures(estimate: Estimate) -> tuple[float | None, float | None]:
    """Needed and usable bytes: the end of the band that decided the verdict, or what a fitting run needs."""
    memory = estimate.memory
    if memory is None:
        return None, None
    if estimate.verdict is Verdict.FITS:
        return needed_bytes(estimate), memory.usable_bytes
    used = memory.device_used_bytes
    needed = used.low if estimate.verdict is Verdict.DOES_NOT_FIT else used.high
    return needed if needed is not None else used.value, memory.usable_bytes


JUDGED = {
    "deadline_s": (Kind.TRAINING, Kind.VISION_TRAINING, Kind.IMAGE, Kind.VIDEO),
    "tokens_per_s": (Kind.TRAINING, Kind.SERVING),
    "users": (Kind.SERVING,),
    "ttft_ms": (Kind.SERVING,),
    "tpot_ms": (Kind.SERVING,),
}
"""The kinds of work that a target speaks of."""


TARGETS = {
    "deadline_s": N_("time of the work"),
    "tokens_per_s": N_("tokens a second"),
    "users": N_("users at a time"),
    "ttft_ms": N_("time to the first token"),
    "tpot_ms": N_("time per output token"),
}
"""What each target limits, in words."""


UNITS = {"deadline_s": "s", "tokens_per_s": "token/s", "users": "1", "ttft_ms": "ms", "tpot_ms": "ms"}
"""Unit of each target's limit and figure."""

TAIL = (1 - BAND) / 2
"""Share of outcomes beyond either end of a figure's band."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One target and the figure that is held against it; `most`: the limit is the most allowed."""

    name: str
    figure: Figure
    limit: float
    most: bool

    @property
    def end(self) -> float | None:
        """The end of the band on the limit's side."""
        return self.figure.high if self.most else self.figure.low

    def met(self) -> bool | None:
        """Whether the planning value meets it; None where it is not known."""
        value = self.figure.value
        if value is None:
            return None
        return value <= self.limit if self.most else value >= self.limit

    def chance_of_missing(self) -> float | None:
        """Probability by a log-normal error whose 95 % point is the band's end; None where there is no band."""
        value, end = self.figure.value, self.end
        if not value or not end or value < 0 or end < 0 or self.limit <= 0:
            return None
        spread = abs(math.log(end / value)) / BAND_SIGMAS
        if spread == 0:
            return None
        room = math.log(self.limit / value) if self.most else math.log(value / self.limit)
        return 0.5 * math.erfc(room / spread / math.sqrt(2))


def judged_targets(estimate: Estimate, kind: Kind, target: Target) -> tuple[Judged, ...]:
    """Every target that speaks of this kind of work with its figure."""
    serving = estimate.serving
    figures = {
        "deadline_s": (_time_figure(estimate, kind), True),
        "tokens_per_s": (_tokens(estimate), False),
        "users": (UNKNOWN if serving is None else serving.max_concurrency, False),
        "ttft_ms": (UNKNOWN if serving is None else serving.ttft_ms, True),
        "tpot_ms": (UNKNOWN if serving is None else serving.tpot_ms, True),
    }
    limits = {name: getattr(target, name) for name in figures}
    return tuple(
        Judged(name, figure, limits[name], most)
        for name, (figure, most) in figures.items()
        if limits[name] is not None and kind in JUDGED[name]
    )


def _time_figure(estimate: Estimate, kind: Kind) -> Figure:
    """Time of the work that a deadline bounds, with its band."""
    if kind is Kind.TRAINING:
        return UNKNOWN if estimate.training is None else estimate.training.time_to_train_s
    if kind in (Kind.VISION_TRAINING, Kind.VISION_INFERENCE):
        return UNKNOWN if estimate.vision is None else estimate.vision.time_to_train_s
    if kind is Kind.IMAGE:
        return UNKNOWN if estimate.image is None else estimate.image.seconds_per_image
    return UNKNOWN if estimate.video is None else estimate.video.seconds_per_clip


def _tokens(estimate: Estimate) -> Figure:
    if estimate.training is not None:
        return estimate.training.tokens_per_s
    return UNKNOWN if estimate.serving is None else estimate.serving.output_tokens_per_s


def _inverse(figure: Figure) -> float | None:
    return None if not figure.value else 1.0 / figure.value
