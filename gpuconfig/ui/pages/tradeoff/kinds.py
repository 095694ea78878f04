"""The charts of the page, and what makes each."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.recommendation import Option, Recommendation
from gpuconfig.i18n import Translator
from gpuconfig.presentation.charts.model import AnyChart
from gpuconfig.presentation.option_view import all_options
from gpuconfig.presentation.services import Services


@dataclass(frozen=True, slots=True)
class ChartKind:
    """One chart.

    Attributes:
        missing: said where it cannot be drawn.
        is_long: worked out off the main thread.
    """

    key: str
    title: str
    missing: str = ""
    is_long: bool = False


KINDS = (
    ChartKind("front", N_("Two measures")),
    ChartKind("parallel", N_("All measures"), N_("At least two options are needed for this chart.")),
    ChartKind("memory", N_("Card memory"), N_("No estimate of an option tells what fills the memory.")),
    ChartKind(
        "roofline",
        N_("Roofline"),
        N_("For this kind of work no roofline is known: it is drawn for training and serving of models."),
        is_long=True,
    ),
    ChartKind(
        "scaling", N_("More cards"), N_("The speed over the number of cards is not known here."), is_long=True
    ),
    ChartKind(
        "throughput",
        N_("Batch and users"),
        N_("The speed over batch or users is not known here."),
        is_long=True,
    ),
    ChartKind(
        "years",
        N_("Cost over the years"),
        N_("The cost of this option is not known month by month."),
        is_long=True,
    ),
    ChartKind(
        "prices",
        N_("Price history"),
        N_("Fewer than two dated prices of this card are recorded."),
        is_long=True,
    ),
)


def make_chart(
    key: str, answer: Recommendation, option: Option, services: Services, t: Translator
) -> AnyChart | None:
    """The data of one chart; None where it cannot be drawn. Each imports what it needs when it is first shown."""
    if key == "parallel":
        from gpuconfig.presentation.charts.parallel import parallel

        return parallel(answer, t)
    if key == "memory":
        from gpuconfig.presentation.charts.memory import memory_bars

        rest = [o for o in all_options(answer) if o is not option]
        return memory_bars([option, *rest], t)
    if key == "roofline":
        from gpuconfig.presentation.charts.roofline import roofline

        return roofline(option, services, t)
    if key in ("scaling", "throughput"):
        from gpuconfig.presentation.charts import scaling

        return (
            scaling.scaling(option, services, t)
            if key == "scaling"
            else scaling.throughput(option, services, t)
        )
    if key == "years":
        from gpuconfig.presentation.charts.years import cost_years

        return cost_years(option, services, t)
    from gpuconfig.presentation.charts.prices import price_history

    return price_history(option.accelerator, option.price.total.low.currency, services, t)
