"""What is dragged onto a window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QDropEvent


def dropped_file(event: QDropEvent) -> Path | None:
    """The first file of this computer among what is dragged; None where there is none."""
    return next((Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()), None)
