"""Options duplicated into a project: kept in its file, described, taken over, deleted, each a step of undo."""

import json

import pytest

from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.project.document import Project, Variant
from gpuconfig.project.files import dumps, loads
from gpuconfig.project.history import History
from gpuconfig.project.variants import AddVariant, DeleteVariant, DescribeVariant, TakeVariant

KEPT = Variant(
    name="quiet", option="a x 2 x 1", exchanges={"a x 2 x 1/cooler": "c*1"}, what_if={"card_price": "900"}
)


def test_the_file_keeps_variants():
    project = AddVariant(KEPT).apply(Project())
    assert loads(dumps(project), "p").variants == {"1": KEPT}


@pytest.mark.parametrize(
    "damaged", [{"1": 3}, {"1": {"name": 3, "option": "x"}}, {"1": {"name": "x", "what_if": {"a": 1}}}]
)
def test_a_damaged_variant_is_told(damaged):
    text = json.dumps({**json.loads(dumps(Project())), "variants": damaged})
    with pytest.raises(DataError, match="variants"):
        loads(text, "p")


def test_a_key_is_not_used_again_while_a_later_one_stands():
    history = History(Project())
    history.do(AddVariant(KEPT))
    history.do(AddVariant(KEPT))
    history.do(DeleteVariant("1", "quiet"))
    history.do(AddVariant(KEPT))
    assert list(history.project.variants) == ["2", "3"]
    history.undo()
    assert history.undo().english() == "deletion of quiet"
    assert list(history.project.variants) == ["1", "2"]


def test_typing_a_name_is_one_step_and_its_remark_another():
    history = History(AddVariant(KEPT).apply(Project()))
    for text in ("q", "qu"):
        history.do(DescribeVariant("1", name=text))
    history.do(DescribeVariant("1", note="for the office"))
    assert [title.english() for title in history.titles()] == ["name of a variant", "remark on a variant"]
    assert (history.project.variants["1"].name, history.project.variants["1"].note) == (
        "qu",
        "for the office",
    )


def test_a_variant_takes_the_place_of_its_option():
    before = Project(chosen="b x 1 x 1", exchanges={"b x 1 x 1/cooler": "d*1"})
    after = TakeVariant(KEPT, {**before.exchanges, **KEPT.exchanges}).apply(before)
    assert after.chosen == KEPT.option
    assert after.exchanges == {"b x 1 x 1/cooler": "d*1", "a x 2 x 1/cooler": "c*1"}
    assert after.what_if == {"card_price": "900"}
