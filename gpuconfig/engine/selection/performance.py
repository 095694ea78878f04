"""What the ranking reads of an estimate: its time, whether it meets the target, its memory headroom."""

from __future__ import annotations

from gpuconfig.engine.estimation.answer import Estimate, Verdict
from gpuconfig.engine.pricing.case_inputs import Work
from gpuconfig.engine.provenance.figure import UNKNOWN, Figure
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.units import HOUR_S
from gpuconfig.engine.selection.request import Target
from gpuconfig.engine.workloads.request import Kind


def time_of(estimate: Estimate, kind: Kind) -> float | None:
    """Seconds of the work: a run, an output token over all users, an image, a clip, a sample. None: unknown."""
    if kind is Kind.TRAINING:
        return None if estimate.training is None else estimate.training.time_to_train_s.value
    if kind is Kind.SERVING:
        return None if estimate.serving is None else _inverse(estimate.serving.output_tokens_per_s)
    if kind is Kind.IMAGE:
        return None if estimate.image is None else estimate.image.seconds_per_image.value
    if kind is Kind.VIDEO:
        return None if estimate.video is None else estimate.video.seconds_per_clip.value
    return None if estimate.vision is None else _inverse(estimate.vision.samples_per_s)


def meets(estimate: Estimate, kind: Kind, target: Target) -> tuple[bool | None, str]:
    """Whether every target is met, and the name of the first that is not; None where one cannot be judged."""
    results = [
        (name, _judge(value, limit, most)) for name, value, limit, most in _targets(estimate, kind, target)
    ]
    for name, ok in results:
        if ok is False:
            return False, name
    for name, ok in results:
        if ok is None:
            return None, name
    return (True if results else None), ""


def target_figures(
    estimate: Estimate, kind: Kind, target: Target, name: str
) -> tuple[float | None, float | None, str]:
    """Measured and required of the target `name`, with the unit."""
    units = {"deadline_s": "s", "tokens_per_s": "token/s", "users": "1", "ttft_ms": "ms", "tpot_ms": "ms"}
    for found, value, limit, _ in _targets(estimate, kind, target):
        if found == name:
            return value, limit, units[name]
    return None, None, ""


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
        return Work(rate=estimate.vision.samples_per_s, unit="sample")
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
    "deadline_s": (Kind.TRAINING, Kind.IMAGE, Kind.VIDEO),
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


def _targets(estimate: Estimate, kind: Kind, target: Target) -> list[tuple[str, float | None, float, bool]]:
    """(name, value, limit, limit is the most allowed)."""
    serving = estimate.serving
    found: list[tuple[str, float | None, float, bool]] = []
    values = {
        "deadline_s": (time_of(estimate, kind), True),
        "tokens_per_s": (_tokens(estimate), False),
        "users": (None if serving is None else serving.max_concurrency.value, False),
        "ttft_ms": (None if serving is None else serving.ttft_ms.value, True),
        "tpot_ms": (None if serving is None else serving.tpot_ms.value, True),
    }
    for name, (value, most) in values.items():
        limit = getattr(target, name)
        if limit is not None and kind in JUDGED[name]:
            found.append((name, value, limit, most))
    return found


def _tokens(estimate: Estimate) -> float | None:
    if estimate.training is not None:
        return estimate.training.tokens_per_s.value
    return None if estimate.serving is None else estimate.serving.output_tokens_per_s.value


def _judge(value: float | None, limit: float, most: bool) -> bool | None:
    if value is None:
        return None
    return value <= limit if most else value >= limit


def _inverse(figure: Figure) -> float | None:
    return None if not figure.value else 1.0 / figure.value
