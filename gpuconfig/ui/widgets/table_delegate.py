"""Draws a cell: icon, text, small note, "assumed"; figures right, the best value bold."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.shown import Shown, Tone
from gpuconfig.ui.session import Session
from gpuconfig.ui.theme import SMALL_PX
from gpuconfig.ui.widgets.table_model import ROW_ROLE, SHOWN_ROLE

PADDING, TIGHT = 8, 1
"""Space at the side that a cell's text stands at, and the least at the other."""
GAP = 5
ICON = 14
ROW_HEIGHT, STACKED_HEIGHT = 32, 44
MOST_WIDTHS = 4000


def in_two(text: str) -> list[str]:
    """A text of several words as two lines of about the same length."""
    breaks = [n for n in range(1, len(text)) if text[n] in " （" or text[n - 1] in "、，；"]
    if not breaks:
        return [text]
    place = min(breaks, key=lambda n: abs(2 * n - len(text)))
    return [text[:place], text[place:].lstrip()]


class CellDelegate(QStyledItemDelegate):
    """Paints cells of a `TableModel`."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._base = ""
        self._metrics: dict[str, QFontMetrics] = {}
        self._widths: dict[tuple[str, str], int] = {}
        self.far_side = PADDING
        self.without_notes: frozenset[int] = frozenset()
        """Columns whose notes are not drawn."""
        self.stacked = False
        """Whether notes stand under the text instead of beside it."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        if index.data(ROW_ROLE).heading:
            return QSize(80, ROW_HEIGHT + 4)
        with_note = index.column() not in self.without_notes
        width = self.content_width(
            index.data(SHOWN_ROLE), option.font, with_note=with_note, stacked=self.stacked
        )
        return QSize(width + PADDING + self.far_side, STACKED_HEIGHT if self.stacked else ROW_HEIGHT)

    def content_width(
        self, shown: Shown, font: QFont, *, with_note: bool = True, stacked: bool = False
    ) -> int:
        """Pixels of what stands in a cell, without the space around it."""
        kind = "bold" if shown.best else "plain"
        icon = ICON + GAP if shown.icon else 0
        texts = self._notes(shown, with_note=with_note)
        notes = sum(self._width("small", text, font) + GAP for text in texts)
        if not stacked:
            return self._width(kind, shown.text, font) + 4 + icon + notes
        lines = [shown.text] if texts else in_two(shown.text)
        return max(max(self._width(kind, line, font) for line in lines) + 4 + icon, notes)

    def _width(self, kind: str, text: str, base: QFont) -> int:
        """Texts recur at every refresh of a table: each is measured once."""
        if self._base != base.key() or len(self._widths) > MOST_WIDTHS:
            self._base = base.key()
            self._widths = {}
            plain, small = self._fonts(base, Shown(text=""))
            bold, _ = self._fonts(base, Shown(text="", best=True))
            self._metrics = {
                "plain": QFontMetrics(plain),
                "bold": QFontMetrics(bold),
                "small": QFontMetrics(small),
            }
        key = kind, text
        if key not in self._widths:
            self._widths[key] = self._metrics[kind].horizontalAdvance(text)
        return self._widths[key]

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        tokens = self._session.tokens
        shown: Shown = index.data(SHOWN_ROLE)
        row = index.data(ROW_ROLE)
        painter.save()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        if row.heading:
            painter.fillRect(option.rect, QColor(tokens.surface))
        elif selected:
            painter.fillRect(option.rect, QColor(tokens.accent_surface))
        painter.setPen(QPen(QColor(tokens.border), 1))
        painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())
        if shown.text or shown.icon:
            numeric = index.model().table.columns[index.column()].numeric  # type: ignore[attr-defined]
            notes = self._notes(shown, with_note=index.column() not in self.without_notes)
            room = option.rect.width() - PADDING - self.far_side
            fits = bool(notes) or self.content_width(shown, option.font) <= room
            lines = [shown.text] if fits or not self.stacked else in_two(shown.text)
            if self.stacked and not row.heading and (notes or len(lines) > 1):
                under = replace(shown, text="" if notes else lines[1], icon="")
                self._over_one_another(painter, option, replace(shown, text=lines[0]), under, notes, numeric)
            else:
                self._content(painter, option, shown, notes, numeric, bool(row.heading), row.muted)
        if focused and not row.heading:
            painter.setPen(QPen(QColor(tokens.accent), 2))
            painter.drawRect(option.rect.adjusted(1, 1, -2, -2))
        painter.restore()

    def _over_one_another(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        over: Shown,
        under: Shown,
        notes: list[str],
        numeric: bool,
    ) -> None:
        """The text in the upper half; the rest of it, or its notes, in the lower."""
        whole = QRect(option.rect)
        half = whole.height() // 2
        option.rect = whole.adjusted(0, 3, 0, -half + 1)
        self._content(painter, option, over, [], numeric, False, False)
        option.rect = whole.adjusted(0, half - 1, 0, -4)
        self._content(painter, option, under, notes, numeric, False, False)
        option.rect = whole

    def _content(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        shown: Shown,
        notes: list[str],
        numeric: bool,
        heading: bool,
        muted: bool,
    ) -> None:
        tokens = self._session.tokens
        font, small = self._fonts(option.font, shown)
        if heading:
            font.setBold(True)
        left, right = (self.far_side, PADDING) if numeric else (PADDING, self.far_side)
        area = option.rect.adjusted(left, 0, -right, 0)
        metrics = QFontMetrics(font)
        notes_width = sum(QFontMetrics(small).horizontalAdvance(note) + GAP for note in notes)
        icon_width = ICON + GAP if shown.icon else 0
        room = max(area.width() - notes_width - icon_width, 24)
        text = metrics.elidedText(shown.text, Qt.TextElideMode.ElideRight, room)
        x = area.left()
        if numeric:
            x = max(area.right() - notes_width - icon_width - metrics.horizontalAdvance(text), area.left())
        if shown.icon:
            pixmap = self._session.icons.pixmap(shown.icon, tokens.tone(shown.tone), ICON)
            painter.drawPixmap(x, area.center().y() - ICON // 2, pixmap)
            x += icon_width
        tone = Tone.SECONDARY if muted and shown.tone is Tone.NORMAL else shown.tone
        painter.setPen(QColor(tokens.tone(tone)))
        painter.setFont(font)
        width = metrics.horizontalAdvance(text)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(QRect(x, area.top(), width + 2, area.height()), flags, text)
        x += width + GAP
        painter.setFont(small)
        for number, note in enumerate(notes):
            colour = tokens.warning if shown.assumed and number == len(notes) - 1 else tokens.secondary
            painter.setPen(QColor(colour))
            width = QFontMetrics(small).horizontalAdvance(note)
            painter.drawText(QRect(x, area.top(), width + 2, area.height()), flags, note)
            x += width + GAP

    def _notes(self, shown: Shown, *, with_note: bool = True) -> list[str]:
        notes = [shown.note] if shown.note and with_note else []
        if shown.assumed:
            notes.append(self._session.gettext(N_("assumed")))
        return notes

    def _fonts(self, base: QFont, shown: Shown) -> tuple[QFont, QFont]:
        font = QFont(base)
        font.setBold(shown.best)
        small = QFont(base)
        small.setPixelSize(SMALL_PX)
        return font, small
