"""F1 on a control: what it is for, what it accepts, what happens without it; near the control, closed by Esc."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QLabel, QWidget

from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.wizard.question import Question
from gpuconfig.ui.pages.wizard.field import QuestionField
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets import mnemonics
from gpuconfig.ui.widgets.page import Page
from gpuconfig.ui.widgets.text import button, column, fit_height, label, row

WIDTH = 380
GAP = 6


@dataclass(frozen=True, slots=True)
class ControlHelp:
    """Name of a control and what is to be said about it, a paragraph each."""

    title: str
    paragraphs: tuple[str, ...]


def help_for(widget: QWidget, session: Session) -> ControlHelp:
    """What is known about the control with the keyboard: its question, its own description, its page."""
    field = _around(widget, QuestionField)
    own = widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")
    title = mnemonics.plain(own)
    paragraphs: list[str] = []
    if isinstance(field, QuestionField):
        title = session.gettext(field.question.title)
        paragraphs += _of_question(field, session)
    else:
        described = widget.accessibleDescription() or widget.toolTip()
        paragraphs += [described] if described and described != title else []
    page = _around(widget, Page)
    if isinstance(page, Page):
        paragraphs.append(
            session.gettext(N_('Page "{page}": {purpose}')).format(
                page=page.title.text(), purpose=page.answers.text()
            )
        )
    return ControlHelp(title, tuple(paragraphs))


class ControlHelpBox(QFrame):
    """The box that shows the help; one a window."""

    def __init__(self, over: QWidget, session: Session, open_guide: Callable[[], object]) -> None:
        super().__init__(over)
        self.setProperty("role", "palette")
        self._session = session
        self._before: QWidget | None = None
        self.title = label("strong", wrap=True)
        self._texts = column(spacing=6)
        self._paragraphs: list[QLabel] = []
        self.guide = button("link")
        self.guide.clicked.connect(self._open_guide)
        self.guide.installEventFilter(self)
        self._guide = open_guide
        self.setLayout(column(self.title, self._texts, row(self.guide, -1), spacing=8, margins=14))
        self.setFixedWidth(WIDTH)
        self.hide()

    def show_for(self, widget: QWidget) -> None:
        """Open near a control; the keyboard goes to the link, Esc gives it back."""
        found = help_for(widget, self._session)
        _ = self._session.gettext
        self._before = widget
        self.title.setText(found.title)
        self.title.setVisible(bool(found.title))
        fit_height(self.title, WIDTH - 28)
        self.setAccessibleName(found.title)
        self.setAccessibleDescription("\n".join(found.paragraphs))
        self._write(found.paragraphs)
        self.guide.setText(_(N_("Open the guide (Ctrl+F1)")))
        self.guide.setAccessibleName(self.guide.text())
        self.adjustSize()
        self._place(widget)
        self.show()
        self.raise_()
        self.guide.setFocus()

    def close_help(self) -> None:
        """Close and give the keyboard back."""
        self.hide()
        if self._before is not None and shiboken6.isValid(self._before) and self._before.isVisible():
            self._before.setFocus()
        self._before = None

    def _write(self, paragraphs: tuple[str, ...]) -> None:
        for number, text in enumerate(paragraphs):
            if number == len(self._paragraphs):
                self._paragraphs.append(label("secondary", wrap=True))
                self._texts.addWidget(self._paragraphs[-1])
            shown = self._paragraphs[number]
            shown.setText(text)
            fit_height(shown, WIDTH - 28)
            shown.show()
        for spare in self._paragraphs[len(paragraphs) :]:
            spare.hide()

    def _place(self, widget: QWidget) -> None:
        over = self.parentWidget()
        assert over is not None
        below = widget.mapTo(over.window(), QPoint(0, widget.height() + GAP))
        place = over.mapFrom(over.window(), below)
        if place.y() + self.height() > over.height():
            place.setY(
                max(
                    over.mapFrom(over.window(), widget.mapTo(over.window(), QPoint())).y()
                    - self.height()
                    - GAP,
                    0,
                )
            )
        place.setX(max(min(place.x(), over.width() - self.width()), 0))
        self.move(place)

    def _open_guide(self) -> None:
        self.close_help()
        self._guide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_F1):
                self.close_help()
                return True
        elif event.type() is QEvent.Type.FocusOut:
            self.hide()
        return False


def _of_question(field: QuestionField, session: Session) -> Iterator[str]:
    _ = session.gettext
    question = field.question
    if question.help:
        yield _(question.help)
    if not field.unsure.isChecked() and field.consequence_text():
        yield field.consequence_text()
    accepted = _accepted(question, session)
    if accepted:
        yield _(N_("Accepted: {range}")).format(range=accepted)
    if question.unsure:
        yield _(N_("I don't know: {consequence}")).format(consequence=_(question.unsure))
    elif question.default:
        words = next((_(c.title) for c in question.choices if c.value == question.default), question.default)
        yield _(N_("Left open: {default}")).format(default=words)


def _accepted(question: Question, session: Session) -> str:
    low, high = question.range()
    if low is None or high is None:
        return ""
    t = session.translator
    unit = t.gettext(question.unit) if question.unit else ""
    return f"{t.formats.number(low)} – {t.formats.number(high)} {unit}".strip()


def _around(widget: QWidget, kind: type[QWidget]) -> QWidget | None:
    at: QWidget | None = widget
    while at is not None and not isinstance(at, kind):
        at = at.parentWidget()
    return at
