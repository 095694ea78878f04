"""Icons: one-colour SVG from resources/icons, tinted with a token."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap

from gpuconfig import paths


class IconSet:
    """Icons of one scheme; each is drawn once for each colour and size."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, str, int, float], QPixmap] = {}
        self._sources: dict[str, str] = {}

    def pixmap(self, name: str, colour: str, size: int = 16) -> QPixmap:
        """The icon in one colour, sharp on the finest screen."""
        ratio = max((screen.devicePixelRatio() for screen in QGuiApplication.screens()), default=1.0)
        key = (name, colour, size, ratio)
        if key not in self._made:
            self._made[key] = self._draw(name, colour, size, ratio)
        return self._made[key]

    def icon(self, name: str, colour: str, checked: str = "", disabled: str = "") -> QIcon:
        """The icon for a button; `checked` and `disabled` are the colours of those states."""
        made = QIcon(self.pixmap(name, colour))
        if checked:
            made.addPixmap(self.pixmap(name, checked), QIcon.Mode.Normal, QIcon.State.On)
        if disabled:
            made.addPixmap(self.pixmap(name, disabled), QIcon.Mode.Disabled)
        return made

    def _draw(self, name: str, colour: str, size: int, ratio: float) -> QPixmap:
        from PySide6.QtSvg import QSvgRenderer  # no icon is drawn before the first paint

        if name not in self._sources:
            path = paths.resources() / "icons" / f"{name}.svg"
            self._sources[name] = path.read_text(encoding="utf-8")
        source = self._sources[name].replace("#000", colour)
        pixmap = QPixmap(QSize(size, size) * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        QSvgRenderer(QByteArray(source.encode())).render(painter, QRectF(0, 0, size, size))
        painter.end()
        return pixmap
