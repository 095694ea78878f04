"""Cost over the years, rent against buying, what the cost hangs on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.selection.recommendation import Option, Recommendation
from gpuconfig.presentation.cost_view import headline_facts, options_cost_table, ownership_table
from gpuconfig.presentation.measures import machine_kind, option_name
from gpuconfig.presentation.services import Services
from gpuconfig.presentation.shown import Tone
from gpuconfig.ui.pages.cost.facts import Facts
from gpuconfig.ui.pages.cost.form import CostForm
from gpuconfig.ui.pages.cost.headline import Headline
from gpuconfig.ui.widgets.figure_label import FigureLabel
from gpuconfig.ui.widgets.notice import Notice
from gpuconfig.ui.widgets.page import Page
from gpuconfig.ui.widgets.table_view import FigureTable
from gpuconfig.ui.widgets.text import clear, column, label

if TYPE_CHECKING:
    from gpuconfig.engine.pricing.study import CostStudy
    from gpuconfig.ui.charts.frame import ChartFrame


class CostPage(Page):
    """What it costs to own, and when renting would be cheaper."""

    key = "cost"
    wide = True

    def build(self) -> None:
        """The answer in three figures and what to do, then line by line, rent, charts, all options."""
        session = self.session
        self.empty = Notice(session)
        self.content = QWidget()
        self.name = label("section")
        self.headline = Headline(session)
        self.form = CostForm(session)
        self.ownership = FigureTable(session)
        self.facts = Facts(session)
        self.advice = column(spacing=4)
        self.rent_title, self.rent_hint = label("section"), label("secondary", wrap=True)
        self.rent = FigureTable(session)
        self.charts = column(spacing=16)
        self.frames: dict[str, ChartFrame] = {}
        self.all_title = label("section")
        self.all = FigureTable(session)
        parts = (
            self.name,
            self.headline,
            self.advice,
            self.form,
            self.ownership,
            8,
            self.facts,
            8,
            self.rent_title,
            self.rent_hint,
            self.rent,
            8,
            self.charts,
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
        self.form.retranslate()
        for frame in self.frames.values():
            frame.retranslate()

    def refresh(self) -> None:
        """Show the chosen option; what takes longer follows."""
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
        self.name.setText(f"{t.part(option_name(option))} · {machine_kind(option, t)}")
        self.form.load()
        self.ownership.setVisible(option.tco is not None)
        self.ownership.show_table(ownership_table(option, t))
        self.headline.setVisible(option.tco is not None)
        self.headline.show_facts(headline_facts(option, t))
        self.facts.clear()
        self.all.show_table(options_cost_table(answer, t))
        self._study(option, answer)

    def _study(self, option: Option, answer: Recommendation) -> None:
        _ = self.session.gettext
        self.rent.hide()
        clear(self.advice)
        if option.tco is None or option.tco.case is None:
            self.rent_hint.setText(_(N_("This option is rented itself; the machines to buy are below.")))
            for frame in self.frames.values():
                frame.hide()
            return
        self.rent_hint.setText(_(N_("Reading the catalogue ...")))
        services = self.session.services
        request = self.session.request
        growth = None if request is None else request.cost.growth_per_year
        self.session.jobs.read(
            Message(N_("Comparing with rent")),
            lambda _job: _worked_out(option, answer, services, growth),
            lambda study: self._show_study(option, answer, study),
            self._failed,
        )

    def _show_study(self, option: Option, answer: Recommendation, study: CostStudy) -> None:
        if self.session.option is not option:
            return  # another option was chosen meanwhile
        from gpuconfig.presentation.charts.years import cost_years
        from gpuconfig.presentation.cost_rent import advice, rent_table, tornado_chart
        from gpuconfig.presentation.cost_view import study_facts

        t = self.session.translator
        self.facts.show_facts(study_facts(option, study, t))
        clear(self.advice)
        for number, shown in enumerate(advice(answer, study, t)):
            sentence = FigureLabel(self.session, "" if number else "strong", wrap=True)
            sentence.show_figure(shown)
            self.advice.addWidget(sentence)
        table = rent_table(study, t)
        self.rent.setVisible(bool(table.rows))
        hint = N_("Rent of the same cards for the same work, with storage and data sent out; reserved cards are paid around the clock.")  # fmt: skip  # noqa: E501
        self.rent_hint.setText(t.gettext(hint) if table.rows else "")
        self.rent.show_table(table)
        for key, chart in (
            ("years", cost_years(option, self.session.services, t)),
            ("tornado", tornado_chart(study, t)),
        ):
            if chart is not None:
                self._frame(key).show_chart(chart)
            if key in self.frames:
                self.frames[key].setVisible(chart is not None)

    def _frame(self, key: str) -> ChartFrame:
        if key not in self.frames:
            from gpuconfig.ui.charts.frame import ChartFrame

            self.frames[key] = ChartFrame(self.session)
            self.charts.addWidget(self.frames[key])
        return self.frames[key]

    def _failed(self, fault: Exception) -> None:
        self.rent_hint.setText(
            self.session.gettext(N_("Rent cannot be compared: {reason}")).format(reason=fault)
        )


def _worked_out(
    option: Option, answer: Recommendation, services: Services, growth: float | None
) -> CostStudy:
    """The study; what it needs is loaded with it, when the page is shown."""
    from gpuconfig.presentation.cost_view import study_of

    study = study_of(option, answer, services, growth)
    assert study is not None  # asked before
    return study
