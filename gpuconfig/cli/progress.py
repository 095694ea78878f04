"""Progress of long work on a terminal: one line that is written over."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from gpuconfig.engine.provenance.message import Message

WIDTH = 78


class TerminalProgress:
    """Shows how far the work is on `stream` where it is a terminal; Ctrl+C stops it as everywhere."""

    def __init__(self, stream: TextIO, say: Callable[[Message], str]) -> None:
        self._stream = stream
        self._say = say
        self._shows = stream.isatty()

    def report(self, fraction: float, what: Message) -> None:
        """Write the line anew."""
        if self._shows:
            self._stream.write(f"\r{fraction:4.0%}  {self._say(what)}"[: WIDTH + 1].ljust(WIDTH))
            self._stream.flush()

    def done(self) -> None:
        """Clear the line."""
        if self._shows:
            self._stream.write("\r" + " " * WIDTH + "\r")
            self._stream.flush()
