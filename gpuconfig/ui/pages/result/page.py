"""The answer: three cards, all options, the rejected, and the smallest budget that would work."""

from __future__ import annotations

import traceback

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QProgressBar, QWidget

from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.recommendation import Recommendation
from gpuconfig.presentation.measures import option_key, option_name
from gpuconfig.presentation.option_view import (
    all_options,
    card,
    find_option,
    lead,
    options_table,
    rejected_table,
)
from gpuconfig.presentation.shown import Tone
from gpuconfig.presentation.wizard.flow import STEPS
from gpuconfig.presentation.wizard.summary import step_in_words
from gpuconfig.ui.pages.result.card import CardWidget
from gpuconfig.ui.pages.result.changes import ChangesNotice
from gpuconfig.ui.pages.result.memory_fold import MemoryFold
from gpuconfig.ui.pages.result.variants import VariantsFold
from gpuconfig.ui.widgets.figure_label import FigureLabel
from gpuconfig.ui.widgets.flow_layout import FlowLayout
from gpuconfig.ui.widgets.fold import Fold
from gpuconfig.ui.widgets.notice import Notice
from gpuconfig.ui.widgets.page import Page
from gpuconfig.ui.widgets.table_view import FigureTable
from gpuconfig.ui.widgets.text import button, clear, column, label, row

CARDS = 3
CARDS_BESIDE_FROM = 820


class ResultPage(Page):
    """Which machine, and why."""

    key = "result"
    wide = True

    def build(self) -> None:
        """Requirement line, notices, cards, table, folds."""
        session = self.session
        self.requirement = FlowLayout(2)
        self.state = Notice(session)
        self.lead = FigureLabel(session, "section", wrap=True)
        self.changes = ChangesNotice(session)
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.cards = QHBoxLayout()
        self.cards.setSpacing(16)
        self.card_widgets: list[CardWidget] = []
        self.warnings, self.notes = Notice(session), Notice(session)
        self._words: list[str] = []
        self.what_if, self.duplicate = button(), button()
        self.all_title = label("section")
        self.all_hint = label("secondary", wrap=True)
        self.table = FigureTable(session)
        self.rejected = Fold(session)
        self.rejected_table = FigureTable(session)
        self.rejected.body.setLayout(column(self.rejected_table))
        self.variants = VariantsFold(session)
        self.memory = MemoryFold(session)
        self.assumptions = Fold(session)
        self.assumed = FigureTable(session)
        self.assumptions.body.setLayout(column(self.assumed))
        self.options_area = QWidget()
        self.options_area.setLayout(column(self.all_title, self.all_hint, self.table, spacing=6))
        top = row(self.requirement, self.duplicate, self.what_if, spacing=8)
        top.setStretch(0, 1)
        for made in (self.duplicate, self.what_if):
            top.setAlignment(made, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(top)
        self.body.addWidget(self.lead)
        self.body.addWidget(self.changes)
        self.body.addWidget(self.state)
        self.body.addWidget(self.bar)
        self.body.addLayout(self.cards)
        for widget in (
            self.warnings,
            self.notes,
            self.options_area,
            self.variants,
            self.memory,
            self.rejected,
            self.assumptions,
        ):
            self.body.addWidget(widget)
        self.body.addStretch(1)
        self.table.row_opened.connect(self._choose)
        self.duplicate.clicked.connect(self.variants.duplicate_option)
        self.what_if.clicked.connect(lambda: session.what_if_requested.emit())
        self.rejected.toggled.connect(lambda _on: self._fill_folds())
        self.assumptions.toggled.connect(lambda _on: self._fill_folds())

    def retranslate(self) -> None:
        """Name what stays."""
        _ = self.session.gettext
        self.title.setText(_(N_("Options")))
        self.answers.setText(_(N_("Which machine meets the requirement, for how much, and why?")))
        self.all_title.setText(_(N_("All options")))
        self.all_hint.setText(
            _(N_("Click a figure to see where it comes from; double-click a row to choose it."))
        )
        self.bar.setAccessibleName(_(N_("Searching machines")))
        self.what_if.setText(_(N_("What if ...")))
        self.duplicate.setText(_(N_("Duplicate")))
        self.duplicate.setAccessibleName(_(N_("Duplicate the chosen option as a variant of your own")))
        self.duplicate.setToolTip(self.duplicate.accessibleName())
        self.what_if.setAccessibleName(_(N_("What if: try other numbers")))

    def refresh(self) -> None:
        """Fill everything from the session."""
        session = self.session
        answer = session.recommendation
        self.bar.setVisible(session.searching)
        self._requirement()
        self.changes.fill()
        self._state(answer)
        shown = answer is not None and bool(all_options(answer))
        self.options_area.setVisible(shown)
        self.what_if.setVisible(shown)
        self.duplicate.setVisible(shown)
        self.rejected.setVisible(answer is not None and bool(answer.rejected))
        self.assumptions.setVisible(answer is not None and bool(answer.assumptions))
        said = None if answer is None else lead(answer, session.translator)
        self.lead.setVisible(said is not None)
        if said is not None:
            self.lead.show_figure(said)
        self._cards(answer)
        self._notes(answer)
        self.variants.fill()
        self.memory.fill()
        if answer is None:
            return
        self._fill(answer)

    def _cards(self, answer: Recommendation | None) -> None:
        """The first options, each in its card; a card that nothing fills keeps its place beside the others."""
        session = self.session
        chosen = session.option
        options = () if answer is None else answer.options[:CARDS]
        while options and len(self.card_widgets) < CARDS:
            made = CardWidget(session)
            made.chosen.connect(self._choose)
            made.opened.connect(lambda _key: session.page_requested.emit("build"))
            policy = made.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            made.setSizePolicy(policy)
            self.card_widgets.append(made)
            self.cards.addWidget(made, 1)
        for place, made in enumerate(self.card_widgets):
            policy = made.sizePolicy()
            if policy.retainSizeWhenHidden() is not bool(options):
                policy.setRetainSizeWhenHidden(bool(options))
                made.setSizePolicy(policy)
            made.setVisible(place < len(options))
            if place < len(options):
                made.show_card(card(options[place], session.translator), options[place] is chosen)

    def _notes(self, answer: Recommendation | None) -> None:
        """All warnings in one box, all notes in another, a line each."""
        warnings = () if answer is None else tuple(warning.message for warning in answer.warnings)
        notes = () if answer is None else answer.notes
        for box, tone, told in (
            (self.warnings, Tone.WARNING, warnings), (self.notes, Tone.ACCENT, notes),
        ):  # fmt: skip
            if told:
                box.tell(tone, "\n".join(_sentence(self.session.render(message)) for message in told))
            else:
                box.hide()

    def _fill(self, answer: Recommendation) -> None:
        t = self.session.translator
        self.table.show_table(options_table(answer, t))
        count = len(answer.rejected)
        self.rejected.set_title(
            t.ngettext("{count} left out, with its reason", "{count} left out, with their reasons", count)
        )
        self.assumptions.set_title(
            t.ngettext("{count} assumption made", "{count} assumptions made", len(answer.assumptions))
        )
        self._fill_folds()

    def _fill_folds(self) -> None:
        """What is folded is filled when it opens."""
        answer, t = self.session.recommendation, self.session.translator
        if answer is None:
            return
        if self.rejected.is_open:
            self.rejected_table.show_table(rejected_table(answer.rejected, t))
        if self.assumptions.is_open:
            from gpuconfig.presentation.assumption_view import assumption_table  # words of the papers

            self.assumed.show_table(assumption_table(answer.assumptions, t))

    def _requirement(self) -> None:
        """The requirement in words, each part editable in place; nothing where there is none."""
        session = self.session
        steps = STEPS[:-1] if session.is_open else ()
        told = [step_in_words(step.key, session.answers, session.translator, session.names) for step in steps]
        if [session.translator.language.value, *told] == self._words:
            return
        self._words = [session.translator.language.value, *told]
        clear(self.requirement)
        for number, (step, words) in enumerate(zip(steps, told, strict=True)):
            title = session.gettext(step.title)
            made = button("link")
            made.setText(words.replace("&", "&&") or title)
            made.setToolTip(f"{title}: {words}" if words else title)
            made.setAccessibleName(
                session.gettext(N_("Change {question}")).format(question=f"{title}: {words}")
            )
            made.clicked.connect(lambda _on=False, n=number: session.step_requested.emit(n))
            self.requirement.addWidget(made)

    def _state(self, answer: Recommendation | None) -> None:
        session = self.session
        _ = session.gettext
        self.state.hide()
        if session.fault is not None:
            detail = "".join(traceback.format_exception(session.fault))
            self.state.tell(
                Tone.PROBLEM,
                _(
                    N_("The search failed; this is a fault of the program, not of your answers: {reason}")
                ).format(reason=session.fault),
                _(N_("Copy details")),
                lambda: QGuiApplication.clipboard().setText(detail),
            )
        elif session.field_errors:
            text = session.translator.ngettext(
                "{count} answer needs a look before machines can be searched.",
                "{count} answers need a look before machines can be searched.",
                len(session.field_errors),
            )
            self.state.tell(
                Tone.WARNING, text, _(N_("Go there")), lambda: session.page_requested.emit("wizard")
            )
        elif session.request_error is not None:
            text = session.render(session.request_error.message)
            self.state.tell(
                Tone.PROBLEM, text, _(N_("Change the answers")), lambda: session.page_requested.emit("wizard")
            )
        elif session.searching:
            words = (
                N_("Searching machines ...") if answer is None else N_("The answer below is being updated.")
            )
            self.state.tell(Tone.ACCENT, _(words), _(N_("Stop")), session.stop_search)
        elif answer is None:
            text = _(N_("No requirement yet. Answer six short steps, or open a sample."))
            self.state.tell(
                Tone.ACCENT, text, _(N_("To the requirement")), lambda: session.page_requested.emit("wizard")
            )
        elif not answer.options:
            self._no_option(answer)

    def _no_option(self, answer: Recommendation) -> None:
        session = self.session
        _ = session.gettext
        smallest = answer.smallest_budget_that_works
        if smallest is None:
            text = _(
                N_("No machine meets this requirement. The nearest misses stand below with what they lack.")
            )
            self.state.tell(
                Tone.PROBLEM, text, _(N_("Change the answers")), lambda: session.page_requested.emit("wizard")
            )
            return
        amount = session.translator.formats.money(smallest.amount)
        name = session.translator.part(option_name(smallest.option))
        text = _(N_("Nothing fits this budget. The smallest that works is {amount}, with {name}.")).format(
            amount=amount, name=name
        )
        key = option_key(smallest.option)
        self.state.tell(Tone.PROBLEM, text, _(N_("See this machine")), lambda: self._see(key))

    def _see(self, key: str) -> None:
        self._choose(key)
        self.session.page_requested.emit("build")

    def _choose(self, key: str) -> None:
        option = find_option(self.session.recommendation, key)
        if option is None:
            return
        _, name = self.session.gettext, option_name(option)
        self.session.choose(key, name)
        said = _(N_("Chosen: {name}")).format(name=self.session.translator.part(name))
        self.session.say(said, _(N_("Undo")), self.session.undo)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cards stand below one another where three do not fit beside."""
        super().resizeEvent(event)
        narrow = self.width() < CARDS_BESIDE_FROM
        self.cards.setDirection(
            QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        )

    def focus_first(self) -> None:
        """What is recommended, or the requirement while nothing is."""
        if self.lead.isVisibleTo(self) and self.lead.shown.reference is not None:
            self.lead.setFocus()
            return
        super().focus_first()


def _sentence(text: str) -> str:
    """A message that begins a line; names keep their own letters."""
    return f"{text[:1].upper()}{text[1:]}" if text.split(" ", 1)[0].isalpha() else text
