"""The live result beside the questions: what is possible so far."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QProgressBar, QVBoxLayout

from gpuconfig.engine.provenance.message import N_
from gpuconfig.i18n import render
from gpuconfig.presentation.measures import option_name, price_shown, speed, speed_shown
from gpuconfig.presentation.option_view import bound_shown
from gpuconfig.presentation.shown import Shown, Tone
from gpuconfig.presentation.wizard.flow import all_asked
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.figure_label import Figure
from gpuconfig.ui.widgets.text import button, clear, label, line, wrapped

WIDTH = 248
INNER = WIDTH - 34
REJECTED_SHOWN = 3


class LivePanel(QFrame):
    """Follows the answers; the old result stays while a new one is searched, and says so."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.touched: set[str] = set()
        self.setProperty("role", "panel")
        self.setFixedWidth(WIDTH)
        self.heading = label("section")
        self.state = label("secondary", wrap=True)
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.stop = button("link")
        self.stop.clicked.connect(session.stop_search)
        self._content = QVBoxLayout()
        self._content.setSpacing(4)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(8)
        for part in (self.heading, self.state, self.bar, self.stop):
            layout.addWidget(part)
        layout.addLayout(self._content)
        layout.addStretch(1)

    def refresh(self) -> None:
        """Write what is known."""
        session = self._session
        _ = session.gettext
        self.heading.setText(_(N_("So far")))
        self.stop.setText(_(N_("Stop searching")))
        self.stop.setAccessibleName(_(N_("Stop searching")))
        self.bar.setAccessibleName(_(N_("Searching machines")))
        self.bar.setVisible(session.searching)
        self.stop.setVisible(session.searching)
        clear(self._content)
        self.state.setText(self._state())
        if session.recommendation is not None:
            self._result()

    def _state(self) -> str:
        session = self._session
        _, t = session.gettext, session.translator
        problems = [key for key in session.field_errors if key in self.touched or key in session.answers]
        if problems:
            titles = [_(q.title) for _step, q in all_asked(session.answers) if q.key in problems]
            return _(N_("Still open: {questions}")).format(questions=t.formats.join(titles))
        if session.fault is not None:
            return _(N_("The search failed: {reason}")).format(reason=session.fault)
        if session.request_error is not None:
            return session.render(session.request_error.message)
        if session.recommendation is None:
            return _(N_("Searching ...")) if session.searching else _(N_("Answer on; results appear here."))
        options = session.recommendation.options
        considered = max(len(session.recommendation.considered), len(options))
        text = t.ngettext("{count} option works", "{count} options work", considered)
        if not options:
            text = _(N_("Nothing fits this budget"))
        return text + (" · " + _(N_("being updated")) if session.searching else "")

    def _result(self) -> None:
        session = self._session
        t = session.translator
        answer = session.recommendation
        assert answer is not None
        best = answer.options[0] if answer.options else None
        if best is not None:
            self._content.addWidget(wrapped("strong", t.part(option_name(best)), INNER))
            self._figure(t.gettext(N_("Price")), price_shown(best, t))
            self._figure(t.gettext(speed(best.estimate).title), speed_shown(best, t))
            if best.estimate.training is not None:
                self._figure(t.gettext(N_("Limited by")), bound_shown(best, t))
        elif answer.smallest_budget_that_works is not None:
            smallest = answer.smallest_budget_that_works
            self._content.addWidget(label("secondary", t.gettext(N_("Smallest budget that works"))))
            made = Figure(session, "strong", stacked=True)
            made.show_figure(price_shown(smallest.option, t))
            self._content.addWidget(made)
            self._content.addWidget(wrapped("secondary", t.part(option_name(smallest.option)), INNER))
        if answer.rejected:
            self._content.addSpacing(8)
            self._content.addWidget(line())
            self._content.addWidget(label("secondary", t.gettext(N_("Left out, for example"))))
            for item in answer.rejected[:REJECTED_SHOWN]:
                reason = render(item.reason, t)
                words = reason if item.name in reason else f"{t.part(item.name)}: {reason}"
                self._content.addWidget(wrapped("small", words, INNER))

    def _figure(self, title: str, shown: Shown) -> None:
        made = Figure(self._session, stacked=True)
        made.show_figure(shown)
        self._content.addWidget(label("small", title))
        self._content.addWidget(made)
        if shown.tone is Tone.PROBLEM:
            self._content.addWidget(label("error", self._session.gettext(N_("over the budget"))))
