"""The answer of one estimate, as the contract states it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cache
from typing import Any

from gpuconfig.engine.provenance.explanation import NearMeasurement
from gpuconfig.engine.provenance.figure import UNKNOWN, Figure
from gpuconfig.engine.provenance.message import Message


class Verdict(StrEnum):
    """Whether the work fits the card: usable memory against the band of what the device uses."""

    FITS = "fits"
    TOO_CLOSE = "too_close"
    DOES_NOT_FIT = "does_not_fit"
    UNKNOWN = "unknown"


class BoundBy(StrEnum):
    """What limits the speed."""

    COMPUTE = "compute"
    MEMORY = "memory"
    COMMUNICATION = "communication"
    PIPELINE = "pipeline"
    INPUT = "input"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class Assumption:
    """A default that was taken and matters."""

    field: str
    value: str
    why: Message


@dataclass(frozen=True, slots=True)
class Warning_:  # noqa: N801 - Warning is a builtin
    """Something the reader should know; `code` is stable."""

    code: str
    message: Message


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that makes the work fit, with what it saves and costs.

    Attributes:
        time_ratio: time of a token, picture or clip with the change over that without it; None where no speed is known.
    """

    change: Mapping[str, object]
    saves_bytes: float
    cost: Message
    time_ratio: float | None = None


def time_ratio(before: float, after: float) -> float | None:
    """Time with a change over that without it, from the rates `before` and `after` it; None where one is not known."""
    return round(before / after, 3) if before > 0 and 0 < after < float("inf") else None


@dataclass(frozen=True, slots=True)
class StageMemory:
    """Peaks of one pipeline stage."""

    pipeline_stage: int
    peak_allocated_bytes: Figure
    peak_reserved_bytes: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryAnswer:
    """Memory of the worst card in three counters; the breakdown sums to the allocated peak plus context."""

    peak_allocated_bytes: Figure
    peak_reserved_bytes: Figure
    device_used_bytes: Figure
    usable_bytes: float | None
    worst_stage: int = 0
    by_stage: tuple[StageMemory, ...] = ()
    worst_phase: str = ""
    breakdown_bytes: Mapping[str, float] = field(default_factory=dict)
    host_bytes: Figure | None = None
    drive_bytes: Figure | None = None
    cheapest_fixes: tuple[Fix, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRent:
    """What renting the machine for the whole run takes, at the newest on-demand price lists of its card.

    Attributes:
        amount: for all the tokens; its ends take the ends of time and price lists together.
        per_mtoken: for a million tokens, alike.
        price_lists: how many; `oldest` and `newest` are their dates.
    """

    currency: str
    amount: Figure
    per_mtoken: Figure
    price_lists: int
    oldest: str
    newest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyTold:
    """One way to split the work; `cost_per_mtoken` in the currency of `RunRent`, None where no price is known."""

    parallelism: Mapping[str, object]
    tokens_per_s: float
    device_used_bytes: float
    energy_wh_per_mtoken: float | None = None
    cost_per_mtoken: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategiesTold:
    """The best of all strategies of an open split that fit, by what is asked for, and why the next one lost.

    Attributes:
        pareto: those that no other beats in speed and energy at once, the fastest first.
        runner_up: the fastest that splits the work in another way than `by_speed`.
        evaluated, fitting: how many there are, and how many of them surely fit.
    """

    by_speed: StrategyTold
    by_cost: StrategyTold | None
    by_energy: StrategyTold | None
    pareto: tuple[StrategyTold, ...]
    runner_up: StrategyTold | None
    runner_up_lost_because: Message | None
    evaluated: int
    fitting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingAnswer:
    """Speed of a training run; `strategies` where its split was left open."""

    tokens_per_s: Figure = UNKNOWN
    tokens_per_s_per_gpu: Figure = UNKNOWN
    samples_per_s: Figure = UNKNOWN
    step_time_s: Figure = UNKNOWN
    model_tflops_per_gpu: Figure = UNKNOWN
    mfu: Figure = UNKNOWN
    bound_by: BoundBy | None = None
    time_breakdown_s: Mapping[str, float] = field(default_factory=dict)
    scaling_efficiency: Figure = UNKNOWN
    node_scaling_efficiency: Figure = UNKNOWN
    goodput: Figure = UNKNOWN
    time_to_train_s: Figure = UNKNOWN
    energy_wh_per_mtoken: Figure = UNKNOWN
    rent_to_train: RunRent | None = None
    strategies: StrategiesTold | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingAnswer:
    """Speed and capacity of LLM serving."""

    decode_tokens_per_s_per_user: Figure = UNKNOWN
    output_tokens_per_s: Figure = UNKNOWN
    prefill_tokens_per_s: Figure = UNKNOWN
    ttft_ms: Figure = UNKNOWN
    tpot_ms: Figure = UNKNOWN
    kv_bytes_per_token: float | None = None
    kv_capacity_tokens: Figure = UNKNOWN
    max_concurrency: Figure = UNKNOWN
    weights_bytes: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageAnswer:
    """Speed of image generation."""

    iterations_per_s: Figure = UNKNOWN
    seconds_per_image: Figure = UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoAnswer:
    """Speed of video generation."""

    seconds_per_clip: Figure = UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class VisionAnswer:
    """Speed of vision training or inference.

    Attributes:
        samples_per_s: over all epochs; `first_epoch_samples_per_s` is that of the first, read from storage.
        time_to_train_s: all epochs; unknown where the size of the training set is.
        energy_wh_per_msample: at the socket, a million images.
    """

    samples_per_s: Figure = UNKNOWN
    first_epoch_samples_per_s: Figure = UNKNOWN
    step_time_s: Figure = UNKNOWN
    model_tflops_per_gpu: Figure = UNKNOWN
    mfu: Figure = UNKNOWN
    bound_by: BoundBy | None = None
    time_breakdown_s: Mapping[str, float] = field(default_factory=dict)
    scaling_efficiency: Figure = UNKNOWN
    time_to_train_s: Figure = UNKNOWN
    energy_wh_per_msample: Figure = UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerAnswer:
    """Predicted electrical load."""

    gpu_w: Figure = UNKNOWN
    wall_w: Figure = UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The whole answer; absent parts are None. `parallelism` is the strategy it holds for."""

    id: str
    verdict: Verdict
    memory: MemoryAnswer | None = None
    training: TrainingAnswer | None = None
    serving: ServingAnswer | None = None
    image: ImageAnswer | None = None
    video: VideoAnswer | None = None
    vision: VisionAnswer | None = None
    power: PowerAnswer | None = None
    parallelism: Mapping[str, object] = field(default_factory=dict)
    nearest: tuple[NearMeasurement, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    warnings: tuple[Warning_, ...] = ()
    notes: tuple[Message, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def bound_by(self) -> BoundBy | None:
        """What limits the speed, None where it is not told."""
        part = self.training or self.vision
        return None if part is None else part.bound_by

    def figure(self, name: str) -> Figure | None:
        """The figure of that name in any part of the answer, None where there is none."""
        parts = (self.memory, self.training, self.serving, self.image, self.video, self.vision, self.power)
        for part in parts:
            found = getattr(part, name, None)
            if isinstance(found, Figure):
                return found
        return None


def contract(value: Any, say: Any = str) -> Any:
    """`value` as the contract's JSON; absent parts are left out.

    Args:
        say: turns a `Message` into text in the reader's language.
    """
    kind: Any = type(value)
    return _shaper(kind)(value, say)


def _fields(value: Any, say: Any) -> dict[str, Any]:
    kind: Any = type(value)
    found = ((name, getattr(value, name)) for name in _names(kind))
    return {name: contract(part, say) for name, part in found if part is not None}


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind))


@cache
def _shaper(kind: Any) -> Callable[[Any, Any], Any]:
    """How values of one type are shaped: looked up once, since an answer has a hundred of them."""
    if hasattr(kind, "__dataclass_fields__"):
        special: dict[type, Callable[[Any, Any], Any]] = {
            Figure: lambda value, _: value.contract(),
            Message: lambda value, say: say(value),
            MemoryAnswer: _memory,
            Estimate: _estimate,
        }
        return next((made for known, made in special.items() if issubclass(kind, known)), _fields)
    if issubclass(kind, StrEnum):
        return lambda value, _: value.value
    if issubclass(kind, float):
        return lambda value, _: int(value) if value.is_integer() and abs(value) < 2**53 else value
    if issubclass(kind, Mapping):
        return lambda value, say: {k: contract(v, say) for k, v in value.items()}
    if issubclass(kind, list | tuple):
        return lambda value, say: [contract(v, say) for v in value]
    return lambda value, _: value


def _memory(value: MemoryAnswer, say: Any) -> dict[str, Any]:
    body = _fields(value, say)
    body["worst_rank"] = {"pipeline_stage": body.pop("worst_stage")}
    return body


def _estimate(value: Estimate, say: Any) -> dict[str, Any]:
    body = _fields(value, say)
    body["nearest_measurements"] = body.pop("nearest", [])
    return body
