"""Names of parts for a Chinese reader: brand and model as sold, generic words in Chinese."""

from __future__ import annotations

import re

import pytest

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import Message
from gpuconfig.i18n import Language, load, render
from gpuconfig.i18n.part_names import GENERIC
from tests.bundled_catalogue import bundled_catalogue

ZH = load(Language.ZH)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("RTX 4090 48GB (modified, China)", "RTX 4090 48GB（国内改装）"),
        ("HGX A100 80GB 8-GPU server, used (6U)", "HGX A100 80GB 8 卡服务器，二手 (6U)"),
        ("Lenovo ThinkStation P620 board", "Lenovo ThinkStation P620 主板"),
        ("ASRock Rack ROMED8-2T", "ASRock Rack ROMED8-2T"),
        ("RTX PRO 6000 Blackwell Max-Q", "RTX PRO 6000 Blackwell Max-Q"),
        ("NVLink bridge (cut)", "NVLink 桥（缩减）"),
        ("Cooler Master Hyper 212 Black Edition", "Cooler Master Hyper 212 黑色版"),
    ],
)
def test_generic_words_alone_are_translated(name: str, shown: str) -> None:
    assert ZH.part(name) == shown
    assert load(Language.EN).part(name) == name


def test_a_name_in_a_sentence_reads_as_it_does_alone() -> None:
    assert (
        render(Message("{card}", {"card": "2× RTX 3080 20GB (modified)"}), ZH) == "2× RTX 3080 20GB（改装）"
    )


def test_every_phrase_is_in_a_name_of_the_catalogue() -> None:
    kinds = [kind for kind in Kind if kind not in (Kind.MODEL, Kind.ACCELERATOR)]
    names = [item.name for kind in kinds for item in bundled_catalogue().parts(kind)]
    names += [card.name for card in bundled_catalogue().accelerators()]
    names += [card.link.name for card in bundled_catalogue().accelerators() if card.link is not None]
    assert [phrase for phrase in GENERIC if not any(phrase in name for name in names)] == []


@pytest.mark.parametrize(
    "kind", [Kind.SERVER, Kind.CHASSIS, Kind.MEMORY, Kind.RISER, Kind.BRIDGE, Kind.DRIVE]
)
def test_no_generic_word_is_left_in_english(kind: Kind) -> None:
    words = re.compile(r"\b(server|workstation|tower|board|bridge|cable|adapter|used|maker|Black|Case)\b")
    left = [
        ZH.part(item.name) for item in bundled_catalogue().parts(kind) if words.search(ZH.part(item.name))
    ]
    assert left == []


def test_what_an_error_quotes_stays_as_written() -> None:
    accepted = Message("one of {names}", {"names": "cable, bridge"})
    error = InputError("unknown_value", "bridge", "riser cable", Message("not a known value"), accepted)
    said = render(error.message, ZH)
    for words in ("bridge：", "'riser cable'", "cable, bridge"):
        assert words in said
