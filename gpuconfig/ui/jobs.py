"""Work off the main thread: reads beside one another, searches and writes one after another, all of it cancellable.

Results come back on the main thread. A busy pointer shows from 0.5 s, progress with Cancel from 1 s.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication

from gpuconfig.engine.provenance.errors import Cancelled
from gpuconfig.engine.provenance.message import Message

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

READERS = 2
BUSY_POINTER_S = 0.5
PROGRESS_S = 1.0
TICK_MS = 100
SWITCH_S = 0.0005
"""After this the interpreter lets another thread on: the window asks for it at many of Qt's calls."""

Done = Callable[[Any], None]
Failed = Callable[[Exception], None]


class Job(QObject):
    """One piece of work; the worker reports to it and learns from it that it was cancelled.

    Attributes:
        title: what is being done, for the progress line.
        quiet: no busy pointer and no progress line (prefetching, autosave).
        writes: closing the window lets it finish.
    """

    ended = Signal()
    _arrived = Signal(object, object)

    def __init__(
        self,
        title: Message,
        work: Callable[[Job], Any],
        done: Done | None,
        failed: Failed | None,
        quiet: bool,
    ) -> None:
        super().__init__()
        self.title = title
        self.quiet = quiet
        self.writes = False
        self.fraction = 0.0
        self.what = title
        self.started = time.monotonic()
        self._work = work
        self._done = done
        self._failed = failed
        self._stop = threading.Event()
        self._arrived.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def report(self, fraction: float, what: Message) -> None:
        """Called by the worker: how far it is; raises Cancelled where the person asked to stop."""
        if self._stop.is_set():
            raise Cancelled
        self.fraction, self.what = fraction, what

    def cancel(self) -> None:
        """Ask the worker to stop; it does so at its next report. Its result is not delivered."""
        self._stop.set()

    @property
    def is_cancelled(self) -> bool:
        """Whether somebody asked it to stop."""
        return self._stop.is_set()

    def run(self) -> None:
        """On the worker's thread."""
        result: Any = None
        fault: Exception | None = None
        try:
            if not self._stop.is_set():
                result = self._work(self)
        except Cancelled:
            self._stop.set()
        except Exception as error:  # every fault is told to the person, none ends a thread in silence
            fault = error
        self._arrived.emit(result, fault)

    def _deliver(self, result: Any, fault: Exception | None) -> None:
        self.ended.emit()
        if self._stop.is_set():
            return
        if fault is None and self._done is not None:
            self._done(result)
        elif fault is not None and self._failed is not None:
            self._failed(fault)


class Jobs(QObject):
    """All jobs of one window.

    Signals:
        progress: the job to show, or None.
    """

    progress = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        sys.setswitchinterval(SWITCH_S)
        self._pools: dict[str, ThreadPoolExecutor] = {}
        self._jobs: list[Job] = []
        self._pointer = False
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._open = True

    def read(
        self,
        title: Message,
        work: Callable[[Job], Any],
        done: Done | None = None,
        failed: Failed | None = None,
        *,
        quiet: bool = False,
        alone: bool = False,
    ) -> Job:
        """Start work that changes nothing; `done` and `failed` are called on the main thread.

        Args:
            alone: it fills tens of mebibytes or works for seconds; such work is done one after another. Side by side
                it would be no faster, and what two need at once stays with the process: the interpreter's arenas are
                freed only when they are empty.
        """
        return self._start("search" if alone else "read", Job(title, work, done, failed, quiet))

    def write(
        self,
        title: Message,
        work: Callable[[Job], Any],
        done: Done | None = None,
        failed: Failed | None = None,
        *,
        quiet: bool = False,
    ) -> Job:
        """Start work that changes files; one after another, in order."""
        job = Job(title, work, done, failed, quiet)
        job.writes = True
        return self._start("write", job)

    def running(self) -> tuple[Job, ...]:
        """Jobs that have not ended."""
        return tuple(self._jobs)

    def close(self) -> None:
        """Cancel reads, finish writes, end all threads."""
        self._open = False
        for job in self._jobs:
            if not job.writes:
                job.cancel()
        self._timer.stop()
        self._show_pointer(False)
        for kind, pool in self._pools.items():
            pool.shutdown(wait=True, cancel_futures=kind != "write")

    def _pool(self, kind: str) -> ThreadPoolExecutor:
        """The threads of `read`, `search` or `write`, made for the first job: the first paint waits for none."""
        if kind not in self._pools:
            from concurrent.futures import ThreadPoolExecutor

            size = READERS if kind == "read" else 1
            self._pools[kind] = ThreadPoolExecutor(size, thread_name_prefix=f"gpuconfig-{kind}")
        return self._pools[kind]

    def _start(self, kind: str, job: Job) -> Job:
        if not self._open:
            return job
        self._jobs.append(job)
        job.setParent(self)
        job.ended.connect(self._ended)
        self._pool(kind).submit(job.run)
        if not job.quiet:
            self._timer.start()
        return job

    def _ended(self) -> None:
        job = self.sender()
        if job in self._jobs:
            self._jobs.remove(job)
            job.deleteLater()
        self._tick()

    def _tick(self) -> None:
        loud = [job for job in self._jobs if not job.quiet and not job.is_cancelled]
        age = max((time.monotonic() - job.started for job in loud), default=0.0)
        self._show_pointer(age >= BUSY_POINTER_S)
        self.progress.emit(loud[0] if age >= PROGRESS_S else None)
        if not loud:
            self._timer.stop()

    def _show_pointer(self, busy: bool) -> None:
        if busy and not self._pointer:
            QApplication.setOverrideCursor(Qt.CursorShape.BusyCursor)
        elif self._pointer and not busy:
            QApplication.restoreOverrideCursor()
        self._pointer = busy
