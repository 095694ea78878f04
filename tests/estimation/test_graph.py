"""The quantity graph: checks when built, evaluates arrays, redoes only what changed, explains."""

import numpy as np
import pytest

from gpuconfig.engine.estimation.graph import Graph, GraphError, Input, InputTable, quantity
from gpuconfig.engine.provenance.explanation import Explanation, Mark

INPUTS = (Input("parameters", "Parameters", "parameter"), Input("bytes_per_weight", "Bytes per weight", "B"))
calls: list[str] = []


@quantity(unit="B", source="https://arxiv.org/abs/1910.02054")
def weight_bytes(parameters, bytes_per_weight):
    """Weights held by one GPU."""
    calls.append("weight_bytes")
    return parameters * bytes_per_weight


@quantity(unit="B")
def gradient_bytes(parameters):
    """Gradients of every parameter."""
    return 2 * parameters


@quantity(unit="B")
def state_bytes(weight_bytes, gradient_bytes):
    """Weights and gradients together."""
    calls.append("state_bytes")
    return weight_bytes + gradient_bytes


@pytest.fixture
def graph() -> Graph:
    calls.clear()
    return Graph([weight_bytes, gradient_bytes, state_bytes], INPUTS)


def test_scalars_and_arrays_use_the_same_formula(graph: Graph) -> None:
    one = graph.evaluate({"parameters": 7e9, "bytes_per_weight": 2.0}, ["state_bytes"])["state_bytes"]
    many = graph.evaluate(
        {"parameters": np.array([7e9, 13e9]), "bytes_per_weight": np.array([2.0])}, ["state_bytes"]
    )["state_bytes"]
    assert one == 28e9
    assert many.tolist() == [28e9, 52e9]


def test_only_what_is_needed_is_evaluated(graph: Graph) -> None:
    graph.evaluate({"parameters": 1.0, "bytes_per_weight": 2.0}, ["weight_bytes"])
    assert calls == ["weight_bytes"]


def test_an_update_redoes_only_what_depends_on_the_change(graph: Graph) -> None:
    values = graph.evaluate({"parameters": 1.0, "bytes_per_weight": 2.0}, ["state_bytes"])
    calls.clear()
    again = graph.update(values, {"bytes_per_weight": 4.0})
    assert again["state_bytes"] == 6.0
    assert calls == ["weight_bytes", "state_bytes"]
    assert values["state_bytes"] == 4.0


def test_an_explanation_fills_in_values_formula_and_source(graph: Graph) -> None:
    values = graph.evaluate({"parameters": 7e9, "bytes_per_weight": 2.0}, ["state_bytes"])
    tree = graph.explain("state_bytes", values)
    assert tree.formula.splitlines()[-1] == "weight_bytes + gradient_bytes"
    weights = tree.inputs[0]
    assert isinstance(weights, Explanation)
    assert (weights.value, weights.unit, weights.mark) == (14e9, "B", Mark.CALCULATED)
    assert weights.source == "https://arxiv.org/abs/1910.02054"
    assert [i.name for i in weights.inputs] == ["parameters", "bytes_per_weight"]
    assert weights.inputs[0].mark is Mark.GIVEN


def test_unknown_stays_unknown(graph: Graph) -> None:
    values = graph.evaluate({"parameters": np.array([np.nan]), "bytes_per_weight": 2.0}, ["state_bytes"])
    assert graph.explain("state_bytes", values).value is None


def test_a_cycle_is_refused() -> None:
    @quantity(unit="B")
    def first(second):
        """First of two that need each other."""
        return second

    @quantity(unit="B")
    def second(first):
        """Second of two that need each other."""
        return first

    with pytest.raises(GraphError, match="cycle"):
        Graph([first, second], ())


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(GraphError, match="bytes_per_weight"):
        Graph([weight_bytes], (INPUTS[0],))


def test_a_quantity_needs_a_known_unit_and_a_docstring() -> None:
    with pytest.raises(GraphError, match="furlong"):
        quantity(unit="furlong")
    with pytest.raises(GraphError, match="docstring"):
        quantity(unit="B")(lambda parameters: parameters)


def test_a_table_knows_its_rows() -> None:
    table = InputTable({"parameters": np.array([1.0]), "bytes_per_weight": np.array([2.0, 4.0])})
    assert table.rows == 2
    assert table.replaced(parameters=np.arange(2.0)).columns["parameters"].tolist() == [0.0, 1.0]
    stacked = InputTable.stacked([InputTable({"parameters": 1.0}), InputTable({"parameters": 3.0})])
    assert stacked.columns["parameters"].tolist() == [1.0, 3.0]
