"""Memory of a window that is open all day: when garbage is looked for, and what is given back to the system.

Python looks through every object for garbage whenever their number has grown by a quarter, on the thread that made
the last one, and everything waits: a fifth of a second after a search. The window looks after the answers itself.

A search allocates and frees in threads of its own; glibc keeps what was freed. Over a long day that is tens of
mebibytes which nothing uses.
"""

from __future__ import annotations

import gc
import sys
import time
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from gpuconfig.ui.session import Session

YOUNG, MIDDLE, NEVER = 2000, 15, 1_000_000
"""Thresholds of the collector: the two young generations by themselves, the whole only when asked."""
QUIET_MS = 3000
"""After an answer the person reads; then is the time to look for garbage."""
LATEST_S = 60.0
"""Answers may follow one another without a pause; it is looked for nevertheless."""

ARENAS, LARGE_BYTES = 2, 256 * 1024
M_ARENA_MAX, M_MMAP_THRESHOLD = -8, -3


class Sweeper(QObject):
    """Looks for garbage after answers, for one window."""

    def __init__(self, session: Session, window: QObject) -> None:
        super().__init__(window)
        self._swept = 0.0
        self._is_first = True
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(QUIET_MS)
        self._pause.timeout.connect(self.sweep)
        session.answer_changed.connect(self._wait)
        gc.set_threshold(YOUNG, MIDDLE, NEVER)
        few_arenas()

    def sweep(self) -> None:
        """Collect now; what the first answer loaded (catalogue, coefficients, code) stays and is not seen again."""
        gc.collect()
        if self._is_first:
            self._is_first = False
            gc.freeze()
        give_back()
        self._swept = time.monotonic()

    def _wait(self) -> None:
        if not self._pause.isActive() or time.monotonic() - self._swept < LATEST_S:
            self._pause.start()


def few_arenas() -> None:
    """Threads share heaps, and large blocks are mapped alone, so that they go back whole."""
    libc = _glibc()
    if libc is not None:
        libc.mallopt(M_ARENA_MAX, ARENAS)
        libc.mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)


def give_back() -> None:
    """Return free memory to the system; nothing happens where the C library has no such call."""
    libc = _glibc()
    if libc is not None:
        libc.malloc_trim(0)


def _glibc() -> Any:
    """The C library of this process where it is glibc."""
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    try:
        libc = ctypes.CDLL(None)
        _ = libc.malloc_trim, libc.mallopt
    except (OSError, AttributeError):
        return None  # another C library
    return libc
