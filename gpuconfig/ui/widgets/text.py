"""Labels by role, and layouts in steps of the spacing."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLayout, QPushButton, QVBoxLayout, QWidget

from gpuconfig.presentation.shown import Tone
from gpuconfig.ui.theme import SMALL_PX


def label(role: str = "", text: str = "", *, wrap: bool = False) -> QLabel:
    """A label whose role the style sheet knows."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        made.setProperty("role", role)
    if wrap:
        made.setWordWrap(True)
    return made


def wrapped(role: str, text: str, width: int) -> QLabel:
    """A wrapping label of a fixed width, as high as its text needs."""
    made = label(role, text, wrap=True)
    made.setFixedWidth(width)
    if role == "small":  # the style sheet's size is known only once it has a parent
        font = made.font()
        font.setPixelSize(SMALL_PX)
        made.setFont(font)
    made.ensurePolished()
    fit_height(made, width)
    return made


def fit_height(made: QLabel, width: int) -> None:
    """As high as the words need in this width; without words a label has no height, which Qt tells by -1."""
    made.setFixedHeight(max(made.heightForWidth(width), 0))


def button(role: str = "") -> QPushButton:
    """A button whose role the style sheet knows; Enter presses it."""
    made = QPushButton()
    made.setAutoDefault(True)
    if role:
        made.setProperty("role", role)
    return made


def one_line(text: str) -> str:
    """What was typed, or pasted with its line breaks and tabs, as the words of one line."""
    return re.sub(r"\s*[\t\r\n\u2028\u2029]\s*", " ", text)


def set_tone(widget: QWidget, tone: Tone) -> None:
    """Colour a widget by tone."""
    if widget.property("tone") != tone.value:
        widget.setProperty("tone", tone.value)
        repolish(widget)


def repolish(widget: QWidget) -> None:
    """Make the style sheet look at a changed property; a widget that was not drawn yet is looked at then.

    The first question for a style makes its class known to Python, which costs 10 ms of the start.
    """
    if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
        style = widget.style()
        style.unpolish(widget)
        style.polish(widget)


def column(*parts: QWidget | QLayout | int, spacing: int = 8, margins: int = 0) -> QVBoxLayout:
    """Parts below one another; a number is extra space, -1 a stretch."""
    made = QVBoxLayout()
    _fill(made, parts, spacing, margins)
    return made


def row(*parts: QWidget | QLayout | int, spacing: int = 8, margins: int = 0) -> QHBoxLayout:
    """Parts beside one another; a number is extra space, -1 a stretch."""
    made = QHBoxLayout()
    _fill(made, parts, spacing, margins)
    return made


def line() -> QFrame:
    """A thin line between groups."""
    made = QFrame()
    made.setProperty("role", "line")
    return made


def clear(layout: QLayout) -> None:
    """Remove and delete everything in a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif inner is not None:
            clear(inner)


def _fill(
    made: QVBoxLayout | QHBoxLayout, parts: tuple[QWidget | QLayout | int, ...], spacing: int, margins: int
) -> None:
    made.setSpacing(spacing)
    made.setContentsMargins(margins, margins, margins, margins)
    for part in parts:
        if isinstance(part, QWidget):
            made.addWidget(part)
        elif isinstance(part, QLayout):
            made.addLayout(part)
        elif part < 0:
            made.addStretch(1)
        else:
            made.addSpacing(part)
