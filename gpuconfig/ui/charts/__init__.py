"""Charts over pyqtgraph and QPainter."""
