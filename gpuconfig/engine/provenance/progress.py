"""Progress of long work: the worker reports, the listener may cancel."""

from __future__ import annotations

from typing import Protocol

from gpuconfig.engine.provenance.message import Message


class Progress(Protocol):
    """Given to long operations by the front end."""

    def report(self, fraction: float, what: Message) -> None:
        """Tell how far the work is (0..1) and what is being done.

        Raises:
            Cancelled: the person asked to stop; the operation leaves nothing behind.
        """


class Silent:
    """A listener that hears nothing and never cancels."""

    def report(self, fraction: float, what: Message) -> None:
        """Do nothing."""


class OneBar:
    """One progress over several pieces of work in a row, of which the later ones may turn out needless.

    Each piece but the last possible one takes half of what is left, so that the bar never goes back.
    """

    def __init__(self, listener: Progress, most: int) -> None:
        self._listener = listener
        self._left = most
        self._start = self._share = 0.0

    def begin(self) -> None:
        """The next piece begins."""
        self._start += self._share
        self._left -= 1
        self._share = (1.0 - self._start) / (2 if self._left > 0 else 1)

    def report(self, fraction: float, what: Message) -> None:
        """How far the piece at hand is."""
        self._listener.report(self._start + self._share * fraction, what)
