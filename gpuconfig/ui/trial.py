"""What-if in the window: numbers follow the hand, machines are ranked anew, and what stays becomes one undo step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.measures import option_key
from gpuconfig.presentation.option_view import all_options, find_option
from gpuconfig.presentation.what_if import CARD, Lever, Shift, change_of, kept, levers, shifts
from gpuconfig.project.trial import SetWhatIf

if TYPE_CHECKING:
    from gpuconfig.engine.estimation.answer import Estimate
    from gpuconfig.engine.selection.recommendation import Option, Recommendation
    from gpuconfig.engine.selection.what_if import Found, WhatIf
    from gpuconfig.ui.session import Session

COMMIT_MS = 800
"""The person stopped: what is tried becomes a step of the project."""

RANK_MS = 25
"""Between two rankings of all machines while a slider moves; the chosen machine follows at once."""


class Trial(QObject):
    """The numbers that are tried in one window.

    Signals:
        moved: figures of the chosen machine changed.
    """

    moved = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._values: dict[str, float] = {}
        self._subject = ""
        self._held = False
        self._estimate: Estimate | None = None
        self._found: tuple[object, Found] | None = None
        self._commit = self._timer(COMMIT_MS, self.commit)
        self._rank = self._timer(RANK_MS, self.rank)

    def _timer(self, interval: int, slot: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(interval)
        timer.timeout.connect(slot)
        return timer

    # what there is to try ------------------------------------------------------------------------

    @property
    def option(self) -> Option | None:
        """The chosen machine as it was found, before anything was tried."""
        return find_option(self._session.found, self._session.project.chosen)

    def levers(self) -> tuple[Lever, ...]:
        """The numbers that may be tried on the chosen machine; none before there is an answer."""
        session, option = self._session, self.option
        if option is None or session.request is None:
            return ()
        key = (id(session.found), option_key(option))
        if self._found is None or self._found[0] != key:
            self._found = key, session.services.found_values(session.request, option)
        return levers(self._found[1], session.request.kind, option, self.values(), session.translator)

    def values(self) -> dict[str, float]:
        """What is tried: the project's numbers and those under the hand."""
        return {**kept(self._session.project.what_if), **self._values}

    @property
    def waits(self) -> bool:
        """Whether machines are to be composed anew for what is tried."""
        return bool(self._values) and (self._session.searching or self._commit.isActive())

    def shifts(self) -> tuple[Shift, ...]:
        """What the tried numbers do to the chosen machine."""
        before = self.option
        if before is None:
            return ()
        now = find_option(self._session.recommendation, option_key(before))
        if now is not None and option_key(now) != option_key(before):
            now = None
        return shifts(before, now, self._estimate, self._session.translator)

    def fallen_out(self) -> Message | None:
        """Why the chosen machine is no option any more with what is tried; None where it still is one."""
        session, option = self._session, self.option
        answer = session.recommendation
        if option is None or answer is None or answer is session.found:
            return None
        key = option_key(option)
        if any(option_key(other) == key for other in all_options(answer)):
            return None
        mine = [item.reason for item in answer.rejected if item.accelerator == option.accelerator.id]
        return mine[0] if mine else Message(N_("this machine is no option with these numbers"))

    def tried(self) -> Estimate | None:
        """The chosen machine's estimate with what is tried; None where it is as found or cannot be done."""
        return self._estimate

    # trying --------------------------------------------------------------------------------------

    def hold(self, held: bool) -> None:
        """A slider is in the hand: nothing is committed until it is let go."""
        self._held = held
        if not held and self._values:
            self._commit.start()

    def move(self, lever: Lever, value: float) -> None:
        """Try another value; the chosen machine follows at once, all others a moment later."""
        if self._subject and self._subject != lever.title:
            self.commit()
        self._subject = lever.title
        self._values[lever.key] = value
        option, change = self.option, self.change()
        self._estimate = None
        if option is not None and change.changes_work:
            self._estimate = self._session.services.tried(option, change)
        if not self._rank.isActive():
            self._rank.start()
        if not self._held:
            self._commit.start()
        self.moved.emit()

    def rank(self) -> None:
        """Judge every composed machine with what is tried."""
        session = self._session
        if session.found is not None:
            session.show_tried(self.of(session.found))
        self.moved.emit()

    def of(self, answer: Recommendation) -> Recommendation:
        """`answer` with what is tried."""
        request, values = self._session.request, self.values()
        if request is None or not values:
            return answer
        return self._session.services.what_if(request, answer, self.change())

    def change(self) -> WhatIf:
        """What is tried, as the engine takes it."""
        return change_of(self.values(), self._card())

    def commit(self) -> None:
        """Put what is tried into the project: one step for undo; new work is composed anew in the background."""
        self._commit.stop()
        if self._rank.isActive():
            self._rank.stop()
            self.rank()
        moved = {lever.key: lever for lever in self.levers() if lever.key in self._values}
        numbers: dict[str, str | None] = {}
        answers: dict[str, object] = {}
        for key, lever in moved.items():
            text = f"{self._values[key]:.10g}"
            if lever.answer:
                answers[lever.answer] = text
                answers[lever.answer + "?"] = None
            else:
                numbers[key] = text if lever.is_moved else None
                del self._values[key]
        answers = {k: v for k, v in answers.items() if self._session.answers.get(k) != v}
        if "card_price" in numbers:
            numbers[CARD] = self._card()
        same = {k: v for k, v in numbers.items() if self._session.project.what_if.get(k) != v}
        subject = Message("{name}", {"name": self._subject})
        self._subject = ""
        if same or answers:
            step = SetWhatIf(values=numbers, answers=answers, subject=subject)
            self._session.keep_tried(step, step.apply(self._session.project).what_if)

    def forget(self) -> None:
        """A new answer, or a step taken back: what was under the hand is not any more."""
        self._commit.stop()
        self._rank.stop()
        self._values.clear()
        self._subject = ""
        self._estimate = None

    def reset(self) -> None:
        """Everything as it was found, in one step."""
        tried: Mapping[str, str] = self._session.project.what_if
        self.forget()
        if tried:
            title = Message(N_("back to what was found"))
            self._session.do(SetWhatIf(values=dict.fromkeys(tried), subject=title))
        self.rank()

    def _card(self) -> str:
        option = self.option
        known = self._session.project.what_if.get(CARD, "")
        if "card_price" in self._values or not known:
            return "" if option is None else option.accelerator.id
        return known

    def close(self) -> None:
        """End the timers."""
        self.forget()
