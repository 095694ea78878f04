"""Puts laid-out blocks on pages: what fits stays together, headings stay with what follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Protocol

from reportlab.pdfgen.canvas import Canvas

from gpuconfig.documents.pdf.style import FOOT_HEIGHT, HEAD_HEIGHT, MARGIN, PAGE_HEIGHT, ROUNDING

TOP = PAGE_HEIGHT - MARGIN
BOTTOM = MARGIN + FOOT_HEIGHT
WHOLE_PAGE = TOP - HEAD_HEIGHT - BOTTOM
BLANK_ALLOWED = 0.25
"""Share of a page that may stay blank so that a block is not divided."""
LEAST_SQUEEZE = 0.4
LITTLE = 0.35
"""Share of the last page up to which it is worth making the gaps tighter."""
TIGHTER = (0.8, 0.6, 0.45)


class Placeable(Protocol):
    """A block with its size.

    Attributes:
        height: without the space around it.
        before, after: space above and below; of two neighbours the larger counts.
        keeps_next: must not be the last on a page.
    """

    @property
    def height(self) -> float:
        """Height in points."""

    @property
    def before(self) -> float:
        """Space above."""

    @property
    def after(self) -> float:
        """Space below."""

    @property
    def keeps_next(self) -> bool:
        """Stays on the page of what follows."""

    def least(self) -> float:
        """The height of the smallest part that may stand alone at the foot of a page."""

    def split(self, available: float, /) -> tuple[Placeable, Placeable] | None:
        """A part of at most `available` height and the rest; None where it cannot be split there."""

    def draw(self, canvas: Canvas, x: float, top: float) -> None:
        """Draw with the top left corner at (x, top)."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A block and where its top edge is."""

    block: Placeable
    top: float


@dataclass(slots=True)
class Pager:
    """Collects pages.

    Attributes:
        first_top: where the first page's text begins, under the title.
        squeeze: factor on the gaps of the first page, so that a summary stays on it.
        tightness: factor on the gaps of every page, so that the last one is not nearly blank.
    """

    first_top: float
    squeeze: float = 1.0
    tightness: float = 1.0
    pages: list[list[Placed]] = field(default_factory=lambda: [[]])
    _y: float = field(init=False)
    _gap: float = field(init=False, default=0.0)
    _kept: bool = field(init=False, default=False)
    _torn: bool = field(init=False, default=False)
    """What should stay together is higher than the page it begins on: it goes on wherever the page ends."""

    def __post_init__(self) -> None:
        self._y = self.first_top

    def flow(self, blocks: Iterable[Placeable | None]) -> list[list[Placed]]:
        """Place all blocks in order; None starts a page."""
        queue = list(blocks)
        for index, block in enumerate(queue):
            if block is None:
                self.new_page()
                continue
            self._place(block, self._needed(queue, index))
        return self.pages

    def new_page(self) -> None:
        """Start a page unless this one is empty."""
        if self.pages[-1]:
            self.pages.append([])
        self._y, self._gap = TOP - HEAD_HEIGHT if len(self.pages) > 1 else self.first_top, 0.0

    def _needed(self, queue: list[Placeable | None], index: int) -> float:
        """Height the block needs on this page, with what must stay with it.

        What stands under a heading was judged with it: judged again it might move and leave the heading alone.
        """
        judged = self._kept and bool(self.pages[-1])
        block = queue[index]
        if judged and self._torn and block is not None:
            return block.least()
        room = self._y - self._gap - BOTTOM if judged else WHOLE_PAGE
        needed = self._together(queue, index, judged)
        return needed if needed <= room else self._start(queue, index)

    def _together(self, queue: list[Placeable | None], index: int, judged: bool) -> float:
        """All that should stay together from `index` on."""
        needed, gap = 0.0, 0.0
        for block in queue[index:]:
            if block is None:
                break
            needed += max(gap, block.before) if needed else 0.0
            if not block.keeps_next:
                return needed + (block.least() if judged else self._part_needed(block, needed))
            needed, gap = needed + block.height, block.after
        return needed

    def _start(self, queue: list[Placeable | None], index: int) -> float:
        """Where that is more than there is room for: up to the beginning of the first block that can be divided."""
        needed, gap = 0.0, 0.0
        for block in queue[index:]:
            if block is None:
                break
            needed += max(gap, block.before) if needed else 0.0
            if not block.keeps_next or block.least() < block.height:
                return needed + block.least()
            needed, gap = needed + block.height, block.after
        return needed

    def _part_needed(self, block: Placeable, above: float) -> float:
        """All of a block that would leave little blank by moving to the next page whole, else its least part."""
        available = self._y - self._gap - above - BOTTOM
        if above + block.height <= WHOLE_PAGE and available < WHOLE_PAGE * BLANK_ALLOWED:
            return block.height
        return block.least()

    def _space(self, block: Placeable) -> float:
        """Gap above `block` where it follows another on the page."""
        if not self.pages[-1]:
            return 0.0
        return max(self._gap, block.before) * self.tightness * (self.squeeze if len(self.pages) == 1 else 1.0)

    def _place(self, block: Placeable, needed: float) -> None:
        gap = self._space(block)
        if self._y - gap - needed < BOTTOM - ROUNDING:
            self.new_page()
            gap = 0.0
            self._torn = self._y - needed < BOTTOM
        rest: Placeable | None = block
        while rest is not None:
            available = self._y - gap - BOTTOM
            if rest.height <= available + ROUNDING:
                self._put(rest, gap)
                return
            parts = rest.split(available)
            if parts is None and not self.pages[-1]:
                self._put(rest, gap)  # taller than a page and not divisible: better cut than lost
                return
            if parts is not None:
                self._put(parts[0], gap)
                rest = parts[1]
            self.new_page()
            gap = 0.0

    def _put(self, block: Placeable, gap: float) -> None:
        self._y -= gap
        self.pages[-1].append(Placed(block, self._y))
        self._y -= block.height
        self._gap, self._kept, self._torn = block.after, block.keeps_next, self._torn and block.keeps_next


def flowed(blocks: Sequence[Placeable | None], first_top: float, squeeze: float = 1.0) -> list[list[Placed]]:
    """The pages; where the last one would hold little, the gaps are made tighter if that spares it."""
    pages = Pager(first_top, squeeze).flow(blocks)
    last = pages[-1]
    filled = TOP - HEAD_HEIGHT - last[-1].top + last[-1].block.height if last else 0.0
    if len(pages) == 1 or filled > WHOLE_PAGE * LITTLE:
        return pages
    for tightness in TIGHTER:
        tighter = Pager(first_top, squeeze, tightness).flow(blocks)
        if len(tighter) < len(pages):
            return tighter
    return pages


def squeeze_for(blocks: Sequence[Placeable], room: float) -> float | None:
    """The factor on gaps with which `blocks` fit into `room`; None where they cannot."""
    heights = sum(block.height for block in blocks)
    gaps = sum(max(first.after, second.before) for first, second in pairwise(blocks))
    if heights + gaps <= room:
        return 1.0
    factor = (room - heights) / gaps if gaps else 0.0
    return factor if factor >= LEAST_SQUEEZE else None
