"""The request of a recommendation, read from the contract's JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any, TypeVar

from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.catalogue.vocabulary import Region, Vendor
from gpuconfig.engine.compatibility.environment import DEFAULT_REGION, Noise
from gpuconfig.engine.pricing.wishes import OPEN, CostWishes, Duration
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.money import Currency, Money
from gpuconfig.engine.selection.composer.need import Aims
from gpuconfig.engine.workloads.fields import (
    NOT_AN_OBJECT,
    only_known,
    read_choice,
    read_object,
    real,
    whole,
)
from gpuconfig.engine.workloads.request import Kind, Workload, read_workload

Read = TypeVar("Read")
BUDGET_MAX = Decimal(10) ** 13


class BudgetKind(StrEnum):
    """A sum once, or a sum a month."""

    PURCHASE = "purchase"
    PER_MONTH = "per_month"


class ConditionWish(StrEnum):
    """Whether used and modified cards may be offered."""

    NEW = "new"
    USED_OK = "used_ok"


class Form(StrEnum):
    """What the machine may look like."""

    WORKSTATION = "workstation"
    SERVER = "server"
    ANY = "any"


class SoftwareWish(StrEnum):
    """Software stack the team can use."""

    CUDA = "cuda"
    ROCM = "rocm"
    ANY = "any"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What the machine must reach; None: no target."""

    deadline_s: float | None = real(None, 1, 1e10)
    tokens_per_s: float | None = real(None, 0.001)
    users: int | None = whole(None, 1, 10_000_000)
    ttft_ms: float | None = real(None, 0.001)
    tpot_ms: float | None = real(None, 0.001)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mains:
    """The circuit the machine hangs on; what is not named is that of the region's ordinary outlet."""

    volts: float | None = real(None, 90, 500)
    amps: float | None = real(None, 1, 4000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraints:
    """Limits the person sets; None or empty: free.

    Attributes:
        av1_encode: the cards must encode AV1 in hardware.
    """

    accelerators: tuple[str, ...] = ()
    gpu_count: int | None = whole(None, 1, 1_000_000)
    max_gpus: int | None = whole(None, 1, 1_000_000)
    vendors: tuple[str, ...] = ()
    condition: ConditionWish = ConditionWish.NEW
    form: Form = Form.ANY
    mains: Mains | None = None
    ambient_c: float | None = real(None, -20, 60)
    noise: Noise | None = None
    region: Region = DEFAULT_REGION
    software: SoftwareWish | None = None
    av1_encode: bool = False
    available_within_days: float | None = real(None, 0, 3650)
    reuse: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Weights over the Pareto set; each scaled 0..1."""

    cost: float = real(0.0, 0, 1000)
    time: float = real(0.0, 0, 1000)
    energy: float = real(0.0, 0, 1000)
    risk: float = real(0.0, 0, 1000)


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be spent."""

    money: Money
    tax_included: bool = True
    kind: BudgetKind = BudgetKind.PURCHASE


@dataclass(frozen=True, slots=True, kw_only=True)
class RecommendRequest:
    """From requirement to machine."""

    id: str
    model: NeuralModel
    kind: Kind
    workload: Workload
    budget: Budget | None = None
    target: Target = Target()
    constraints: Constraints = Constraints()
    weights: Weights | None = None
    build_weights: Aims | None = None
    options: int = 3
    cost: CostWishes = OPEN


RECOMMEND_FIELDS = dict.fromkeys(
    (
        "id",
        "model",
        "workload",
        "target",
        "budget",
        "constraints",
        "weights",
        "build_weights",
        "options",
        "cost",
        "organisation",
        "seller",
        "paper",
        "project",
    )
)


@dataclass(frozen=True, slots=True)
class BudgetFields:
    """The budget as it is written in a request."""

    amount: str
    currency: Currency = Currency.CNY
    tax_included: bool = True
    kind: BudgetKind = BudgetKind.PURCHASE


RECOMMEND_PARTS: tuple[tuple[str, type, Mapping[str, str]], ...] = (
    ("target.", Target, {}),
    ("budget.", BudgetFields, {}),
    ("constraints.", Constraints, {}),
    ("weights.", Weights, {}),
    ("build_weights.", Aims, {}),
    ("cost.", CostWishes, {}),
)
"""The objects of a request beside model and workload, for the table of fields."""


def read_amount(path: str, value: object) -> Decimal:
    """A budget amount above 0 from text or number; "1,5" and words are refused, never guessed.

    Raises:
        InputError: naming the field and what is accepted.
    """
    accepted = Message(
        N_("an amount above 0 and at most 10,000,000,000,000 written like 500000 or 500000.00")
    )
    text = str(value).strip().replace("\u00a0", "") if isinstance(value, str | int | float | Decimal) else ""
    if isinstance(value, bool):
        text = ""
    parts = text.split(",")
    if len(parts) > 1:
        grouped = 1 <= len(parts[0]) <= 3 and all(len(p.split(".")[0]) == 3 for p in parts[1:])
        if not grouped or (len(parts) == 2 and "." not in text and parts[0] == "0"):
            raise InputError(
                "wrong_type", path, value, Message(N_("the comma can be read in two ways")), accepted
            )
        text = "".join(parts)
    try:
        amount = Decimal(text)
    except InvalidOperation:
        raise InputError("wrong_type", path, value, Message(N_("not an amount")), accepted) from None
    if not amount.is_finite() or amount <= 0 or amount > BUDGET_MAX:
        raise InputError("out_of_range", path, value, Message(N_("outside the accepted range")), accepted)
    return amount


def read_budget(data: object, path: str = "budget") -> Budget:
    """The budget object of a request."""
    if not isinstance(data, Mapping):
        raise InputError("wrong_type", path, data, NOT_AN_OBJECT)
    only_known(data, ("amount", "currency", "tax_included", "kind"), path)
    if data.get("amount") is None:
        raise InputError("missing", f"{path}.amount", None, Message(N_("this field is required")))
    currency = str(_or(data, "currency", "CNY")).upper()
    if currency not in ("CNY", "USD", "RMB"):
        accepted = Message(N_("one of {names}"), {"names": "CNY, USD"})
        raise InputError(
            "unknown_value", f"{path}.currency", currency, Message(N_("not a known value")), accepted
        )
    included = data.get("tax_included", True)
    if not isinstance(included, bool):
        raise InputError(
            "wrong_type", f"{path}.tax_included", included, Message(N_("true or false is needed"))
        )
    kind = BudgetKind(read_choice(f"{path}.kind", _or(data, "kind", "purchase"), BudgetKind))
    unit = Currency.USD if currency == "USD" else Currency.CNY
    return Budget(Money(read_amount(f"{path}.amount", data["amount"]), unit), included, kind)


def read_recommend_request(data: object, find_model: Callable[[object], NeuralModel]) -> RecommendRequest:
    """The contract's recommend request.

    Raises:
        InputError: naming the field, the value and what is accepted.
    """
    if not isinstance(data, Mapping):
        raise InputError("wrong_type", "", data, NOT_AN_OBJECT)
    only_known(data, RECOMMEND_FIELDS)
    for key in ("model", "workload"):
        if data.get(key) is None:
            raise InputError("missing", key, None, Message(N_("this field is required")))
    _check_paper(data)
    kind, workload = read_workload(data["workload"])
    cost = read_object(CostWishes, _or(data, "cost", {}), "cost")
    if cost.need is Duration.ONE_RUN and kind is not Kind.TRAINING:
        reason, accepted = (
            Message(N_("only training has runs")),
            Message(N_("one of {names}"), {"names": "continuous"}),
        )
        raise InputError("impossible", "cost.need", cost.need.value, reason, accepted)
    return RecommendRequest(
        id=str(data.get("id", "")),
        model=find_model(data["model"]),
        kind=kind,
        workload=workload,
        budget=None if data.get("budget") is None else read_budget(data["budget"]),
        target=read_object(Target, _or(data, "target", {}), "target"),
        constraints=_constraints(_or(data, "constraints", {})),
        weights=_optional(Weights, data, "weights"),
        build_weights=_optional(Aims, data, "build_weights"),
        cost=cost,
        options=read_object(_Options, {"options": data.get("options", 3)}, "").options,
    )


def _optional(kind: type[Read], data: Mapping[object, object], name: str) -> Read | None:
    """An object that may be left out."""
    return None if data.get(name) is None else read_object(kind, data[name], name)


def _check_paper(data: Mapping[str, Any]) -> None:
    """What is read where a paper is written is refused before the search, not after it."""
    for key in ("organisation", "seller", "paper"):
        if not isinstance(_or(data, key, {}), Mapping):
            raise InputError("wrong_type", key, data[key], NOT_AN_OBJECT)
    if not isinstance(_or(data, "project", ""), str):
        raise InputError("wrong_type", "project", data["project"], Message(N_("a text is needed")))


def _or(data: Mapping[str, Any], name: str, default: object) -> Any:
    """A field, its default where it is absent or null: an empty text, 0 or false is a value, and judged as one."""
    value = data.get(name)
    return default if value is None else value


@dataclass(frozen=True, slots=True)
class _Options:
    options: int = whole(3, 1, 20)


def _constraints(data: object) -> Constraints:
    if not isinstance(data, Mapping):
        raise InputError("wrong_type", "constraints", data, NOT_AN_OBJECT)
    body = {k: v for k, v in data.items() if k not in ("reuse", "region")}
    region = str(_or(data, "region", DEFAULT_REGION.value))
    if region.upper() not in ("CN", "US", "EU"):
        accepted = Message(N_("one of {names}"), {"names": "CN, US, EU"})
        raise InputError(
            "unknown_value", "constraints.region", region, Message(N_("not a known value")), accepted
        )
    read = read_object(Constraints, body, "constraints")
    reuse = _or(data, "reuse", {})
    if not isinstance(reuse, Mapping):
        raise InputError("wrong_type", "constraints.reuse", reuse, NOT_AN_OBJECT)
    _check_counts(read)
    makers = tuple(_maker(f"constraints.vendors[{i}]", name) for i, name in enumerate(read.vendors))
    return replace(read, vendors=makers, region=Region(region.upper()), reuse=dict(reuse))


def _check_counts(read: Constraints) -> None:
    if read.gpu_count is None or read.max_gpus is None or read.gpu_count <= read.max_gpus:
        return
    reason = Message(N_("more cards than constraints.max_gpus allows"))
    accepted = Message(N_("a number from {low} to {high}"), {"low": 1, "high": read.max_gpus})
    raise InputError("impossible", "constraints.gpu_count", read.gpu_count, reason, accepted)


def _maker(path: str, name: str) -> str:
    """The maker as the catalogue spells it."""
    known = {v.value.lower(): v.value for v in Vendor}
    found = known.get(name.strip().lower())
    if found is None:
        accepted = Message(N_("one of {names}"), {"names": ", ".join(known.values())})
        raise InputError("unknown_value", path, name, Message(N_("no maker of accelerators")), accepted)
    return found
