"""Editing one item of the catalogue: fields with units, physics checked while typing, the source asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.build_view import KIND_WORDS
from gpuconfig.presentation.shown import Tone
from gpuconfig.ui.pages.catalogue.form_field import FormFieldEdit
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.notice import Notice
from gpuconfig.ui.widgets.side_window import SideWindow, scrolled
from gpuconfig.ui.widgets.slices import Slices
from gpuconfig.ui.widgets.text import button, clear, column, label, line, row

if TYPE_CHECKING:
    from gpuconfig.presentation.desk.desk import CatalogueDesk
    from gpuconfig.presentation.desk.editing import FormCheck, FormRow

CHECK_MS = 200
CHANGES_SHOWN = 6
EVIDENCE_WORDS = {
    EvidenceKind.VENDOR: N_("the maker's data sheet"),
    EvidenceKind.MEASURED: N_("measured"),
    EvidenceKind.SECONDARY: N_("a third party's table or review"),
    EvidenceKind.CALCULATED: N_("calculated"),
    EvidenceKind.ASSUMED: N_("assumed"),
}


class ItemWindow(SideWindow):
    """The form of one item; not modal, one a item.

    Signals:
        saved: the catalogue changed; the item's id.
    """

    saved = Signal(str)
    size_at_first = (760, 720)

    def __init__(self, parent: QWidget, session: Session, kind: Kind, item_id: str) -> None:
        super().__init__(parent, session)
        self.kind, self.item_id = kind, item_id
        self.fields: dict[str, FormFieldEdit] = {}
        self.found: FormCheck | None = None
        self._saving = False
        self._making = Slices(self)
        self._build()
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(CHECK_MS)
        self._pause.timeout.connect(self.check)
        self.load()

    @property
    def desk(self) -> CatalogueDesk:
        """Where forms come from and go to."""
        return self._session.services.desk()

    # building ----------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.heading = label("section", wrap=True)
        self.finder = QLineEdit()
        self.finder.setClearButtonEnabled(True)
        self.finder.textChanged.connect(lambda _text: self._filter())
        self.list = QVBoxLayout()
        self.list.setSpacing(8)
        inner = QWidget()
        inner.setLayout(column(self.list, -1, margins=8))
        self.area = scrolled(inner)
        self.notice = Notice(self._session)
        self.changes = label("secondary", wrap=True)
        self.certain = QCheckBox()
        self.certain.toggled.connect(lambda _on: self._enable())
        self.save_button = button("primary")
        self.save_button.clicked.connect(self.save)
        layout = column(
            self.heading,
            self.finder,
            self.area,
            line(),
            self._evidence(),
            self.notice,
            self.changes,
            self.certain,
            row(-1, self.close_button, self.save_button),
            margins=16,
        )
        layout.setStretch(2, 1)
        self.setLayout(layout)

    def _evidence(self) -> QGridLayout:
        self.evidence_title = label("strong")
        self.source, self.day, self.note = QLineEdit(), QLineEdit(), QLineEdit()
        self.day.setMaximumWidth(130)
        self.evidence_kind = QComboBox()
        for kind in EVIDENCE_WORDS:
            self.evidence_kind.addItem("", kind.value)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.addWidget(self.evidence_title, 0, 0, 1, 4)
        self._labels = [label("secondary") for _ in range(4)]
        boxes = (self.source, self.day, self.evidence_kind, self.note)
        for place, (title, box) in enumerate(zip(self._labels, boxes, strict=True)):
            title.setBuddy(box)
            grid.addWidget(title, 1 + place // 2, 2 * (place % 2))
            grid.addWidget(box, 1 + place // 2, 2 * (place % 2) + 1)
        self.day_error = label("error", wrap=True)
        grid.addWidget(self.day_error, 3, 0, 1, 4)
        self.day.textEdited.connect(lambda _text: self._edited())
        grid.setColumnStretch(1, 2)
        grid.setColumnStretch(3, 1)
        return grid

    # filling -----------------------------------------------------------------------------------------

    def load(self) -> None:
        """Read the form anew: after a save or a revert the bundle's values stand beside the changed ones."""
        form = self.desk.items.form(self.kind, self.item_id)
        clear(self.list)
        self.fields = {}
        self.found = None
        self._name = form.name
        self.day.setText(self._session.services.today().isoformat())
        self.retranslate()
        self._enable()
        self._making.start(self._make(form.rows), self.check)

    def _make(self, rows: Sequence[FormRow]) -> Iterator[None]:
        """The fields one by one."""
        for form_row in rows:
            if form_row.field.evidence and self.item_id:
                continue
            made = FormFieldEdit(self._session, form_row)
            made.edited.connect(self._edited)
            made.revert_requested.connect(self._revert)
            made.setVisible(made.matches(self._wanted()))
            self.fields[made.name] = made
            self.list.addWidget(made)
            yield

    def retranslate(self) -> None:
        """Name everything."""
        super().retranslate()
        _ = self._session.gettext
        kind = _(KIND_WORDS[self.kind])
        title = (
            _(N_("Change {name}")).format(name=self._name)
            if self.item_id
            else _(N_("New entry: {kind}")).format(kind=kind)
        )
        self.setWindowTitle(title)
        self.heading.setText(title)
        self.finder.setPlaceholderText(_(N_("Find a field")))
        self.finder.setAccessibleName(_(N_("Find a field")))
        self.evidence_title.setText(_(N_("How is it known?")))
        names = (N_("Source"), N_("Date"), N_("Kind of evidence"), N_("Remark"))
        boxes = (self.source, self.day, self.evidence_kind, self.note)
        for shown, name, box in zip(self._labels, names, boxes, strict=True):
            shown.setText(_(name))
            box.setAccessibleName(_(name))
        self.source.setPlaceholderText(_(N_("address or paper; without one it is kept as assumed")))
        for place, words in enumerate(EVIDENCE_WORDS.values()):
            self.evidence_kind.setItemText(place, _(words))
        self.certain.setText(_(N_("It is so all the same: save it")))
        self.certain.setAccessibleName(self.certain.text())
        self.save_button.setText(_(N_("Save")))
        self.save_button.setAccessibleName(self.save_button.text())
        for field in self.fields.values():
            field.retranslate()

    def _filter(self) -> None:
        for field in self.fields.values():
            field.setVisible(field.matches(self._wanted()))

    def _wanted(self) -> list[str]:
        return self.finder.text().casefold().split()

    # checking ----------------------------------------------------------------------------------------

    def texts(self) -> dict[str, str]:
        """What stands in every box."""
        self._making.finish()
        return {name: field.text for name, field in self.fields.items()}

    def _edited(self) -> None:
        self._pause.start()

    def check(self) -> None:
        """What saving would change, what speaks against it, what cannot be taken."""
        self._pause.stop()
        found = self.found = self.desk.items.check(self.kind, self.item_id, self.texts())
        touched = not self.item_id and not any(self.texts().values())
        for name, field in self.fields.items():
            field.show_error(None if touched else found.problems.get(name))
        self._tell_day()
        self._tell_doubts(found)
        self.changes.setText("" if found.problems or not self.item_id else self._change_words(found))
        self.changes.setVisible(bool(self.changes.text()))
        self._enable()

    def _tell_day(self) -> None:
        try:
            self.evidence().day()
            text = ""
        except ValueError:
            text = self._session.gettext(N_("no date; accepted: {example}")).format(
                example="2026-12-02, 2026-12, 2026"
            )
        self.day_error.setText(text)
        self.day_error.setVisible(bool(text))

    def _tell_doubts(self, found: FormCheck) -> None:
        if found.doubts and found.changes:
            self.notice.tell(Tone.WARNING, "\n".join(self._session.render(doubt) for doubt in found.doubts))
        else:
            self.notice.hide()
        self.certain.setVisible(bool(found.doubts and found.changes))

    def _change_words(self, found: FormCheck) -> str:
        _ = self._session.gettext
        unknown = _(N_("unknown"))
        words = [
            f"{_(change.title)}: {change.before or unknown} → {change.after or unknown}"
            for change in found.changes
        ]
        if not words:
            return _(N_("Nothing is changed yet."))
        more = len(words) - CHANGES_SHOWN
        rest = [self._session.translator.ngettext("{count} more", "{count} more", more)] if more > 0 else []
        return "\n".join([*words[:CHANGES_SHOWN], *rest])

    def _enable(self) -> None:
        found = self.found
        agreed = found is not None and (not found.doubts or self.certain.isChecked())
        self.save_button.setEnabled(
            found is not None
            and bool(found.changes)
            and not found.problems
            and agreed
            and not self.day_error.text()
            and not self._saving
        )

    # writing -----------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write the change as one step off the main thread."""
        self.check()
        if not self.save_button.isEnabled():
            return
        desk, kind, item_id, texts, evidence = (
            self.desk,
            self.kind,
            self.item_id,
            self.texts(),
            self.evidence(),
        )
        self._saving = True
        self._enable()
        self.writing(
            Message(N_("Saving")),
            lambda _job: desk.items.save(kind, item_id, texts, evidence).id,
            self._saved,
            self._failed,
        )

    def evidence(self) -> Evidence:
        """Where the person has it from."""
        return Evidence(
            source=self.source.text().strip(),
            date=self.day.text().strip() or None,
            kind=EvidenceKind(self.evidence_kind.currentData()),
            note=self.note.text().strip(),
        )

    def _saved(self, item_id: str) -> None:
        self._saving = False
        self.item_id = item_id
        self.about = (self.kind, item_id)
        self.certain.setChecked(False)
        self.load()
        self.saved.emit(item_id)

    def _failed(self, fault: Exception) -> None:
        self._saving = False
        self._enable()
        reason = self._session.render(fault.message) if isinstance(fault, UserError) else str(fault)
        self.notice.tell(Tone.PROBLEM, reason)

    def _revert(self, name: str) -> None:
        desk, kind, item_id = self.desk, self.kind, self.item_id
        self.writing(
            Message(N_("Saving")),
            lambda _job: desk.items.revert(kind, item_id, name),
            lambda _none: self._saved(item_id),
            self._failed,
        )
