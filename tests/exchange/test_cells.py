"""A cell of a table is a figure that a part can have, or a refusal in words that a person can act on."""

from __future__ import annotations

import pytest

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.exchange.item_cells import to_raw
from gpuconfig.exchange.parts_table import own_candidates, plan_items
from gpuconfig.exchange.sheet import Sheet
from gpuconfig.i18n import Language, load, render


@pytest.mark.parametrize(
    ("kind", "name", "text"),
    [
        (Kind.DRIVE, "capacity_bytes", "-5"),
        (Kind.DRIVE, "capacity_bytes", "NaN"),
        (Kind.DRIVE, "capacity_bytes", "2.5"),
        (Kind.DRIVE, "capacity_bytes", "2 parsec"),
        (Kind.DRIVE, "tdp_w", "-1"),
        (Kind.DRIVE, "tdp_w", "inf"),
        (Kind.DRIVE, "tdp_w", "nan"),
        (Kind.DRIVE, "nvme", "perhaps"),
        (Kind.ACCELERATOR, "form_factor", "square"),
        (Kind.ACCELERATOR, "power_connectors", "a plug or two"),
        (Kind.MOTHERBOARD, "slots", "the long one"),
    ],
)
def test_what_no_part_has_is_refused_in_the_readers_words(kind: Kind, name: str, text: str) -> None:
    with pytest.raises(InputError) as refused:
        to_raw(kind, {name: text})
    assert (refused.value.field, refused.value.value) == (name, text)
    chinese = render(refused.value.reason, load(Language.ZH))
    assert chinese != render(refused.value.reason, load(Language.EN))
    assert "<class" not in chinese


def test_a_row_without_what_every_item_has_names_the_columns() -> None:
    sheet = Sheet("cards", (("id", "name", "form_factor"), ("x", "ABC card", "sxm")))
    rows = own_candidates(sheet, Kind.ACCELERATOR)
    plan = plan_items("", "cards.csv", Kind.ACCELERATOR, rows, ())
    text = render(plan.rows[0].reasons[0], load(Language.ZH))
    assert "vendor, family, software" in text.replace("、", ", ")
    assert "__init__" not in text
