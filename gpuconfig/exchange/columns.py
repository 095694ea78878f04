"""Which column of a supplier's sheet is what: titles in Chinese and English, and the row that holds them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gpuconfig.exchange.sheet import Sheet

_TITLE_WORDS = {
    "name": (
        "名称 产品名称 商品名称 型号 规格型号 产品型号 产品 商品 配件 货物名称 描述 name "
        "model product item description title"
    ),
    "brand": "品牌 厂商 厂家 制造商 brand maker manufacturer vendor",
    "part_number": "料号 零件号 部件号 物料编码 商品编码 编码 货号 pn p/n partnumber partno mpn sku",
    "category": "类别 分类 品类 种类 category type kind",
    "quantity": "数量 台数 采购数量 qty quantity count",
    "price_included": (
        "含税单价 含税价 单价含税 单价(含税) 含税单价元 含税报价 priceincludingtax grossprice priceincltax"
    ),
    "price_excluded": (
        "未税单价 不含税单价 未税价 不含税价 单价未税 单价(不含税) 除税单价 "
        "priceexcludingtax netprice priceexcltax"
    ),
    "price": "单价 价格 报价 售价 现价 最低价 unitprice price cost msrp",
    "tax_rate": "税率 增值税率 taxrate vat tax",
    "currency": "币种 货币 currency",
    "condition": "成色 新旧 状态 condition",
    "date": "日期 报价日期 更新时间 更新日期 date updated",
    "lead_time": "货期 交期 交货期 到货时间 leadtime delivery",
    "note": "备注 说明 remark remarks note notes comment",
    "total": "金额 总价 小计 合计 总金额 amount total subtotal",
    "memory": "显存 显存容量 显存大小 memory vram memorysize",
    "bandwidth": "显存带宽 带宽 bandwidth memorybandwidth",
    "power": "功耗 额定功耗 tdp tgp power boardpower",
    "rated_power": "额定功率 功率 瓦数 wattage ratedpower",
    "length": "长度 显卡长度 length cardlength",
    "slots": "槽位 占用槽位 slotwidth slots",
}

TITLES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {field: tuple(words.split()) for field, words in _TITLE_WORDS.items()}
)
"""Titles of each field, without spaces and in lower case."""

_IGNORED = re.compile(r"[\s:：*()（）\[\]【】/_\-.]+")
_SEARCHED_ROWS = 30


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """Which column holds which field.

    Attributes:
        header: index of the row with the titles.
        fields: field name by column index.
        titles: the title of every column, the way the sheet writes it.
    """

    header: int
    fields: Mapping[int, str]
    titles: tuple[str, ...]

    def column(self, field: str) -> int | None:
        """Index of the column of `field`, None where the sheet has none."""
        return next((index for index, name in self.fields.items() if name == field), None)

    def signature(self) -> str:
        """What recognises a sheet of the same maker the next time."""
        return "|".join(_plain(title) for title in self.titles)


def guess_mapping(sheet: Sheet) -> ColumnMapping | None:
    """The row with the most known titles, and what they say; None where no row has two of them."""
    best: ColumnMapping | None = None
    for index, row in enumerate(sheet.rows[:_SEARCHED_ROWS]):
        fields = _fields(row)
        if len(fields) >= 2 and (best is None or len(fields) > len(best.fields)):
            best = ColumnMapping(index, MappingProxyType(fields), row)
    return best


def _fields(row: tuple[str, ...]) -> dict[int, str]:
    found: dict[int, str] = {}
    taken: set[str] = set()
    for exact in (True, False):
        for index, title in enumerate(row):
            plain = _plain(title)
            if not plain or index in found or len(plain) > 20:
                continue
            field = _field(plain, taken, exact=exact)
            if field is not None:
                found[index] = field
                taken.add(field)
    return found


def _field(plain: str, taken: set[str], *, exact: bool) -> str | None:
    for field, titles in TITLES.items():
        if field in taken:
            continue
        for title in titles:
            known = _plain(title)
            if plain == known or (not exact and len(known) >= 2 and known in plain):
                return field
    return None


def _plain(title: str) -> str:
    return _IGNORED.sub("", unicodedata.normalize("NFKC", title).lower())
