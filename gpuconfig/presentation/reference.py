"""What opens behind a figure: an answer's quantity, a price, or an explanation that is ready."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.explanation import Explanation, Mark, NearMeasurement

if TYPE_CHECKING:
    from gpuconfig.engine.provenance.figure import Figure
    from gpuconfig.engine.selection.recommendation import Option
    from gpuconfig.engine.workloads.request import EstimateRequest
    from gpuconfig.presentation.services import Services


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateReference:
    """A quantity of an estimate; `figure` is what the page shows of it."""

    request: EstimateRequest
    quantity: str
    title: str
    figure: Figure
    nearest: tuple[NearMeasurement, ...] = ()


@dataclass(frozen=True, slots=True)
class PriceReference:
    """An option's total (`total`), its cost of ownership (`tco`) or one part's id."""

    option: Option
    line: str
    title: str


@dataclass(frozen=True, slots=True)
class ReadyReference:
    """An explanation that needs no calculation."""

    explanation: Explanation


Reference = EstimateReference | PriceReference | ReadyReference


def title_of(reference: Reference) -> str:
    """What the figure is, an English line to translate."""
    return reference.explanation.title if isinstance(reference, ReadyReference) else reference.title


def explain(reference: Reference, services: Services) -> Explanation:
    """The tree behind a figure; may take long the first time.

    Where the engine has no tree for it, the figure itself with its band is the answer: it is never an error
    to ask.
    """
    if isinstance(reference, ReadyReference):
        return reference.explanation
    try:
        if isinstance(reference, PriceReference):
            return services.explain_price(reference.option, reference.line)
        found = services.explain(reference.request, reference.quantity)
    except (UserError, KeyError):
        return _alone(reference)
    figure = reference.figure
    return replace(
        found,
        low=found.low if found.low is not None else figure.low,
        high=found.high if found.high is not None else figure.high,
        nearest=found.nearest or reference.nearest,
    )


def _alone(reference: EstimateReference | PriceReference) -> Explanation:
    if isinstance(reference, PriceReference):
        price = reference.option.price
        total = price.total
        return Explanation(
            name=reference.line,
            title=reference.title,
            value=float(price.planned().amount),
            low=float(total.low.amount),
            high=float(total.high.amount),
            unit=total.low.currency.value,
            mark=Mark.CALCULATED,
        )
    figure = reference.figure
    return Explanation(
        name=reference.quantity,
        title=reference.title,
        value=figure.value,
        low=figure.low,
        high=figure.high,
        unit=figure.unit,
        mark=Mark.CALCULATED,
        evidence=figure.evidence,
        nearest=reference.nearest,
    )
