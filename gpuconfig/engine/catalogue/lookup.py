"""Finding an item by what a person types: id, name or alias, whatever the case, spaces and dashes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.neural_model import NeuralModel

MOST_KEPT = 1000
"""Misspelt names whose nearest ids are kept."""
_POINT = re.compile(r"(?<=\d)\.(?=\d)")
_SEPARATORS = re.compile(r"[\s\-_./,()+·]+")


def key(text: str) -> str:
    """`text` as compared: width, case, spaces and punctuation do not count ("RTX 4090" is "rtx-4090")."""
    bare = _SEPARATORS.sub("", unicodedata.normalize("NFKD", text).casefold())
    return unicodedata.normalize("NFKD", bare)  # an accent may have moved to another letter


def _exact(text: str) -> str:
    """As `key`, but the point of a number counts: 1.3B is not 13B."""
    return key(_POINT.sub("point", text))


class NameIndex:
    """Maps what people type to ids. An id wins over a name; a name of two items means neither."""

    def __init__(self, items: Iterable[CatalogueItem]) -> None:
        self._exact: dict[str, str] = {}
        self._ids: dict[str, str | None] = {}
        self._named: dict[str, set[str]] = {}
        self._names: dict[str, str | None] = {}
        self._shown: dict[str, str] = {}
        self._close: dict[tuple[str, int], tuple[str, ...]] = {}
        for item in items:
            self._exact[_exact(item.id)] = item.id
            self._ids[key(item.id)] = None if key(item.id) in self._ids else item.id
            self._shown.setdefault(item.id, item.name)
            for name in _names(item):
                self._named.setdefault(_exact(name), set()).add(item.id)
                known = self._names.setdefault(key(name), item.id)
                if known != item.id:
                    self._names[key(name)] = None

    def find(self, ref: str) -> str | None:
        """The id that `ref` means, None where nothing or more than one item matches."""
        if found := self._exact.get(_exact(ref)):
            return found
        named = self._named.get(_exact(ref), set())
        if len(named) == 1:
            return next(iter(named))
        wanted = key(ref)
        return self._ids.get(wanted) or self._names.get(wanted)

    def near(self, ref: str, count: int = 5) -> tuple[str, ...]:
        """Ids most like `ref`, best first; kept, because a batch misspells one name in many lines."""
        asked = (key(ref), count)
        if asked not in self._close:
            if len(self._close) >= MOST_KEPT:
                self._close.clear()
            self._close[asked] = self._closest(*asked)
        return self._close[asked]

    def _closest(self, wanted: str, count: int) -> tuple[str, ...]:
        import difflib  # only on the way to an error message

        ids = {key(i): i for i in self._exact.values()}
        inside = [i for k, i in ids.items() if wanted and (wanted in k or k in wanted)]
        pool = {**{k: i for k, i in self._names.items() if i}, **ids}
        close = [pool[k] for k in difflib.get_close_matches(wanted, pool, n=count * 2, cutoff=0.5)]
        return tuple(dict.fromkeys([*inside, *close]))[:count]


def _names(item: CatalogueItem) -> Iterator[str]:
    yield item.name
    if item.brand and not item.name.lower().startswith(item.brand.lower()):
        yield f"{item.brand} {item.name}"
    yield from item.aliases
    if item.part_number:
        yield item.part_number
    if isinstance(item, NeuralModel) and item.hugging_face:
        yield item.hugging_face
        yield item.hugging_face.rpartition("/")[2]
