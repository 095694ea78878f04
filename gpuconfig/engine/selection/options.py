"""An option from its parts: price, cost of ownership, risk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.builds.load import load_of
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.market import Offer, Tariff
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import Condition, ExportStatus, Region
from gpuconfig.engine.catalogue.vocabulary import Kind as PartKind
from gpuconfig.engine.compatibility.finding import CheckResult
from gpuconfig.engine.compatibility.machine import load_table
from gpuconfig.engine.estimation.answer import Estimate
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.pricing.case_inputs import Use, default_use
from gpuconfig.engine.pricing.ownership import Ownership, ownership
from gpuconfig.engine.pricing.planning import Pricer
from gpuconfig.engine.pricing.tariffs import choose_tariff, tariff_by_id
from gpuconfig.engine.pricing.totals import BuildTotal, total_of
from gpuconfig.engine.pricing.wishes import OPEN, CostWishes, Duration
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.quantities.money import Money, MoneyRange
from gpuconfig.engine.quantities.units import YEAR_H
from gpuconfig.engine.selection.candidates import Candidate
from gpuconfig.engine.selection.demand import Demand
from gpuconfig.engine.selection.leaner import changed_settings
from gpuconfig.engine.selection.performance import (
    asked_target,
    headroom,
    judged_targets,
    meets,
    work_of,
)
from gpuconfig.engine.selection.proof import Proof, doubts, measured_kinds, proof_of, with_doubts
from gpuconfig.engine.selection.ranking import premium_parts
from gpuconfig.engine.selection.recommendation import CostOfOwnership, Option, OptionKind, OptionPrice
from gpuconfig.engine.selection.request import Budget, BudgetKind
from gpuconfig.engine.workloads.request import EstimateRequest

GROUP = "selection"


@dataclass(frozen=True)
class Costing:
    """What options are priced with: one buyer, one set of numbers.

    Attributes:
        utilisation, per_kwh: what is tried instead of the usual use and the recorded tariff; None: as recorded.
        wishes: what the person said about cost.
    """

    catalogue: Catalogue
    pricer: Pricer
    coefficients: CoefficientSet
    region: Region
    utilisation: float | None = None
    per_kwh: Money | None = None
    wishes: CostWishes = OPEN

    def price(self, build: Build) -> BuildTotal:
        """Total of a priced build."""
        return total_of(build, self.pricer.buyer.currency)

    def ownership(
        self,
        build: Build,
        estimate: Estimate,
        accelerator: Accelerator | None = None,
        count: int | None = None,
    ) -> Ownership:
        """Cost over the years of a priced build at the estimate's load: of one run where only one is needed."""
        watts, work, use = wall_power(build, estimate, self.coefficients), work_of(estimate), self.use(build)
        wishes = self.wishes if self.per_kwh is None else replace(self.wishes, per_kwh=None)
        if wishes.need is Duration.ONE_RUN and work.run_hours is not None and self.utilisation is None:
            share = min(1.0, work.run_hours / (use.years * YEAR_H))
            use, wishes = replace(use, utilisation=share), replace(wishes, utilisation=share)
        return ownership(
            build,
            watts,
            use,
            self.tariff(build),
            self.pricer,
            self.coefficients,
            wishes,
            work,
            accelerator=accelerator,
            count=count,
        )

    def use(self, build: Build) -> Use:
        """How the machine is used over its life."""
        room = build.first(PartKind.SERVER) is not None
        found = default_use(self.coefficients, machine_room=room, wishes=self.wishes)
        return found if self.utilisation is None else replace(found, utilisation=self.utilisation)

    def tariff(self, build: Build) -> Tariff | None:
        """What it pays for electricity."""
        server = build.first(PartKind.SERVER) is not None
        tariffs = self.catalogue.tariffs()
        named = self.wishes.tariff
        found = tariff_by_id(tariffs, named) if named else choose_tariff(tariffs, self.region, server)
        if self.per_kwh is None or found is None:
            return found
        amount, currency = self.per_kwh.amount, self.per_kwh.currency
        return replace(
            found, per_kwh_low=amount, per_kwh_high=amount, currency=currency, periods=(), tiers=()
        )


def wall_power(build: Build, estimate: Estimate, coefficients: CoefficientSet) -> Figure:
    """Watts at the wall of all machines at work: the estimator's, else the sum of ratings over efficiency."""
    predicted = None if estimate.power is None else estimate.power.wall_w
    if predicted is not None and predicted.value is not None:
        return predicted
    load = load_of(build, load_table(coefficients))
    if load.missing:
        return Figure(None, unit="W")
    efficiency = coefficients.value("pricing", "efficiency")
    return Figure(load.watts() * build.nodes / efficiency, unit="W")


def buy_option(
    demand: Demand,
    candidate: Candidate,
    request: EstimateRequest,
    estimate: Estimate,
    build: Build,
    check: CheckResult | None,
    costing: Costing,
) -> Option:
    """A machine to buy, not ranked yet."""
    total = costing.price(build)
    own = costing.ownership(build, estimate, candidate.accelerator, candidate.count)
    budget = demand.request.budget
    within = budget is None or (
        not total.missing and payable(budget, total, own) <= costing.pricer.convert(budget.money)
    )
    met, _ = meets(estimate, demand.request.kind, demand.target)
    measured = measured_kinds(costing.catalogue, costing.coefficients, request.kind)
    proof = proof_of(request, estimate, measured, costing.coefficients)
    found, behind = doubts(proof, request, costing.coefficients)
    parts = risk_parts(candidate.accelerator, total, estimate, build, proof, costing)
    asked = judged_targets(estimate, demand.request.kind, asked_target(demand.request))
    chance = max((judged.chance_of_missing() or 0.0 for judged in asked), default=0.0)
    dearer = premium_parts(build, own.middle.amount, proof.evidence, chance, costing.coefficients)
    return Option(
        rank=0,
        kind=OptionKind.KEEP if _nothing_to_buy(build) else OptionKind.BUY,
        accelerator=candidate.accelerator,
        count=candidate.count,
        nodes=candidate.nodes,
        parallelism=dict(estimate.parallelism),
        estimate=estimate,
        estimate_request=request,
        build=build,
        check=with_doubts(check, found),
        price=OptionPrice(
            total=total.total,
            assumed_share=total.assumed_share,
            oldest_date=total.oldest_date,
            tax_included=costing.pricer.buyer.tax_included,
            missing=total.missing,
        ),
        tco=cost_of_ownership(own),
        risk=sum(parts.values()),
        risk_parts=parts,
        within_budget=within,
        meets_target=met,
        unproven=behind,
        premium=sum(dearer.values()),
        premium_parts=dearer,
        leaner=changed_settings(demand.workload, request, estimate.assumptions),
    )


def _nothing_to_buy(build: Build) -> bool:
    """Every part is owned; a server that contains its cards is bought."""
    return all(line.reused for line, _ in build.all_lines())


def payable(budget: Budget, total: BuildTotal, own: Ownership) -> Money:
    """What the budget pays: the purchase, or the cost of ownership a month."""
    if budget.kind is BudgetKind.PURCHASE:
        return total.middle
    return Money(own.middle.amount / Decimal(str(own.years * 12)), own.middle.currency)


def cost_of_ownership(own: Ownership) -> CostOfOwnership:
    """The option's view of an ownership."""
    zero = MoneyRange(Money(Decimal(0), own.middle.currency), Money(Decimal(0), own.middle.currency))
    months = Decimal(str(own.years * 12))
    return CostOfOwnership(
        years=own.years,
        total=own.total,
        middle=own.middle,
        electricity=own.electricity or zero,
        resale=own.resale,
        energy_kwh=own.energy_kwh,
        per_month=Money(own.middle.amount / months, own.middle.currency).rounded(),
        parts={line.name: own.part(line.name) for line in own.lines},
        lines=own.lines,
        case=own.case,
    )


def risk_parts(
    card: Accelerator,
    total: BuildTotal,
    estimate: Estimate,
    build: Build,
    proof: Proof,
    costing: Costing,
) -> Mapping[str, float]:
    """The stated sum of an option's risk, each part weighted: 0 is none, the weights add up to 1."""
    offer = _card_offer(build)
    free = headroom(estimate)
    shares = {
        "assumed_price": total.assumed_share,
        "condition": _condition_risk(card, offer),
        "export": _export_risk(card, costing.region),
        "memory_headroom": 1.0 if free is None else min(1.0, max(0.0, 1 - free / 0.2)),
        "evidence": proof.evidence,
        "software": proof.stack,
        "scale": proof.scale,
    }
    weights = {name: costing.coefficients.value(GROUP, "risk_weight", name) for name in shares}
    return {name: round(shares[name] * weights[name], 4) for name in shares}


def ranked(option: Option, rank: int) -> Option:
    """`option` with its place."""
    return replace(option, rank=rank)


def _card_offer(build: Build) -> Offer | None:
    line = build.first(PartKind.ACCELERATOR)
    return None if line is None else line.offer


def _condition_risk(card: Accelerator, offer: Offer | None) -> float:
    if card.modified:
        return 1.0
    if offer is None:
        return 0.3
    return {Condition.NEW: 0.0, Condition.UNKNOWN: 0.4, Condition.MODIFIED: 1.0}.get(offer.condition, 0.6)


def _export_risk(card: Accelerator, region: Region) -> float:
    if region is not Region.CN:
        return 0.0
    return {
        ExportStatus.LICENCE: 1.0,
        ExportStatus.CASE_BY_CASE: 0.8,
        ExportStatus.CHINA_VARIANT: 0.4,
        ExportStatus.UNKNOWN: 0.3,
    }.get(card.export_status, 0.0)
