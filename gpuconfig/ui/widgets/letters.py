"""Alt+letter for the buttons of a page or window: none twice, none that a menu, a field or another button has."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QLabel,
    QMainWindow,
    QPushButton,
    QRadioButton,
    QWidget,
)

from gpuconfig.ui.widgets import mnemonics

LETTERED = (QPushButton, QCheckBox, QRadioButton)
ROLES = ("", "primary")
"""Of buttons that do something; links and rows carry the person's own words."""


def give_letters(root: QWidget) -> None:
    """A letter for each button under `root` that shows and has none yet."""
    taken = set(letters_of(root))
    menu = root.window()
    if isinstance(menu, QMainWindow):
        taken |= {mnemonics.letter(action.text()) for action in menu.menuBar().actions()}
    plain = [made for made in _buttons(root) if not mnemonics.letter(made.text()) and _takes_one(made)]
    for made, text in zip(plain, mnemonics.assign([made.text() for made in plain], taken), strict=True):
        name = made.accessibleName() or made.text()
        made.setText(text)
        made.setAccessibleName(name)


def letters_of(root: QWidget) -> Iterator[str]:
    """The letters of the buttons and of the fields' names under `root` that show."""
    named = [
        label for label in root.findChildren(QLabel) if label.buddy() is not None and label.isVisibleTo(root)
    ]
    for text in (*(made.text() for made in _buttons(root)), *(label.text() for label in named)):
        if letter := mnemonics.letter(text):
            yield letter


def _buttons(root: QWidget) -> list[QAbstractButton]:
    return [made for made in root.findChildren(QAbstractButton) if made.isVisibleTo(root) and made.text()]


def _takes_one(made: QAbstractButton) -> bool:
    return isinstance(made, LETTERED) and (made.property("role") or "") in ROLES
