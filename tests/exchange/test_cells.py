"""A cell of a table is a figure that a part can have, or a refusal in words that a person can act on."""

from __future__ import annotations

import pytest

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.exchange.item_cells import to_raw
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
