"""The status bar: saved state, age of prices, rate, what was searched; progress with Cancel meanwhile."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar, QSizePolicy, QStatusBar

from gpuconfig.engine.provenance.message import N_
from gpuconfig.presentation.shown import Tone
from gpuconfig.ui.jobs import Job
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.figure_label import Figure
from gpuconfig.ui.widgets.text import button, label, set_tone


class StatusBar(QStatusBar):
    """Quiet facts at the lower edge."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._job: Job | None = None
        self.setSizeGripEnabled(False)
        self.saved = label("secondary")
        self.prices, self.rate, self.searched = Figure(session), Figure(session), Figure(session)
        self.doing = label("secondary")
        self.bar = QProgressBar()
        self.bar.setFixedWidth(120)
        self.bar.setTextVisible(False)
        self.cancel = button("link")
        self.cancel.clicked.connect(self._cancel)
        for widget in (self.saved, self.prices, self.rate, self.searched):
            widget.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
            self.addWidget(widget)
        for part in (self.doing, self.bar, self.cancel):
            self.addPermanentWidget(part)
            part.hide()
        self.setContentsMargins(12, 0, 12, 0)
        session.jobs.progress.connect(self._progress)

    def retranslate(self) -> None:
        """Name what stays and fill anew."""
        _ = self._session.gettext
        self.cancel.setText(_(N_("Cancel")))
        self.cancel.setAccessibleName(_(N_("Cancel the running work")))
        self.bar.setAccessibleName(_(N_("Progress")))
        self.refresh()

    def refresh(self) -> None:
        """What is known about the project and its answer."""
        session = self._session
        t = session.translator
        self.saved.setText(self._saved())
        lost = session.autosave.fault is not None
        if lost or self.saved.property("tone"):  # asking for the style costs the start 10 ms
            set_tone(self.saved, Tone.PROBLEM if lost else Tone.NORMAL)
        answer = session.recommendation
        for widget in (self.prices, self.rate, self.searched):
            widget.setVisible(answer is not None)
        if answer is None:
            return
        from gpuconfig.presentation import status  # only once there is an answer

        shown = status.price_age(answer, session.services, t)
        self.prices.show_figure(shown)
        self.prices.setVisible(bool(shown.text))
        self.rate.show_figure(status.rate(session.services, t))
        self.searched.show_figure(status.searched(answer, t))

    def _saved(self) -> str:
        session = self._session
        _ = session.gettext
        if not session.is_open:
            return _(N_("No project open"))
        if session.history.is_saved and session.path is not None:
            if session.saved_at is None:
                return _(N_("Saved"))
            return _(N_("Saved {time}")).format(time=f"{session.saved_at:%H:%M}")
        if session.autosave.fault is not None:
            return _(N_("Not saved, not kept for recovery"))
        return _(N_("Not saved; kept for recovery"))

    def _progress(self, job: Job | None) -> None:
        self._job = job
        for widget in (self.doing, self.bar, self.cancel):
            widget.setVisible(job is not None)
        if job is not None:
            self.doing.setText(self._session.render(job.what))
            self.bar.setRange(0, 0 if job.fraction <= 0 else 100)
            self.bar.setValue(round(job.fraction * 100))

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._session.stop_search()
