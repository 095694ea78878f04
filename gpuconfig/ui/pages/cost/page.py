"""Cost over the years, and rent against buying."""

from __future__ import annotations

from PySide6.QtWidgets import QGridLayout, QWidget

from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.presentation.cost_view import energy_facts, options_cost_table, ownership_table, rent_table
from gpuconfig.presentation.measures import machine_kind, option_name
from gpuconfig.presentation.shown import Tone
from gpuconfig.presentation.table import Table
from gpuconfig.ui.widgets.figure_label import Figure
from gpuconfig.ui.widgets.notice import Notice
from gpuconfig.ui.widgets.page import Page
from gpuconfig.ui.widgets.table_view import FigureTable
from gpuconfig.ui.widgets.text import clear, column, label


class CostPage(Page):
    """What it costs to own, and when renting would be cheaper."""

    key = "cost"
    wide = True

    def build(self) -> None:
        """Ownership, energy, rent, all options."""
        session = self.session
        self.empty = Notice(session)
        self.content = QWidget()
        self.name = label("section")
        self.ownership = FigureTable(session)
        self.facts = QGridLayout()
        self.facts.setHorizontalSpacing(16)
        self.rent_title, self.rent_hint = label("section"), label("secondary", wrap=True)
        self.rent = FigureTable(session)
        self.all_title = label("section")
        self.all = FigureTable(session)
        parts = (
            self.name,
            self.ownership,
            self.facts,
            8,
            self.rent_title,
            self.rent_hint,
            self.rent,
            8,
            self.all_title,
            self.all,
        )
        self.content.setLayout(column(*parts, spacing=8))
        self.body.addWidget(self.empty)
        self.body.addWidget(self.content)
        self.body.addStretch(1)

    def retranslate(self) -> None:
        """Name what stays."""
        _ = self.session.gettext
        self.title.setText(_(N_("Cost")))
        self.answers.setText(
            _(N_("What does it cost to own over the years, and when would renting be cheaper?"))
        )
        self.rent_title.setText(_(N_("Rent against buy")))
        self.all_title.setText(_(N_("All options by cost")))

    def refresh(self) -> None:
        """Show the chosen option."""
        option, answer = self.session.option, self.session.recommendation
        _ = self.session.gettext
        if option is None or answer is None:
            self.content.hide()
            text = _(N_("No costs yet: they follow from the chosen option."))
            self.empty.tell(
                Tone.ACCENT,
                text,
                _(N_("To the requirement")),
                lambda: self.session.page_requested.emit("wizard"),
            )
            return
        self.empty.hide()
        self.content.show()
        t = self.session.translator
        self.name.setText(f"{option_name(option)} · {machine_kind(option.build, t)}")
        self.ownership.setVisible(option.tco is not None)
        self.ownership.show_table(ownership_table(option, t))
        clear(self.facts)
        for place, (title, shown) in enumerate(energy_facts(option, t)):
            figure = Figure(self.session, "strong")
            figure.show_figure(shown)
            self.facts.addWidget(label("secondary", title), place, 0)
            self.facts.addWidget(figure, place, 1)
        self.facts.setColumnStretch(1, 1)
        self.all.show_table(options_cost_table(answer, t))
        self._rent(option)

    def _rent(self, option: Option) -> None:
        self.rent.hide()
        self.rent_hint.setText(self.session.gettext(N_("Reading the catalogue ...")))
        services, t = self.session.services, self.session.translator
        self.session.jobs.read(
            Message(N_("Comparing with rent")),
            lambda _job: rent_table(option, services, t),
            self._show_rent,
            self._failed,
        )

    def _show_rent(self, table: Table) -> None:
        _ = self.session.gettext
        self.rent.setVisible(bool(table.rows))
        hint = (
            N_(
                "Rent of the same cards, one line a provider and kind of contract; own staff and space are not counted."
            )
            if table.rows
            else N_("No dated rental price is recorded for this card.")
        )
        self.rent_hint.setText(_(hint))
        self.rent.show_table(table)

    def _failed(self, fault: Exception) -> None:
        self.rent_hint.setText(
            self.session.gettext(N_("Rent cannot be compared: {reason}")).format(reason=fault)
        )
