"""What a slider costs: one machine at once, all composed machines ranked anew, and the page that follows.

    python -m tests.benchmarks.what_if [--sample 0] [--repeats 15]

Aims: a scalar under 16 ms, the ranking over the machines already composed under 100 ms, each of work on the main
thread. The figures are medians in milliseconds, with the slowest.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable

PAGES = ("result", "comparison", "tradeoff", "build", "cost")


def main() -> int:
    """Measure every lever of a sample and print a line each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--repeats", type=int, default=15)
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GPUCONFIG_USER_FOLDER"] = folder
        _measure(options.sample, options.repeats)
    return 0


def _measure(sample: int, repeats: int) -> None:
    from PySide6.QtWidgets import QApplication

    from gpuconfig import app as wiring
    from gpuconfig.i18n import Language
    from gpuconfig.ui import theme
    from gpuconfig.ui.main_window import MainWindow
    from tests.ui.conftest import open_sample, settle

    application = QApplication(sys.argv[:1])
    theme.load_fonts(application)
    window = MainWindow(wiring.services(), Language.EN)
    window.resize(1366, 768)
    window.show()
    open_sample(window, sample)
    session, trial = window.session, window.session.trial
    assert session.found is not None
    print(f"{len(session.found.considered)} machines composed, {session.request.kind.value}")
    window.show_page("result")
    window.side.toggle_what_if()
    settle(window)
    for name in [lever.key for lever in trial.levers()]:

        def move(number: int, name: str = name) -> None:
            lever = next(item for item in trial.levers() if item.key == name)
            low, high = lever.low + (lever.high - lever.low) * 0.3, lever.high
            trial.hold(True)
            trial.move(lever, lever.rounded(low + (high - low) * 0.5 * number / repeats))

        def rank(number: int, name: str = name) -> None:
            move(number, name)
            session.services.what_if(session.request, session.found, trial.change())

        print(f"{name:14} one machine {_ms(move, repeats)}   all ranked {_ms(rank, repeats)}")
        trial.forget()
    for page in PAGES:
        window.show_page(page)
        settle(window)

        def follow(_number: int) -> None:
            session.show_tried(trial.of(session.found))
            application.processEvents()

        print(f"{page:14} follows in {_ms(follow, repeats)}")
    window.close()


def _ms(work: Callable[[int], object], repeats: int) -> str:
    times = []
    for number in range(repeats):
        start = time.perf_counter()
        work(number)
        times.append((time.perf_counter() - start) * 1e3)
    return f"{statistics.median(times):6.1f} ms (slowest {max(times):.1f})"


if __name__ == "__main__":
    sys.exit(main())
