"""Commands that measure: `python -m tests.benchmarks.startup` and others; no test asserts a time."""
