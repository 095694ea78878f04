"""What the person changed about composed machines: other parts, a power cap; priced, estimated and checked anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from gpuconfig.engine.builds.build import BomLine, Build
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.check import check_build, environment_of
from gpuconfig.engine.estimation.answer import Estimate
from gpuconfig.engine.estimation.estimator import Estimator
from gpuconfig.engine.pricing.planning import Pricer
from gpuconfig.engine.pricing.totals import priced_line
from gpuconfig.engine.selection.candidates import Candidate
from gpuconfig.engine.selection.demand import demand_of, on_machine
from gpuconfig.engine.selection.options import Costing, buy_option
from gpuconfig.engine.selection.recommend import buyer_of
from gpuconfig.engine.selection.recommendation import Option, Recommendation
from gpuconfig.engine.selection.request import RecommendRequest

CAP = "power_limit_w"
"""What a change names besides the kinds of parts."""
SEPARATOR = "/"
PIECES = "*"


def option_name_of(option: Option) -> str:
    """The name of an option in a project: accelerator x cards x machines."""
    return Candidate(option.accelerator, option.count // max(1, option.nodes), option.nodes).key


def change_key(option: Option, what: str) -> str:
    """Under which a project keeps one change of an option."""
    return f"{option_name_of(option)}{SEPARATOR}{what}"


def change_value(item: str, pieces: int) -> str:
    """A part and how many of it."""
    return f"{item}{PIECES}{pieces}"


def exchanged(
    answer: Recommendation,
    request: RecommendRequest,
    changes: Mapping[str, str],
    catalogue: Catalogue,
    estimator: Estimator,
) -> Recommendation:
    """`answer` with the machines as the person changed them; changes of parts that are gone are left out.

    Args:
        changes: `accelerator x cards x machines/kind` to `part*pieces`, or `.../power_limit_w` to watts.
    """
    bench = _Bench(request, catalogue, estimator)
    new: dict[str, Option] = {}
    for option in (*answer.options, *answer.considered):
        name = option_name_of(option)
        mine = {key.rpartition(SEPARATOR)[2]: value for key, value in changes.items()
                if key.rpartition(SEPARATOR)[0] == name}  # fmt: skip
        if mine and option.build is not None and name not in new:
            new[name] = bench.changed(option, option.build, mine)
    if not new:
        return answer

    def shown(options: tuple[Option, ...]) -> tuple[Option, ...]:
        return tuple(_ranked_as(new.get(option_name_of(option)), option) for option in options)

    return replace(answer, options=shown(answer.options), considered=shown(answer.considered))


def _ranked_as(new: Option | None, old: Option) -> Option:
    if new is None or old.build is None:
        return old
    return replace(
        new,
        rank=old.rank,
        why=old.why,
        loses_because=old.loses_because,
        flips_if=old.flips_if,
        pareto=old.pareto,
    )


class _Bench:
    """Prices, checks and estimates of one request."""

    def __init__(self, request: RecommendRequest, catalogue: Catalogue, estimator: Estimator) -> None:
        self._catalogue = catalogue
        self._estimator = estimator
        numbers = estimator.coefficients
        self._demand = demand_of(request, numbers)
        self._pricer = Pricer(catalogue, buyer_of(request, numbers))
        self._costing = Costing(
            catalogue, self._pricer, numbers, request.constraints.region, wishes=request.cost
        )
        self._place = environment_of(request.constraints)

    def changed(self, option: Option, build: Build, changes: Mapping[str, str]) -> Option:
        """One option with another machine."""
        build = replace(build, lines=tuple(self._lines(build, changes)))
        request = on_machine(
            option.estimate_request,
            build,
            self._demand.request.constraints,
            self._estimator.coefficients,
        )
        answer = self._estimator.estimate([request])[0]
        estimate = answer if isinstance(answer, Estimate) else option.estimate
        host = None if estimate.memory is None else estimate.memory.host_bytes
        held = None if host is None else host.value
        check = check_build(build, self._place, self._catalogue, self._pricer, held)
        candidate = Candidate(option.accelerator, option.count // max(1, option.nodes), option.nodes)
        return buy_option(self._demand, candidate, request, estimate, build, check, self._costing)

    def _lines(self, build: Build, changes: Mapping[str, str]) -> Iterator[BomLine]:
        """The bill with each changed part in place of the first of its kind."""
        done: set[Kind] = set()
        cap = _watts(changes.get(CAP))
        for line in build.lines:
            if line.kind is Kind.ACCELERATOR:
                yield line if cap is None else replace(line, power_limit_w=cap)
                continue
            wanted = changes.get(line.kind.value)
            item_id, _, pieces = (wanted or "").partition(PIECES)
            item = self._catalogue.find(line.kind, item_id) if item_id else None
            if item is None or line.kind in done:
                yield line
                continue
            done.add(line.kind)
            count = int(pieces) if pieces.isdigit() and int(pieces) else line.quantity
            yield priced_line(BomLine(kind=line.kind, item=item, quantity=count), self._pricer)


def _watts(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 1 <= value <= 100_000 else None
