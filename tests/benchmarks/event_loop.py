"""How long the window's event loop is kept from the next event while a person does anything at all.

    python -m tests.benchmarks.event_loop [--deeds 1500 | --full] [--seed 11]

The random walk of the tests, each deed in a turn of its own. Turns in which a page, window or library is made for the
first time stand apart: the first `--first` deeds. Aim: 99 % of the turns under 50 ms. `--full` walks the tests' 20,000.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

GOAL_MS = 50.0
IDLE_MS = 1.0
"""A shorter turn did nothing."""
SLOWEST = 12


def main() -> int:
    """Walk, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--deeds", type=int, default=1500)
    parser.add_argument("--full", action="store_const", const=20_000, dest="deeds", help="20,000 deeds")
    parser.add_argument("--first", type=int, default=500, help="deeds before the measurement")
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GPUCONFIG_USER_FOLDER"] = folder
        meter = _walk(options.deeds, options.first, options.seed, Path(folder))
    meter.print()
    return 0


class Meter:
    """Durations of turns, each with what was done in it: the time between two beats of an idle timer."""

    def __init__(self) -> None:
        self.turns: list[tuple[float, str]] = []
        self.work: list[tuple[float, str]] = []
        self.deed = ""
        self.on = False
        self._last, self._last_work = time.perf_counter(), time.thread_time()

    def beat(self) -> None:
        """A turn ended; those in which nothing was done are not counted."""
        now, work = time.perf_counter(), time.thread_time()
        spent = (now - self._last) * 1e3
        if self.on and spent >= IDLE_MS:
            self.turns.append((spent, self.deed))
            self.work.append(((work - self._last_work) * 1e3, self.deed))
        self._last, self._last_work = now, work

    def print(self) -> None:
        """Percentiles, and the slowest turns by deed."""
        times = sorted(ms for ms, _deed in self.turns)
        under = sum(ms < GOAL_MS for ms in times) / len(times)
        print(f"{len(times)} turns with work, {under:.2%} under {GOAL_MS:.0f} ms")
        worked = sum(ms < GOAL_MS for ms, _deed in self.work) / len(self.work)
        print(
            f"of the window's own work, without waiting for a processor: {worked:.2%} under {GOAL_MS:.0f} ms"
        )
        cuts = statistics.quantiles(times, n=1000)
        for name, place in (("median", 499), ("90 %", 899), ("99 %", 989), ("99.9 %", 998)):
            print(f"{name:8} {cuts[place]:8.1f} ms")
        print(f"{'longest':8} {times[-1]:8.1f} ms")
        over = Counter(deed for ms, deed in self.work if ms >= GOAL_MS)
        print("longest turns:")
        for ms, deed in sorted(self.turns, reverse=True)[:SLOWEST]:
            print(f"  {ms:8.1f} ms  {deed}")
        print("own work over, by what was done:")
        for deed, count in over.most_common(SLOWEST):
            mine = [ms for ms, name in self.work if name == deed and ms >= GOAL_MS]
            print(
                f"  {deed:24} {count:5} turns over, middle {statistics.median(mine):.0f} ms, longest {max(mine):.0f}"
            )


def _walk(deeds: int, first: int, seed: int, folder: Path) -> Meter:
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication, QFileDialog

    from gpuconfig import app as wiring
    from gpuconfig.i18n import Language
    from gpuconfig.ui import theme
    from gpuconfig.ui.main_window import MainWindow
    from tests.ui.conftest import open_sample
    from tests.ui.test_random_walk import DIALOG_CLOSES, Walker

    application = QApplication(sys.argv[:1])
    theme.load_fonts(application)
    saved = str(folder / "saved.gpuconfig")
    QFileDialog.getSaveFileName = staticmethod(lambda *_a, **_k: (saved, ""))
    QFileDialog.getOpenFileName = staticmethod(lambda *_a, **_k: ("", ""))
    QFileDialog.getExistingDirectory = staticmethod(lambda *_a, **_k: "")
    window = MainWindow(wiring.services(), Language.EN)
    window.show()
    open_sample(window, 2)
    closes, window.close = window.close, lambda: False  # a walk does not end by Quit
    walker, meter = Walker(window, seed), Meter()
    heart = QTimer()
    heart.timeout.connect(meter.beat)
    heart.start(0)
    left = [first + deeds]

    def step() -> None:
        meter.on = left[0] <= deeds
        if not left[0]:
            application.quit()
            return
        left[0] -= 1
        timer.start(5)  # also while a deed waits in a menu or dialog, which a later one closes
        blocking = application.activePopupWidget() or application.activeModalWidget()
        if blocking is not None and walker.random.random() < DIALOG_CLOSES:
            blocking.close()
        kinds = walker.deeds
        deed = walker.random.choices([d for _w, d in kinds], [w for w, _d in kinds])[0]
        meter.deed = f"{deed.__name__} on {window.key}"
        deed()

    timer = QTimer()
    timer.setSingleShot(True)
    timer.timeout.connect(step)
    timer.start(0)
    application.exec()
    window.close = closes
    window.close()
    return meter


if __name__ == "__main__":
    sys.exit(main())
