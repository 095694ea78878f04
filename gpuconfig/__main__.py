"""The entry point of `gpuconfig` and `python -m gpuconfig`: the window, or one command."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from pathlib import Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the window or a command; returns the exit code of contract and shell."""
    gc.disable()  # nothing made on the way to the first paint is garbage; the window looks for it afterwards
    words = list(sys.argv[1:] if arguments is None else arguments)
    if len(words) == 1 and not words[0].startswith("-") and Path(words[0]).is_file():
        words = ["--open", words[0]]
    from gpuconfig.cli.options import parse

    options = parse(words)
    from gpuconfig import app

    if options.command is None:
        return app.run_window(options)
    gc.enable()
    return app.run_command(options)


if __name__ == "__main__":
    sys.exit(main())
