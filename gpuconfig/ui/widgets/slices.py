"""Many widgets made a few at a time, so that the window answers in between."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QTimer

SLICE_S = 0.012


class Slices(QObject):
    """Goes on with one piece of work in each turn of the event loop until it is done."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Iterator[None] | None = None
        self._done: Callable[[], object] | None = None
        self._turn = QTimer(self)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._slice)

    @property
    def is_active(self) -> bool:
        """Whether something is left to do."""
        return self._steps is not None

    def start(self, steps: Iterator[None], done: Callable[[], object] | None = None) -> None:
        """Begin, with the first slice at once; what was not finished before is dropped, `done` is called at the end."""
        self._steps, self._done = steps, done
        self._turn.start()
        self._slice()

    def finish(self) -> None:
        """Do the rest now: somebody needs it."""
        while self._steps is not None:
            self._step()

    def stop(self) -> None:
        """Drop the rest."""
        self._steps, self._done = None, None
        self._turn.stop()

    def _slice(self) -> None:
        until = time.perf_counter() + SLICE_S
        while self._steps is not None and time.perf_counter() < until:
            self._step()

    def _step(self) -> None:
        steps = self._steps
        assert steps is not None
        for _one in steps:
            return
        done = self._done
        self.stop()
        if done is not None:
            done()
