"""How much work lies between two looks at the cancel button, counted in calls: clocks differ, work does not."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

from gpuconfig.engine.provenance.message import Message
from tests.selection.requests import ROWS, answer, estimator, request

MOST_CALLS = 250_000
"""Of Python functions; a slow core makes over a million a second, so a cancel is heard within 0.2 s."""


class _Counter:
    """Counts calls, and the most that lay between two reports."""

    def __init__(self) -> None:
        self.calls = 0
        self.most = 0
        self.where = ""
        self.looks = 0

    def count(self, _frame: FrameType, event: str, _argument: Any) -> None:
        self.calls += event == "call"

    def report(self, fraction: float, what: Message) -> None:
        if self.calls > self.most:
            self.most, self.where = self.calls, f"{fraction:.3f} {what.english()}"
        self.calls = 0
        self.looks += 1


@pytest.mark.long
@pytest.mark.parametrize("row", ["serve_70b", "full_7b", "sdxl"])
def test_little_work_lies_between_two_looks(row: str) -> None:
    """Also in the first search of a process, which prices the catalogue."""
    estimator()
    request(ROWS[row])
    counter = _Counter()
    sys.setprofile(counter.count)
    try:
        answer(ROWS[row], counter)
    finally:
        sys.setprofile(None)
    counter.report(1.0, Message("end"))
    assert counter.looks > 20
    assert counter.most < MOST_CALLS, counter.where
