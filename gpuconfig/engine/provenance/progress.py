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
