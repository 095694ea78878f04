"""Assumptions as the result page lists them: named, in readable units, each value with its reason behind it."""

import pytest

from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.i18n import Language, load
from gpuconfig.presentation.assumption_view import assumption_table

DEADLINE = Assumption("target.deadline_s", "2592000", Message(N_("announced, not on sale")))


@pytest.mark.parametrize(
    ("language", "title", "value"), [("en", "Deadline of a run", "30"), ("zh", "完成时限", "30")]
)
def test_an_assumption_reads_as_a_person_writes_it_and_opens(language, title, value):
    table = assumption_table((DEADLINE,), load(Language(language)))
    name, taken, why = table.rows[0].cells
    assert name.text == title
    assert taken.text.startswith(value)
    assert "2592000" not in taken.text
    assert taken.reference.explanation.source == why.text != ""
    assert len({column.key for column in table.columns}) == len(table.columns)
