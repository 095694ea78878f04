"""A field with its unit inside."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from gpuconfig.ui.widgets.text import label, repolish


class UnitEdit(QLineEdit):
    """A line of text whose unit stands at its right end in secondary colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._unit = label("secondary")
        self._unit.setParent(self)
        self._unit.hide()

    def set_unit(self, text: str) -> None:
        """Show another unit."""
        self._unit.setText(text)
        self._unit.setVisible(bool(text))
        self._unit.adjustSize()
        self.setTextMargins(0, 0, self._unit.width() + 6 if text else 0, 0)
        self._place()

    def set_invalid(self, invalid: bool) -> None:
        """Mark the field; its text stays."""
        if bool(self.property("invalid")) != invalid:
            self.setProperty("invalid", invalid)
            repolish(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        self._unit.move(self.width() - self._unit.width() - 10, (self.height() - self._unit.height()) // 2)
