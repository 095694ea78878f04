"""Texts of Qt's own dialogs and menus in the window's language."""

from __future__ import annotations

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from gpuconfig.i18n import Language

NAME = "qtbase_zh_CN"


def install(language: Language) -> None:
    """Make Qt's own texts follow; English needs none."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    for old in app.findChildren(QTranslator, NAME):
        app.removeTranslator(old)
        old.setParent(None)
        old.deleteLater()
    QLocale.setDefault(QLocale(language.locale_name))
    if language is Language.ZH:
        made = QTranslator(app)
        made.setObjectName(NAME)
        if made.load(NAME, QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
            app.installTranslator(made)
