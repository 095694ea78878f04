"""A person's own measurements shift the estimates of the same card.

What the model got wrong on a measured run (the logarithm of measured over estimated) is shared with other runs of
that card the more, the nearer they lie: the mean of a Gaussian process whose prior is the model's own band. One run
alone moves its own configuration almost all the way, a far one hardly; contradicting runs meet in between.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from gpuconfig.engine.catalogue.record import Measurement
from gpuconfig.engine.estimation.answer import Estimate, MemoryAnswer, TrainingAnswer, Verdict
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.estimator import UNIT_SCALES
from gpuconfig.engine.estimation.host_memory import with_host_memory
from gpuconfig.engine.estimation.nearest import distance
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind
from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.provenance.figure import BAND_SIGMAS, Figure
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.request import EstimateRequest, Kind

GROUP = "own"

_SPEED, _DECODE, _PREFILL, _MEMORY = "speed", "decode", "prefill", "memory"
MOVES: Mapping[str, tuple[str, int]] = MappingProxyType(
    {
        "memory.peak_allocated_bytes": (_MEMORY, 1), "memory.peak_reserved_bytes": (_MEMORY, 1),
        "memory.device_used_bytes": (_MEMORY, 1),
        **dict.fromkeys(
            (
                "training.tokens_per_s", "training.tokens_per_s_per_gpu", "training.samples_per_s",
                "training.model_tflops_per_gpu", "training.mfu", "image.iterations_per_s", "vision.samples_per_s",
                "vision.first_epoch_samples_per_s", "vision.model_tflops_per_gpu", "vision.mfu",
            ),
            (_SPEED, 1),
        ),
        **dict.fromkeys(
            (
                "training.step_time_s", "training.time_to_train_s", "training.energy_wh_per_mtoken",
                "image.seconds_per_image", "video.seconds_per_clip", "vision.step_time_s", "vision.time_to_train_s",
                "vision.energy_wh_per_msample",
            ),
            (_SPEED, -1),
        ),
        **dict.fromkeys(("serving.decode_tokens_per_s_per_user", "serving.output_tokens_per_s"), (_DECODE, 1)),
        "serving.tpot_ms": (_DECODE, -1), "serving.prefill_tokens_per_s": (_PREFILL, 1),
        "serving.ttft_ms": (_PREFILL, -1),
    }
)  # fmt: skip
"""Each figure of an answer: what it moves with, and whether it grows (1) or falls (-1) when that grows."""

_UNSURE = ("activations", "logits", "transient")
"""Parts of memory that a model estimates; weights, gradients and states are counted."""

Answer = Estimate | UserError


@dataclass(frozen=True, slots=True)
class Residual:
    """One own run: measured over estimated, as a logarithm, and the spread the model gave it."""

    measurement: Measurement
    request: EstimateRequest
    family: str
    error: float
    spread: float


@dataclass(frozen=True, slots=True)
class Shift:
    """What own runs say of one request: the factor, how much narrower the band is, and which runs.

    Attributes:
        floor: half of the band that a repeated run has, as a logarithm: no band is narrower.
    """

    factor: float
    narrower: float
    floor: float
    rows: tuple[Residual, ...]


@dataclass(frozen=True, slots=True)
class _Box:
    """Runs of one family on one card, and the inverse of what they share among themselves."""

    rows: tuple[Residual, ...]
    spread: float
    noise: float
    scale: float
    inverse: Any


class OwnRuns:
    """The user's measurements against what the model says of them."""

    def __init__(self, residuals: Sequence[Residual], coefficients: CoefficientSet) -> None:
        self._residuals = tuple(residuals)
        self._coefficients = coefficients
        self._boxes: dict[tuple[str, Kind, str], _Box | None] = {}

    @staticmethod
    def of(
        measurements: Sequence[Measurement],
        read: Callable[[object], EstimateRequest],
        estimate: Callable[[Sequence[EstimateRequest]], list[Answer]],
        coefficients: CoefficientSet,
    ) -> OwnRuns:
        """Runs whose request can be read and whose quantity the model estimates; others move nothing."""
        known: list[tuple[Measurement, EstimateRequest]] = []
        for item in measurements:
            try:
                known.append((item, read(json.loads(item.request))))
            except (UserError, ValueError):
                continue
        found = []
        for (item, request), answer in zip(known, estimate([r for _, r in known]), strict=True):
            part, _, name = item.quantity.partition(".")
            figure = getattr(getattr(answer, part, None), name, None)
            if item.quantity not in MOVES or (part == "memory" and request.kind is Kind.SERVING):
                continue  # an engine with a pool fills what it is given: its memory says nothing of the model's
            if isinstance(figure, Figure) and figure.value and item.value > 0:
                family, sign = MOVES[item.quantity]
                error = sign * math.log(item.value / figure.value)
                spread = _spread(figure) or coefficients.value(GROUP, "prior_spread")
                found.append(Residual(item, request, family, error, spread))
        return OwnRuns(found, coefficients)

    def shift(self, request: EstimateRequest, family: str) -> Shift | None:
        """What own runs on this card say of a request; None where there is none of its family and kind of work."""
        box = self._box(request.accelerator.id, request.kind, family)
        if box is None:
            return None
        here = np.array([distance(request, row.request) for row in box.rows])
        towards = box.spread**2 * np.exp(-here / box.scale)
        weights = box.inverse @ towards
        mean = float(weights @ np.array([row.error for row in box.rows]))
        left = max(box.spread**2 - float(weights @ towards), 0.0)
        return Shift(math.exp(mean), math.sqrt(left) / box.spread, BAND_SIGMAS * box.noise, box.rows)

    def _box(self, card: str, kind: Kind, family: str) -> _Box | None:
        """The runs on one card, with what they share among themselves; worked out once."""
        key = (card, kind, family)
        if key not in self._boxes:
            rows = tuple(
                r for r in self._residuals if (r.request.accelerator.id, r.request.kind, r.family) == key
            )
            self._boxes[key] = self._shared(rows, family) if rows else None
        return self._boxes[key]

    def _shared(self, rows: tuple[Residual, ...], family: str) -> _Box:
        spread = math.sqrt(sum(row.spread**2 for row in rows) / len(rows))
        noise = self._coefficients.value(GROUP, "noise", family)
        scale = self._coefficients.value(GROUP, "distance_scale", family)
        apart = np.array([[distance(a.request, b.request) for b in rows] for a in rows])
        shared = spread**2 * np.exp(-apart / scale) + noise**2 * np.eye(len(rows))
        return _Box(rows, spread, noise, scale, np.linalg.inv(shared))

    def applied(self, request: EstimateRequest, answer: Estimate) -> Estimate:
        """`answer` with every figure that own runs speak of moved, marked and told in its notes."""
        shifts: dict[str, Shift] = {}
        changed: dict[str, Any] = {}
        for part in {name.partition(".")[0] for name in MOVES}:
            body = getattr(answer, part)
            if body is None:
                continue
            moved = self._moved(request, part, body, shifts)
            if moved:
                changed[part] = _in_step(replace(body, **moved), shifts)
        if not changed:
            return answer
        memory = changed.get("memory")
        verdict = answer.verdict
        if memory is not None:
            verdict = with_host_memory(
                _verdict(memory, answer.verdict), memory, request.hardware.host_memory_bytes
            )
        notes = (*answer.notes, *(_note(family, shift) for family, shift in sorted(shifts.items())))
        return replace(answer, **changed, verdict=verdict, notes=notes)

    def _moved(
        self, request: EstimateRequest, part: str, body: object, shifts: dict[str, Shift]
    ) -> dict[str, Figure]:
        moved: dict[str, Figure] = {}
        for name, (family, sign) in MOVES.items():
            head, _, field = name.partition(".")
            figure = getattr(body, field, None) if head == part else None
            if not isinstance(figure, Figure) or not figure.value:
                continue
            shift = shifts.get(family) or self.shift(request, family)
            if shift is not None:
                shifts[family] = shift
                moved[field] = self._figure(figure, shift, sign)
        return moved

    @staticmethod
    def _figure(figure: Figure, shift: Shift, sign: int) -> Figure:
        assert figure.value is not None
        value = figure.value * shift.factor**sign
        low = high = None
        if figure.low and figure.high:
            low = value * math.exp(-max(math.log(figure.value / figure.low) * shift.narrower, shift.floor))
            high = value * math.exp(max(math.log(figure.high / figure.value) * shift.narrower, shift.floor))
        return Figure(value, low, high, figure.unit, _evidence(shift))


def explained(tree: Explanation, name: str, figure: Figure) -> Explanation:
    """`tree` below the factor that own measurements put on it."""
    assert figure.value is not None
    assert figure.evidence is not None
    scale = UNIT_SCALES.get((tree.unit, figure.unit), 1.0 if tree.unit == figure.unit else None)
    base = tree.value * scale if isinstance(tree.value, float | int) and scale else None
    factor = Explanation(
        name="own_measurements", title=N_("What your own measurements put on it"),
        value=None if not base else figure.value / base, unit="1", mark=Mark.MEASURED,
        source=figure.evidence.source, evidence=figure.evidence,
    )  # fmt: skip
    return replace(
        tree,
        name=name,
        formula=f"{tree.name} * own_measurements",
        value=figure.value,
        unit=figure.unit,
        inputs=(tree, factor),
    )


def is_own(figure: Figure) -> bool:
    """Whether own measurements moved a figure."""
    return figure.evidence is not None and figure.evidence.note == OWN_NOTE


OWN_NOTE = N_("your measurement")


def _evidence(shift: Shift) -> Evidence:
    rows = shift.rows
    dates = [r.measurement.evidence.date for r in rows if r.measurement.evidence.date]
    source = "; ".join(dict.fromkeys(r.measurement.evidence.source for r in rows))
    return Evidence(source, max(dates, default=None), EvidenceKind.MEASURED, OWN_NOTE)


def _in_step(body: Any, shifts: Mapping[str, Shift]) -> Any:
    """Parts that add up to a moved figure move with it."""
    if isinstance(body, MemoryAnswer):
        factor = shifts[_MEMORY].factor
        stages = tuple(
            replace(
                stage,
                peak_allocated_bytes=_scaled(stage.peak_allocated_bytes, factor),
                peak_reserved_bytes=_scaled(stage.peak_reserved_bytes, factor),
            )
            for stage in body.by_stage
        )
        return replace(body, breakdown_bytes=_parts(body.breakdown_bytes, factor), by_stage=stages)
    if isinstance(body, TrainingAnswer) and _SPEED in shifts:
        factor = shifts[_SPEED].factor
        return replace(body, time_breakdown_s={n: v / factor for n, v in body.time_breakdown_s.items()})
    return body


def _parts(parts: Mapping[str, float], factor: float) -> dict[str, float]:
    """Parts that add up to an allocated peak `factor` times as large: what is counted exactly stays as it is."""
    total = sum(v for n, v in parts.items() if n != "context")
    movable = sum(parts.get(n, 0.0) for n in _UNSURE)
    wanted = movable + total * (factor - 1)
    if movable > 0 and wanted >= 0:
        return {n: v * wanted / movable if n in _UNSURE else v for n, v in parts.items()}
    return {n: v if n == "context" else v * factor for n, v in parts.items()}


def _scaled(figure: Figure, factor: float) -> Figure:
    low, value, high = (None if v is None else v * factor for v in (figure.low, figure.value, figure.high))
    return Figure(value, low, high, figure.unit, figure.evidence)


def _verdict(memory: MemoryAnswer, before: Verdict) -> Verdict:
    used, usable = memory.device_used_bytes, memory.usable_bytes
    if before is Verdict.UNKNOWN or usable is None or used.low is None or used.high is None:
        return before
    if used.high <= usable:
        return Verdict.FITS
    return Verdict.DOES_NOT_FIT if used.low > usable else Verdict.TOO_CLOSE


def _note(family: str, shift: Shift) -> Message:
    words = {
        _SPEED: N_("speed"), _DECODE: N_("speed of writing"), _PREFILL: N_("speed of reading"), _MEMORY: N_("memory"),
    }  # fmt: skip
    text = N_("Your own measurements on this card ({count}) move its {what} by {share}.")
    share = f"{shift.factor - 1:+.1%}"
    return Message(text, {"count": len(shift.rows), "what": Message(words[family]), "share": share})


def _spread(figure: Figure) -> float | None:
    if not figure.low or not figure.high or figure.low <= 0:
        return None
    return math.log(figure.high / figure.low) / (2 * BAND_SIGMAS) or None
