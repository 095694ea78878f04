"""Work that is one row of a graph's columns (a picture, a clip, a batch of images): from requests to answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gpuconfig.engine.estimation.answer import Assumption, Estimate, PowerAnswer, Verdict
from gpuconfig.engine.estimation.coefficients import CoefficientSet, scoped_evidence
from gpuconfig.engine.estimation.graph import Graph, Input, InputTable
from gpuconfig.engine.estimation.power.host import GROUP as POWER
from gpuconfig.engine.estimation.power.host import WALL_BAND
from gpuconfig.engine.provenance.errors import InputError, UserError
from gpuconfig.engine.provenance.evidence import EvidenceKind
from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.request import EstimateRequest

NAN = float("nan")

Named = tuple[str, str, str, tuple[str, ...]]
"""Name, title, unit and scopes, the most special first, of a coefficient."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One request, resolved to columns and scopes.

    Attributes:
        notes: the coefficients' inputs with their evidence, for `explain`.
    """

    columns: dict[str, float]
    scopes: dict[str, str]
    assumptions: tuple[Assumption, ...]
    notes: dict[str, Input]


MakeRow = Callable[[EstimateRequest, CoefficientSet], Row]
Answer = Callable[[EstimateRequest, Row, Mapping[str, float], CoefficientSet], Estimate]


def coefficient_columns(
    group: str, named: Sequence[Named], scopes: Mapping[str, str], coefficients: CoefficientSet
) -> tuple[dict[str, float], dict[str, Input]]:
    """A column and its evidence for each coefficient of a group, at the scopes of one request."""
    columns: dict[str, float] = {}
    notes: dict[str, Input] = {}
    for name, title, unit, templates in named:
        found = coefficients.row(group, name, *(t.format_map(scopes) for t in templates))
        columns[name] = NAN if found.value is None else found.value
        mark = Mark.ASSUMED if found.evidence.kind is EvidenceKind.ASSUMED else Mark.MEASURED
        notes[name] = Input(name, title, unit, mark, scoped_evidence(found))
    return columns, notes


def estimate_rows(
    requests: Sequence[EstimateRequest],
    coefficients: CoefficientSet,
    make: MakeRow,
    graph: Graph,
    names: Sequence[str],
    answer: Answer,
) -> list[Estimate | UserError]:
    """Answers in the order of `requests`, evaluated together; one that cannot be accepted becomes its error.

    Args:
        make: the row of a request; raises UserError.
        names: quantities of the graph that `answer` reads.
    """
    answers: dict[int, Estimate | UserError] = {}
    rows: dict[int, Row] = {}
    for i, request in enumerate(requests):
        try:
            rows[i] = make(request, coefficients)
        except UserError as error:
            answers[i] = error
    if rows:
        table = InputTable.stacked([InputTable(row.columns) for row in rows.values()])
        values = graph.evaluate(table.columns, names)
        read = (*names, "context_bytes", "usable_memory_bytes")
        for place, (i, row) in enumerate(rows.items()):
            one = {n: float(values[n][place]) for n in read}
            answers[i] = answer(requests[i], row, one, coefficients)
    return [answers[i] for i in range(len(requests))]


def explain_row(
    request: EstimateRequest, coefficients: CoefficientSet, make: MakeRow, graph: Graph, name: str, usual: str
) -> Explanation:
    """The tree behind one quantity of one request.

    Args:
        usual: a quantity that is evaluated where `name` is an input.

    Raises:
        InputError: the request is not valid, or there is no such quantity.
    """
    if name not in graph.quantities and name not in graph.inputs:
        accepted = Message(N_("one of {names}"), {"names": ", ".join(graph.quantities)})
        raise InputError("unknown_value", "quantity", name, Message(N_("no such quantity")), accepted)
    row = make(request, coefficients)
    wanted = (name,) if name in graph.quantities else (usual,)
    values = graph.evaluate(InputTable.stacked([InputTable(row.columns)]).columns, wanted)
    return graph.explain(name, values, row.notes)


def figure(value: float, low: float, high: float, unit: str) -> Figure:
    """A value with its band as factors; NaN is unknown."""
    return Figure(None, unit=unit) if value != value else Figure(value, value * low, value * high, unit)


def power_answer(one: Mapping[str, float], group: str, coefficients: CoefficientSet) -> PowerAnswer:
    """Watts of a card by the band of its group of coefficients, and at the wall."""
    return PowerAnswer(
        gpu_w=figure(one["gpu_w"], *coefficients.band(group, "band_power"), "W"),
        wall_w=figure(one["wall_w"], *coefficients.band(POWER, WALL_BAND), "W"),
    )


def verdict(used: float, usable: float, low: float, high: float) -> Verdict:
    """Whether memory `used`, within a band of factors, fits in what is usable; NaN is unknown."""
    if used != used or usable != usable:
        return Verdict.UNKNOWN
    if used * high <= usable:
        return Verdict.FITS
    return Verdict.DOES_NOT_FIT if used * low > usable else Verdict.TOO_CLOSE
