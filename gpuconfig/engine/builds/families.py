"""What the name of a processor or board that is not in the catalogue still tells: socket, least TDP, memory, size.

Makers number their families by socket; the TDP is the least of the family, so that a load is never overstated.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gpuconfig.engine.builds.written import in_makers_words

_CHINESE = re.compile("[一-鿿]+")


@dataclass(frozen=True, slots=True)
class CpuFamily:
    """Facts that hold for every member."""

    pattern: str
    socket: str
    least_tdp_w: float
    channels: int
    registered: bool


CPU_FAMILIES = (
    CpuFamily(r"(threadripper|tr)? ?(pro )?[79]\d{3}wx", "sTR5", 350, 8, True),
    CpuFamily(r"(threadripper|tr)? ?(pro )?[35]\d{3}wx", "sWRX8", 280, 8, True),
    CpuFamily(r"(threadripper|\btr) ?[79]\d{3}x", "sTR5", 350, 4, True),
    CpuFamily(r"(threadripper|\btr) ?3\d{3}x", "sTRX4", 280, 4, False),
    CpuFamily(r"(threadripper|\btr) ?[12]\d{3}", "TR4", 180, 4, False),
    CpuFamily(r"epyc (7\d{2}[123]\w?|7002|7003|milan|rome|naples)", "SP3", 120, 8, True),
    CpuFamily(r"epyc (9\d{2}[45]\w?|900[45]|genoa|bergamo|turin)", "SP5", 200, 12, True),
    CpuFamily(r"xeon w-22\d\d", "LGA2066", 105, 4, True),
    CpuFamily(r"xeon w-21\d\d", "LGA2066", 120, 4, True),
    CpuFamily(r"xeon w[3579]([ -]|$)", "LGA4677", 200, 4, True),
    CpuFamily(r"xeon (platinum|gold|silver)? ?84\d\d", "LGA4677", 225, 8, True),
    CpuFamily(r"xeon (platinum|gold|silver)? ?(81|82)\d\d", "LGA3647", 105, 6, True),
    CpuFamily(r"xeon 69\d\dp", "LGA7529", 300, 12, True),
    CpuFamily(r"xeon 6[57]\d\dp", "LGA4710", 165, 8, True),
    CpuFamily(r"e5[- ]?\d{4}\w? ?v[34]", "LGA2011-3", 85, 4, True),
    CpuFamily(r"e5[- ]?\d{4}( ?v2)?$", "LGA2011", 80, 4, True),
    CpuFamily(r"core ultra \d 2\d\d", "LGA1851", 125, 2, False),
    CpuFamily(r"\b(i\d[- ]?)?1[234]\d{2}0(k|kf|ks|f|t)?$", "LGA1700", 65, 2, False),
    CpuFamily(r"\b((i\d[- ]?)?1[01]\d{2}0(k|kf|f)?$|celeron g5\d{3})", "LGA1200", 58, 2, False),
    CpuFamily(r"\bi\d[- ]?[6-9]\d{3}(k|kf|ks|f|t)?$", "LGA1151", 51, 2, False),
    CpuFamily(r"core i\d-11\d{2}g\d", "BGA1449", 12, 2, False),
    CpuFamily(r"ryzen \d \d{4}(hx|hs|h|u)", "FP7/FL1", 45, 2, False),
    CpuFamily(r"(ryzen \d |^)[79]\d{3}(x|f|g|x3d)?$", "AM5", 65, 2, False),
    CpuFamily(r"(ryzen \d |^)[1235]\d{3}(x|g|gt|x3d|xt)?$", "AM4", 65, 2, False),
)

_SOCKET_WORDS = (
    (r"\bsp3\b", "SP3"),
    (r"\bsp5\b", "SP5"),
    (r"\bwrx90\b", "sTR5"),
    (r"\btrx50\b", "sTR5"),
    (r"\bwrx80e?\b", "sWRX8"),
    (r"\b(am5|x870e?|x670e?|b850|b840|b650e?|a620)[mi]?\b", "AM5"),
    (r"\b(am4|x570s?|x470|x370|b550|b450|b350|a520)[mi]?\b", "AM4"),
    (r"\b(z890|b860|h810)[mi]?\b", "LGA1851"),
    (r"\b(z790|z690|h770|b760|b660|h610|w680)[mi]?\b", "LGA1700"),
    (r"\b(z590|z490|b560|b460|h510|h410|h570|h470)[mi]?\b", "LGA1200"),
    (r"\b(z390|z370|z270|z170|b365|b360|b250|b150|h370|h310|h110)[mi]?\b", "LGA1151"),
    (r"\btrx40\b", "sTRX4"),
    (r"\b(h11|h12)(ss|ds)\w*|\bromed\w*|\bkrpa\b|\bmz(3|7)[12]\b", "SP3"),
    (r"\b(h13|h14)(ss|ds)\w*|\bgenoad\w*|\bmz(3|7)3\b", "SP5"),
    (r"\bx1[01](sp|dp)\w*|\bc62[12]\b", "LGA3647"),
    (r"\bx13(sw|se|de)\w*|\bc741\b", "LGA4677"),
    (r"\bw790e?\b", "LGA4677"),
    (r"\b(x299|c422)\b", "LGA2066"),
    (r"\bx99\b", "LGA2011-3"),
    (r"x79\b", "LGA2011"),
    (r"\bx399\b", "TR4"),
    (r"(genoa|turin)", "SP5"),
    (r"(rome|milan)", "SP3"),
)


_MEMORY = (
    (frozenset(("AM5", "LGA1851")), "DDR5", False),
    (frozenset(("AM4", "sTRX4", "TR4", "LGA1200")), "DDR4", False),
    (frozenset(("sTR5", "SP5", "LGA4677")), "DDR5", True),
    (frozenset(("SP3", "LGA3647")), "DDR4", True),
)
"""Memory that every board of a socket takes; of other sockets the boards differ."""


def cpu_family(name: str) -> CpuFamily | None:
    """The family that `name` belongs to; None where it is not known."""
    text = re.sub(r"\s+", " ", _CHINESE.sub(" ", in_makers_words(name).lower())).strip()
    return next((f for f in CPU_FAMILIES if re.search(f.pattern, text)), None)


def board_memory(name: str, socket: str) -> tuple[str, bool | None]:
    """Kind of memory, and whether it is registered, that boards of the socket take; empty where that differs."""
    for sockets, kind, registered in _MEMORY:
        if socket in sockets:
            return kind, registered
    told = re.search(r"\bd(?:dr)?([45])\b", name.lower())
    return ("", None) if told is None or socket != "LGA1700" else (f"DDR{told.group(1)}", False)


def board_size(name: str) -> str:
    """The form that a desktop board's name tells (`B850-I`, `B760M`); empty where it tells none."""
    lowered = name.lower()
    if re.search(r"itx|\b[abhxz]\d{3}e?-?i\b", lowered):
        return "Mini-ITX"
    return "Micro-ATX" if re.search(r"m-?atx|\b[abhxz]\d{3}e?m\b", lowered) else ""


def board_socket(name: str) -> str | None:
    """The socket that a board's name tells (its chipset or socket word)."""
    text = in_makers_words(name).lower()
    return next((socket for pattern, socket in _SOCKET_WORDS if re.search(pattern, text)), None)


def board_chipset(name: str) -> str:
    """The chipset word of a board's name, upper case; empty where there is none."""
    found = re.search(
        r"(x79|z77|z68|p67|x99|x299|c422|x399|wrx80|wrx90|trx50|w790|z790|z890|x570|b550|x870|b850)",
        name.lower(),
    )
    return "" if found is None else found.group(1).upper()
