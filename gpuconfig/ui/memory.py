"""Memory that the allocator keeps after a search is given back to the system, where the C library can do that.

A search allocates and frees in threads of its own; glibc keeps what was freed. Over a long day that is tens of
mebibytes which nothing uses.
"""

from __future__ import annotations

import sys


def give_back() -> None:
    """Return free memory to the system; nothing happens where the C library has no such call."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):
        return  # another C library than glibc
    trim(0)
