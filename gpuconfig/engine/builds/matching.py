"""Names as people write them, matched to the catalogue with a confidence.

A model number must agree in full: "RTX 3090" is never a 3090 Ti, "RTX 3080 20 GB" is never the 10 GB card.
Words that only dress a name (brand of the card's maker, "Gaming", "Founders Edition") lower the confidence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gpuconfig.engine.builds.written import in_makers_words, unread
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import Kind

LEAST = 0.6
SERIES_LETTERS = 4
"""From this length on a word of a board's name is its series, which tells it from others of the chipset."""
KEPT = 1 << 16
"""Names whose words are remembered: every list is matched against the same catalogue."""

_VARIANTS = frozenset(
    [
        "ti",
        "super",
        "xt",
        "xtx",
        "gre",
        "d",
        "v",
        "max",
        "q",
        "maxq",
        "server",
        "nvl",
        "pcie",
        "sxm",
        "oam",
        "ada",
        "pro",
        "titan",
        "quadro",
        "duo",
        "laptop",
        "mobile",
        "mod",
        "modded",
        "modified",
        "k",
        "p",
        "t",
        "hx",
        "x",
        "ws",
        "workstation",
        "ultra",
        "xp",
        "nano",
        "adapter",
    ]
)
_QUIET = frozenset(["ws", "workstation", "pcie", "sxm", "laptop"])
"""Variants that a shorter name leaves out: the plain card is meant."""

_RISER_ROLES = frozenset(("splitter", "split", "bifurcation", "switch", "host", "device"))
"""What a part between slot and card does: one that does something else is not meant."""
_GENERIC = frozenset(
    [
        "psu",
        "single",
        "dual",
        "multi",
        "rail",
        "rails",
        "platinum",
        "gold",
        "titanium",
        "bronze",
        "modular",
        "fully",
        "atx",
        "sfx",
        "w",
        "watt",
        "watts",
        "server",
        "gpu",
        "card",
        "generic",
        "plus",
        "certified",
        "the",
        "and",
        "with",
        "power",
        "supply",
        "board",
        "slot",
        "cooler",
        "case",
    ]
)
_WATTS = re.compile(r"\d+w")
_COMMON = frozenset(("pro", "black", "white", "rgb", "argb", "tower", "edition", "series", "gaming", "wifi"))
"""Words of many names: alone they point to none."""
_SIZES = frozenset(("xl", "mini", "compact", "nano", "micro", "max", "plus", "lite", "evo"))
_SERIES = re.compile(
    r"\b(suprim|gaming|trio|ventus|vanguard|windforce|expert|igame|trinity)\s+(?:[23]?x|v\d|ultra|pro|max)\b"
)
"""Series of board makers with the word behind them: in `4090 Suprim X` it is no variant of the chip."""
_SAME = {"geforce": "", "nvidia": "", "amd": "", "radeon": "", "tesla": "", "intel": "", "edition": "", "blackwell": "",
         "founders": "", "fe": "", "generation": "", "gen": ""}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Match:
    """What a written name means and how sure that is, 0..1."""

    item: CatalogueItem | None
    confidence: float


def match(kind: Kind, written: str, catalogue: Catalogue) -> Match:
    """The catalogue item that `written` means; no item below a confidence of 0.6."""
    exact = catalogue.find(kind, written)
    if exact is not None:
        return Match(exact, 1.0)
    series = unread(written)
    written = in_makers_words(written)
    if kind is Kind.MOTHERBOARD:
        series |= {w for w in _words(written) if len(w) >= SERIES_LETTERS and w.isalpha()} - _GENERIC
    if kind is Kind.RISER:
        series |= set(_words(written)) & _RISER_ROLES
    items = catalogue.parts(kind)
    if kind is Kind.ACCELERATOR:
        return _best(items, lambda item: _card_score(written, item))
    if kind is Kind.CPU:
        return _best(items, lambda item: _cpu_score(written, item))
    found = _best(items, lambda item: _part_score(written, item) if _names_all(series, item) else 0.0)
    # Memory is written as size and kind: a kit is meant only where its own name or number is.
    if kind is Kind.MEMORY and found.item is not None:
        branded = set(_words(found.item.brand)) & set(_words(written))
        return found if branded and found.confidence >= 0.95 else Match(None, 0.0)
    return found


def _best(items: Sequence[CatalogueItem], score: Callable[[CatalogueItem], float]) -> Match:
    best, found = 0.0, None
    for item in items:
        value = score(item)
        if value > best:
            best, found = value, item
    return Match(found, round(best, 2)) if found is not None and best >= LEAST else Match(None, 0.0)


@lru_cache(maxsize=KEPT)
def _words(text: str) -> tuple[str, ...]:
    lowered = text.lower().replace("max-q", "maxq").replace("12v-2x6", "")
    return tuple(re.findall(r"[a-z]+|\d+(?:\.\d+)?", lowered))


def _names_all(words: frozenset[str], item: CatalogueItem) -> bool:
    """Whether the item is called by every word that tells one of its maker's parts from another."""
    called = " ".join((*_names(item), item.brand)).lower()
    return all(word in called for word in words)


def _names(item: CatalogueItem) -> Iterable[str]:
    yield item.name
    yield from item.aliases


def _card_score(written: str, item: CatalogueItem) -> float:
    names = (in_makers_words(name) for name in _names(item))
    return max((_card_name_score(written, name, item) for name in names), default=0.0)


def _card_name_score(written: str, name: str, item: CatalogueItem) -> float:
    asked, sizes_asked = _card_parts(written)
    have, sizes = _card_parts(name)
    numbers = {w for w in asked if w.isdigit()}
    own = {w for w in have if w.isdigit()}
    modified = isinstance(item, Accelerator) and item.modified
    if modified and not sizes_asked and not asked & {"mod", "modded", "modified"}:
        return 0.0
    if isinstance(item, Accelerator) and item.memory_gb is not None and sizes_asked:
        if not any(abs(float(s) - item.memory_gb) < 0.6 for s in sizes_asked):
            return 0.0
    elif sizes_asked and sizes and not sizes_asked & sizes:
        return 0.0
    if not numbers or numbers != own:
        return 0.0
    letters = {
        w for w in have if w in ("a", "l", "h", "b", "mi", "gb", "gh", "rtx", "gtx", "rx", "arc", "w", "r")
    }
    if not letters <= asked | {"rtx", "gtx", "rx"}:
        return 0.0
    dressed = {"mod", "modded", "modified"} if modified else set()
    difference = ((asked ^ have) & _VARIANTS) - dressed
    if difference - _QUIET:
        return 0.0
    score = 1.0 - 0.08 * len(difference)
    score -= 0.04 * len({w for w in asked - have if w not in _VARIANTS and w not in _SAME})
    return max(LEAST, score)


@lru_cache(maxsize=KEPT)
def _card_parts(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Words of a card's name, and the sizes in GB among them."""
    lowered = text.lower()
    sizes = set(re.findall(r"(\d+)\s*(?:gb|g)\b", lowered))
    lowered = re.sub(r"\d+\s*(?:gb|g)\b", " ", lowered)
    lowered = re.sub(r"sxm\d", "sxm", _SERIES.sub(r"\1", lowered))
    return frozenset(w for w in _words(lowered) if _SAME.get(w, w)), frozenset(sizes)


def _cpu_score(written: str, item: CatalogueItem) -> float:
    model = _cpu_model(written)
    if model is None or not any(_cpu_model(name) == model for name in _names(item)):
        return 0.0
    words, have = set(_words(written)), set(_words(item.name))
    return 1.0 if words <= have else 0.95


@lru_cache(maxsize=KEPT)
def _cpu_model(text: str) -> str | None:
    """The number that tells processors apart: `9950x3d`, `5975wx`, `w5-3435x`, `8480`."""
    cleaned = re.sub(r"[^a-z0-9 \-+]", " ", text.lower())
    tokens = [t for t in cleaned.split() if re.search(r"\d{3,}", t)]
    if not tokens:
        return None
    return re.sub(r"^(i\d|w\d|w|e\d)-", r"\1-", tokens[-1]).strip("-+")


def _part_score(written: str, item: CatalogueItem) -> float:
    asked = [w for w in _words(written) if w not in _SAME or _SAME[w]]
    telling = [w for w in asked if w not in _GENERIC]
    if not telling:
        return 0.0
    best = 0.0
    for name in _names(item):
        have = set(_words(name))
        brand = set(_words(item.brand))
        hits = [w for w in telling if w in have]
        models = [w for w in hits if w not in brand and (len(w) >= 3 or w.isdigit())]
        numbers = {w for w in telling if w.isdigit()}
        alphabetic = [w for w in models if w.isalpha() and w not in _COMMON] or list(
            _mixed(written) & _mixed(name)
        )
        if not alphabetic or not numbers <= have | _joined(name):
            continue
        # "Define 7" is not the "Define 7 XL": what the name adds counts a little, a size word more.
        extra = have - set(telling) - _GENERIC
        score = len(hits) / len(telling) * (0.98 if set(telling) != have else 1.0)
        best = max(best, score - 0.002 * len(extra) - 0.1 * len(extra & _SIZES))
    return best


@lru_cache(maxsize=KEPT)
def _mixed(text: str) -> frozenset[str]:
    """Words of letters and digits together (`C1200`, `P2`); a rating in watts names no model."""
    words = (re.sub(r"[^a-z0-9]", "", w) for w in text.lower().split())
    return frozenset(
        w for w in words if re.search(r"[a-z]", w) and re.search(r"\d{2,}", w) and not _WATTS.fullmatch(w)
    )


@lru_cache(maxsize=KEPT)
def _joined(name: str) -> frozenset[str]:
    """Numbers inside joined tokens (`1600T2` holds 1600 and 2)."""
    return frozenset(re.findall(r"\d+", name))
