"""The first page: new, open, recent projects, samples, and what a killed window left behind."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLineEdit, QPushButton, QSizePolicy

from gpuconfig import paths
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.i18n import Translator
from gpuconfig.presentation.shown import Tone
from gpuconfig.project.document import Project
from gpuconfig.project.journal import Recovered, recoverable
from gpuconfig.settings import RECENT_PROJECTS, TOUR_OFFERED
from gpuconfig.ui.widgets import mnemonics
from gpuconfig.ui.widgets.notice import Notice
from gpuconfig.ui.widgets.page import Page
from gpuconfig.ui.widgets.text import button, clear, column, label, row

RECENT_SHOWN = 6
SAMPLE_HEIGHT = 84


class SampleButton(QPushButton):
    """A button as high as its wrapped words need at the width it gets, which a button does not do by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.setAutoDefault(True)
        self.setProperty("role", "row")
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Minimum)
        self.setMinimumHeight(SAMPLE_HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the height of the words."""
        super().resizeEvent(event)
        words = self.layout()
        if words is not None:
            self.setMinimumHeight(max(SAMPLE_HEIGHT, words.totalHeightForWidth(self.width())))


class StartPage(Page):
    """Leads on: samples, new, open, recent."""

    key = "start"
    new_requested = Signal()
    open_requested = Signal()
    file_requested = Signal(Path)
    tour_requested = Signal()

    def build(self) -> None:
        """New and open first, then samples, then recent."""
        self.recovery = Notice(self.session)
        self.discard = button("link")
        self.discard.clicked.connect(self._discard)
        self.tour = Notice(self.session)
        self.no_tour = button("link")
        self.no_tour.clicked.connect(self._no_tour)
        self.new = button("primary")
        self.open = button()
        self.samples_title = label("section")
        self.samples = QGridLayout()
        self.samples.setSpacing(12)
        self.recent_title = label("section")
        self.recent = column(spacing=4)
        self.empty = label("secondary", wrap=True)
        self.new_hint, self.drop_hint = label("secondary", wrap=True), label("secondary", wrap=True)
        buttons = column(row(self.new, self.open, -1, spacing=12), self.new_hint, spacing=8)
        for offer in (row(self.recovery, self.discard), row(self.tour, self.no_tour)):
            offer.setStretch(0, 1)
            self.body.addLayout(offer)
        self.body.addLayout(buttons)
        self.body.addSpacing(8)
        self.body.addWidget(self.samples_title)
        self.body.addLayout(self.samples)
        self.body.addSpacing(8)
        self.body.addWidget(self.recent_title)
        self.body.addWidget(self.empty)
        self.body.addLayout(self.recent)
        self.body.addSpacing(8)
        self.body.addWidget(self.drop_hint)
        self.body.addStretch(1)
        self.new.clicked.connect(self.new_requested)
        self.open.clicked.connect(self.open_requested)
        self._recovered = recoverable(paths.user_data())
        self._painted = False

    def retranslate(self) -> None:
        """Name everything."""
        _ = self.session.gettext
        self.title.setText(_("From what you want to train or serve to the machine"))
        self.answers.setText(
            _(
                "Answer six short steps or open a sample: machines with prices, reasons, checks and papers follow."
            )
        )
        self.new.setText(_("&New project"))
        self.open.setText(_("&Open project ..."))
        self.new_hint.setText(
            _(
                "Task, model, data, budget, limits, summary. What you do not know is filled in and marked as assumed."
            )
        )
        self.drop_hint.setText(
            _(
                "Files may be dropped here: a project, a model (config.json or GGUF), or a table of prices or parts."
            )
        )
        self.samples_title.setText(_("Samples"))
        self.recent_title.setText(_("Recent projects"))
        self.empty.setText(_("None yet. Projects that you save appear here."))
        for made in (self.new, self.open):
            made.setAccessibleName(mnemonics.plain(made.text()))

    def refresh(self) -> None:
        """List samples, recent projects, and what can be recovered."""
        clear(self.samples)
        for number, (name, project) in enumerate(self.session.services.samples().items()):
            self.samples.addWidget(self._sample(name, project), number // 3, number % 3)
        for place in range(3):
            self.samples.setColumnStretch(place, 1)
        clear(self.recent)
        recent = [Path(name) for name in self.session.services.settings.get(RECENT_PROJECTS)][:RECENT_SHOWN]
        self.empty.setVisible(not recent)
        for path in recent:
            self.recent.addWidget(self._recent(path))
        self._offer_recovery()
        self._offer_tour()

    def _sample(self, name: str, project: Project) -> QPushButton:
        t = self.session.translator
        made = SampleButton()
        title = t.gettext(project.title) or name
        line_ = _headline(project, t, self.session.names) if self._painted else ""
        head, text = label("strong", title, wrap=True), label("secondary", line_, wrap=True)
        layout = column(head, text, -1, spacing=4)
        layout.setContentsMargins(14, 10, 14, 10)
        made.setLayout(layout)
        for text_part in (head, text):
            text_part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        made.setAccessibleName(f"{title}. {line_}")
        made.setToolTip(line_)
        made.clicked.connect(lambda: self._start_sample(project, title))
        return made

    def fill_samples(self) -> None:
        """The first paint is over: write what each sample asks for."""
        self._painted = True
        self.refresh()
        if self.isVisible() and not isinstance(self.window().focusWidget(), QLineEdit):
            self.focus_first()  # the window gave the keyboard to its first button; who types already keeps it

    def _start_sample(self, project: Project, title: str) -> None:
        from dataclasses import replace

        self.session.start(replace(project, title=title))
        self.session.page_requested.emit("result")

    def _recent(self, path: Path) -> QPushButton:
        made = button("link")
        made.setText(f"{path.stem.replace('&', '&&')}    {path.parent}")
        made.setAccessibleName(str(path))
        made.setToolTip(str(path))
        made.clicked.connect(lambda: self.file_requested.emit(path))
        return made

    def _offer_recovery(self) -> None:
        self.discard.setVisible(bool(self._recovered))
        self.discard.setText(self.session.gettext("Discard it"))
        self.discard.setAccessibleName(self.discard.text())
        if not self._recovered:
            self.recovery.hide()
            return
        found = self._recovered[0]
        _ = self.session.gettext
        text = _('A window ended without saving "{title}"; its state of {time} was kept.').format(
            title=found.project.title or _("Untitled"), time=f"{found.written:%Y-%m-%d %H:%M}"
        )
        self.recovery.tell(Tone.WARNING, text, _("Recover"), lambda: self._recover(found))

    def _offer_tour(self) -> None:
        """Once, at the first start; the Help menu has it ever after."""
        offered = self.session.services.settings.get(TOUR_OFFERED)
        self.no_tour.setVisible(not offered)
        if offered:
            self.tour.hide()
        else:
            _ = self.session.gettext
            text = _("First time here? Five pages of a sample show how it works.")
            self.tour.tell(Tone.ACCENT, text, _("Show me"), self._take_tour)
            self.no_tour.setText(_("No, thank you"))
            self.no_tour.setAccessibleName(self.no_tour.text())

    def _take_tour(self) -> None:
        self._no_tour()
        self.tour_requested.emit()

    def _no_tour(self) -> None:
        with suppress(OSError):  # where nothing can be kept it is offered again, which harms nobody
            self.session.services.settings.set(TOUR_OFFERED, True)
        self.tour.hide()
        self.no_tour.hide()

    def _recover(self, found: Recovered) -> None:
        self._recovered = self._recovered[1:]
        try:
            self.session.start(found.project, found.file)
        except UserError as error:
            self.session.say(self.session.render(error.message))
            return
        self.session.history.mark_unsaved()
        found.journal.unlink(missing_ok=True)
        self.session.touch_journal()
        self.session.page_requested.emit("wizard")

    def _discard(self) -> None:
        """Throw the kept state away; the toast brings it back."""
        found, self._recovered = self._recovered[0], self._recovered[1:]
        kept = found.journal.read_bytes()
        found.journal.unlink(missing_ok=True)

        def bring_back() -> None:
            found.journal.write_bytes(kept)
            self._recovered = [found, *self._recovered]
            self.refresh()

        _ = self.session.gettext
        self.session.say(_("Discarded"), _("Undo"), bring_back)
        self.refresh()

    def give_letters(self) -> None:
        """None but those that its words have: the first paint does not wait for more."""

    def focus_first(self) -> None:
        """New project."""
        self.new.setFocus()


def _headline(project: Project, t: Translator, names: Mapping[str, str]) -> str:
    """Task, model and budget; the wizard's data is loaded for it, which the first paint does not wait for."""
    from gpuconfig.presentation.wizard.restore import answers_or_request
    from gpuconfig.presentation.wizard.summary import headline

    return headline(answers_or_request(project.answers, project.request), t, names)
