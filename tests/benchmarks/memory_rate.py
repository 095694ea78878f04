"""Configurations a second through the array path of the memory graph, against one at a time.

Run: python -m tests.benchmarks.memory_rate
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from gpuconfig.engine.estimation.memory.graph import memory_graph

ROWS, SECONDS = 5000, 2.0
DEGREES = {
    "tensor_parallel": (1, 2, 4, 8), "pipeline_parallel": (1, 2, 4, 8), "micro_batch_size": (1, 2, 4),
    "zero_stage": (0, 1, 2, 3), "full_recompute": (0, 1), "data_parallel": (1, 2, 4, 8), "context_parallel": (1, 2),
}  # fmt: skip


def rates(columns: dict[str, float]) -> tuple[float, float]:
    """Configurations a second as arrays (first and last pipeline stage of each), and one at a time."""
    random = np.random.default_rng(0)
    many: dict[str, Any] = {name: np.array([value]) for name, value in columns.items()}
    many.update({name: random.choice(np.array(d, float), ROWS) for name, d in DEGREES.items()})
    one = {name: np.array([value]) for name, value in columns.items()}
    return _rate(many, ROWS), _rate(one, 1)


def _rate(columns: dict[str, Any], rows: int) -> float:
    graph, done, start = memory_graph(), 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        values = graph.evaluate(columns, ["device_used_high_bytes"])
        graph.update(values, {"pipeline_stage": columns["pipeline_parallel"] - 1.0})
        done += rows
    return done / (time.perf_counter() - start)


def main() -> None:
    """Print both rates and their ratio."""
    from gpuconfig.storage.repository import open_catalogue
    from tests.estimation.memory.memory_bench import LLAMA_2_70B, Bench

    work = {
        "method": "pretrain",
        "framework": "megatron",
        "sequence_length": 4096,
        "gradient_accumulation": 64,
    }
    machines = {"gpu": "nvidia-h100-sxm5-80", "gpus_per_node": 8, "nodes": 8}
    columns = Bench(open_catalogue()).columns(LLAMA_2_70B, work, machines, {"tensor": 8, "data": 8})
    arrays, single = rates(columns)
    print(
        f"array path {arrays:,.0f} configurations/s; one at a time {single:,.0f}/s; ratio {arrays / single:,.0f}"
    )


if __name__ == "__main__":
    main()
