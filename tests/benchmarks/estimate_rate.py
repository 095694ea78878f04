"""Training estimates a second through `estimate --jsonl`, start of the process included.

Run: python -m tests.benchmarks.estimate_rate
"""

from __future__ import annotations

import json
import subprocess
import sys
import time

from gpuconfig.storage.repository import open_catalogue

TASKS = ("training_memory", "training_throughput")


def lines() -> list[str]:
    """The requests of every shipped training measurement."""
    catalogue = open_catalogue()
    requests = [m.request for task in TASKS for m in catalogue.measurements(task)]
    return [json.dumps({**json.loads(text), "id": str(number)}) for number, text in enumerate(requests)]


def main() -> None:
    """Print estimates a second by the wall clock."""
    asked = lines()
    command = [sys.executable, "-m", "gpuconfig", "estimate", "--jsonl", "-"]
    start = time.perf_counter()
    done = subprocess.run(command, input="\n".join(asked).encode(), capture_output=True, check=True)
    seconds = time.perf_counter() - start
    answers = done.stdout.count(b"\n")
    print(f"{answers:,} estimates in {seconds:.2f} s: {answers / seconds:,.0f} a second")


if __name__ == "__main__":
    main()
