"""Every price can be opened: total, cost of ownership, part."""

from __future__ import annotations

import pytest

from gpuconfig.engine.provenance.explanation import Mark
from gpuconfig.engine.selection.price_explanation import explain_price
from tests.selection.requests import answer_of


@pytest.mark.parametrize("row", ["lora_8b", "full_7b", "serve_70b"])
def test_total_is_the_sum_of_its_parts(row: str) -> None:
    """The tree's lines add up to the option's planning price; each names source and date."""
    option = answer_of(row).options[0]
    tree = explain_price(option, "total")
    assert tree.value == pytest.approx(float(option.price.total.middle().amount), abs=0.02)
    assert sum(float(i.value or 0) for i in tree.inputs) == pytest.approx(float(tree.value or 0), abs=0.05)
    for line in tree.inputs:
        assert line.evidence is not None
        assert line.evidence.source or line.evidence.note or line.mark is Mark.ASSUMED


def test_cost_of_ownership_opens_into_its_parts() -> None:
    """Purchase, running cost, interest, lease and resale with their signs; the running cost into its own."""
    option = answer_of("lora_8b").options[0]
    tree = explain_price(option, "tco")
    parts = {i.name: float(i.value or 0) for i in tree.inputs}
    signs = {"recovered_tax": -1, "resale": -1}
    assert sum(signs.get(name, 1) * value for name, value in parts.items()) == pytest.approx(
        float(tree.value or 0)
    )
    running = next(i for i in tree.inputs if i.name == "running_cost")
    assert {i.name for i in running.inputs} >= {"electricity", "cooling", "maintenance", "staff"}
    assert sum(float(i.value or 0) for i in running.inputs) == pytest.approx(parts["running_cost"])


def test_one_part_and_no_part() -> None:
    """A part by its id; a name nobody has is an error."""
    option = answer_of("lora_8b").options[0]
    assert option.build is not None
    line = option.build.lines[0]
    assert explain_price(option, line.item.id).title == line.item.name
    with pytest.raises(KeyError):
        explain_price(option, "nothing")
