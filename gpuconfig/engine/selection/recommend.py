"""From a requirement to ranked machines: screen, search, rank, explain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import Kind as PartKind
from gpuconfig.engine.catalogue.vocabulary import Region
from gpuconfig.engine.compatibility.parts_list import read_parts
from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.estimator import Estimator
from gpuconfig.engine.pricing.planning import Buyer, Pricer
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.progress import OneBar, Progress
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.engine.selection.answers import Memo
from gpuconfig.engine.selection.candidates import candidates, screened, sold_singly, uncounted
from gpuconfig.engine.selection.composer.shelf import Shelf
from gpuconfig.engine.selection.demand import Demand, demand_of
from gpuconfig.engine.selection.leaner import plain_first
from gpuconfig.engine.selection.notes import notes_of, warnings_of
from gpuconfig.engine.selection.options import Costing
from gpuconfig.engine.selection.placing import nothing_beside, with_rental
from gpuconfig.engine.selection.ranking import order, price, shown
from gpuconfig.engine.selection.reasons import explained
from gpuconfig.engine.selection.recommendation import Option, Recommendation, SmallestBudget
from gpuconfig.engine.selection.rental import rental_within
from gpuconfig.engine.selection.request import ConditionWish, RecommendRequest, SoftwareWish
from gpuconfig.engine.selection.search import PREPARING, Search
from gpuconfig.engine.selection.tally import Tally, told
from gpuconfig.engine.selection.used_parts import buys, used_allowed, with_used_parts
from gpuconfig.engine.workloads.request import Kind


def recommend(
    request: RecommendRequest, catalogue: Catalogue, estimator: Estimator, today: date, progress: Progress
) -> Recommendation:
    """The machines that fit, meet the target and the budget, best first; and why the others fell out.

    Where nobody named the software, CUDA is tried first; other stacks are offered only where no CUDA machine works.
    Where new parts alone leave nothing to buy, what used ones would do is told beside it.

    Raises:
        Cancelled: the person stopped it.
        InputError: an accelerator named in the constraints is not in the catalogue.
    """
    progress.report(0.0, PREPARING)
    estimator.near(request.kind, lambda: progress.report(0.0, PREPARING))
    request, assumed = _resolved(request, catalogue)
    takes_used = request.constraints.condition is ConditionWish.USED_OK
    most = (2 if _software_is_open(request) else 1) * (1 if takes_used else 2)
    around = _Around(catalogue, estimator, today, OneBar(progress, most))
    found = _in_stacks(request, assumed, around)
    if not takes_used and not buys(found):
        used = _in_stacks(used_allowed(request), assumed, around)
        found = with_used_parts(found, used, request.kind)
    progress.report(1.0, Message(N_("done")))
    return found


@dataclass(frozen=True, slots=True)
class _Around:
    """What all searches of one request share; `memo` keeps their estimates."""

    catalogue: Catalogue
    estimator: Estimator
    today: date
    progress: OneBar
    memo: Memo = field(default_factory=dict)


def _in_stacks(request: RecommendRequest, assumed: tuple[Assumption, ...], around: _Around) -> Recommendation:
    """The search in the software named; where that is open, in CUDA, then in every other."""
    if not _software_is_open(request):
        return _searched(request, assumed, around)
    why = N_('no software was named: what most programs run on without porting; "any" offers the others too')
    asked, note = _with_software(request, SoftwareWish.CUDA, why)
    first = _searched(asked, (*assumed, note), around)
    if buys(first):
        return first
    why = N_(
        "no software was named and no CUDA machine works: check that your programs run on what is offered"
    )
    asked, note = _with_software(request, SoftwareWish.ANY, why)
    other = _searched(asked, (*assumed, note), around)
    return other if buys(other) else first


def _searched(request: RecommendRequest, assumed: tuple[Assumption, ...], around: _Around) -> Recommendation:
    """One search with nothing left open."""
    around.progress.begin()
    catalogue, estimator = around.catalogue, around.estimator
    coefficients = estimator.coefficients
    demand = demand_of(request, coefficients)
    demand = replace(demand, assumptions=(*assumed, *demand.assumptions))
    pricer = Pricer(catalogue, buyer_of(request, coefficients))
    shelf = Shelf(catalogue, pricer, coefficients, owned_machine(request, catalogue))
    costing = Costing(catalogue, pricer, coefficients, request.constraints.region, wishes=request.cost)
    search = Search(demand, catalogue, estimator, shelf, costing, around.progress, around.memo)
    chosen, refused = screened(
        catalogue.accelerators(),
        request.constraints,
        _offered_here(catalogue, request),
        request.kind,
        coefficients,
    )
    pool = tuple(candidates(chosen, request.constraints, catalogue.servers()))
    missing = uncounted(chosen, pool, request.constraints, catalogue.servers(), catalogue.accelerators())
    search.tally.rejected.extend((*refused, *missing))
    tally = search.run(pool)
    return answer_of(demand, tally, costing, estimator, around.today)


def owned_machine(request: RecommendRequest, catalogue: Catalogue) -> Build | None:
    """The machine the person wants to keep using, from `constraints.reuse`: a parts list as `check` reads it."""
    reuse = request.constraints.reuse
    if not reuse:
        return None
    whole = "parts" in reuse
    try:
        return read_parts(reuse if whole else {"parts": reuse}, catalogue)[0]
    except InputError as error:
        field = f"constraints.reuse.{error.field if whole else error.field.removeprefix('parts.')}"
        raise InputError(error.code, field, error.value, error.reason, error.accepted) from None


def buyer_of(request: RecommendRequest, coefficients: CoefficientSet) -> Buyer:
    """Who buys, as the request says."""
    wish = request.constraints
    currency = Currency.CNY if wish.region is Region.CN else Currency.USD
    included = True
    if request.budget is not None:
        currency, included = request.budget.money.currency, request.budget.tax_included
    region = Region.US if wish.region is Region.WORLD else wish.region
    rate = request.cost.tax_rate
    if rate is None:
        rate = coefficients.value("pricing", "tax_rate", region.value)
    return Buyer(
        region=wish.region,
        currency=currency,
        tax_included=included,
        tax_rate=Decimal(str(rate)),
        used_ok=wish.condition is ConditionWish.USED_OK,
        within_days=wish.available_within_days,
    )


def answer_of(
    demand: Demand, tally: Tally, costing: Costing, estimator: Estimator, today: date
) -> Recommendation:
    """The answer that follows from what a search, or a what-if over its machines, collected."""
    request = demand.request
    considered = order([*tally.options, *tally.over_budget], request.kind, request.weights)
    affordable = [o for o in considered if o.within_budget]
    rented = rental_within(considered, demand, costing)
    options = explained(plain_first(shown(affordable, request.options), affordable), demand)
    options = with_rental(options, rented, considered, demand, costing)
    return Recommendation(
        id=request.id,
        options=options,
        asked=request.options,
        nothing=nothing_beside(options, considered, costing),
        considered=tuple(considered),
        rejected=tuple(told(tally)),
        smallest_budget_that_works=_smallest(considered, demand),
        strategies=tally.strategies,
        assumptions=demand.assumptions,
        warnings=warnings_of(options, demand, today, estimator.coefficients),
        notes=notes_of(considered, tally.rejected, demand),
        versions=estimator.versions,
    )


def _smallest(considered: Sequence[Option], demand: Demand) -> SmallestBudget | None:
    whole = [o for o in considered if not o.price.missing]
    if not whole:
        return None
    least = min(whole, key=price)
    return SmallestBudget(least.price.planned().rounded(), explained([least], demand)[0])


def _resolved(
    request: RecommendRequest, catalogue: Catalogue
) -> tuple[RecommendRequest, tuple[Assumption, ...]]:
    """Accelerators of the constraints by their ids; an unknown name is an error that names the nearest.

    Of a card that no machine holds so few of, those that keep what the name says and are sold singly are added.
    """
    wish = request.constraints
    named = [(ref, catalogue.accelerator(ref, "constraints.accelerators")) for ref in wish.accelerators]
    singly = tuple(sold_singly(named, catalogue.accelerators(), wish, catalogue.servers()))
    ids = tuple(dict.fromkeys(card.id for card in (*(card for _, card in named), *singly)))
    assumed: tuple[Assumption, ...] = ()
    if singly:
        text = N_(
            "what was named is not sold in so small a number: the cards of its family that are were added"
        )
        value = ", ".join(card.name for card in singly)
        assumed = (Assumption("constraints.accelerators", value, Message(text)),)
    return replace(request, constraints=replace(wish, accelerators=ids)), assumed


def _software_is_open(request: RecommendRequest) -> bool:
    """Whether the software stack is ours to choose; servers of models run on every stack."""
    wish = request.constraints
    named = wish.software is not None or wish.accelerators or wish.vendors
    return not named and request.kind is not Kind.SERVING


def _with_software(
    request: RecommendRequest, software: SoftwareWish, why: str
) -> tuple[RecommendRequest, Assumption]:
    note = Assumption("constraints.software", software.value, Message(why))
    return replace(request, constraints=replace(request.constraints, software=software)), note


def _offered_here(catalogue: Catalogue, request: RecommendRequest) -> frozenset[str]:
    region = request.constraints.region
    return frozenset(
        offer.subject_id
        for offer in catalogue.all_offers()
        if offer.region is region and not offer.is_assumed() and offer.subject_kind is PartKind.ACCELERATOR
    )
