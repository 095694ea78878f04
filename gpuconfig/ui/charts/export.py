"""A chart as a file: PNG and SVG on white whatever the window's colours, CSV with the same numbers."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QBuffer, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from gpuconfig import paths
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.system_errors import refusal
from gpuconfig.presentation.table import Table, to_csv
from gpuconfig.ui.charts.canvas import Canvas
from gpuconfig.ui.session import Session
from gpuconfig.ui.theme import read_tokens

SCALE = 2
"""Pixels of a PNG for one of the window."""
MARGIN = 16
TITLE_PX = 18
TITLE_HEIGHT = 36
SUFFIXES = (".png", ".svg", ".csv")
FILTER = "PNG (*.png);;SVG (*.svg);;CSV (*.csv)"


def save_to(session: Session, canvas: Canvas, title: str, table: Table, path: Path, chosen: str) -> None:
    """Write the chart where a person said, and tell how it went; `chosen` is the filter where no suffix was typed."""
    _ = session.gettext
    if path.suffix.lower() not in SUFFIXES:
        path = path.with_name(f"{path.name}.{chosen[:3].lower() or 'png'}")
    content = _content(canvas, title, table, path.suffix.lower())

    def refused(fault: Exception) -> None:
        values = {"file": str(path), "reason": refusal(fault)}
        session.say(session.render(Message(N_("{file} cannot be written: {reason}"), values)))

    session.jobs.write(
        Message(N_("Saving")),
        lambda _job: write(content, path),
        lambda _none: session.say(_(N_("Saved: {file}")).format(file=path.name)),
        refused,
    )


def write(content: QImage | bytes, path: Path) -> None:
    """Write a picture or text, off the main thread: beside its place, and moved there whole.

    Raises:
        OSError: the file cannot be written.
    """
    part = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        if isinstance(content, bytes):
            part.write_bytes(content)
        elif not content.save(str(part)):
            raise OSError(str(path))
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _content(canvas: Canvas, title: str, table: Table, kind: str) -> QImage | bytes:
    """What the file is to hold; a chart in other colours than the paper's is drawn in those for it."""
    if kind == ".csv":
        return to_csv(table).encode()
    light = read_tokens(False)
    redraws = canvas.is_stale or canvas.tokens != light
    if redraws:
        canvas.redraw(light)
    try:
        return _vector(canvas, title) if kind == ".svg" else _picture(canvas, title)
    finally:
        if redraws:
            canvas.redraw()


def _vector(canvas: Canvas, title: str) -> bytes:
    from PySide6.QtSvg import QSvgGenerator

    size, content = _size(canvas), QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(content)
    generator.setSize(size)
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    generator.setTitle(title)
    painter = QPainter(generator)
    _paint(painter, canvas, title, size)
    painter.end()
    return bytes(content.data().data())


def _picture(canvas: Canvas, title: str) -> QImage:
    size = _size(canvas)
    image = QImage(size * SCALE, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(SCALE, SCALE)
    _paint(painter, canvas, title, size)
    painter.end()
    return image


def _size(canvas: Canvas) -> QSize:
    return QSize(canvas.plot.width() + 2 * MARGIN, canvas.plot.height() + TITLE_HEIGHT + 2 * MARGIN)


def _paint(painter: QPainter, canvas: Canvas, title: str, size: QSize) -> None:
    font = QFont(paths.FONT_FAMILY)
    font.setPixelSize(TITLE_PX)
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(QColor(canvas.tokens.text))
    box = QRectF(MARGIN, MARGIN, size.width() - 2 * MARGIN, TITLE_HEIGHT)
    painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, title)
    area = QRectF(MARGIN, MARGIN + TITLE_HEIGHT, canvas.plot.width(), canvas.plot.height())
    canvas.plot.render(painter, area)
