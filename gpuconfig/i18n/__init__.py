"""Text by gettext catalogues, and numbers, money, dates and sizes in the reader's locale.

`load(Language.ZH)` gives a `Translator`; `render(message, translator)` fills an engine's `Message`.
"""

from gpuconfig.i18n.language import Language, resolve
from gpuconfig.i18n.rendering import render
from gpuconfig.i18n.translator import Translator, load

__all__ = ["Language", "Translator", "load", "render", "resolve"]
