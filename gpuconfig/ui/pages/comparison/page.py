"""Two to six options or accelerators side by side."""

from __future__ import annotations

from PySide6.QtWidgets import QButtonGroup, QCheckBox, QComboBox, QRadioButton, QWidget

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.presentation.card_prices import region_of_reader
from gpuconfig.presentation.comparison import LEAST, MOST, compare_cards, compare_options, without
from gpuconfig.presentation.measures import option_key, short_name
from gpuconfig.presentation.option_view import all_options
from gpuconfig.presentation.shown import Tone
from gpuconfig.presentation.table import Table
from gpuconfig.presentation.tradeoff import told_name
from gpuconfig.project.commands import SetCompared
from gpuconfig.ui.widgets.flow_layout import FlowLayout
from gpuconfig.ui.widgets.notice import Notice
from gpuconfig.ui.widgets.page import Page
from gpuconfig.ui.widgets.table_view import FigureTable
from gpuconfig.ui.widgets.text import button, clear, label, row

DEFAULT_SHOWN = 4
HEADER_HEIGHT = 52
LEAST_HEIGHT = 340
"""Of the table, which scrolls within itself so that its header stays."""
PREFIX = "option:"
"""Before an option's key in the project's list, to tell it from an accelerator's id."""


class ComparisonPage(Page):
    """What is better in which respect, and by how much."""

    key = "comparison"
    wide = True

    def build(self) -> None:
        """Choice of what is compared, switches, table."""
        session = self.session
        self.what = QButtonGroup(self)
        self.options_button, self.cards_button = QRadioButton(), QRadioButton()
        self.what.addButton(self.options_button, 0)
        self.what.addButton(self.cards_button, 1)
        self.options_button.setChecked(True)
        self.add = QComboBox()
        self.add.setFixedWidth(280)
        self.add_label = label("secondary")
        self.add_label.setBuddy(self.add)
        self.differences = QCheckBox()
        self.baseline = QComboBox()
        self.baseline.setFixedWidth(280)
        self.baseline_label = label("secondary")
        self.baseline_label.setBuddy(self.baseline)
        self.csv, self.markdown = button(), button()
        self.chips = FlowLayout(8)
        self.empty = Notice(session)
        self.hide_row, self.show_rows = button(), button()
        self.show_rows.hide()
        self._hidden: frozenset[str] = frozenset()
        self.table = FigureTable(session, grows=False, stacks=True)
        self.table.setMinimumHeight(LEAST_HEIGHT)
        self.table.wrap_headers(HEADER_HEIGHT)
        self.table.row_actions = [(N_("Hide this row"), self._hide)]
        self.body.addLayout(
            row(self.options_button, self.cards_button, 16, self.add_label, self.add, -1, spacing=8)
        )
        self.body.addLayout(self.chips)
        switches = FlowLayout(8)
        against = QWidget()
        against.setLayout(row(self.baseline_label, self.baseline, spacing=8))
        parts = (self.differences, against, self.hide_row, self.show_rows, self.csv, self.markdown)
        for part in parts:
            switches.addWidget(part)
        self._of_table = [part for part in parts if part is not self.show_rows]
        self._rest = QWidget()
        self.body.addLayout(switches)
        self.body.addWidget(self.empty)
        self.body.addWidget(self.table, 1)
        self.body.addWidget(self._rest, 1)
        self._cards: list[Accelerator] = []
        self._filling = False
        self.what.idToggled.connect(lambda _id, on: self._again() if on else None)
        self.differences.toggled.connect(lambda _on: self._again())
        self.baseline.currentIndexChanged.connect(lambda _n: self._again())
        self.add.activated.connect(self._added)
        self.hide_row.clicked.connect(self._hide_chosen)
        self.show_rows.clicked.connect(self._show_all)
        self.csv.clicked.connect(lambda: self.table.copy("csv"))
        self.markdown.clicked.connect(lambda: self.table.copy("markdown"))

    def retranslate(self) -> None:
        """Name what stays."""
        _ = self.session.gettext
        self.title.setText(_(N_("Comparison")))
        self.answers.setText(
            _(N_("Two to six side by side: what is better in which respect, and by how much?"))
        )
        self.options_button.setText(_(N_("Options")))
        self.cards_button.setText(_(N_("Accelerators")))
        self.add_label.setText(_(N_("Add")))
        self.add.setAccessibleName(_(N_("Add to the comparison")))
        self.differences.setText(_(N_("Differences only")))
        self.baseline_label.setText(_(N_("Baseline")))
        self.baseline.setAccessibleName(_(N_("Baseline of the differences")))
        self.csv.setText(_(N_("Copy as CSV")))
        self.markdown.setText(_(N_("Copy as Markdown")))
        self.hide_row.setText(_(N_("Hide row")))
        self.hide_row.setToolTip(_(N_("Hide the chosen rows (Delete)")))
        for made in (
            self.hide_row,
            self.csv,
            self.markdown,
            self.options_button,
            self.cards_button,
            self.differences,
        ):
            made.setAccessibleName(made.text())

    def refresh(self) -> None:
        """Fill everything; accelerators come from the catalogue once."""
        if self.comparing_cards and not self._cards:
            self.session.jobs.read(
                Message(N_("Reading the catalogue")),
                lambda _job: list(self.session.services.catalogue().accelerators()),
                self._loaded,
            )
        self._again()

    @property
    def comparing_cards(self) -> bool:
        """Whether accelerators are compared, not options."""
        return self.cards_button.isChecked()

    def _loaded(self, cards: list[Accelerator]) -> None:
        self._cards = cards
        self._again()

    def _again(self) -> None:
        if self._filling:
            return
        self._filling = True
        if self.comparing_cards:
            self._show_cards()
        else:
            self._show_options()
        self._filling = False

    def chosen_options(self) -> list[Option]:
        """The options compared: those the project names, or the ranked ones."""
        answer = self.session.recommendation
        if answer is None:
            return []
        everything = {PREFIX + option_key(option): option for option in all_options(answer)}
        named = [everything[key] for key in self.session.project.compared if key in everything]
        return named[:MOST] if len(named) >= LEAST else list(all_options(answer))[:DEFAULT_SHOWN]

    def chosen_cards(self) -> list[Accelerator]:
        """The accelerators compared: those the project names, or those of the options."""
        by_id = {card.id: card for card in self._cards}
        named = [by_id[key] for key in self.session.project.compared if key in by_id]
        if len(named) >= LEAST:
            return named[:MOST]
        answer = self.session.recommendation
        options = [] if answer is None else list(all_options(answer))
        own = list({option.accelerator.id: option.accelerator for option in options}.values())[:DEFAULT_SHOWN]
        return own if len(own) >= LEAST else self._cards[:LEAST]

    def _show_table(self, shown: bool) -> None:
        """The table with its switches, or neither."""
        for part in (self.table, *self._of_table):
            part.setVisible(shown)
        self._rest.setVisible(not shown)

    def _show_options(self) -> None:
        options = self.chosen_options()
        everything = list(all_options(self.session.recommendation)) if self.session.recommendation else []
        t = self.session.translator
        rest = [(told_name(o, t), PREFIX + option_key(o)) for o in everything if o not in options]
        chips = [(told_name(o, t), PREFIX + option_key(o)) for o in options]
        self._controls(chips, rest)
        _ = self.session.gettext
        enough = len(options) >= LEAST
        self._show_table(enough)
        if not enough:
            text = _(N_("There is nothing to compare yet: at least two options are needed."))
            self.empty.tell(Tone.ACCENT, text, _(N_("Compare accelerators")), self.cards_button.click)
            return
        self.empty.hide()
        only = self.differences.isChecked()
        base = max(self.baseline.currentIndex(), 0)
        self._fill(compare_options(options, base, only, self.session.translator))

    def _show_cards(self) -> None:
        if not self._cards:
            self._show_table(False)
            self.empty.tell(Tone.ACCENT, self.session.gettext(N_("Reading the catalogue ...")))
            if self.isVisible():
                self._filling = False
                self._load_cards()
            return
        cards = self.chosen_cards()
        shown = {card.id for card in cards}
        rest = [(card.name, card.id) for card in self._cards if card.id not in shown]
        self._controls([(short_name(card.name), card.id) for card in cards], rest)
        self.empty.hide()
        self._show_table(True)
        only = self.differences.isChecked()
        base = max(self.baseline.currentIndex(), 0)
        request, t = self.session.request, self.session.translator
        region = region_of_reader(t) if request is None else request.constraints.region
        self._fill(compare_cards(cards, base, only, self.session.services, t, region))

    def _fill(self, table: Table) -> None:
        """Show a comparison without the rows that were hidden, and say how many they are."""
        shown = without(table, self._hidden)
        self.table.show_table(shown)
        count = len({row.key for row in table.rows if not row.heading} & self._hidden)
        t = self.session.translator
        self.show_rows.setText(t.ngettext("Show {count} hidden row", "Show {count} hidden rows", count))
        self.show_rows.setAccessibleName(self.show_rows.text())
        self.show_rows.setVisible(count > 0)

    def _hide(self, key: str) -> None:
        self._hidden |= {key}
        self._again()

    def _hide_chosen(self) -> None:
        keys = self.table.selected_keys() or tuple(filter(None, (self.table.current_key(),)))
        self._hidden |= set(keys)
        self._again()

    def _show_all(self) -> None:
        self._hidden = frozenset()
        self._again()

    def _load_cards(self) -> None:
        self.session.jobs.read(
            Message(N_("Reading the catalogue")),
            lambda _job: list(self.session.services.catalogue().accelerators()),
            self._loaded,
        )

    def _controls(self, chips: list[tuple[str, str]], rest: list[tuple[str, str]]) -> None:
        _ = self.session.gettext
        clear(self.chips)
        for name, key in chips:
            made = button()
            made.setText(f"{name}  ×")
            made.setAccessibleName(_(N_("Take {name} out of the comparison")).format(name=name))
            made.setToolTip(made.accessibleName())
            made.setEnabled(len(chips) > LEAST)
            made.clicked.connect(lambda _on=False, k=key: self._removed(k))
            self.chips.addWidget(made)
        self.add.clear()
        self.add.addItem(_(N_("choose ...")), "")
        for name, key in rest:
            self.add.addItem(name, key)
        self.add.setEnabled(bool(rest) and len(chips) < MOST)
        base = self.baseline.currentIndex()
        self.baseline.clear()
        for name, _key in chips:
            self.baseline.addItem(name)
        self.baseline.setCurrentIndex(base if 0 <= base < len(chips) else 0)

    def _keys(self) -> list[str]:
        if self.comparing_cards:
            return [card.id for card in self.chosen_cards()]
        return [PREFIX + option_key(option) for option in self.chosen_options()]

    def _others(self) -> list[str]:
        """What the project compares of the other sort stays."""
        wanted = self.comparing_cards
        return [key for key in self.session.project.compared if key.startswith(PREFIX) == wanted]

    def _added(self, place: int) -> None:
        key = self.add.itemData(place)
        if key:
            self.session.do(SetCompared((*self._others(), *self._keys(), key)))

    def _removed(self, key: str) -> None:
        left = [item for item in self._keys() if item != key]
        self.session.do(SetCompared((*self._others(), *left)))
