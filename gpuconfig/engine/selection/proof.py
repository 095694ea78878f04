"""How far an option is proven: its software, the cards that work on one model together, what was measured on its kind.

What nobody is known to run never stands before what is known to work, however cheap it is; an estimate without a
measurement on its kind of card counts dearer in the order by what such estimates are off.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import SOFTWARE_NAMES
from gpuconfig.engine.compatibility.finding import CheckResult, Finding, Status
from gpuconfig.engine.estimation.answer import Estimate
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.estimator import TASKS
from gpuconfig.engine.estimation.inputs.network import architecture_scope
from gpuconfig.engine.estimation.serving.settings import card_family
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.request import EstimateRequest, Kind
from gpuconfig.engine.workloads.serving import DiffusionWorkload

GROUP = "selection"
SAME_FAMILY, SAME_SOFTWARE, NOTHING_MEASURED = 0.5, 0.75, 1.0
"""Shares of what is not proven where the card's family, its software alone, or neither was measured."""
_TRAINED = frozenset({Kind.TRAINING, Kind.VISION_TRAINING})


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What is known of an option's kind.

    Attributes:
        stack: 0 for software that the usual programs are made on, 1 for one that few run on.
        together: cards that hold one copy of the model.
        known: most cards that are known to do so with this software on this kind of card.
        evidence: 0 where its architecture was measured at this kind of work, 1 where nothing near it was.
    """

    stack: float
    together: int
    known: int
    evidence: float

    @property
    def scale(self) -> float:
        """Share of the cards beyond what is known."""
        return max(0.0, 1.0 - self.known / self.together)


@dataclass(frozen=True, slots=True)
class Measured:
    """Kinds of cards that the shipped measurements of one kind of work were made on."""

    architectures: frozenset[tuple[str, str]]
    families: frozenset[tuple[str, str]]
    software: frozenset[str]

    def share_unproven(self, card: Accelerator) -> float:
        """0 where the architecture was measured, 1 where not even the software was."""
        software = card.software.value
        if (software, architecture_scope(card)) in self.architectures:
            return 0.0
        if (software, card_family(card)) in self.families:
            return SAME_FAMILY
        return SAME_SOFTWARE if software in self.software else NOTHING_MEASURED


def measured_kinds(catalogue: Catalogue, coefficients: CoefficientSet, kind: Kind) -> Measured:
    """The kinds of cards measured at one kind of work."""

    def find() -> Measured:
        ids = {
            json.loads(m.request).get("hardware", {}).get("gpu")
            for m in catalogue.measurements()
            if m.task in TASKS[kind]
        }
        cards = [c for c in catalogue.accelerators() if c.id in ids]
        return Measured(
            frozenset((c.software.value, architecture_scope(c)) for c in cards),
            frozenset((c.software.value, card_family(c)) for c in cards),
            frozenset(c.software.value for c in cards),
        )

    return coefficients.once((GROUP, "measured_kinds", kind.value), find)


def proof_of(
    request: EstimateRequest, estimate: Estimate, measured: Measured, coefficients: CoefficientSet
) -> Proof:
    """What is known of the kind of machine a request is estimated on."""
    card = request.accelerator
    work = "training" if request.kind in _TRAINED else "inference"
    software = f"{work}|{card.software.value}"
    scopes = (f"{software}|{card_family(card)}", software, work)
    return Proof(
        stack=coefficients.value(GROUP, "stack_risk", *scopes),
        together=_together(request, estimate.parallelism),
        known=round(coefficients.value(GROUP, "proven_cards", *scopes)),
        evidence=measured.share_unproven(card),
    )


def _together(request: EstimateRequest, split: Mapping[str, object]) -> int:
    """Cards that hold one copy of the model; all cards of a training exchange gradients."""
    if request.kind in _TRAINED:
        return request.hardware.gpu_count
    if isinstance(request.workload, DiffusionWorkload):
        return request.workload.sequence_parallel or 1
    degrees = [split.get(name) for name in ("tensor", "pipeline")]
    product = 1
    for degree in degrees:
        product *= degree if isinstance(degree, int) else 1
    return product


def doubts(
    proof: Proof, request: EstimateRequest, coefficients: CoefficientSet
) -> tuple[tuple[Finding, ...], bool]:
    """What is not proven as findings, and whether that keeps it behind what is."""
    card = request.accelerator
    named = {"card": card.name, "software": Message(SOFTWARE_NAMES[card.software])}
    found: list[Finding] = []
    limit = coefficients.value(GROUP, "unproven_stack")
    work = "training" if request.kind in _TRAINED else "inference"
    if proof.stack >= limit:
        text = N_("{card}: few of the usual programs run on {software}; try yours before you buy")
        evidence = coefficients.evidence(GROUP, "stack_risk", f"{work}|{card.software.value}", work)
        found.append(
            Finding(
                rule="proof.stack", status=Status.WARNING, title=Message(N_("Proven software")),
                message=Message(text, named), measured=proof.stack, required=limit, unit="1", parts=(card.id,),
                evidence=evidence,
            )
        )  # fmt: skip
    if proof.scale > 0:
        text = N_(
            "{count}× {card} hold one model together; with {software} on such cards no more than {known} are known to"
        )
        values = {**named, "count": proof.together, "known": proof.known}
        found.append(
            Finding(
                rule="proof.scale", status=Status.WARNING, title=Message(N_("Proven number of cards")),
                message=Message(text, values), measured=float(proof.together), required=float(proof.known), unit="1",
                parts=(card.id,),
            )
        )  # fmt: skip
    behind = bool(found)
    if proof.evidence >= SAME_SOFTWARE:
        text = N_(
            "{card}: this kind of work was measured on no card of its family with {software}: formulas alone"
        )
        found.append(
            Finding(
                rule="proof.measured", status=Status.WARNING, title=Message(N_("Measurements near it")),
                message=Message(text, named), parts=(card.id,),
            )
        )  # fmt: skip
    return tuple(found), behind


def with_doubts(check: CheckResult | None, found: tuple[Finding, ...]) -> CheckResult | None:
    """The rules' findings with what is not proven; earlier doubts about the same machine give way."""
    if check is None:
        return None
    kept = tuple(f for f in check.findings if not f.rule.startswith("proof."))
    verdict = Status.WARNING if found and check.verdict is Status.OK else check.verdict
    return replace(check, findings=(*kept, *found), verdict=verdict)
