"""One bar over several pieces of work."""

from __future__ import annotations

import pytest

from gpuconfig.engine.provenance.message import Message
from gpuconfig.engine.provenance.progress import OneBar


class _Listener:
    def __init__(self) -> None:
        self.heard: list[float] = []

    def report(self, fraction: float, what: Message) -> None:  # noqa: ARG002
        self.heard.append(fraction)


@pytest.mark.parametrize("most", [1, 2, 4])
def test_the_bar_never_goes_back_and_ends_full(most: int) -> None:
    listener = _Listener()
    bar = OneBar(listener, most)
    for _piece in range(most):
        bar.begin()
        for fraction in (0.0, 0.5, 1.0):
            bar.report(fraction, Message("work"))
    assert listener.heard == sorted(listener.heard)
    assert listener.heard[0] == 0.0
    assert listener.heard[-1] == 1.0
