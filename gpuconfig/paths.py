"""Where files lie: the only module that locates resources, database and the user's own folders.

Three layouts have the same two roots below them. A checkout keeps `resources/` and `db/` at its top and
what `dev.py setup` builds in `build/assets/`; a wheel and a frozen build carry all in `gpuconfig/bundled/`.
"""

import os
import sys
from pathlib import Path

USER_FOLDER_VARIABLE = "GPUCONFIG_USER_FOLDER"
"""Environment variable: one folder for settings and data instead of the system's (a portable install)."""

FONT_FAMILY = "Noto Sans SC"

_PACKAGE = Path(__file__).resolve().parent
_BUNDLED = _PACKAGE / "bundled"
_CHECKOUT = _PACKAGE.parent


def is_frozen() -> bool:
    """Whether this is the packed program and not Python on source files."""
    return bool(getattr(sys, "frozen", False))


def resources() -> Path:
    """Themes, icons, help, samples and translations as committed."""
    return (_BUNDLED if _BUNDLED.is_dir() else _CHECKOUT) / "resources"


def database_sources() -> Path:
    """`db/`: migrations, and the seed that the bundled catalogue is built from."""
    return (_BUNDLED if _BUNDLED.is_dir() else _CHECKOUT) / "db"


def assets() -> Path:
    """What `dev.py setup` builds: fonts, compiled translations and the catalogue."""
    return _BUNDLED / "assets" if _BUNDLED.is_dir() else _CHECKOUT / "build" / "assets"


def catalogue() -> Path:
    """The bundled catalogue, opened read-only."""
    return assets() / "catalogue.sqlite"


def fonts() -> tuple[Path, Path]:
    """The regular (400) and the bold (700) weight of `FONT_FAMILY`, as TrueType files."""
    return assets() / "fonts" / "NotoSansSC-Regular.ttf", assets() / "fonts" / "NotoSansSC-Bold.ttf"


def translations() -> Path:
    """The folder that gettext searches for `<language>/LC_MESSAGES/gpuconfig.mo`."""
    return assets() / "locale"


def user_config() -> Path:
    """The folder of the settings; not created here."""
    return _user_folder("config")


def user_data() -> Path:
    """The folder of the user's overlay database, backups and logs; not created here."""
    return _user_folder("data")


def overlay() -> Path:
    """The user's overlay database where the command line names no other."""
    return user_data() / "overlay.sqlite"


def _user_folder(kind: str) -> Path:
    chosen = os.environ.get(USER_FOLDER_VARIABLE)
    if chosen:
        return Path(chosen) / kind
    import platformdirs

    if kind == "config":
        return Path(platformdirs.user_config_dir("gpuconfig", appauthor=False))
    return Path(platformdirs.user_data_dir("gpuconfig", appauthor=False))
