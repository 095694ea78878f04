"""Time from command to a window that can be used, against a bare PySide6 window in the same run.

    python -m tests.benchmarks.startup [--runs 10] [--program dist/gpuconfig/gpuconfig]

Both are started in turn, offscreen, whole process each time. As root on Linux a second round drops the disk
cache before each start. The figures are medians, in milliseconds, with the fastest and the slowest.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DROP_CACHES = Path("/proc/sys/vm/drop_caches")
TIMEOUT_S = 60


def main() -> int:
    """Measure and print one line a program and round."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--cold-runs", type=int, default=5)
    parser.add_argument("--program", type=Path, help="a frozen program instead of this checkout")
    options = parser.parse_args()
    product = [str(options.program)] if options.program else [sys.executable, "-m", "gpuconfig"]
    commands = {
        "bare PySide6 window": [sys.executable, "-m", "tests.benchmarks.bare_window"],
        "gpuconfig": [*product, "--quit-after-first-paint"],
        "gpuconfig --help": [*product, "--help"],
    }
    rounds = [("warm", options.runs, False)] if options.runs else []
    if options.cold_runs and os.access(DROP_CACHES, os.W_OK) and _can_drop_caches():
        rounds.append(("cold disk", options.cold_runs, True))
    with tempfile.TemporaryDirectory() as folder:
        environment = _environment(Path(folder))
        _measure(commands, 1, environment, cold=False)  # fills the disk cache and writes bytecode
        for name, runs, cold in rounds:
            for program, times in _measure(commands, runs, environment, cold=cold).items():
                middle, low, high = statistics.median(times), min(times), max(times)
                print(f"{name:9}  {program:20}  {middle:6.0f} ms  ({low:.0f}–{high:.0f}, {runs} runs)")
    return 0


def _environment(folder: Path) -> dict[str, str]:
    """No screen, a new user's folder, and bytecode kept from start to start as an installed program has it."""
    changed = {
        "QT_QPA_PLATFORM": "offscreen",
        "GPUCONFIG_USER_FOLDER": str(folder / "user"),
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
    }
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | changed


def _measure(
    commands: dict[str, list[str]], runs: int, environment: dict[str, str], *, cold: bool
) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            if cold:
                _drop_caches()
            start = time.perf_counter()
            subprocess.run(command, check=True, env=environment, timeout=TIMEOUT_S, capture_output=True)
            times[name].append((time.perf_counter() - start) * 1e3)
    return times


def _drop_caches() -> None:
    os.sync()
    DROP_CACHES.write_text("3", encoding="ascii")


def _can_drop_caches() -> bool:
    try:
        _drop_caches()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
