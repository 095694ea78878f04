"""Every change of the user's catalogue, named, with undo and redo."""

from __future__ import annotations

from collections.abc import Sequence

from gpuconfig.presentation.desk.workplace import Workplace
from gpuconfig.storage.steps import Step


class ChangeHistory:
    """The steps of the overlay."""

    def __init__(self, place: Workplace) -> None:
        self._place = place

    def steps(self) -> Sequence[Step]:
        """Every step, oldest first; those undone are at the end."""
        own = self._place.catalogue.own()
        return [] if own is None else own.steps()

    def undo(self) -> Step | None:
        """Take back the last step; None where there is none. Raises DataError where it cannot be written."""
        if not self.steps():
            return None
        with self._place.writing() as overlay:
            return overlay.undo()

    def redo(self) -> Step | None:
        """Make the last undone step again; None where there is none."""
        if not self.steps():
            return None
        with self._place.writing() as overlay:
            return overlay.redo()
