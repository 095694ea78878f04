"""The answer of a recommendation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.compatibility.finding import CheckResult
from gpuconfig.engine.estimation.answer import Assumption, Estimate, Warning_
from gpuconfig.engine.pricing.case import CostCase
from gpuconfig.engine.pricing.ownership import CostLine
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import Message
from gpuconfig.engine.quantities.money import Money, MoneyRange
from gpuconfig.engine.workloads.request import EstimateRequest


class OptionKind(StrEnum):
    """Buy a machine, rent one, or keep what there is."""

    BUY = "buy"
    RENT = "rent"
    KEEP = "keep"


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionPrice:
    """Total of an option with the share of it that rests on assumed prices and its oldest price.

    Attributes:
        missing: parts without any price: the total is a lower bound.
        middle: the planning value where it is not the middle of `total`: of a rent the middle one of the price lists.
    """

    total: MoneyRange
    assumed_share: float
    oldest_date: str | None
    tax_included: bool
    missing: tuple[str, ...] = ()
    middle: Money | None = None

    def planned(self) -> Money:
        """The planning value of the total."""
        return self.total.middle() if self.middle is None else self.middle


@dataclass(frozen=True, slots=True, kw_only=True)
class CostOfOwnership:
    """Cost over the years: purchase, electricity and the rest, less resale.

    Attributes:
        parts: each part without its sign.
        lines: the same with their signs: they add up to the total in every column.
        middle: everything as planned; None: the middle of `total`.
        case: what every figure of cost is computed from; None where an option only names its total.
    """

    years: float
    total: MoneyRange
    electricity: MoneyRange
    resale: MoneyRange
    energy_kwh: Figure
    per_month: Money | None = None
    parts: Mapping[str, MoneyRange] = field(default_factory=dict)
    lines: tuple[CostLine, ...] = ()
    middle: Money | None = None
    case: CostCase | None = None

    def planned(self) -> Money:
        """The planning value of the total."""
        return self.total.middle() if self.middle is None else self.middle


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One way to meet the requirement.

    Attributes:
        estimate_request: the exact request behind `estimate`, for `explain` and what-if.
        risk: 0..1, stated sum; `risk_parts` names its parts. None: not known, as of a machine that is rented.
        pareto: on the Pareto front of price against time.
        meets_target: None where there is no target or it cannot be judged.
        unproven: something about it is not known to work; `check` says what. It stands behind what is proven.
        premium: share by which its cost counts dearer in the order; `premium_parts` names what of it is not known.
        leaner: settings of the work that save memory against the request or the published model, with their values.
    """

    rank: int
    kind: OptionKind
    accelerator: Accelerator
    count: int
    nodes: int
    parallelism: Mapping[str, object]
    estimate: Estimate
    estimate_request: EstimateRequest
    build: Build | None
    check: CheckResult | None
    price: OptionPrice
    tco: CostOfOwnership | None
    why: tuple[Message, ...] = ()
    loses_because: tuple[Message, ...] = ()
    flips_if: tuple[Message, ...] = ()
    risk: float | None = None
    risk_parts: Mapping[str, float] = field(default_factory=dict)
    pareto: bool = False
    within_budget: bool = True
    meets_target: bool | None = None
    unproven: bool = False
    premium: float = 0.0
    premium_parts: Mapping[str, float] = field(default_factory=dict)
    leaner: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Nothing:
    """Buying and renting nothing, with the figures that options have: it stands behind what does the work."""

    rank: int
    price: OptionPrice
    tco: CostOfOwnership
    why: tuple[Message, ...] = ()
    loses_because: tuple[Message, ...] = ()
    flips_if: tuple[Message, ...] = ()
    within_budget: bool = True
    meets_target: bool = False


@dataclass(frozen=True, slots=True)
class Rejected:
    """A candidate that fell out, with the figure: measured against required in the reason's unit."""

    accelerator: str
    name: str
    reason: Message
    code: str
    measured: float | None = None
    required: float | None = None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class SmallestBudget:
    """The cheapest machine that would work."""

    amount: Money
    option: Option


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation:
    """Ranked options first; `considered` holds every composed option for table and chart.

    Attributes:
        asked: how many options were asked for; a rental that takes no machine's place stands behind so many.
        nothing: buying nothing; None where the work already runs on what there is.
        with_used_parts: the machine that used parts would make possible where new ones alone leave nothing to buy.
    """

    id: str
    options: tuple[Option, ...]
    asked: int | None = None
    nothing: Nothing | None = None
    considered: tuple[Option, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    smallest_budget_that_works: SmallestBudget | None = None
    with_used_parts: Option | None = None
    strategies: int = 0
    seconds: float = 0.0
    assumptions: tuple[Assumption, ...] = ()
    warnings: tuple[Warning_, ...] = ()
    notes: tuple[Message, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)

    def with_option(self, old: Option, new: Option) -> Recommendation:
        """The same with `new` in the place of `old`, wherever it stands."""
        shown = tuple(new if option is old else option for option in self.options)
        considered = tuple(new if option is old else option for option in self.considered)
        return replace(self, options=shown, considered=considered)
