"""The why panel: what is behind a figure, each of its inputs opening again."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from gpuconfig.engine.provenance.explanation import Explanation
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.reference import Reference, explain, title_of
from gpuconfig.presentation.why import WhyInput, WhyView, view
from gpuconfig.ui.jobs import Job
from gpuconfig.ui.session import Session
from gpuconfig.ui.theme import WHY_WIDTH
from gpuconfig.ui.widgets.side_panel import SidePanel, small_button
from gpuconfig.ui.widgets.text import clear, column, label, line, row, set_tone
from gpuconfig.ui.widgets.text_link import TextLink


class WhyPanel(SidePanel):
    """Docked at the right, or over the content where the window is narrow."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, WHY_WIDTH)
        self.setObjectName("whyPanel")
        self.path: list[Explanation] = []
        self._reference: Reference | None = None
        self._job: Job | None = None
        self.back, self.copy = small_button(), small_button()
        self._content = QVBoxLayout()
        self._inputs: list[tuple[Explanation, TextLink]] = []
        self._content.setSpacing(8)
        self.hold(self._content, self.back, self.copy)
        self._connect()
        self.retranslate()

    def _connect(self) -> None:
        self.back.clicked.connect(self._go_back)
        self.copy.clicked.connect(self._copy)
        self.session.language_changed.connect(self.retranslate)
        self.session.theme_changed.connect(self.retranslate)

    def retranslate(self) -> None:
        """Name and colour everything; what is open stays open."""
        _ = self.session.gettext
        self.name(_("Why this figure"))
        for made, icon, name in (
            (self.back, "back", _("Back to the figure before")),
            (self.copy, "copy", _("Copy as text")),
            (self.close_button, "close", _("Close the panel (Esc)")),
        ):
            self.name_button(made, icon, name)
        self._show()

    def focus_first(self) -> None:
        """The way out, which is there while the figure is still being opened; Tab leads on to the inputs."""
        self.close_button.setFocus()

    def open(self, reference: Reference) -> None:
        """Open a figure; its tree may take a moment the first time."""
        if self._job is not None:
            self._job.cancel()
        self._reference = reference
        self.path = []
        services = self.session.services

        def work(_job: Job) -> Explanation:
            return explain(reference, services)

        self._job = self.session.jobs.read(
            Message(N_("Opening the figure")), work, self._opened, self._failed
        )
        self._show()

    def _opened(self, explanation: Explanation) -> None:
        self._job = None
        self.path = [explanation]
        self._show()

    def _failed(self, fault: Exception) -> None:
        self._job = None
        clear(self._content)
        text = self.session.gettext(N_("This figure cannot be opened: {reason}")).format(reason=fault)
        self._content.addWidget(label("error", text, wrap=True))
        self._content.addStretch(1)

    def _show(self) -> None:
        clear(self._content)
        self._inputs.clear()
        self.back.setEnabled(len(self.path) > 1)
        self.copy.setEnabled(bool(self.path))
        if self.path:
            self._show_view(view(self.path[-1], self.session.translator))
        elif self._reference is not None:
            self._content.addWidget(
                label("strong", self.session.gettext(title_of(self._reference)), wrap=True)
            )
            self._content.addWidget(label("secondary", self.session.gettext(N_("Opening ..."))))
        else:
            hint = N_(
                "Click any figure, or move to it with Tab and press F1. Here stand its formula with the numbers filled "
                "in, every input, the source with its date, and the nearest real measurements."
            )
            self._content.addWidget(label("secondary", self.session.gettext(hint), wrap=True))
        self._content.addStretch(1)

    def _show_view(self, shown: WhyView) -> None:
        _ = self.session.gettext
        add = self._content.addWidget
        if len(self.path) > 1:
            trail = " › ".join(_(node.title) or node.name for node in self.path[:-1])
            add(label("small", trail, wrap=True))
        add(label("strong", shown.title, wrap=True))
        add(selectable(label("big", shown.value, wrap=True)))
        if shown.band:
            add(selectable(label("secondary", shown.band, wrap=True)))
        self._content.addLayout(self._mark(shown))
        if shown.formula:
            self._section(_("Formula"))
            add(selectable(label("mono", f"{shown.name} =\n{_breakable(shown.formula)}", wrap=True)))
            if shown.filled != shown.formula:
                add(selectable(label("", "= " + shown.filled, wrap=True)))
        if shown.inputs:
            self._section(_("Inputs"))
            for item in shown.inputs:
                add(self._input(item))
        self._show_evidence(shown)

    def _show_evidence(self, shown: WhyView) -> None:
        _ = self.session.gettext
        add = self._content.addWidget
        if shown.source or shown.date:
            self._section(_("Source"))
            if shown.source:
                add(selectable(label("secondary", _breakable(shown.source), wrap=True)))
            if shown.date:
                add(label("secondary", _("Date: {date}").format(date=shown.date)))
            if shown.note:
                add(selectable(label("small", shown.note, wrap=True)))
        if shown.nearest:
            self._section(_("Nearest real measurements"))
            for value, text in shown.nearest:
                add(selectable(label("strong", value)))
                add(selectable(label("small", _breakable(text), wrap=True)))

    def _mark(self, shown: WhyView) -> QHBoxLayout:
        icon = QLabel()
        icon.setPixmap(self.session.icons.pixmap(shown.mark.icon, self.session.tokens.tone(shown.mark.tone)))
        text = label("", shown.mark.text)
        set_tone(text, shown.mark.tone)
        return row(icon, text, -1, spacing=6)

    def _section(self, title: str) -> None:
        self._content.addSpacing(4)
        self._content.addWidget(line())
        self._content.addWidget(label("small", title))

    def _input(self, item: WhyInput) -> QWidget:
        made = QWidget()
        title = TextLink(self.session, item.title)
        title.setAccessibleName(f"{item.title}: {item.value.text}, {item.mark}")
        node = self.path[-1].inputs[item.opens]
        title.clicked.connect(lambda: self._go_down(node))
        self._inputs.append((node, title))
        value = label("", item.value.text, wrap=True)
        mark = label("small", item.mark)
        mark.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        under = row(value, mark, spacing=8)
        under.setStretch(0, 1)
        made.setLayout(column(title, under, spacing=0))
        return made

    def _go_down(self, node: Explanation) -> None:
        self.path.append(node)
        self._show()
        (self.back if self.back.isEnabled() else self.close_button).setFocus()

    def _go_back(self) -> None:
        if len(self.path) > 1:
            below = self.path.pop()
            self._show()
            self._focus_input(below)

    def _focus_input(self, below: Explanation) -> None:
        """The input that was left: the person may go on to the next one."""
        for made in self._inputs:
            if made[0] is below:
                made[1].setFocus()
                return
        self.focus_first()

    def _copy(self) -> None:
        if self.path:
            text = view(self.path[-1], self.session.translator).as_text(self.session.translator)
            QGuiApplication.clipboard().setText(text)
            self.session.say(self.session.gettext(N_("Copied")))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Backspace:
            self._go_back()
        else:
            super().keyPressEvent(event)


def selectable(made: QLabel) -> QLabel:
    """A label whose text can be selected with the mouse."""
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


def elide(text: str, length: int) -> str:
    """A text cut in the middle of its length; the whole stands in the tool tip."""
    return text if len(text) <= length else text[: length - 1] + "…"


def _breakable(text: str) -> str:
    """Long names and addresses may break after their separators."""
    for mark in "/_.?&=;":
        text = text.replace(mark, mark + "\u200b")
    return text
