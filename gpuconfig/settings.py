"""Every setting, declared once, and the file that keeps what the person chose.

The file is JSON in the user's configuration folder, read at start and written whole and atomically, one
setting at a time, so that two windows do not undo each other. Window and command line share it. A key this
version does not know is kept: a newer version may have written it.
"""

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, TypeVar

from gpuconfig import paths

FILE_NAME = "settings.json"
RECENT_PROJECTS_KEPT = 10

T = TypeVar("T")


def N_(text: str) -> str:  # this module lies below the engine, whose marker it would otherwise use
    """Mark `text` for extraction into the translation catalogue and return it unchanged."""
    return text


class LanguageChoice(StrEnum):
    """Which language window, command line and papers speak."""

    SYSTEM = "system"
    ZH = "zh"
    EN = "en"


class ThemeChoice(StrEnum):
    """Which colours the window has."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True, kw_only=True)
class Organisation:
    """Who a paper comes from or goes to; the empty text is "not given"."""

    name: str = ""
    department: str = ""
    address: str = ""
    tax_number: str = ""
    bank: str = ""
    bank_account: str = ""
    contact: str = ""
    phone: str = ""
    email: str = ""
    logo: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting(Generic[T]):
    """One setting: its key in the file, its default, how it is read, and its name and help for people.

    Attributes:
        read: turns the JSON value into the setting's type; raises ValueError, TypeError or KeyError.
        write: turns a value into what JSON can hold.
        title: one line; empty for a setting the program keeps by itself.
        choices: the values of an enumeration with their names, in the order they are offered.
        is_folder: whether a text is a folder of this computer.
    """

    key: str
    default: T
    read: Callable[[Any], T]
    write: Callable[[T], Any] = lambda value: value
    title: str = ""
    help: str = ""
    choices: tuple[tuple[T, str], ...] = ()
    is_folder: bool = False


ORGANISATION_FIELDS = {
    "name": N_("Company name"),
    "department": N_("Department"),
    "address": N_("Address"),
    "tax_number": N_("Tax number"),
    "bank": N_("Bank"),
    "bank_account": N_("Account"),
    "contact": N_("Contact"),
    "phone": N_("Phone"),
    "email": N_("E-mail"),
}
"""The fields of an organisation that are typed, with their names for people."""


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(_text(item) for item in value)


def _organisation(value: Any) -> Organisation:
    known = {field.name for field in fields(Organisation)}
    return Organisation(**{key: _text(item) for key, item in value.items() if key in known})


LANGUAGE = Setting(
    key="language",
    default=LanguageChoice.SYSTEM,
    read=LanguageChoice,
    title=N_("Language"),
    help=N_(
        'Language of the window, the command line and new papers. "System" follows the computer\'s language.'
    ),
    choices=(
        (LanguageChoice.SYSTEM, N_("System")),
        (LanguageChoice.ZH, "中文"),
        (LanguageChoice.EN, "English"),
    ),
)
THEME = Setting(
    key="theme",
    default=ThemeChoice.SYSTEM,
    read=ThemeChoice,
    title=N_("Colours"),
    help=N_('Light or dark window. "System" follows the computer. Papers are always printed on white.'),
    choices=(
        (ThemeChoice.SYSTEM, N_("System")),
        (ThemeChoice.LIGHT, N_("Light")),
        (ThemeChoice.DARK, N_("Dark")),
    ),
)
RECENT_PROJECTS: Setting[tuple[str, ...]] = Setting(
    key="recent_projects", default=(), read=_texts, write=list
)
WHY_PANEL = Setting(
    key="why_panel",
    default=False,
    read=_boolean,
    title=N_("Keep the why panel open"),
    help=N_(
        "The panel on the right with the formula, the inputs and the sources behind a figure. Off: it opens with the "
        "first figure that you ask about."
    ),
)
ORGANISATION = Setting(
    key="organisation",
    default=Organisation(),
    read=_organisation,
    write=asdict,
    title=N_("Your organisation"),
    help=N_(
        "Name, address, tax number and contact that proposals, quotations and requisitions are filled with."
    ),
)
SELLER = Setting(
    key="seller",
    default=Organisation(),
    read=_organisation,
    write=asdict,
    title=N_("Seller"),
    help=N_("The supplier that a quotation names. A quotation cannot be made without one."),
)
PROJECT_FOLDER = Setting(
    key="project_folder",
    default="",
    read=_text,
    title=N_("Folder for projects and papers"),
    help=N_("Where the dialogs for opening, saving and exporting start. Empty: the folder used last."),
    is_folder=True,
)
TOUR_OFFERED = Setting(key="tour_offered", default=False, read=_boolean)
WINDOW_GEOMETRY = Setting(key="window_geometry", default="", read=_text)

PRICE_SOURCES: Setting[tuple[str, ...]] = Setting(
    key="price_sources",
    default=(
        "rate https://api.frankfurter.dev/v1/latest?base=USD&symbols=CNY",
        "cloud lambda https://raw.githubusercontent.com/skypilot-org/skypilot-catalog/master/catalogs/v8/lambda/vms.csv",
        "cloud runpod https://raw.githubusercontent.com/skypilot-org/skypilot-catalog/master/catalogs/v8/runpod/vms.csv",
    ),
    read=_texts,
    write=list,
)
"""What is asked for the exchange rate and rental prices, only when a person says so: `rate ADDRESS` or
`cloud PROVIDER ADDRESS`, one a line."""

SETTINGS: tuple[Setting[Any], ...] = (
    LANGUAGE,
    THEME,
    RECENT_PROJECTS,
    PRICE_SOURCES,
    WHY_PANEL,
    ORGANISATION,
    SELLER,
    PROJECT_FOLDER,
    TOUR_OFFERED,
    WINDOW_GEOMETRY,
)


class Settings:
    """The values of all settings, kept in one file.

    Attributes:
        unreadable: where a damaged file was put aside; None where the file was sound or absent.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or paths.user_config() / FILE_NAME
        self.unreadable: Path | None = None
        self._values = self._load()

    def get(self, setting: Setting[T]) -> T:
        """The stored value, or the default where none is stored or the stored one makes no sense."""
        try:
            return setting.read(self._values[setting.key])
        except (KeyError, ValueError, TypeError, AttributeError):
            return setting.default

    def set(self, setting: Setting[T], value: T) -> None:
        """Keep `value` and write the file; raises OSError where the folder cannot be written."""
        self._save({**self._load(), setting.key: setting.write(value)})

    def reset(self, setting: Setting[Any]) -> None:
        """Forget the stored value, so that the default holds again."""
        self._save({key: value for key, value in self._load().items() if key != setting.key})

    def remember_project(self, project: Path) -> None:
        """Put `project` first among the recent ones."""
        name = str(project.absolute())
        others = [recent for recent in self.get(RECENT_PROJECTS) if recent != name]
        self.set(RECENT_PROJECTS, (name, *others[: RECENT_PROJECTS_KEPT - 1]))

    def _load(self) -> dict[str, Any]:
        try:
            values = json.loads(self.path.read_text(encoding="utf-8"))
        except OSError:
            return {}
        except ValueError:
            values = None
        if isinstance(values, dict):
            return values
        self._put_aside()
        return {}

    def _put_aside(self) -> None:
        """Keep a damaged file for the person to look at; the program starts with the defaults."""
        aside = self.path.with_suffix(".damaged.json")
        try:
            self.path.replace(aside)
        except OSError:
            return
        self.unreadable = aside

    def _save(self, values: dict[str, Any]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        temporary = self.path.with_name(f"{FILE_NAME}.{os.getpid()}.part")
        try:
            with temporary.open("w", encoding="utf-8") as file:
                json.dump(values, file, ensure_ascii=False, indent=2)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(self.path)
        finally:
            temporary.unlink(missing_ok=True)
        self._values = values
