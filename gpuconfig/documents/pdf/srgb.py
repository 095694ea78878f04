"""The sRGB colour profile that an archived PDF must carry, made from the numbers of its standard (IEC 61966-2-1)."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cache

PRIMARIES = (
    ("rXYZ", (0.43607, 0.22249, 0.01392)),
    ("gXYZ", (0.38515, 0.71687, 0.09708)),
    ("bXYZ", (0.14307, 0.06061, 0.71410)),
)
"""Colorants adapted to D50, the white of profiles."""
WHITE = (0.9642, 1.0, 0.8249)
STEPS = 1024
NAME = "sRGB IEC61966-2.1"
HEADER = 128
TAG_ENTRY = 12


@cache
def srgb_profile() -> bytes:
    """An ICC profile of version 2.1 for a display; always the same bytes."""
    tags: list[tuple[str, bytes]] = [
        ("desc", _description(NAME)),
        ("cprt", b"text\0\0\0\0" + b"No copyright, use freely\0"),
        ("wtpt", _xyz(WHITE)),
        *((name, _xyz(value)) for name, value in PRIMARIES),
    ]
    curve = _curve()
    place = HEADER + 4 + TAG_ENTRY * (len(tags) + 3)
    table, body = b"", b""
    for name, data in (*tags, ("rTRC", curve)):
        table += struct.pack(">4sII", name.encode(), place + len(body), len(data))
        body += data + b"\0" * (-len(data) % 4)
    start = place + len(body) - len(curve) - (-len(curve) % 4)
    for name in ("gTRC", "bTRC"):  # the three curves are one
        table += struct.pack(">4sII", name.encode(), start, len(curve))
    size = place + len(body)
    return _header(size) + struct.pack(">I", len(tags) + 3) + table + body


def _header(size: int) -> bytes:
    day = (2000, 1, 1, 0, 0, 0)
    return struct.pack(
        ">I4sI4s4s4s6H4s4sI4s4sQI3I4s44x",
        size, b"\0\0\0\0", 0x02100000, b"mntr", b"RGB ", b"XYZ ", *day, b"acsp", b"\0\0\0\0", 0, b"\0\0\0\0",
        b"\0\0\0\0", 0, 0, *(round(value * 65536) for value in WHITE), b"\0\0\0\0",
    )  # fmt: skip


def _xyz(value: Sequence[float]) -> bytes:
    return b"XYZ \0\0\0\0" + struct.pack(">3i", *(round(part * 65536) for part in value))


def _description(name: str) -> bytes:
    """Plain text; the Unicode and Macintosh forms are empty."""
    text = name.encode() + b"\0"
    return b"desc\0\0\0\0" + struct.pack(">I", len(text)) + text + b"\0" * (4 + 4 + 2 + 1 + 67)


def _curve() -> bytes:
    """From the stored value to light."""
    values = []
    for step in range(STEPS):
        stored = step / (STEPS - 1)
        light = stored / 12.92 if stored <= 0.04045 else ((stored + 0.055) / 1.055) ** 2.4
        values.append(round(light * 65535))
    return b"curv\0\0\0\0" + struct.pack(f">I{STEPS}H", STEPS, *values)
