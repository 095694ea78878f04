"""The progress line of a terminal is written over, in either script."""

from __future__ import annotations

import io

import pytest

from gpuconfig.cli.progress import TerminalProgress, fitted
from gpuconfig.engine.provenance.message import Message


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("50%  cards", "50%  car"),
        ("5%", "5%      "),
        ("5% 显存显存", "5% 显存 "),
        ("5%  显存显存", "5%  显存"),
    ],
)
def test_a_line_is_as_wide_as_asked_for(text: str, shown: str) -> None:
    assert fitted(text, 8) == shown


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_line_is_cleared() -> None:
    terminal = _Terminal()
    progress = TerminalProgress(terminal, lambda message: message.text)
    progress.report(0.25, Message("显存" * 60))
    progress.done()
    first, line, blank, rest = terminal.getvalue().split("\r")
    assert (first, rest) == ("", "")
    assert line.startswith(" 25%  显存")
    assert blank == " " * 79
