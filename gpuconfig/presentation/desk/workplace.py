"""What every part of the desk works on: the catalogue that is read and the overlay that is written."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.system_errors import refusal
from gpuconfig.storage.overlay import Overlay, StepWriter
from gpuconfig.storage.repository import SqliteCatalogue


@dataclass(frozen=True, slots=True)
class Workplace:
    """Catalogue, overlay and clock.

    Attributes:
        catalogue: bundle and overlay as everybody reads them; read anew after a change.
        overlay: the user's database; made by the first change.
        today: day that new records carry.
        changed: told after every change, so that what was computed from the catalogue is dropped.
        sources: what may be asked online, as the settings name it; nothing by default.
    """

    catalogue: SqliteCatalogue
    overlay: Path
    today: Callable[[], date]
    changed: Callable[[], None]
    sources: Callable[[], tuple[str, ...]] = tuple

    @contextmanager
    def writing(self) -> Iterator[Overlay]:
        """The overlay, open for one change; afterwards the catalogue reads anew.

        Raises:
            DataError: the file cannot be written (full disk, no right, held by another process); nothing changed.
        """
        try:
            self.overlay.parent.mkdir(parents=True, exist_ok=True)
            opened = Overlay(self.overlay)
            try:
                yield opened
            finally:
                opened.close()
        except (OSError, sqlite3.OperationalError) as error:
            values = {"file": str(self.overlay), "reason": refusal(error)}
            text = N_("{file} cannot be written: {reason}. Nothing was changed.")
            raise DataError("unwritable", Message(text, values)) from None
        self.catalogue.refresh()
        self.changed()

    @contextmanager
    def step(self, title: str) -> Iterator[StepWriter]:
        """One undoable step of the user's history; raises DataError like `writing`."""
        with self.writing() as overlay, overlay.step(title) as step:
            yield step
