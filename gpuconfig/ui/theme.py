"""Colours and fonts of the window: tokens from resources/themes, Fusion with an own palette, one style sheet."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from gpuconfig import paths
from gpuconfig.presentation.shown import Tone
from gpuconfig.settings import ThemeChoice

BODY_PX = 13
SMALL_PX = 11
SPACE = 8
"""Step of all spacing in pixels at 100 %."""

RAIL_WIDTH = 184
WHY_WIDTH = 340
WHAT_IF_WIDTH = 312
READING_WIDTH = 960
WHY_DOCKS_FROM = 1280

STYLE_OPTION = ("-style", "Fusion")
"""Given to Qt when the application is made: asking it for its style object from Python costs 10 ms of the start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """The colours of one scheme."""

    background: str
    surface: str
    border: str
    field_border: str
    text: str
    secondary: str
    disabled: str
    accent: str
    on_accent: str
    accent_surface: str
    ok: str
    warning: str
    problem: str
    unknown: str
    ok_surface: str
    warning_surface: str
    problem_surface: str
    unknown_surface: str
    series: tuple[str, ...]
    dark: bool

    def tone(self, tone: Tone) -> str:
        """The colour of a tone."""
        names = {Tone.NORMAL: self.text, Tone.SECONDARY: self.secondary, Tone.ACCENT: self.accent}
        names |= {Tone.OK: self.ok, Tone.WARNING: self.warning, Tone.PROBLEM: self.problem}
        return names.get(tone, self.unknown)


def read_tokens(dark: bool) -> Tokens:
    """The tokens of a scheme from its file."""
    path = paths.resources() / "themes" / ("dark.json" if dark else "light.json")
    data = json.loads(path.read_text(encoding="utf-8"))
    return Tokens(**{**data, "series": tuple(data["series"]), "dark": dark})


def is_dark(choice: ThemeChoice, app: QApplication) -> bool:
    """Which scheme a choice means on this computer."""
    if choice is ThemeChoice.SYSTEM:
        return app.styleHints().colorScheme() is Qt.ColorScheme.Dark
    return choice is ThemeChoice.DARK


def load_fonts(app: QApplication) -> None:
    """Register the bundled font and make it the application's; without it the system's is taken."""
    for path in paths.fonts():
        if path.exists():
            QFontDatabase.addApplicationFont(str(path))
    font = QFont(paths.FONT_FAMILY)
    font.setPixelSize(BODY_PX)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    app.setFont(font)


def apply(app: QApplication, tokens: Tokens) -> None:
    """Give the application its palette; the parts of a window get the style sheet from its wardrobe."""
    app.setPalette(palette(tokens))


def palette(tokens: Tokens) -> QPalette:
    """The palette of a scheme."""
    role = QPalette.ColorRole
    made = QPalette()
    colours = {
        role.Window: tokens.background,
        role.WindowText: tokens.text,
        role.Base: tokens.background,
        role.AlternateBase: tokens.surface,
        role.Text: tokens.text,
        role.Button: tokens.surface,
        role.ButtonText: tokens.text,
        role.BrightText: tokens.problem,
        role.ToolTipBase: tokens.surface,
        role.ToolTipText: tokens.text,
        role.PlaceholderText: tokens.secondary,
        role.Highlight: tokens.accent,
        role.HighlightedText: tokens.on_accent,
        role.Link: tokens.accent,
        role.Light: tokens.surface,
        role.Midlight: tokens.border,
        role.Mid: tokens.border,
        role.Dark: tokens.field_border,
        role.Shadow: tokens.border,
        role.Accent: tokens.accent,
    }
    for which, colour in colours.items():
        made.setColor(which, QColor(colour))
    for which in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, which, QColor(tokens.disabled))
    return made


def style_sheet(tokens: Tokens) -> str:
    """The style sheet with the tokens' colours in place of their names."""
    text = (paths.resources() / "themes" / "window.qss").read_text(encoding="utf-8")
    text = text.replace("@icons", (paths.resources() / "icons").as_posix())
    text = text.replace("@scheme", "dark" if tokens.dark else "light")
    names = [field.name for field in fields(Tokens) if field.name not in ("series", "dark")]
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(f"@{name}", getattr(tokens, name))
    return text
