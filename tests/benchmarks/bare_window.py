"""The least a PySide6 program can do: a window with the product's fonts, closed after its first paint."""

import sys

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow

from gpuconfig import paths


class CloseAfterPaint(QObject):
    """Ends the program one turn of the event loop after the watched window was painted."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            QTimer.singleShot(0, QApplication.instance().quit)
        return super().eventFilter(watched, event)


def main() -> int:
    """Show the window; returns Qt's exit code."""
    application = QApplication(sys.argv)
    for font in paths.fonts():
        QFontDatabase.addApplicationFont(str(font))
    application.setFont(QFont(paths.FONT_FAMILY, 10))
    window = QMainWindow()
    window.setCentralWidget(QLabel("从需求到整机"))
    watcher = CloseAfterPaint()
    window.centralWidget().installEventFilter(watcher)
    window.resize(1280, 800)
    window.show()
    return application.exec()


if __name__ == "__main__":
    sys.exit(main())
