"""The search: estimates candidates cheapest first, composes what fits, and stops where no better can come.

Each accelerator's counts are walked upward; once a few of them fit and are in time, more cards only cost more.
Within the budget everything in reach is tried. Beyond it candidates are walked by the least they can cost
until a machine that works is cheaper than that: the smallest budget is therefore exact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import FormFactor
from gpuconfig.engine.catalogue.vocabulary import Kind as PartKind
from gpuconfig.engine.compatibility.check import check_build, environment_of
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.estimation.answer import Estimate
from gpuconfig.engine.estimation.estimator import Estimator
from gpuconfig.engine.pricing.planning import why_unpriced
from gpuconfig.engine.pricing.resale import most_recovered
from gpuconfig.engine.pricing.wishes import Invoice
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.progress import Progress
from gpuconfig.engine.quantities.money import Money
from gpuconfig.engine.selection.answers import Answers, Memo
from gpuconfig.engine.selection.candidates import Candidate, portions
from gpuconfig.engine.selection.composer.compose import compose
from gpuconfig.engine.selection.composer.need import NoBuild
from gpuconfig.engine.selection.composer.shelf import Shelf
from gpuconfig.engine.selection.composer.unstated import with_unstated
from gpuconfig.engine.selection.demand import Demand, estimate_request, mains, need_of, on_machine
from gpuconfig.engine.selection.gates import engine_runs, fast_enough, fits, on_time, states_fit
from gpuconfig.engine.selection.options import Costing, buy_option
from gpuconfig.engine.selection.performance import time_of
from gpuconfig.engine.selection.ranking import price
from gpuconfig.engine.selection.reasons import name_of
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.engine.selection.request import BudgetKind
from gpuconfig.engine.selection.tally import Tally
from gpuconfig.engine.workloads.request import EstimateRequest

"""Answers of one requirement by candidate, machine and workload, without and with advice."""
PREPARING = Message(N_("reading the catalogue"))

ENOUGH_SINGLE = 3  # counts of one accelerator in one machine that are kept once they work
ENOUGH_CLUSTER = 1


class Search:
    """One search over the candidates of one demand."""

    def __init__(
        self, demand: Demand, catalogue: Catalogue, estimator: Estimator, shelf: Shelf, costing: Costing,
        progress: Progress, memo: Memo | None = None,
    ) -> None:  # fmt: skip
        self.demand = demand
        self.request = demand.request
        self.catalogue = catalogue
        self.estimator = estimator
        self.coefficients = estimator.coefficients
        self.shelf = shelf
        self.costing = costing
        self.progress = progress
        self.answers = Answers(demand, estimator, self._look, {} if memo is None else memo)
        self.tally = Tally()
        volts, amps = mains(self.request, self.coefficients)
        self._circuit_w = volts * amps * self.coefficients.value("rules", "circuit_share")
        self._place = environment_of(self.request.constraints)
        self._card_seconds: dict[str, list[float]] = defaultdict(list)
        self._done = 0
        self._total = 1

    def run(self, pool: Iterable[Candidate]) -> Tally:
        """Try the candidates."""
        budget = self._budget()
        if self.shelf.owned is not None:
            pool = [c for c in pool if c.nodes == 1]  # an upgrade is of one machine
        reachable, floors = self._priced(pool)
        near = [c for c in reachable if budget is None or floors[c.key] <= budget]
        far = [c for c in reachable if budget is not None and floors[c.key] > budget]
        far.sort(key=lambda c: (floors[c.key], c.count, c.nodes))
        self._total = max(1, len(near))
        for part in self._rounds(near):
            self._try(part)
        if not self.tally.options:
            self._keep_in_host(near)
        if not self.tally.options:
            self._beyond(far, floors)
        self._note_dear(far, floors)
        return self.tally

    def _keep_in_host(self, near: Sequence[Candidate]) -> None:
        """Single machines once more, with part of the work in the host's memory: slower, and better than nothing."""
        done = {(o.accelerator.id, o.count) for o in self.tally.over_budget if o.nodes == 1}
        again = [c for c in near if c.nodes == 1 and (c.accelerator.id, c.count) not in done]
        self._total += len(again)
        self.answers.in_host = True
        for part in self._rounds(again):
            self._try(part)
        self.answers.in_host = False

    def _priced(self, pool: Iterable[Candidate]) -> tuple[list[Candidate], dict[str, Decimal]]:
        """The candidates that can be bought, and by their keys the least they can cost."""
        found: list[Candidate] = []
        floors: dict[str, Decimal] = {}
        card, runs = "", True
        for candidate in pool:
            if candidate.accelerator.id != card:
                card = candidate.accelerator.id
                self._look()
                runs = engine_runs(candidate.accelerator, self.demand, self.coefficients, self.tally)
            if not runs:
                continue
            floor = self._floor(candidate)
            if floor is not None:
                found.append(candidate)
                floors[candidate.key] = floor
        return found, floors

    def _look(self, text: Message = PREPARING) -> None:
        """Tell how far the search is; the listener may stop it here."""
        self.progress.report(0.05 + 0.9 * min(1.0, self._done / self._total), text)

    def _rounds(self, near: Sequence[Candidate]) -> Iterator[list[Candidate]]:
        """The next count of every accelerator that has not enough machines that work."""
        ladder: dict[str, list[Candidate]] = defaultdict(list)
        for candidate in near:
            ladder[candidate.accelerator.id].append(candidate)
        for steps in ladder.values():
            steps.sort(key=lambda c: (c.nodes, c.per_node))
        while ladder:
            heads = [steps.pop(0) for steps in ladder.values()]
            yield from portions(heads)
            ladder = {k: s for k, s in ladder.items() if s and not self._enough(k, s[0])}

    def _enough(self, accelerator: str, following: Candidate) -> bool:
        found = [o for o in (*self.tally.options, *self.tally.over_budget) if o.accelerator.id == accelerator]
        if following.nodes > 1:
            hurried = self.request.weights is not None and self.request.weights.time > 0
            return len(found) >= (ENOUGH_SINGLE if hurried else ENOUGH_CLUSTER)
        return len(found) >= ENOUGH_SINGLE

    def _beyond(self, far: Sequence[Candidate], floors: dict[str, Decimal]) -> None:
        """Dearer candidates by the least they can cost, until none can be cheaper than one that works."""
        self._total = max(self._total, self._done + len(far))
        for part in portions(far):
            least = min((price(o) for o in self.tally.over_budget), default=None)
            if (
                least is not None
                and floors[part[0].key] >= least
                and not self.request.constraints.accelerators
            ):
                return
            self._try(part)

    def _note_dear(self, far: Sequence[Candidate], floors: dict[str, Decimal]) -> None:
        """One line for each accelerator whose smallest count is over the budget already."""
        budget = self._budget()
        told = {r.accelerator for r in self.tally.rejected if r.code != "memory_close"}
        told |= {o.accelerator.id for o in self.tally.over_budget}
        told |= {o.accelerator.id for o in self.tally.options}
        for candidate in far:
            if budget is None or candidate.accelerator.id in told:
                continue
            told.add(candidate.accelerator.id)
            text = N_("{count}× {card} cost {price} without the machine, the budget is {budget}")
            if candidate.accelerator.complete_machine or not self._bought_singly(candidate):
                text = N_("{count}× {card} cost {price} at least, the budget is {budget}")
            if self.request.budget is not None and self.request.budget.kind is BudgetKind.PER_MONTH:
                text = N_(
                    "{count}× {card} cost {price} at least; the budget a month, resale counted, "
                    "pays for no more than {budget} in all"
                )
            self._too_dear(candidate.accelerator, candidate.count, floors[candidate.key], budget, text)
        for option in self.tally.over_budget:
            self._option_too_dear(option)

    def _option_too_dear(self, option: Option) -> None:
        budget = self.request.budget
        if budget is None:
            return
        money = self.shelf.pricer.convert(budget.money)
        monthly = None if option.tco is None else option.tco.per_month
        if budget.kind is BudgetKind.PER_MONTH and monthly is not None:
            text = N_("{name} costs {price} a month over the years, the budget is {budget} a month")
            self._too_dear(option.accelerator, name_of(option), monthly.amount, money.amount, text)
        else:
            text = N_("{name} costs {price}, the budget is {budget}")
            self._too_dear(option.accelerator, name_of(option), price(option), money.amount, text)

    def _try(self, part: Sequence[Candidate]) -> None:
        text = Message(N_("trying {name}"), {"name": part[0].accelerator.name})
        self._look(text)
        self._done += len(part)
        part = [c for c in part if self._fast_enough(c) and (self.answers.in_host or self._states_fit(c))]
        if not part:
            return
        requests = [estimate_request(self.demand, c, self.coefficients) for c in part]
        machines: list[tuple[Candidate, EstimateRequest, Build]] = []
        for candidate, request, answer in zip(part, *self.answers.estimated(requests, text), strict=True):
            self.tally.strategies += 1
            if not self._fits(candidate, answer) or isinstance(answer, UserError):
                continue
            if not self._on_time(candidate, answer):
                continue
            need = need_of(
                self.demand, candidate, request.hardware, answer, self.coefficients, self._circuit_w
            )
            self._look(text)
            build = compose(need, self.shelf)
            if isinstance(build, NoBuild):
                self.tally.reject(
                    candidate.accelerator,
                    build.rule,
                    build.message,
                    build.measured,
                    build.required,
                    build.unit,
                )
                continue
            machines.append((candidate, request, build))
        if machines:
            self._look(text)
            self._judge(machines, text)

    def _states_fit(self, candidate: Candidate) -> bool:
        return states_fit(candidate.accelerator, candidate.count, self.demand, self.tally)

    def _fast_enough(self, candidate: Candidate) -> bool:
        known = self._card_seconds.get(candidate.accelerator.id, ())
        scaling = self.coefficients.value("selection", "best_scaling")
        return fast_enough(candidate.accelerator, candidate.count, self.demand, known, scaling, self.tally)

    def _judge(self, machines: Sequence[tuple[Candidate, EstimateRequest, Build]], text: Message) -> None:
        """Estimate again on the slots of the real machine and check every rule."""
        wish = self.demand.request.constraints
        open_ = (replace(request, parallelism=None) for _, request, _ in machines)
        requests, _ = self.answers.laid_out(
            [on_machine(r, m[2], wish, self.coefficients) for r, m in zip(open_, machines, strict=True)]
        )  # slots of the machine may ask for another layout than those of the card
        answers = self.answers.of(requests, advice=True)
        for (candidate, _, build), request, answer in zip(machines, requests, answers, strict=True):
            if isinstance(answer, UserError) or not self._fits(candidate, answer):
                continue
            if not self._on_time(candidate, answer):
                continue
            self._look(text)
            host = answer.memory.host_bytes if answer.memory is not None else None
            held = None if host is None else host.value
            check = check_build(build, self._place, self.catalogue, self.shelf.pricer, held)
            check = with_unstated(check, self.shelf.owned, build)
            if check.verdict is Status.PROBLEM:
                worst = next(f for f in check.findings if f.status is Status.PROBLEM)
                self.tally.reject(
                    candidate.accelerator,
                    worst.rule,
                    worst.message,
                    worst.measured,
                    worst.required,
                    worst.unit,
                )
                continue
            option = buy_option(self.demand, candidate, request, answer, build, check, self.costing)
            (self.tally.options if option.within_budget else self.tally.over_budget).append(option)

    def _fits(self, candidate: Candidate, answer: Estimate | UserError) -> bool:
        return fits(candidate.accelerator, candidate.count, answer, self.tally)

    def _on_time(self, candidate: Candidate, estimate: Estimate) -> bool:
        if on_time(candidate.accelerator, candidate.count, estimate, self.demand, self.tally):
            return True
        seconds, limit = time_of(estimate, self.request.kind), self.demand.target.deadline_s
        if seconds is not None and limit is not None and seconds > limit:
            self._card_seconds[candidate.accelerator.id].append(seconds * candidate.count)
        return False

    def _floor(self, candidate: Candidate) -> Decimal | None:
        """The least the candidate can cost: its cards, or the systems that contain them; None: no price at all."""
        card = candidate.accelerator
        found = self.shelf.pricer.price(PartKind.ACCELERATOR, card)
        if found is not None and found.imported and not self.request.constraints.accelerators:
            found = None
        bought = candidate.count - self.shelf.owned_count(PartKind.ACCELERATOR, card.id)
        cards = None if found is None else found.middle().amount * max(0, bought)
        if bought <= 0:
            return Decimal(0)
        if card.form_factor in (FormFactor.PCIE, FormFactor.BOX, FormFactor.SOC) or card.complete_machine:
            if cards is None:
                self._no_price(card)
            return cards
        systems = []
        for server in self.shelf.servers:
            item = server.item
            if item.accelerator_form is not card.form_factor or (
                item.accelerators and card.id not in item.accelerators
            ):
                continue
            if item.includes_accelerators:
                systems.append(server.cost * candidate.nodes)
            elif cards is not None:
                systems.append(server.cost * candidate.nodes + cards)
        if not systems:
            text = N_("no priced server in the catalogue takes {card}")
            self.tally.reject(card, "no_system", Message(text, {"card": card.name}))
            return None
        return min(systems)

    @staticmethod
    def _bought_singly(candidate: Candidate) -> bool:
        return candidate.accelerator.form_factor is FormFactor.PCIE

    def _no_price(self, card: Accelerator) -> None:
        offers = self.catalogue.offers(PartKind.ACCELERATOR, card.id)
        self.tally.reject(card, "no_price", why_unpriced(offers, card, self.shelf.pricer.buyer))

    def _budget(self) -> Decimal | None:
        """The most a machine may cost to buy; of a sum a month what no machine could stay below for longer."""
        budget = self.request.budget
        if budget is None:
            return None
        amount = self.shelf.pricer.convert(budget.money).amount
        if budget.kind is BudgetKind.PURCHASE:
            return amount
        wishes = self.costing.wishes
        years = self.coefficients.value("pricing", "years") if wishes.years is None else wishes.years
        rate = float(self.shelf.pricer.buyer.tax_rate) if wishes.invoice is Invoice.SPECIAL else 0.0
        kept = 1 / (1 + rate) - most_recovered(self.coefficients, years, wishes.resale_share)
        return amount * Decimal(str(years * 12)) / Decimal(str(kept)) if kept > 0 else None

    def _too_dear(self, card: Accelerator, what: object, amount: Decimal, budget: Decimal, text: str) -> None:
        currency = self.shelf.pricer.buyer.currency
        values = {
            "price": Money(amount, currency).rounded(), "budget": Money(budget, currency).rounded(),
            "name": what, "count": what, "card": card.name,
        }  # fmt: skip
        self.tally.reject(
            card, "over_budget", Message(text, values), float(amount), float(budget), currency.value
        )
