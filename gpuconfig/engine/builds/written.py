"""How people write a part in a list: its number of pieces beside its name, makers and models by what they are called.

Chinese lists name makers and series in Chinese; the catalogue names them as the makers do.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from types import MappingProxyType

from gpuconfig.engine.catalogue.search import MAKERS

KEPT = 1 << 16
"""Names that are remembered: every list is matched against the same catalogue."""
_NICKNAMES = MappingProxyType({
    "迫击炮": "mortar", "战斧导弹": "tomahawk", "战斧": "tomahawk", "爆破弹": "bomber", "小雕": "aorus elite",
    "重炮手": "tuf gaming", "创艺国度": "proart", "创艺": "proart", "玩家国度": "rog", "猛禽": "strix",
    "太极": "taichi", "包豪斯": "o11 dynamic",
    "魔改": "mod", "改装": "mod", "转接卡": "adapter", "转接": "adapter", "锐龙": "ryzen", "线程撕裂者": "threadripper",
    "霄龙": "epyc", "酷睿": "core", "至强": "xeon",
    "金牌": "gold", "白金": "platinum", "铂金": "platinum", "铜牌": "bronze",
    "钛金": "titanium", "套条": "kit", "黑色": "black", "白色": "white", "固态": "ssd",
})  # fmt: skip
_DRESSING = re.compile(
    "主板|电源|机箱|散热器|散热|显卡|内存条?|硬盘|全模组|半模组|模组|额定|冗余|服务器|工作站|涡轮|水冷|风冷|公版|非公|台式机?|"
    "二手|全新|拆机|盒装|散片|正品|国行|板|卡"
)
"""Words that tell what a part is or how it was bought, not which one."""
_MAKER_WORDS = MappingProxyType(
    {word: maker for maker, words in MAKERS.items() for word in words.split() if not word.isascii()}
)
_LONGEST_FIRST = tuple(sorted((*_MAKER_WORDS, *_NICKNAMES), key=len, reverse=True))
_NUMERALS = MappingProxyType(
    {"两": 2, "双": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "十": 10}
)
_TIMES = str.maketrans("×✕", "**")
"""Signs that are no letter of a model's name."""
_CHINESE = "一-鿿"
_BEFORE = re.compile(
    r"^\s*(\d{1,2})\s*[x*]\s*(?=[^\s\d]|\d{3,}(?!\d|\s*mm)|\d+(?:\.\d+)?\s*tb?\b)", re.IGNORECASE
)
_AFTER = re.compile(
    r"(?:(?<![.\-])\*|(?<=\d{4})x|(?<![a-z0-9.\-])x)\s*([12]?\d|3[0-2])\s*(?:张|块|个|颗|片|pcs)?(?=\s*(?:\([^()]*\))?\s*$)",
    re.IGNORECASE,
)
"""At most 32 pieces and never behind a hyphen: `Kraken X73`, `AXP90-X47` and `R9 295X2` are models."""
_NO_PIECES = re.compile(
    r"(?:(?:pci-?e|gen ?\d|[345]\.0)\s*x\s*|(?:gen ?\d|[345]\.0)\*)\d{1,2}\s*$|\b\d{2,3}\s*\*\s*\d{2}\s*$",
    re.IGNORECASE,
)
"""Lanes, and the sides of a fan or a radiator."""
_SAID = re.compile(
    rf"(?:(?<=\d)x\s*)?({'|'.join(_NUMERALS)}|(?<![a-wyz\d.])\d{{1,2}})\s*(?:张|块|颗|路|卡|片)",
    re.IGNORECASE,
)


@lru_cache(maxsize=KEPT)
def counted(written: str) -> tuple[int | None, str]:
    """Pieces that a name tells, and the name without them: `4x RTX 3090`, `A6000 ×2`, `4090 四张`, `双路 8336C`."""
    text = plain(written.translate(_TIMES))
    found = (
        _BEFORE.search(text)
        or (None if _NO_PIECES.search(text) else _AFTER.search(text))
        or _SAID.search(text)
    )
    if found is None:
        return None, written
    pieces = found.group(1)
    rest = f"{text[: found.start()]} {text[found.end() :]}".strip()
    count = _NUMERALS[pieces] if pieces in _NUMERALS else int(pieces)
    return (count, rest) if rest and count else (None, written)


@lru_cache(maxsize=KEPT)
def counted_before(written: str) -> tuple[int | None, str]:
    """The same where only a number in front counts: behind a riser's or a network card's name `x16` are lanes."""
    text = plain(written)
    found = _BEFORE.search(text)
    return (None, written) if found is None else (int(found.group(1)) or None, text[found.end() :].strip())


@lru_cache(maxsize=KEPT)
def in_makers_words(written: str) -> str:
    """The name with makers and series as the catalogue writes them; what stays Chinese is told by `unread`."""
    text = plain(written)
    for word in _LONGEST_FIRST:
        text = text.replace(word, f" {_MAKER_WORDS.get(word) or _NICKNAMES[word]} ")
    return text


def is_blower(written: str) -> bool:
    """Whether a card's name says that it is one of the board makers' blower cards."""
    return re.search(r"涡轮|blower|\bturbo\b", written.lower()) is not None


def unread(written: str) -> frozenset[str]:
    """Chinese words of a name that may tell one part from another."""
    return frozenset(re.findall(rf"[{_CHINESE}]+", _DRESSING.sub(" ", in_makers_words(written))))


def plain(written: str) -> str:
    """The name with one sign for times and no full-width letters."""
    return unicodedata.normalize("NFKC", written).replace("×", "x").replace("✕", "x")
