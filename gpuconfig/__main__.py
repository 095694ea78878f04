"""The entry point of `gpuconfig` and `python -m gpuconfig`."""

import argparse
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Dispatch to the window or to a command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="gpuconfig")
    parser.parse_args(arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
