"""A chart as a file: PNG and SVG on white whatever the window's colours, CSV with the same numbers."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from gpuconfig import paths
from gpuconfig.engine.provenance.message import N_
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
    try:
        save(canvas, title, table, path)
    except OSError as error:
        text = _(N_("{file} cannot be written: {reason}"))
        session.say(text.format(file=path, reason=error.strerror or error))
        return
    session.say(_(N_("Saved: {file}")).format(file=path.name))


def save(canvas: Canvas, title: str, table: Table, path: Path) -> None:
    """Write the chart as its suffix says; a picture is written beside its place and moved there whole.

    Raises:
        OSError: the file cannot be written.
    """
    kind = path.suffix.lower()
    part = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        if kind == ".csv":
            part.write_text(to_csv(table), encoding="utf-8", newline="")
        else:
            _draw(canvas, title, part, vector=kind == ".svg")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _draw(canvas: Canvas, title: str, path: Path, *, vector: bool) -> None:
    size = QSize(canvas.plot.width() + 2 * MARGIN, canvas.plot.height() + TITLE_HEIGHT + 2 * MARGIN)
    canvas.redraw(read_tokens(False))
    try:
        if vector:
            from PySide6.QtSvg import QSvgGenerator

            generator = QSvgGenerator()
            generator.setFileName(str(path))
            generator.setSize(size)
            generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
            generator.setTitle(title)
            painter = QPainter(generator)
            _paint(painter, canvas, title, size)
            painter.end()
            if not path.exists():
                raise OSError(title)
            return
        image = QImage(size * SCALE, QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(SCALE, SCALE)
        _paint(painter, canvas, title, size)
        painter.end()
        if not image.save(str(path)):
            raise OSError(str(path))
    finally:
        canvas.redraw()


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
