"""One door to every estimate: dispatches by kind of workload and keeps the order of the requests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.record import Coefficient, Measurement
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.estimation.answer import Assumption, Estimate
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.devices import PER_CARD, on_cards, on_devices
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.explanation import Explanation
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.request import EstimateRequest, Kind

if TYPE_CHECKING:
    from gpuconfig.engine.estimation.nearest import NearestIndex
    from gpuconfig.engine.estimation.own import OwnRuns

Answer = Estimate | UserError
Many = Callable[[Sequence[EstimateRequest], CoefficientSet, Any], list[Answer]]
Read = Callable[[object], EstimateRequest]
One = Callable[[EstimateRequest, CoefficientSet, str], Explanation]

MAIN_QUANTITY: Mapping[Kind, str] = {
    Kind.TRAINING: "device_used_bytes",
    Kind.SERVING: "tpot_s",
    Kind.IMAGE: "seconds_per_image",
    Kind.VIDEO: "seconds_per_clip",
    Kind.VISION_TRAINING: "samples_per_s",
    Kind.VISION_INFERENCE: "samples_per_s",
}
"""What `explain` shows where no quantity is named."""

LARGER_CARD = ("memory", "larger_card")
"""Group and name of the coefficients that name them."""

FAMILY_SIZES = ("heads", "kv_heads", "vocab")
FAMILY_DEFAULT = N_("not in the model's file: the default of its family")
HEAD_SIZE = N_("not given: 128, as in most models whose heads do not divide their hidden size")

ANSWER_NAMES: Mapping[tuple[Kind, str], str] = {
    (Kind.TRAINING, "step_time_s"): "step_seconds",
    (Kind.TRAINING, "model_tflops_per_gpu"): "model_flops_per_gpu",
    (Kind.VISION_TRAINING, "model_tflops_per_gpu"): "model_flops_per_gpu",
    (Kind.VISION_INFERENCE, "model_tflops_per_gpu"): "model_flops_per_gpu",
}
"""Figures of the answer that the graph knows by another name."""

UNIT_SCALES: Mapping[tuple[str, str], float] = MappingProxyType(
    {("s", "ms"): 1e3, ("ms", "s"): 1e-3, ("FLOP/s", "TFLOP/s"): 1e-12}
)
"""From the unit of a tree to that of the answer's figure."""

MEASURED: Mapping[Kind, tuple[str, ...]] = {
    Kind.TRAINING: ("training.tokens_per_s", "training.step_time_s"),
    Kind.SERVING: ("serving.tpot_ms", "serving.decode_tokens_per_s_per_user", "serving.output_tokens_per_s"),
    Kind.IMAGE: ("image.seconds_per_image", "image.iterations_per_s"),
    Kind.VIDEO: ("video.seconds_per_clip",),
    Kind.VISION_TRAINING: ("vision.samples_per_s",),
    Kind.VISION_INFERENCE: ("vision.samples_per_s",),
}
"""Quantities whose measurements are laid beside an answer."""

TASKS: Mapping[Kind, tuple[str, ...]] = {
    Kind.TRAINING: ("training_throughput", "training_check", "training_memory"),
    Kind.SERVING: ("serving",),
    Kind.IMAGE: ("image", "image_check"),
    Kind.VIDEO: ("video", "image_check"),
    Kind.VISION_TRAINING: ("vision",),
    Kind.VISION_INFERENCE: ("vision",),
}
"""Files that hold them."""


@dataclass(frozen=True)
class Estimator:
    """Answers estimates with one set of coefficients and the measurements to lay beside them.

    Attributes:
        versions: of catalogue, coefficients and application, put into every answer.
        read: turns the stored request of a measurement into a request; None: no measurement is laid beside.
        cards: by id, those that a run which does not fit is told to move to.
    """

    coefficients: CoefficientSet
    measurements: tuple[Measurement, ...]
    versions: Mapping[str, str]
    read: Read | None = None
    cards: Mapping[str, Accelerator] = field(default_factory=lambda: MappingProxyType({}))

    @staticmethod
    def of(catalogue: Catalogue, application: str, read: Read | None = None) -> Estimator:
        """An estimator over everything the catalogue holds."""
        rows: list[Coefficient] = []
        for group in catalogue.coefficient_groups():
            rows.extend(catalogue.coefficients(group))
        version = catalogue.version()
        versions = {
            "catalogue": version.catalogue,
            "coefficients": version.coefficients,
            "application": application,
        }
        larger = (r.scope for r in rows if (r.group, r.name) == LARGER_CARD)
        cards = MappingProxyType({name: catalogue.accelerator(name) for name in larger})
        return Estimator(CoefficientSet.of(rows), tuple(catalogue.measurements()), versions, read, cards)

    def estimate(self, requests: Sequence[EstimateRequest], advice: bool = True) -> list[Answer]:
        """Answers in the order of `requests`; one that cannot be accepted becomes its error.

        Args:
            advice: with the measurements near each, what would make it fit and how it scales; a search of thousands
                needs none of them.
        """
        answers: dict[int, Answer] = self._refused(requests)
        for kinds, many in self._estimators:
            chosen = [i for i, r in enumerate(requests) if r.kind in kinds and i not in answers]
            if chosen:
                near = self.near(Kind.TRAINING) if advice and Kind.TRAINING in kinds else None
                if not advice and Kind.SERVING in kinds:
                    many = _serving_without_fixes
                if not advice and Kind.TRAINING in kinds:
                    many = self._training_without_efficiency
                found = many()([on_devices(requests[i]) for i in chosen], self.coefficients, near)
                answers.update((i, _of_cards(requests[i], one)) for i, one in zip(chosen, found, strict=True))
        finished = [self._finished(request, answers[i], advice) for i, request in enumerate(requests)]
        if not self._has_own:
            return finished
        return [
            self._own.applied(request, answer) if isinstance(answer, Estimate) else answer
            for request, answer in zip(requests, finished, strict=True)
        ]

    def without_own(self) -> Estimator:
        """The estimator as the bundle alone makes it."""
        if not self._has_own:
            return self
        return replace(self, measurements=tuple(m for m in self.measurements if not m.own))

    @cached_property
    def _has_own(self) -> bool:
        return self.read is not None and any(m.own for m in self.measurements)

    @cached_property
    def _own(self) -> OwnRuns:
        """The user's measurements against the model as it is without them."""
        from gpuconfig.engine.estimation.own import OwnRuns

        assert self.read is not None
        bundled = self.without_own()
        rows = [m for m in self.measurements if m.own]
        return OwnRuns.of(rows, self.read, bundled.estimate, self.coefficients)

    def _refused(self, requests: Sequence[EstimateRequest]) -> dict[int, Answer]:
        """Requests that no machine or framework could run."""
        from gpuconfig.engine.estimation.acceptance import check_request

        found: dict[int, Answer] = {}
        for i, request in enumerate(requests):
            try:
                check_request(request, self.coefficients)
            except UserError as error:
                found[i] = error
        return found

    def explain(self, request: EstimateRequest, name: str | None = None) -> Explanation:
        """The tree behind one quantity of one estimate.

        Raises:
            InputError: the request is not valid, or there is no such quantity.
        """
        asked = name or MAIN_QUANTITY[request.kind]
        inner = ANSWER_NAMES.get((request.kind, asked), asked)
        tree = _explainer(request.kind)(on_devices(request), self.coefficients, inner)
        answer = self.estimate([request])[0]
        if not isinstance(answer, Estimate):
            raise answer
        figure = answer.figure(asked)
        if figure is None:
            return tree
        if self._has_own:
            from gpuconfig.engine.estimation.own import explained, is_own

            tree = explained(tree, asked, figure) if is_own(figure) else tree
        tree = _of_a_card(_in_unit(tree, figure.unit), request, asked)
        return replace(tree, name=asked, low=figure.low, high=figure.high, nearest=answer.nearest)

    def _training(self) -> Many:
        from gpuconfig.engine.estimation.training.estimate import estimate_training

        return partial(estimate_training, cards=self.cards)

    def _training_without_efficiency(self) -> Many:
        from gpuconfig.engine.estimation.training.estimate import estimate_training

        return partial(estimate_training, cards=self.cards, efficiency=False)

    @cached_property
    def _estimators(self) -> tuple[tuple[frozenset[Kind], Callable[[], Many]], ...]:
        return (
            (frozenset({Kind.TRAINING}), self._training),
            (frozenset({Kind.SERVING}), _serving),
            (frozenset({Kind.IMAGE, Kind.VIDEO}), _diffusion),
            (frozenset({Kind.VISION_TRAINING, Kind.VISION_INFERENCE}), _vision),
        )

    def near(self, kind: Kind, look: Callable[[], None] | None = None) -> NearestIndex | None:
        """The measurements of one kind of work, ready to be searched; None without a reader.

        Args:
            look: called now and then while they are made ready for the first time; what it raises stops that.
        """
        if self.read is None:
            return None
        if kind not in self._indexes:
            from gpuconfig.engine.estimation.nearest import NearestIndex

            rows = [m for m in self.measurements if m.task in TASKS[kind]]
            self._indexes[kind] = NearestIndex.build(rows, self.read, look)
        return self._indexes[kind]

    @cached_property
    def _indexes(self) -> dict[Kind, NearestIndex]:
        return {}

    def _finished(self, request: EstimateRequest, answer: Answer, advice: bool) -> Answer:
        from gpuconfig.engine.estimation.nearest import nearest_measurements

        if not isinstance(answer, Estimate):
            return answer
        if request.model.is_assumed("head_dim") and request.model.architecture is not None:
            size = str(request.model.architecture.head_dim)
            taken = Assumption("model.architecture.head_dim", size, Message(HEAD_SIZE))
            answer = replace(answer, assumptions=(*answer.assumptions, taken))
        answer = replace(answer, assumptions=(*answer.assumptions, *_left_out(request)))
        if not advice:
            return replace(answer, versions=self.versions)
        near = answer.nearest or nearest_measurements(
            self.near(request.kind), request, MEASURED[request.kind]
        )
        return replace(answer, versions=self.versions, nearest=near)


def _left_out(request: EstimateRequest) -> list[Assumption]:
    """Sizes that the model's file leaves to the defaults of its family."""
    shape = request.model.architecture
    names = [] if shape is None else [n for n in FAMILY_SIZES if request.model.is_assumed(n)]
    return [
        Assumption(f"model.architecture.{n}", str(getattr(shape, n)), Message(FAMILY_DEFAULT)) for n in names
    ]


def _serving() -> Many:
    from gpuconfig.engine.estimation.serving.estimate import estimate_serving

    return estimate_serving


def _serving_without_fixes() -> Many:
    from gpuconfig.engine.estimation.serving.estimate import estimate_serving

    return partial(estimate_serving, fixes=False)


def _diffusion() -> Many:
    from gpuconfig.engine.estimation.diffusion.estimate import estimate_diffusion

    return estimate_diffusion


def _vision() -> Many:
    from gpuconfig.engine.estimation.vision.estimate import estimate_vision

    return estimate_vision


def _of_cards(request: EstimateRequest, answer: Answer) -> Answer:
    return on_cards(request, answer) if isinstance(answer, Estimate) else answer


def _of_a_card(tree: Explanation, request: EstimateRequest, asked: str) -> Explanation:
    """`tree`, below the number of a card's devices where the figure speaks of a card."""
    count = request.accelerator.devices
    if count <= 1 or asked not in PER_CARD or not isinstance(tree.value, float | int):
        return tree
    return replace(tree, value=tree.value * count, formula=f"{count} * {tree.name}", inputs=(tree,))


def _in_unit(tree: Explanation, unit: str) -> Explanation:
    """`tree`, below the scale to the unit of the answer's figure where the formula has another."""
    scale = UNIT_SCALES.get((tree.unit, unit))
    if scale is None or not isinstance(tree.value, float | int):
        return tree
    return replace(
        tree, value=tree.value * scale, unit=unit, formula=f"{scale:g} * {tree.name}", inputs=(tree,)
    )


def _explainer(kind: Kind) -> One:
    if kind is Kind.TRAINING:
        from gpuconfig.engine.estimation.training.estimate import explain_training

        return explain_training
    if kind is Kind.SERVING:
        from gpuconfig.engine.estimation.serving.estimate import explain_serving

        return explain_serving
    if kind in (Kind.IMAGE, Kind.VIDEO):
        from gpuconfig.engine.estimation.diffusion.estimate import explain_diffusion

        return explain_diffusion
    from gpuconfig.engine.estimation.vision.estimate import explain_vision

    return explain_vision
