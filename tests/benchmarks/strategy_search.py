"""Strategies evaluated a second on one core, memory and time together, end to end, and the memory it takes.

    python -m tests.benchmarks.strategy_search [--least 10000000]

One machine after another is searched until `--least` strategies were evaluated. Prints the rate of each and of all, and
the peak memory of the process.
"""

import argparse
import os
import resource
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

from gpuconfig import paths
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.selection.strategies import Candidate, search_strategies
from gpuconfig.engine.workloads.hardware import Hardware
from gpuconfig.engine.workloads.training import Framework, Method, TrainingWorkload
from gpuconfig.storage.repository import open_catalogue

GPU = "nvidia-h100-sxm5-80"
MODELS = ("gpt-3-175b", "llama-3-70b", "mixtral-8x7b", "qwen3-235b-a22b")
NODES = (8, 16, 32, 64, 128, 256)


def main() -> int:
    """Search and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--least", type=int, default=1_000_000)
    options = parser.parse_args()
    catalogue = open_catalogue(paths.catalogue())
    rows = (r for group in catalogue.coefficient_groups() for r in catalogue.coefficients(group))
    coefficients, card = CoefficientSet.of(rows), catalogue.accelerator(GPU)
    workload = TrainingWorkload(method=Method.PRETRAIN, framework=Framework.MEGATRON, sequence_length=4096)
    total, spent = 0, 0.0
    while total < options.least:
        for name in MODELS:
            model = catalogue.model(name)
            candidates = [Candidate(Hardware(gpu=GPU, gpus_per_node=8, nodes=n), 20.0 * n) for n in NODES]
            start = time.process_time()
            found = search_strategies(model, workload, card, candidates, coefficients, samples_per_step=2048)
            seconds = time.process_time() - start
            total, spent = total + found.strategies, spent + seconds
            rate = found.strategies / seconds
            sys.stdout.write(
                f"{name:20} {found.strategies:9,} strategies  {seconds:6.2f} s  {rate:9,.0f}/s\n"
            )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.write(
        f"{'all':20} {total:9,} strategies  {spent:6.2f} s  {total / spent:9,.0f}/s  {peak:,.0f} MiB\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
