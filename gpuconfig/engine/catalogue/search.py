"""Search over names, aliases, part numbers and what people call things, in Chinese and English."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from types import MappingProxyType

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.kinds import CLASSES
from gpuconfig.engine.catalogue.lookup import key
from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.catalogue.vocabulary import Cooling, Kind

MAKERS = MappingProxyType(
    {
        "nvidia": "英伟达 老黄 辉达 n卡",
        "amd": "超威 苏妈 农企 a卡",
        "intel": "英特尔 牙膏厂",
        "huawei": "华为 昇腾",
        "cambricon": "寒武纪 思元",
        "hygon": "海光",
        "moore threads": "摩尔线程",
        "apple": "苹果",
        "asus": "华硕",
        "gigabyte": "技嘉",
        "msi": "微星",
        "asrock": "华擎",
        "supermicro": "超微",
        "corsair": "海盗船",
        "seasonic": "海韵",
        "samsung": "三星",
        "kingston": "金士顿",
        "lenovo": "联想",
        "inspur": "浪潮",
        "h3c": "新华三",
        "fractal design": "分形工艺",
        "phanteks": "追风者",
        "lian li": "联力",
        "thermaltake": "曜越",
        "noctua": "猫头鹰",
        "great wall": "长城",
        "segotep": "鑫谷",
        "cooler master": "酷冷至尊 酷冷",
        "deepcool": "九州风神",
        "micron": "美光",
        "super flower": "振华",
        "huntkey": "航嘉",
        "antec": "安钛克",
        "nzxt": "恩杰",
        "thermalright": "利民",
        "jonsbo": "乔思伯",
        "silverstone": "银欣",
        "fsp group": "全汉",
        "g.skill": "芝奇",
        "kingbank": "金百达",
        "crucial": "英睿达",
        "zhitai": "致态",
        "western digital": "西数 西部数据",
        "dell": "戴尔",
        "nettrix": "宁畅",
        "huananzhi": "华南金牌 华南",
    }
)
"""What Chinese buyers call the makers."""
_COOLING = MappingProxyType(
    {
        Cooling.BLOWER: "blower 涡轮", Cooling.PASSIVE: "passive 被动 无风扇", Cooling.LIQUID: "liquid 水冷 液冷",
        Cooling.OPEN_AIR: "open air 开放式 风扇", Cooling.FLOW_THROUGH: "flow through 风扇",
    }
)  # fmt: skip
_KINDS = MappingProxyType(
    {
        Kind.ACCELERATOR: "显卡 加速卡 gpu", Kind.CPU: "处理器 cpu", Kind.MOTHERBOARD: "主板", Kind.MEMORY: "内存",
        Kind.POWER_SUPPLY: "电源 psu", Kind.CHASSIS: "机箱", Kind.COOLER: "散热器 cpu散热", Kind.DRIVE: "硬盘 固态",
        Kind.NIC: "网卡", Kind.RISER: "转接 延长线",
        Kind.SWITCH: "交换机", Kind.CABLE: "线缆 网线 光模块", Kind.BRIDGE: "桥接器 nvlink", Kind.UPS: "不间断电源",
        Kind.PDU: "配电", Kind.RACK: "机柜", Kind.SERVER: "服务器", Kind.MODEL: "模型", Kind.PLATFORM: "平台",
    }
)  # fmt: skip


class SearchIndex:
    """The items of one or more kinds, ready to be searched."""

    def __init__(self, items: Iterable[tuple[Kind, CatalogueItem]]) -> None:
        # Short names first, once for all searches: a search that finds thousands has nothing left to sort.
        ordered = sorted(items, key=lambda entry: (len(entry[1].name), entry[1].id))
        self._entries = [(key(_words(kind, item)), kind, item) for kind, item in ordered]

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, query: str, kind: Kind | None = None, limit: int = 200) -> Sequence[CatalogueItem]:
        """Items in which every word of `query` occurs; those whose name starts with it come first."""
        wanted = [word for word in (key(part) for part in _split(query)) if word]
        start = key(query)
        found = self._entries if kind is None else [entry for entry in self._entries if entry[1] is kind]
        for word in sorted(wanted, key=len, reverse=True):
            found = [entry for entry in found if word in entry[0]]
        ranked = chain(
            (entry for entry in found if entry[0].startswith(start)),
            (entry for entry in found if not entry[0].startswith(start)),
        )
        return [entry[2] for entry in islice(ranked, limit)]


def matches(item: CatalogueItem, query: str) -> bool:
    """Whether every word of `query` occurs in what `item` is called."""
    kind = next(kind for kind, cls in CLASSES.items() if type(item) is cls)
    text = key(_words(kind, item))
    return all(key(word) in text for word in _split(query))


def _split(query: str) -> list[str]:
    return unicodedata.normalize("NFKC", query).split()


def _words(kind: Kind, item: CatalogueItem) -> str:
    maker = (item.brand or item.name.split(" ")[0]).lower()
    words = [
        item.name,
        item.brand,
        item.id,
        item.part_number or "",
        MAKERS.get(maker, ""),
        _KINDS[kind],
        *item.aliases,
    ]
    if isinstance(item, Accelerator):
        words += [item.family, item.architecture, _COOLING.get(item.cooling, "") if item.cooling else ""]
        words += ["modified 魔改 改装"] if item.modified else []
        words += [f"{item.memory_gb:g}GB"] if item.memory_gb else []
    if isinstance(item, NeuralModel):
        words += [item.family, item.hugging_face]
    return " ".join(words)
