"""Looks at a page as a person would: clipped or elided text, overlaps, text in the wrong language."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QRect
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QToolButton,
    QWidget,
)

from gpuconfig.ui.widgets.table_view import FigureTable

SLACK = 1
CJK = re.compile(r"[\u3400-\u9fff]")
SENTENCE = re.compile(r"\b[a-z]{2,}(?: [a-z]{2,}){2,}\b")
OWN_NAMES = ("中文", "English")


def visible(root: QWidget) -> Iterator[QWidget]:
    """Every widget that a person sees somewhere on the page, scrolled or not."""
    for widget in root.findChildren(QWidget):
        if widget.isVisibleTo(root):
            yield widget


def clipped(root: QWidget) -> list[str]:
    """Texts that do not fit their widget."""
    found = []
    for widget in visible(root):
        text, need, room = _need(widget)
        if text and need > room + SLACK:
            found.append(f"{type(widget).__name__} {text!r}: needs {need}, has {room}")
    for table in root.findChildren(FigureTable):
        if table.isVisibleTo(root):
            found += _clipped_cells(table)
    return found


def _need(widget: QWidget) -> tuple[str, int, int]:
    """Text, pixels needed and pixels there; the height counts where the text wraps."""
    if isinstance(widget, QLabel) and widget.text():
        if widget.wordWrap():
            return widget.text(), widget.heightForWidth(widget.width()), widget.height()
        need = widget.sizeHint()
        if need.height() > widget.height() + SLACK:
            return widget.text(), need.height(), widget.height()
        return widget.text(), need.width(), widget.width()
    if isinstance(widget, QPushButton) and widget.layout() is None:
        return widget.text(), widget.sizeHint().width(), widget.width()
    if isinstance(widget, QRadioButton | QCheckBox | QToolButton):
        return widget.text(), widget.sizeHint().width(), widget.width()
    if isinstance(widget, QComboBox):
        metrics = QFontMetrics(widget.font())
        return widget.currentText(), metrics.horizontalAdvance(widget.currentText()) + 44, widget.width()
    if isinstance(widget, QLineEdit) and not widget.text() and widget.placeholderText():
        metrics = QFontMetrics(widget.font())
        room = widget.width() - 20 - widget.textMargins().right()
        return widget.placeholderText(), metrics.horizontalAdvance(widget.placeholderText()), room
    return "", 0, 0


def _clipped_cells(table: FigureTable) -> list[str]:
    found = []
    model = table.rows
    for row in range(model.rowCount()):
        if model.rows[row].heading:
            continue
        for column in range(model.columnCount()):
            index = model.index(row, column)
            need = table.sizeHintForIndex(index).width() - 4
            if need > table.columnWidth(column) + SLACK:
                text = model.cell(row, column).plain()
                found.append(f"cell {text!r}: needs {need}, has {table.columnWidth(column)}")
    return found


def overlapping(root: QWidget) -> list[str]:
    """Siblings of one layout that cover each other."""
    found = []
    for parent in [root, *visible(root)]:
        layout = parent.layout()
        if layout is None:
            continue
        children = [w for w in parent.children() if isinstance(w, QWidget) and w.isVisibleTo(root)]
        children = [
            w for w in children if not w.isWindow() and w.width() > 0 and w.height() > 0 and _laid_out(w)
        ]
        for number, one in enumerate(children):
            for other in children[number + 1 :]:
                common = one.geometry().intersected(other.geometry())
                if common.width() > SLACK and common.height() > SLACK:
                    found.append(f"{_describe(one)} and {_describe(other)} cover {_size(common)}")
    return found


def _laid_out(widget: QWidget) -> bool:
    return widget.property("role") not in ("toast", "palette") and widget.objectName() not in ("whyPanel",)


def _describe(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QLabel | QAbstractButton) else widget.accessibleName()
    return f"{type(widget).__name__} {text[:40]!r}"


def _size(rect: QRect) -> str:
    return f"{rect.width()}x{rect.height()}"


def texts(root: QWidget) -> Iterator[str]:
    """Everything that stands on the page in words."""
    for widget in visible(root):
        if isinstance(widget, QLabel | QAbstractButton):
            yield widget.text()
        elif isinstance(widget, QComboBox):
            yield from (widget.itemText(number) for number in range(widget.count()))
        elif isinstance(widget, QLineEdit):
            yield widget.placeholderText()
        elif isinstance(widget, FigureTable):
            model = widget.rows
            yield from (column.title for column in model.table.columns)
            for row in range(model.rowCount()):
                yield from (model.cell(row, column).plain() for column in range(model.columnCount()))


def stray_english(root: QWidget) -> list[str]:
    """Three English words in a row on a Chinese page; names of things have capitals or digits."""
    return [text for text in texts(root) if SENTENCE.search(text) and not text.startswith(("http", "/"))]


def stray_chinese(root: QWidget) -> list[str]:
    """Chinese characters on an English page, but for names of languages and examples of amounts."""
    allowed = str.maketrans("", "", "万亿")
    return [text for text in texts(root) if CJK.search(text.translate(allowed)) and text not in OWN_NAMES]


def nameless(root: QWidget) -> list[str]:
    """Controls that a screen reader could not name."""
    kinds = QAbstractButton | QLineEdit | QComboBox | FigureTable
    found = []
    for widget in visible(root):
        inner = widget.objectName().startswith("qt_") or isinstance(widget.parent(), QComboBox | QLineEdit)
        if isinstance(widget, kinds) and not inner and type(widget).__name__ != "QTableCornerButton":
            name = widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")
            if not name.strip() and type(widget) is not QAbstractButton:
                found.append(f"{type(widget).__name__} in {type(widget.parent()).__name__}")
    return found
