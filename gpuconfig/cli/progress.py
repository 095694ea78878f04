"""Progress of long work on a terminal: one line that is written over."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TextIO
from unicodedata import east_asian_width

from gpuconfig.engine.provenance.message import Message

COLUMNS = 80
"""Where the terminal does not tell how wide it is."""


class TerminalProgress:
    """Shows how far the work is on `stream` where it is a terminal; Ctrl+C stops it as everywhere."""

    def __init__(self, stream: TextIO, say: Callable[[Message], str]) -> None:
        self._stream = stream
        self._say = say
        self._shows = stream.isatty()

    def report(self, fraction: float, what: Message) -> None:
        """Write the line anew."""
        if self._shows:
            self._stream.write("\r" + fitted(f"{fraction:4.0%}  {self._say(what)}", self._width()))
            self._stream.flush()

    def done(self) -> None:
        """Clear the line."""
        if self._shows:
            self._stream.write("\r" + " " * self._width() + "\r")
            self._stream.flush()

    def _width(self) -> int:
        """Columns that may be written without the terminal going on to the next line."""
        try:
            columns = os.get_terminal_size(self._stream.fileno()).columns
        except OSError:
            columns = 0
        return (columns or COLUMNS) - 1


def fitted(text: str, columns: int) -> str:
    """`text` cut or filled to so many columns of a terminal; a Chinese character takes two."""
    kept, used = "", 0
    for character in text:
        wide = 2 if east_asian_width(character) in "WF" else 1
        if used + wide > columns:
            break
        kept, used = kept + character, used + wide
    return kept + " " * (columns - used)
