"""The wizard: step rail above, one question a row, the live result at the right."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QLayout, QVBoxLayout, QWidget

from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.wizard.flow import STEPS, asked
from gpuconfig.presentation.wizard.question import UNSURE, Question, QuestionKind, Step
from gpuconfig.presentation.wizard.summary import step_in_words
from gpuconfig.project.commands import SetAnswers
from gpuconfig.ui.pages.wizard.editors import editor_class
from gpuconfig.ui.pages.wizard.field import FIELD_WIDTH, QuestionField
from gpuconfig.ui.pages.wizard.live import WIDTH as LIVE_WIDTH
from gpuconfig.ui.pages.wizard.live import LivePanel
from gpuconfig.ui.pages.wizard.step_rail import StepRail
from gpuconfig.ui.pages.wizard.summary_form import SummaryForm
from gpuconfig.ui.pages.wizard.templates import TemplatePicker
from gpuconfig.ui.session import Session
from gpuconfig.ui.why_panel import elide
from gpuconfig.ui.widgets import mnemonics
from gpuconfig.ui.widgets.fold import Fold
from gpuconfig.ui.widgets.page import MARGIN, Page, scrolling
from gpuconfig.ui.widgets.text import button, column, label, line, row

FORM_WIDTH, COLUMN_GAP, BESIDE_GAP = 760, 24, 16
WIDE_KINDS = frozenset({QuestionKind.CHOICE, QuestionKind.CARDS, QuestionKind.MODEL})
"""Their editors take all the width of the form."""
LIVE_BESIDE_FROM = 1040
"""Width of the page in pixels."""


class StepForm(QWidget):
    """The questions of one step; those that the task does not ask are hidden, their answers kept."""

    def __init__(self, page: WizardPage, step: Step) -> None:
        super().__init__()
        self.step = step
        self._page = page
        self.heading = label("section")
        self.fields: dict[str, QuestionField] = {}
        self._groups: dict[str, QLabel] = {}
        self.more = Fold(page.session)
        simple, self._advanced = QVBoxLayout(), QGridLayout()
        self._placed: tuple[object, ...] = ()
        simple.setSpacing(20)
        self._advanced.setVerticalSpacing(20)
        self._advanced.setHorizontalSpacing(COLUMN_GAP)
        self._advanced.setContentsMargins(0, 0, 0, 0)
        for question in step.questions:
            field = editor_class(question.kind, question.key)(page.session, question)
            field.answered.connect(page.answered)
            field.entered.connect(page.go_next)
            self.fields[question.key] = field
            if question.advanced:
                field.setParent(self.more.body)
                if question.group and question.group not in self._groups:
                    self._groups[question.group] = made = label("group")
                    made.setParent(self.more.body)
            else:
                simple.addWidget(field)
        self.more.body.setLayout(self._advanced)
        parts: list[QWidget | QLayout | int] = [self.heading, simple, self.more, -1]
        self.templates = TemplatePicker(page.session) if step is STEPS[0] else None
        if self.templates is not None:
            parts.insert(0, self.templates)
        self.setLayout(column(*parts, spacing=16))

    def retranslate(self) -> None:
        """Name the questions; letters are given anew for the whole step."""
        _ = self._page.session.gettext
        self.heading.setText(_(self.step.heading))
        if self.templates is not None:
            self.templates.retranslate()
        taken: set[str] = set(self._page.reserved_letters())
        for question in asked(self.step, self._page.session.answers):
            self.fields[question.key].retranslate(taken)
        for title, shown in self._groups.items():
            shown.setText(_(title))
        self.more.set_title(mnemonics.assign([_(N_("More options"))], taken)[0])

    def load(self) -> None:
        """Show the project's answers and what is wrong with them."""
        session = self._page.session
        answers = session.answers
        if self.templates is not None:
            self.templates.load()
        shown = {question.key for question in asked(self.step, answers)}
        advanced = False
        for key, field in self.fields.items():
            field.setVisible(key in shown)
            advanced = advanced or (key in shown and field.question.advanced)
            field.load(answers)
            problem = session.field_errors.get(key)
            if field.question.required and key not in self._page.touched and key not in answers:
                problem = None  # nobody has had a chance to answer yet
            field.show_error(problem)
            if problem is not None and field.question.advanced:
                self.more.set_open(True)
        self.more.setVisible(advanced)
        self.arrange()

    def arrange(self) -> None:
        """Questions for experts stand two beside one another where there is room, wide ones alone."""
        columns = 2 if self._page.form_width() >= 2 * FIELD_WIDTH + COLUMN_GAP else 1
        shown = [f for f in self.fields.values() if f.question.advanced and not f.isHidden()]
        if (columns, *shown) == self._placed:
            return
        self._placed = (columns, *shown)
        while self._advanced.count():
            self._advanced.takeAt(0)
        for title in self._groups.values():
            title.hide()
        line_, place, group = 0, 0, ""
        for field in shown:
            if field.question.group != group:
                group = field.question.group
                line_, place = line_ + 1 + bool(place), 0
                self._advanced.addWidget(self._groups[group], line_ - 1, 0, 1, columns)
                self._groups[group].show()
            span = columns if field.question.kind in WIDE_KINDS else 1
            if place + span > columns:
                line_, place = line_ + 1, 0
            self._advanced.addWidget(field, line_, place, 1, span, Qt.AlignmentFlag.AlignTop)
            place += span
        for number in range(columns):
            self._advanced.setColumnStretch(number, 1)


class WizardPage(Page):
    """Six steps, back and forth without loss."""

    key = "wizard"
    wide = True

    def __init__(self, session: Session) -> None:
        self.number = 0
        self.touched: set[str] = set()
        super().__init__(session)

    def build(self) -> None:
        """Step rail, form with its own scrolling, live panel, buttons."""
        self.area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rail = StepRail(len(STEPS))
        self.rail.chosen.connect(self.go_to)
        self.forms: list[StepForm | SummaryForm | None] = [None] * len(STEPS)
        self.holder = QVBoxLayout()
        self.holder.setContentsMargins(0, 0, BESIDE_GAP, 0)
        self.live = LivePanel(self.session)
        self._below, self._beside = column(), column(self.live, -1)
        inner, side = QWidget(), QWidget()
        inner.setLayout(column(self.holder, self._below, spacing=16))
        inner.setMaximumWidth(FORM_WIDTH)
        side.setLayout(self._beside)
        self.form_area, self.side_area = scrolling(inner), scrolling(side)
        self.side_area.setFixedWidth(LIVE_WIDTH + self.side_area.verticalScrollBar().sizeHint().width())
        self.back = button()
        self.next = button("primary")
        self.back.clicked.connect(self.go_back)
        self.next.clicked.connect(self.go_next)
        middle = row(self.form_area, self.side_area, spacing=BESIDE_GAP)
        middle.setStretch(0, 1)
        self.body.setSpacing(12)
        self.body.addWidget(self.rail)
        self.body.addWidget(line())
        self.body.addLayout(middle, 1)
        self.body.addLayout(row(-1, self.back, self.next, spacing=12))
        self._outer.setContentsMargins(0, 0, 0, 0)
        self.body.setContentsMargins(0, 12, 0, 0)
        self.inner_margin = MARGIN

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The result so far stands under the questions where both do not fit beside each other."""
        super().resizeEvent(event)
        narrow = self.width() < LIVE_BESIDE_FROM
        if narrow is not self.side_area.isHidden():
            self.side_area.setHidden(narrow)
            (self._below if narrow else self._beside).insertWidget(0, self.live)
        for form in self.forms:
            if isinstance(form, StepForm):
                form.arrange()

    def form_width(self) -> int:
        """Pixels that questions have beside one another."""
        beside = 0 if self.side_area.isHidden() else self.side_area.width() + BESIDE_GAP
        bar = self.form_area.verticalScrollBar().sizeHint().width()
        room = self.width() - 2 * MARGIN - beside - bar
        return min(room, FORM_WIDTH) - BESIDE_GAP

    def reserved_letters(self) -> str:
        """Letters of the menu bar and of this page's own buttons."""
        return "BNFEVPH"

    def give_letters(self) -> None:
        """Each step gives its own, choices first."""

    # naming and filling ----------------------------------------------------------------------------

    def retranslate(self) -> None:
        """Name everything; forms that were never shown are named when they are."""
        _ = self.session.gettext
        self.title.setText(_(N_("Requirement")))
        self.answers.setText(_(N_("What is to be trained or served, and within which limits?")))
        self.back.setText(_(N_("&Back")))
        self.back.setAccessibleName(_(N_("Back to the step before")))
        for form in self.forms:
            if form is not None:
                form.retranslate()

    def refresh(self) -> None:
        """Show the current step with the project's answers."""
        self._show_step()
        form = self.forms[self.number]
        assert form is not None
        form.load()
        self.live.touched = self.touched
        self.live.refresh()
        self._name_rail()
        self._name_next()

    def _show_step(self) -> None:
        if self.forms[self.number] is None:
            step = STEPS[self.number]
            made = StepForm(self, step) if step.questions else SummaryForm(self)
            self.forms[self.number] = made
            self.holder.addWidget(made)
            made.retranslate()
        for number, form in enumerate(self.forms):
            if form is not None:
                form.setVisible(number == self.number)

    def _name_rail(self) -> None:
        t = self.session.translator
        errors = {self._step_number(key) for key in self._visible_errors()}
        for number, step in enumerate(STEPS):
            words = (
                step_in_words(step.key, self.session.answers, t, self.session.names) if step.questions else ""
            )
            title = t.gettext(step.title)
            self.rail.name(number, title, words, wrong=number in errors)
        self.rail.show_step(self.number)

    def _visible_errors(self) -> list[str]:
        return [
            key for key in self.session.field_errors if key in self.touched or key in self.session.answers
        ]

    def _step_number(self, key: str) -> int:
        return next(n for n, step in enumerate(STEPS) if any(q.key == key for q in step.questions))

    def _name_next(self) -> None:
        _ = self.session.gettext
        self.back.setEnabled(self.number > 0)
        if self.number + 1 < len(STEPS):
            text = _(N_("&Next: {step}")).format(step=_(STEPS[self.number + 1].title))
        else:
            answer = self.session.recommendation
            count = 0 if answer is None else max(len(answer.options), len(answer.considered))
            shown = self.session.translator.ngettext("Show {count} option", "Show {count} options", count)
            place = shown.lower().find("n") if shown.isascii() else -1
            text = shown[:place] + "&" + shown[place:] if place >= 0 else f"{shown}(&N)"
            if not count:
                text = _(N_("Show the result"))
        self.next.setText(text)
        self.next.setAccessibleName(mnemonics.plain(text))

    # moving ------------------------------------------------------------------------------------------

    def go_to(self, number: int) -> None:
        """Show a step; every answer stays."""
        self._touch_step()
        self.session.settle_now()
        self.number = number
        self.refresh()
        self.form_area.verticalScrollBar().setValue(0)
        self.focus_first()

    def go_next(self) -> None:
        """The step after, or the result after the last one."""
        if self.number + 1 < len(STEPS):
            self.go_to(self.number + 1)
            return
        self._touch_step()
        self.touched.update(self.session.field_errors)
        errors = list(self.session.field_errors)
        if errors:
            self.go_to_question(STEPS[self._step_number(errors[0])].key, errors[0])
            return
        self.session.settle_now()
        self.session.search()
        self.session.page_requested.emit("result")

    def go_back(self) -> None:
        """The step before."""
        if self.number:
            self.go_to(self.number - 1)

    def go_to_question(self, step_key: str, question: str) -> None:
        """Show one question with the keyboard in it."""
        self.go_to(next(n for n, step in enumerate(STEPS) if step.key == step_key))
        form = self.forms[self.number]
        if isinstance(form, StepForm) and question in form.fields:
            field = form.fields[question]
            if field.question.advanced:
                form.more.set_open(True)
            field.focus_widget().setFocus()
            self.form_area.ensureWidgetVisible(field)

    def focus_first(self) -> None:
        """The first question of the step."""
        form = self.forms[self.number]
        if isinstance(form, StepForm):
            for question in asked(form.step, self.session.answers):
                form.fields[question.key].focus_widget().setFocus()
                return
        self.next.setFocus()

    def _touch_step(self) -> None:
        self.touched.update(question.key for question in STEPS[self.number].questions)

    # answering ---------------------------------------------------------------------------------------

    def answered(self, question: Question, value: object, typing: bool) -> None:
        """A field was answered: one undoable change."""
        unsure = isinstance(value, bool) or (value is None and question.key + UNSURE in self.session.answers)
        key = question.unsure_key if isinstance(value, bool) else question.key
        changes: dict[str, object] = {key: value}
        if unsure and value is None:
            changes = {question.unsure_key: None}
        elif not isinstance(value, bool) and question.unsure_key in self.session.answers:
            changes[question.unsure_key] = None
        self.touched.add(question.key)
        self.session.do(SetAnswers(changes, Message(question.title), typing))

    # files -------------------------------------------------------------------------------------------

    def take_model_file(self, path: Path) -> None:
        """A model file was dropped: it answers step 2."""
        changes = {"model_source": "file", "model_file": str(path), "model_file" + UNSURE: None}
        self.session.do(SetAnswers(changes, Message(N_("Model file"))))
        self.go_to(1)
        self.session.say(
            self.session.gettext(N_("Model taken from {file}")).format(file=elide(path.name, 40))
        )
