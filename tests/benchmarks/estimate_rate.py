"""Training estimates a second through `estimate --jsonl`, start of the process included.

Run: python -m tests.benchmarks.estimate_rate [--open]

With `--open` the requests leave the parallelism open, on one to 32 cards: the best strategy of each is searched first.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from itertools import product

from gpuconfig.storage.repository import open_catalogue

LENGTHS = (2048, 4096, 8192)
MODELS = (
    "llama-3-8b", "llama-2-70b", "qwen2.5-7b", "mixtral-8x7b", "qwen2.5-0.5b", "gemma-2-9b", "mistral-7b",
    "deepseek-v3",
)  # fmt: skip
MACHINES = (
    ("nvidia-a100-sxm4-80", 8, 1), ("nvidia-h100-sxm5-80", 8, 1), ("nvidia-h100-sxm5-80", 8, 4),
    ("nvidia-rtx-4090-24", 1, 1), ("nvidia-rtx-4090-24", 4, 1), ("nvidia-rtx-3090-24", 2, 1),
)  # fmt: skip
TASKS = ("training_memory", "training_throughput")


def lines() -> list[str]:
    """The requests of every shipped training measurement."""
    catalogue = open_catalogue()
    requests = [m.request for task in TASKS for m in catalogue.measurements(task)]
    return [json.dumps({**json.loads(text), "id": str(number)}) for number, text in enumerate(requests)]


def open_lines() -> list[str]:
    """Requests without a parallelism: models of 0.5B to 671B, one to 32 cards, every method, three lengths."""
    rows = product(LENGTHS, MODELS, MACHINES, ("full", "lora", "qlora", "pretrain"))
    return [
        json.dumps({
            "id": str(number), "model": model, "hardware": {"gpu": gpu, "gpus_per_node": cards, "nodes": nodes},
            "workload": {"kind": "training", "method": method, "sequence_length": length},
        })
        for number, (length, model, (gpu, cards, nodes), method) in enumerate(rows)
    ]  # fmt: skip


def main() -> None:
    """Print estimates a second by the wall clock."""
    asked = open_lines() if "--open" in sys.argv else lines()
    command = [sys.executable, "-m", "gpuconfig", "estimate", "--jsonl", "-"]
    start = time.perf_counter()
    done = subprocess.run(command, input="\n".join(asked).encode(), capture_output=True, check=True)
    seconds = time.perf_counter() - start
    answers = done.stdout.count(b"\n")
    print(f"{answers:,} estimates in {seconds:.2f} s: {answers / seconds:,.0f} a second")


if __name__ == "__main__":
    main()
