"""The machine: parts left, slot map and power tree right, findings below."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QFrame, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.presentation.badges import price_ages
from gpuconfig.presentation.build_view import (
    FindingRow,
    findings,
    not_checked,
    parts_table,
    slot_map,
    why_no_machine,
)
from gpuconfig.presentation.exchange_view import changes_of, exchanged_keys
from gpuconfig.presentation.measures import machine_kind, option_name, price_shown
from gpuconfig.presentation.power_view import mains_tone, power_behind, power_flow, power_limits
from gpuconfig.presentation.shown import Tone
from gpuconfig.project.commands import Exchange, Override
from gpuconfig.ui.charts.power import PowerTreeWidget
from gpuconfig.ui.charts.slots import SlotMapWidget
from gpuconfig.ui.pages.build.exchange_fold import ExchangeFold
from gpuconfig.ui.pages.build.upgrade_fold import UpgradeFold
from gpuconfig.ui.widgets.figure_label import Figure, FigureLabel
from gpuconfig.ui.widgets.fold import Fold
from gpuconfig.ui.widgets.notice import Notice
from gpuconfig.ui.widgets.page import Page
from gpuconfig.ui.widgets.slices import Slices
from gpuconfig.ui.widgets.table_view import FigureTable
from gpuconfig.ui.widgets.text import button, clear, column, label, line, row


class BuildPage(Page):
    """Which parts, does it work together, what does each cost."""

    key = "build"
    wide = True

    def build(self) -> None:
        """Heading, parts, maps, findings."""
        session = self.session
        self.empty = Notice(session)
        self.content = QWidget()
        self.name = label("section")
        self.price = Figure(session, "strong")
        self.share = label("secondary")
        self.parts = FigureTable(session)
        self.slots_title, self.power_title = label("strong"), label("strong")
        self.slots, self.power = SlotMapWidget(session), PowerTreeWidget(session)
        self.slots_note, self.power_note = label("small", wrap=True), FigureLabel(session, "small", wrap=True)
        self.others = ExchangeFold(session)
        self.upgrade = UpgradeFold(session)
        self.changed = label("secondary", wrap=True)
        self.as_composed = button("link")
        self.as_composed.clicked.connect(self._as_composed)
        self.findings_title = label("section")
        self.findings = QVBoxLayout()
        self.findings.setSpacing(0)
        self.passed = Fold(session)
        self.passed.toggled.connect(lambda _on: self._fill_passed())
        self.passed_rows = QVBoxLayout()
        self._passing: tuple[FindingRow, ...] = ()
        self._filling = Slices(self)
        self._found_state: object = None
        self.passed_rows.setSpacing(0)
        self.passed.body.setLayout(self.passed_rows)
        self.unchecked = Fold(session)
        self.unchecked_rows = QVBoxLayout()
        self.unchecked.body.setLayout(self.unchecked_rows)
        maps = self.maps = QGridLayout()
        maps.setHorizontalSpacing(24)
        maps.addWidget(self.slots_title, 0, 0)
        maps.addWidget(self.power_title, 0, 1)
        maps.addLayout(column(self.slots, self.slots_note, -1, spacing=4), 1, 0)
        maps.addLayout(column(self.power, self.power_note, -1, spacing=4), 1, 1)
        maps.setColumnStretch(0, 1)
        maps.setColumnStretch(1, 1)
        head = row(self.name, 16, self.price, self.share, -1, spacing=8)
        kept = row(self.changed, self.as_composed, -1, spacing=8)
        layout = column(
            head,
            self.parts,
            kept,
            self.others,
            self.upgrade,
            self.findings_title,
            self.findings,
            self.passed,
            self.unchecked,
            spacing=12,
        )
        layout.insertLayout(5, maps)
        self.content.setLayout(layout)
        self.body.addWidget(self.empty)
        self.body.addWidget(self.content)
        self.body.addStretch(1)

    def retranslate(self) -> None:
        """Name what stays."""
        _ = self.session.gettext
        self.title.setText(_(N_("Machine")))
        self.answers.setText(_(N_("Which parts, what does each cost, and does it all work together?")))
        self.slots_title.setText(_(N_("Slots")))
        self.power_title.setText(_(N_("Power")))
        self.findings_title.setText(_(N_("Findings")))

    def refresh(self) -> None:
        """Show the chosen option's machine."""
        option = self.session.option
        _ = self.session.gettext
        if option is None or option.build is None:
            self.content.hide()
            answer = self.session.recommendation
            rejected = () if answer is None or answer.options else answer.rejected
            self.empty.tell(
                Tone.WARNING if rejected else Tone.ACCENT,
                why_no_machine(rejected, self.session.translator),
                _(N_("To the requirement")),
                lambda: self.session.page_requested.emit("wizard"),
            )
            return
        self.empty.hide()
        self.content.show()
        self._fill(option)

    def _fill(self, option: Option) -> None:
        session = self.session
        t = session.translator
        _ = t.gettext
        self.name.setText(f"{t.part(option_name(option))} · {machine_kind(option, t)}")
        self.price.show_figure(price_shown(option, t))
        self.share.setText(
            ""
            if not option.price.missing
            else _(N_("prices missing: {count}")).format(count=len(option.price.missing))
        )
        self.parts.show_table(parts_table(option, price_ages(session.services), session.services.today(), t))
        slots = slot_map(option.build, option.check, t)
        self.slots.show_map(slots)
        for widget in (self.slots_title, self.slots, self.slots_note):
            widget.setVisible(slots is not None)
        self.maps.setColumnStretch(0, 0 if slots is None else 1)
        self.maps.setHorizontalSpacing(0 if slots is None else 24)
        if slots is not None:
            known = (
                "" if slots.known else " " + _(N_("Positions on the bracket are not recorded; the order is."))
            )
            self.slots_note.setText(slots.summary + known)
        self.power.show_flow(power_flow(option, t), power_behind(option), mains_tone(option))
        self.power_note.show_figure(power_limits(option, t))
        self.others.show_option(option)
        self.upgrade.show_option(option)
        changed = exchanged_keys(session.project.exchanges, option)
        self.changed.setText(
            t.ngettext(
                "{count} change of your own in this machine",
                "{count} changes of your own in this machine",
                len(changed),
            )
        )
        self.as_composed.setText(_(N_("As composed")))
        self.changed.setVisible(bool(changed))
        self.as_composed.setVisible(bool(changed))
        self._findings(findings(option.check, session.project.overrides, t))
        missing = not_checked(option.check, t)
        clear(self.unchecked_rows)
        self.unchecked.setVisible(bool(missing))
        self.unchecked.set_title(
            t.ngettext("{count} rule not checked", "{count} rules not checked", len(missing))
        )
        for text in missing:
            self.unchecked_rows.addWidget(label("secondary", text, wrap=True))

    def _findings(self, rows: tuple[FindingRow, ...]) -> None:
        """Made anew only where they changed; those that pass when their fold opens."""
        t = self.session.translator
        state = (rows, tuple(self.can_apply(found) for found in rows), t.language, self.session.tokens)
        if state == self._found_state:
            return
        self._found_state = state
        self._filling.stop()
        clear(self.findings)
        clear(self.passed_rows)
        self._passing = tuple(found for found in rows if found.status.tone is Tone.OK)
        for found in rows:
            if found.status.tone is not Tone.OK:
                self.findings.addWidget(FindingWidget(self, found))
        passed = len(self._passing)
        self.passed.setVisible(passed > 0)
        self.passed.set_title(t.ngettext("{count} rule passed", "{count} rules passed", passed))
        self._fill_passed()

    def _fill_passed(self) -> None:
        if self.passed.is_open and not self.passed_rows.count():
            self._filling.start(self._passed_one_by_one())

    def _passed_one_by_one(self) -> Iterator[None]:
        for found in self._passing:
            self.passed_rows.addWidget(FindingWidget(self, found))
            yield

    def apply(self, found: FindingRow) -> None:
        """Put the remedy into the machine: one step, checked anew."""
        option = self.session.option
        if option is None or option.check is None:
            return
        finding = next(
            (f for f in option.check.findings if f.rule == found.rule and f.remedy is not None), None
        )
        changes = changes_of(finding, option) if finding is not None else {}
        if changes:
            self.session.do(Exchange(changes, found.title))

    def can_apply(self, found: FindingRow) -> bool:
        """Whether the remedy is a change of parts or of the cards' power."""
        option = self.session.option
        if option is None or option.check is None or found.status.tone is Tone.OK:
            return False
        return any(f.rule == found.rule and changes_of(f, option) for f in option.check.findings)

    def _as_composed(self) -> None:
        option = self.session.option
        if option is not None:
            keys = exchanged_keys(self.session.project.exchanges, option)
            self.session.do(Exchange(dict.fromkeys(keys, ""), self.session.gettext(N_("As composed"))))

    def override(self, rule: str, reason: str) -> None:
        """Accept a finding with a written reason, or take that back."""
        self.session.do(Override(rule, reason))


class FindingWidget(QFrame):
    """Icon and word, what was measured against what is required, remedy, and the override."""

    def __init__(self, page: BuildPage, found: FindingRow) -> None:
        super().__init__()
        self._page = page
        self._found = found
        session = page.session
        _ = session.gettext
        status = Figure(session)
        status.show_figure(found.status)
        status.setFixedWidth(84)
        figures = Figure(session, "strong")
        figures.show_figure(found.figures)
        if not found.figures.text:
            figures.hide()
        title = label("strong", found.title, wrap=True)
        message = label("secondary", found.message, wrap=True)
        body = column(row(title, figures, -1, spacing=12), message, spacing=2)
        if found.remedy:
            body.addWidget(label("", _(N_("Remedy: {text}")).format(text=found.remedy), wrap=True))
            if page.can_apply(found):
                self.apply = button()
                self.apply.setText(_(N_("Apply")))
                self.apply.setAccessibleName(_(N_("Apply the remedy: {text}")).format(text=found.remedy))
                self.apply.clicked.connect(lambda: page.apply(found))
                body.addLayout(row(self.apply, -1))
        if found.overridden:
            body.addWidget(
                label("small", _(N_("Accepted: {reason}")).format(reason=found.overridden), wrap=True)
            )
        self.reason = QLineEdit()
        self.reason.setPlaceholderText(_(N_("Reason, printed in the papers; Enter accepts")))
        self.reason.setAccessibleName(_(N_("Reason for accepting {title}")).format(title=found.title))
        self.reason.setVisible(False)
        self.reason.returnPressed.connect(self._accept)
        body.addWidget(self.reason)
        layout = row(status, body, spacing=12)
        layout.setStretch(1, 1)
        if found.status.tone is Tone.PROBLEM or found.status.tone is Tone.WARNING:
            self.accept = button("link")
            self.accept.setText(_(N_("Take back")) if found.overridden else _(N_("Accept ...")))
            self.accept.setAccessibleName(f"{self.accept.text()} {found.title}")
            self.accept.clicked.connect(self._press)
            layout.addWidget(self.accept)
        outer = column(layout, line(), spacing=8)
        outer.setContentsMargins(0, 8, 0, 0)
        self.setLayout(outer)

    def _press(self) -> None:
        if self._found.overridden:
            self._page.override(self._found.rule, "")
        else:
            self.reason.setVisible(True)
            self.reason.setFocus()

    def _accept(self) -> None:
        if self.reason.text().strip():
            self._page.override(self._found.rule, self.reason.text().strip())
