"""Cards as logs, shops and tables spell them.

`NameIndex` finds what a row calls itself. This is the second look: makers' names, order of words and the memory size
do not tell cards apart; a word that no row has ("Laptop", "vGPU") does.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.vocabulary import FormFactor

SIZE_LIKENESS = 0.05
"""How far a size in a name may be from the row's: 192 GB are sold as what the driver shows as 186."""
_TOKEN = re.compile(r"[^\W_]+")
_SERIES = re.compile(r"(rtx|gtx|rx|gaudi|flex|max|ascend|tesla|titan|arc)(\d.*)")
_LED_BY_NUMBER = re.compile(r"(\d+)([a-z]+)")
_SIZE_UNITS = frozenset({"g", "gb", "gib"})
_SAYS_NOTHING = frozenset(
    {
        "nvidia", "geforce", "amd", "radeon", "instinct", "intel", "habana", "apple", "huawei", "ascend", "昇腾",
        "tesla", "rtx", "gtx", "rx", "arc", "hgx", "dgx", "hopper", "ampere", "blackwell", "tensor", "core",
        "gpu", "graphics", "card", "accelerator", "generation", "edition", "series", "data", "center", "datacenter",
        "hbm2", "hbm2e", "hbm3", "hbm3e", "gddr5", "gddr6", "gddr6x", "gddr7",
    }
)  # fmt: skip
_FORMS = {
    "sxm": FormFactor.SXM, "sxm2": FormFactor.SXM, "sxm3": FormFactor.SXM, "sxm4": FormFactor.SXM,
    "sxm5": FormFactor.SXM, "sxm6": FormFactor.SXM, "pcie": FormFactor.PCIE, "oam": FormFactor.OAM,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CardWords:
    """What a card's name says.

    Attributes:
        words: what tells cards apart.
        size_gb: the memory named, None where none is.
        form: the form named, None where none is.
    """

    words: frozenset[str]
    size_gb: float | None = None
    form: FormFactor | None = None


def card_words(name: str) -> CardWords:
    """The words of a card's name without maker, series and order."""
    words: set[str] = set()
    size: float | None = None
    form: FormFactor | None = None
    tokens = [
        part
        for token in _TOKEN.findall(unicodedata.normalize("NFKC", name).casefold())
        for part in _parts(token)
    ]
    for at, token in enumerate(tokens):
        number = tokens[at - 1] if at else ""
        if token in _SIZE_UNITS and number.isdecimal():
            size = float(number)
            words.discard(number)
        elif token in _FORMS:
            form = _FORMS[token]
        elif token == "s" and number.isdecimal():
            words.add("super")
        elif token not in _SAYS_NOTHING:
            words.add(token)
    return CardWords(frozenset(words), size, form)


class CardSpellings:
    """Cards by the words of their ids, names and aliases."""

    def __init__(self, cards: Iterable[Accelerator]) -> None:
        self._cards: dict[frozenset[str], dict[str, Accelerator]] = defaultdict(dict)
        self._plain: dict[CardWords, str | None] = {}
        for card in cards:
            for name in (card.name, *card.aliases):
                said = card_words(name)
                self._cards[said.words][card.id] = card
                if self._plain.setdefault(said, card.id) != card.id:
                    self._plain[said] = None

    def find(self, name: str) -> str | None:
        """The id of the one card that `name` can mean; None where it is none, or more than one."""
        said = card_words(name)
        if said.size_gb is None and said.words not in self._cards:
            said = _number_as_size(said)
        if not said.words:
            return None
        meant = [card for card in self._cards.get(said.words, {}).values() if _agrees(card, said)]
        if len(meant) == 1:
            return meant[0].id
        ids = {card.id for card in meant}
        looser = (said, replace(said, size_gb=None), replace(said, form=None), CardWords(said.words))
        return next((found for words in looser if (found := self._plain.get(words)) in ids), None)


def _number_as_size(said: CardWords) -> CardWords:
    """`H20 141`: a number that no card has in its name is its memory, where it is the only one."""
    numbers = [word for word in said.words if word.isdecimal()]
    if len(numbers) != 1:
        return said
    return replace(said, words=said.words - {numbers[0]}, size_gb=float(numbers[0]))


def _agrees(card: Accelerator, said: CardWords) -> bool:
    if said.form is not None and card.form_factor is not said.form:
        return False
    if said.size_gb is None:
        return True
    return card.memory_gb is not None and abs(card.memory_gb - said.size_gb) <= SIZE_LIKENESS * said.size_gb


def _parts(token: str) -> Iterator[str]:
    """`rtx4090d` is `rtx`, `4090`, `d`; `h100` and `a6000` are one word."""
    if series := _SERIES.fullmatch(token):
        yield series[1]
        yield from _parts(series[2])
    elif led := _LED_BY_NUMBER.fullmatch(token):
        yield from led.groups()
    else:
        yield token
