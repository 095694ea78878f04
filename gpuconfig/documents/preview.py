"""Pages of a PDF as pictures, for looking at a paper before it is kept, and for printing it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

POINTS_PER_INCH = 72


@dataclass(frozen=True, slots=True)
class PagePicture:
    """One page: rows of BGRX pixels, four bytes each."""

    width: int
    height: int
    stride: int
    pixels: bytes


def page_pictures(path: Path, dots_per_inch: float, most: int) -> tuple[tuple[PagePicture, ...], int]:
    """The first `most` pages of a PDF and how many it has."""
    import pypdfium2  # loaded when a paper is looked at

    document = pypdfium2.PdfDocument(path.read_bytes())
    try:
        pictures = []
        for index in range(min(most, len(document))):
            page = document[index]
            bitmap = page.render(scale=dots_per_inch / POINTS_PER_INCH, rev_byteorder=False, prefer_bgrx=True)
            pictures.append(PagePicture(bitmap.width, bitmap.height, bitmap.stride, bytes(bitmap.buffer)))
            bitmap.close()
            page.close()
        return tuple(pictures), len(document)
    finally:
        document.close()
