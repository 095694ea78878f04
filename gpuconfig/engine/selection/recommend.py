"""From a requirement to ranked machines: screen, estimate, compose, price, rank, explain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import Kind as PartKind, Region
from gpuconfig.engine.compatibility.check import check_build, environment_of
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.estimation.answer import Estimate, Verdict
from gpuconfig.engine.estimation.estimator import Estimator
from gpuconfig.engine.pricing.planning import Buyer, Pricer
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import Message, N_
from gpuconfig.engine.provenance.progress import Progress
from gpuconfig.engine.quantities.money import Currency, Money
from gpuconfig.engine.selection.candidates import Candidate, candidates, screened
from gpuconfig.engine.selection.composer.compose import compose
from gpuconfig.engine.selection.composer.need import NoBuild
from gpuconfig.engine.selection.composer.shelf import Shelf
from gpuconfig.engine.selection.demand import Demand, demand_of, estimate_request, mains, need_of, on_machine
from gpuconfig.engine.selection.options import Costing, buy_option
from gpuconfig.engine.selection.performance import meets, memory_figures, target_figures
from gpuconfig.engine.selection.ranking import order, price, shown
from gpuconfig.engine.selection.reasons import explained, name_of
from gpuconfig.engine.selection.recommendation import Option, Recommendation, Rejected, SmallestBudget
from gpuconfig.engine.selection.request import ConditionWish, RecommendRequest
from gpuconfig.engine.workloads.request import EstimateRequest

CHUNK = 64  # estimates between two looks at the cancel button


def recommend(
    request: RecommendRequest, catalogue: Catalogue, estimator: Estimator, today: date, progress: Progress
) -> Recommendation:
    """The machines that fit, meet the target and the budget, best first; and why the others fell out.

    Raises:
        Cancelled: the person stopped it.
    """
    return _Search(request, catalogue, estimator, today, progress).run()


@dataclass
class _Tally:
    """What the search collects on its way."""

    rejected: list[Rejected] = field(default_factory=list)
    options: list[Option] = field(default_factory=list)
    over_budget: list[Option] = field(default_factory=list)
    strategies: int = 0


class _Search:
    """One recommendation from start to end."""

    def __init__(
        self, request: RecommendRequest, catalogue: Catalogue, estimator: Estimator, today: date, progress: Progress
    ) -> None:
        self.request = request
        self.catalogue = catalogue
        self.estimator = estimator
        self.today = today
        self.progress = progress
        self.coefficients = estimator.coefficients
        self.demand: Demand = demand_of(request, self.coefficients)
        self.pricer = Pricer(catalogue, _buyer(request, self.coefficients.value("pricing", "tax_rate", request.constraints.region.value if request.constraints.region is not Region.WORLD else "US")))
        self.shelf = Shelf(catalogue, self.pricer, self.coefficients)
        self.costing = Costing(catalogue, self.pricer, self.coefficients, request.constraints.region)
        self.tally = _Tally()

    def run(self) -> Recommendation:
        self.progress.report(0.0, Message(N_("reading the catalogue")))
        chosen, refused = screened(self._named_first(), self.request.constraints, self._offered_here())
        self.tally.rejected.extend(refused)
        pool = self._priced(candidates(chosen, self.request.constraints, self.catalogue.servers()))
        fitting = self._fitting(pool)
        self._compose_all(fitting)
        return self._answer()

    def _named_first(self) -> Sequence[Accelerator]:
        for ref in self.request.constraints.accelerators:
            self.catalogue.accelerator(ref, "constraints.accelerators")  # an unknown name is an error
        names = {self.catalogue.accelerator(r).id for r in self.request.constraints.accelerators}
        if names:
            self.request = replace(
                self.request, constraints=replace(self.request.constraints, accelerators=tuple(sorted(names)))
            )
        return self.catalogue.accelerators()

    def _offered_here(self) -> frozenset[str]:
        region = self.request.constraints.region
        offers = self.catalogue.all_offers()
        here = {o.subject_id for o in offers if o.region is region and not o.is_assumed()
                and o.subject_kind is PartKind.ACCELERATOR}  # fmt: skip
        return frozenset(here)

    def _priced(self, pool: Iterable[Candidate]) -> list[Candidate]:
        """Candidates whose cards have a price, or that come inside a system with a price."""
        inside = {a for s in self.shelf.servers if s.item.includes_accelerators for a in s.item.accelerators}
        kept, told = [], set()
        for candidate in pool:
            card = candidate.accelerator
            if self.pricer.price(PartKind.ACCELERATOR, card) is None and card.id not in inside:
                if card.id not in told:
                    told.add(card.id)
                    self._reject(card, "no_price", Message(N_("no price is recorded that this buyer can use")))
                continue
            kept.append(candidate)
        return sorted(kept, key=lambda c: (self._card_cost(c), c.nodes))

    def _card_cost(self, candidate: Candidate) -> Decimal:
        price_ = self.pricer.price(PartKind.ACCELERATOR, candidate.accelerator)
        return Decimal(0) if price_ is None else price_.middle().amount * candidate.count

    def _fitting(self, pool: Sequence[Candidate]) -> list[tuple[Candidate, EstimateRequest, Estimate]]:
        requests = [estimate_request(self.demand, c, self.coefficients) for c in pool]
        found = []
        for start in range(0, len(pool), CHUNK):
            share = 0.05 + 0.55 * start / max(1, len(pool))
            self.progress.report(share, Message(N_("estimating {count} machines"), {"count": len(pool)}))
            part = requests[start : start + CHUNK]
            for candidate, request, answer in zip(
                pool[start : start + CHUNK], part, self.estimator.estimate(part), strict=True
            ):
                self.tally.strategies += 1
                if self._fits(candidate, answer):
                    found.append((candidate, request, answer))
        return found  # type: ignore[return-value]

    def _fits(self, candidate: Candidate, answer: Estimate | UserError) -> bool:
        card = candidate.accelerator
        if isinstance(answer, UserError):
            self._reject(card, answer.code, answer.message)
            return False
        needed, usable = memory_figures(answer)
        values: dict[str, object] = {
            "count": candidate.count, "needed": Figure(needed, unit="B"), "usable": Figure(usable, unit="B"),
        }  # fmt: skip
        if answer.verdict is Verdict.FITS:
            return True
        code, text = {
            Verdict.DOES_NOT_FIT: ("memory", N_("{count} cards: {needed} needed on one card, {usable} usable")),
            Verdict.TOO_CLOSE: ("memory_close", N_("{count} cards: up to {needed} of {usable}: too close to tell")),
        }.get(answer.verdict, ("unknown", N_("{count} cards: a needed fact is not known, so it cannot be offered")))
        self._reject(card, code, Message(text, values), needed, usable, "B")
        return False

    def _compose_all(self, fitting: Sequence[tuple[Candidate, EstimateRequest, Estimate]]) -> None:
        volts, amps = mains(self.request, self.coefficients)
        circuit = volts * amps * self.coefficients.value("rules", "circuit_share")
        budget = self._budget()
        cheapest: Decimal | None = None
        composed: list[tuple[Candidate, EstimateRequest, Build]] = []
        for i, (candidate, request, estimate) in enumerate(fitting):
            self.progress.report(
                0.6 + 0.25 * i / max(1, len(fitting)), Message(N_("composing machines"))
            )
            if not self._on_time(candidate, estimate, final=False):
                continue
            cards = self._card_cost(candidate)
            if budget is not None and cards > budget and cheapest is not None and cards >= cheapest:
                self._too_dear(candidate, cards, budget, N_("the cards alone cost {price}, the budget is {budget}"))
                continue
            need = need_of(self.demand, candidate, estimate, self.coefficients, circuit)
            build = compose(need, self.shelf)
            if isinstance(build, NoBuild):
                self._reject(candidate.accelerator, build.rule, build.message, build.measured, build.required, build.unit)
                continue
            total = self.costing.price(build).middle.amount
            cheapest = total if cheapest is None else min(cheapest, total)
            composed.append((candidate, request, build))
        self._judge(composed)

    def _judge(self, composed: Sequence[tuple[Candidate, EstimateRequest, Build]]) -> None:
        """Estimate again on the slots of the real machine, check every rule, sort by budget and target."""
        requests = [on_machine(request, build) for _, request, build in composed]
        place = environment_of(self.request.constraints)
        for start in range(0, len(composed), CHUNK):
            self.progress.report(0.85 + 0.14 * start / max(1, len(composed)), Message(N_("checking every rule")))
            part = requests[start : start + CHUNK]
            answers = self.estimator.estimate(part)
            for (candidate, _, build), request, answer in zip(
                composed[start : start + CHUNK], part, answers, strict=True
            ):
                if isinstance(answer, UserError) or not self._fits(candidate, answer):
                    continue
                if not self._on_time(candidate, answer, final=True):
                    continue
                check = check_build(build, place, self.catalogue)
                if check.verdict is Status.PROBLEM:
                    worst = next(f for f in check.findings if f.status is Status.PROBLEM)
                    self._reject(candidate.accelerator, worst.rule, worst.message, worst.measured, worst.required, worst.unit)
                    continue
                option = buy_option(self.demand, candidate, request, answer, build, check, self.costing)
                if option.within_budget:
                    self.tally.options.append(option)
                else:
                    self.tally.over_budget.append(option)

    def _on_time(self, candidate: Candidate, estimate: Estimate, final: bool) -> bool:
        met, name = meets(estimate, self.request.kind, self.request.target, self.demand.deadline_s)
        if met is not False:
            return True
        if not final and name not in ("deadline_s", "tokens_per_s"):
            return True  # a slower slot only makes it worse, but what a machine adds is judged on the machine
        value, limit, unit = target_figures(estimate, self.request.kind, self.request.target, self.demand.deadline_s, name)
        text = N_("{count} cards: {value} where {limit} is asked ({name})")
        values: dict[str, object] = {
            "count": candidate.count, "name": name, "value": Figure(value, unit=unit), "limit": Figure(limit, unit=unit),
        }  # fmt: skip
        self._reject(candidate.accelerator, f"target_{name}", Message(text, values), value, limit, unit)
        return False

    def _answer(self) -> Recommendation:
        kind = self.request.kind
        considered = order([*self.tally.options, *self.tally.over_budget], kind, self.request.weights)
        affordable = [o for o in considered if o.within_budget]
        options = explained(shown(affordable, self.request.options), self.demand)
        for option in self.tally.over_budget:
            budget = self._budget()
            if budget is not None:
                self._too_dear_option(option, budget)
        self.progress.report(1.0, Message(N_("done")))
        return Recommendation(
            id=self.request.id,
            options=options,
            considered=tuple(considered),
            rejected=tuple(self._told()),
            smallest_budget_that_works=self._smallest(considered),
            strategies=self.tally.strategies,
            assumptions=self.demand.assumptions,
            versions=self.estimator.versions,
        )

    def _smallest(self, considered: Sequence[Option]) -> SmallestBudget | None:
        whole = [o for o in considered if not o.price.missing]
        if not whole:
            return None
        least = min(whole, key=price)
        return SmallestBudget(least.price.total.middle().rounded(), explained([least], self.demand)[0])

    def _told(self) -> list[Rejected]:
        """One line an accelerator: where it came closest; those not offered at all are left out."""
        offered = {o.accelerator.id for o in self.tally.options}
        best: dict[str, Rejected] = {}
        for item in self.tally.rejected:
            if item.accelerator in offered:
                continue
            known = best.get(item.accelerator)
            if known is None or _closeness(item) > _closeness(known):
                best[item.accelerator] = item
        return sorted(best.values(), key=_closeness, reverse=True)

    def _budget(self) -> Decimal | None:
        budget = self.request.budget
        return None if budget is None else self.pricer.convert(budget.money).amount

    def _too_dear(self, candidate: Candidate, amount: Decimal, budget: Decimal, text: str) -> None:
        currency = self.pricer.buyer.currency
        values = {"price": Money(amount, currency).rounded(), "budget": Money(budget, currency).rounded()}
        self._reject(candidate.accelerator, "over_budget", Message(text, values), float(amount), float(budget), currency)

    def _too_dear_option(self, option: Option, budget: Decimal) -> None:
        currency = self.pricer.buyer.currency
        values = {
            "name": name_of(option), "price": option.price.total.middle().rounded(),
            "budget": Money(budget, currency).rounded(),
        }  # fmt: skip
        text = N_("{name} costs {price}, the budget is {budget}")
        self._reject(option.accelerator, "over_budget", Message(text, values), float(price(option)), float(budget), currency)

    def _reject(
        self, card: Accelerator, code: str, reason: Message, measured: float | None = None,
        required: float | None = None, unit: str = "",
    ) -> None:  # fmt: skip
        self.tally.rejected.append(Rejected(card.id, card.name, reason, code, measured, required, unit))


_STAGES = ("over_budget", "target", "memory_close", "memory")


def _closeness(item: Rejected) -> tuple[float, float]:
    """How near a candidate came: the later the stage the nearer, then by the ratio of the figures."""
    stage = next((len(_STAGES) - i for i, s in enumerate(_STAGES) if item.code.startswith(s)), 0)
    if item.code in ("software", "vendor", "export_status", "no_price", "not_sold", "unknown"):
        stage = -1
    ratio = 0.0
    if item.measured and item.required:
        ratio = min(item.measured / item.required, item.required / item.measured)
    return float(stage), ratio


def _buyer(request: RecommendRequest, tax_rate: float) -> Buyer:
    wish = request.constraints
    currency = Currency.CNY if wish.region is Region.CN else Currency.USD
    included = True
    if request.budget is not None:
        currency, included = request.budget.money.currency, request.budget.tax_included
    return Buyer(
        region=wish.region,
        currency=currency,
        tax_included=included,
        tax_rate=Decimal(str(tax_rate)),
        used_ok=wish.condition is ConditionWish.USED_OK,
    )
