"""Options that the person duplicated, beside their originals: named, noted, taken over, deleted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit, QWidget

from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.variant_view import duplicate, take, variant_options, variants_table
from gpuconfig.project.variants import DeleteVariant, DescribeVariant
from gpuconfig.ui.jobs import Job
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.fold import Fold
from gpuconfig.ui.widgets.table_view import FigureTable
from gpuconfig.ui.widgets.text import button, column, label, one_line, row

if TYPE_CHECKING:
    from gpuconfig.engine.selection.recommendation import Option

NAME_WIDTH = 300


class VariantsFold(Fold):
    """A table of the variants; under it the name, the note and the deeds of the current one."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._options: Mapping[str, Option] = {}
        self._known: tuple[object, ...] = ()
        self._job: Job | None = None
        self.table = FigureTable(session)
        self.table.row_actions = [(N_("Delete this variant"), self._delete)]
        self.name, self.note = QLineEdit(), QLineEdit()
        self.name.setFixedWidth(NAME_WIDTH)
        self.name_title, self.note_title = label("secondary"), label("secondary")
        self.name_title.setBuddy(self.name)
        self.note_title.setBuddy(self.note)
        self.use, self.delete = button(), button()
        self.editor = QWidget()
        self.editor.setLayout(
            row(self.name_title, self.name, self.note_title, self.note, self.use, self.delete)
        )
        self.body.setLayout(column(self.table, self.editor))
        self.toggled.connect(lambda _on: self.fill())
        self.table.row_chosen.connect(lambda _key: self._show_current())
        self.table.row_opened.connect(self._use)
        self.name.textEdited.connect(lambda text: self._describe(name=one_line(text)))
        self.note.textEdited.connect(lambda text: self._describe(note=one_line(text)))
        self.use.clicked.connect(lambda: self._use(self._current()))
        self.delete.clicked.connect(lambda: self._delete(self._current()))

    def duplicate_option(self) -> None:
        """Keep the chosen option as it stands, and show it here."""
        session = self._session
        option = session.option
        if option is None:
            return
        step = duplicate(session.project, option, session.translator)
        session.do(step)
        self.set_open(True)
        self.table.select(list(session.project.variants)[-1])
        self._show_current()
        text = session.gettext(N_('Kept as "{name}"')).format(name=step.variant.name)
        session.say(text, session.gettext(N_("Undo")), session.undo)

    def fill(self) -> None:
        """Name everything; the figures follow as soon as they are computed."""
        session = self._session
        _, variants = session.gettext, session.project.variants
        self.setVisible(bool(variants) and session.recommendation is not None)
        self.set_title(_(N_("Variants of your own ({count})")).format(count=len(variants)))
        self.name_title.setText(_(N_("&Name")))
        self.note_title.setText(_(N_("Re&mark")))
        for edit, title in ((self.name, N_("Name of the variant")), (self.note, N_("Remark on the variant"))):
            edit.setAccessibleName(_(title))
        self.use.setText(_(N_("&Use it")))
        self.delete.setText(_(N_("&Delete")))
        self.use.setAccessibleName(_(N_("Put this variant in place of its option")))
        self.delete.setAccessibleName(_(N_("Delete this variant")))
        if not self.isHidden() and self.is_open:
            self._compute()
            self._show_table()

    def _compute(self) -> None:
        """Price and estimate the variants beside the window's work, where that was not done for this answer."""
        session = self._session
        composed, request, services = session.composed, session.request, session.services
        asked = {
            key: (v.option, dict(v.exchanges), dict(v.what_if)) for key, v in session.project.variants.items()
        }
        if composed is None or request is None or self._known == (composed, asked):
            return
        self._known = (composed, asked)
        variants = session.project.variants
        if self._job is not None:
            self._job.cancel()
        self._job = session.jobs.read(
            Message(N_("Computing the variants")),
            lambda _job: variant_options(variants, composed, request, services),
            self._computed,
            alone=True,
        )

    def _computed(self, options: Mapping[str, Option]) -> None:
        self._job = None
        self._options = options
        self._show_table()

    def _show_table(self) -> None:
        session = self._session
        if session.recommendation is None:
            return
        variants = session.project.variants
        self.table.show_table(
            variants_table(variants, self._options, session.recommendation, session.translator)
        )
        if variants and not self._current():
            self.table.select(next(iter(variants)))
        self._show_current()

    def _current(self) -> str:
        """Key of the variant whose row is current; empty where an original's is."""
        key = self.table.current_key()
        return key if key in self._session.project.variants else ""

    def _show_current(self) -> None:
        variant = self._session.project.variants.get(self._current())
        self.editor.setEnabled(variant is not None)
        for edit, text in (
            (self.name, variant.name if variant else ""),
            (self.note, variant.note if variant else ""),
        ):
            if edit.text() != text:
                edit.setText(text)
                edit.setCursorPosition(0)

    def _describe(self, *, name: str | None = None, note: str | None = None) -> None:
        self._session.do(DescribeVariant(self._current(), name, note))

    def _use(self, key: str) -> None:
        session = self._session
        variant, composed = session.project.variants.get(key), session.composed
        step = None if variant is None or composed is None else take(session.project, variant, composed)
        if step is None:
            return
        session.do(step)
        session.answer_changed.emit()
        text = session.gettext(N_("In use: {name}")).format(name=step.variant.name)
        session.say(text, session.gettext(N_("Undo")), session.undo)

    def _delete(self, key: str) -> None:
        session = self._session
        variant = session.project.variants.get(key)
        if variant is None:
            return
        session.do(DeleteVariant(key, variant.name))
        text = session.gettext(N_("Deleted: {name}")).format(name=variant.name)
        session.say(text, session.gettext(N_("Undo")), session.undo)
