"""The languages of the product and how the system's own is found."""

import locale
import os
import sys
from enum import StrEnum

from gpuconfig.settings import LanguageChoice


class Language(StrEnum):
    """A language that all text exists in; the value is what `--lang` takes."""

    ZH = "zh"
    EN = "en"

    @property
    def locale_name(self) -> str:
        """The locale's name for gettext, Babel and Qt."""
        return "zh_CN" if self is Language.ZH else "en_US"

    @property
    def own_name(self) -> str:
        """The language's name in itself, for the menu that chooses it."""
        return "中文" if self is Language.ZH else "English"


def resolve(choice: LanguageChoice) -> Language:
    """The language that a setting means; `system` follows the person's environment."""
    if choice is not LanguageChoice.SYSTEM:
        return Language(choice.value)
    return Language.ZH if _system_locale().lower().startswith(("zh", "chinese")) else Language.EN


def _system_locale() -> str:
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(variable):
            return os.environ[variable]
    if sys.platform == "win32":  # getlocale() speaks of the C library there, not of the person
        import ctypes

        return locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")
    return locale.getlocale()[0] or ""
