"""Forms over items: what they hold, what a typed change would do, and writing it as one undoable step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.kinds import CLASSES
from gpuconfig.engine.catalogue.plausibility import doubts
from gpuconfig.engine.catalogue.rows import Row, decode_item
from gpuconfig.engine.catalogue.titles import field_title
from gpuconfig.engine.catalogue.vocabulary import Kind, Origin
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.exchange.item_cells import by_field, field_value, joined, to_cells, to_raw
from gpuconfig.exchange.item_form import FOLLOWERS, FormField, form_fields, form_texts, read_form
from gpuconfig.exchange.numbers import NumberStyle
from gpuconfig.exchange.parts_table import slug
from gpuconfig.presentation.desk.workplace import Workplace
from gpuconfig.storage.merge import laid_over

NEW_ITEM = ""
"""Id of an item that is not there yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormRow:
    """One field of a form with what it holds now.

    Attributes:
        title: name of the field, English source text for gettext.
        text: as the box shows it; empty for unknown.
        bundled: the bundle's value in the same writing where the user changed it; None where not changed.
        evidence: behind the value.
    """

    field: FormField
    title: str
    text: str
    bundled: str | None
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemForm:
    """A form of one item; `id` is empty for a new one."""

    kind: Kind
    id: str
    name: str
    origin: Origin
    rows: tuple[FormRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """What saving would change, each side as the form writes it; empty is unknown."""

    field: str
    title: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormCheck:
    """What typed texts mean before anything is saved.

    Attributes:
        problems: by field, why it cannot be taken; nothing can be saved while there is one.
        doubts: contradictions between fields (bandwidth against bus, plugs against power ...): saved only when
            the person says that it is so.
        changes: what would be written.
        item: the item as it would be; None with problems.
    """

    problems: Mapping[str, InputError]
    doubts: tuple[Message, ...]
    changes: tuple[FieldChange, ...]
    item: CatalogueItem | None


@dataclass(frozen=True, slots=True)
class HiddenItem:
    """An item left out of every list, with the person's reason."""

    kind: Kind
    id: str
    name: str
    reason: str


class ItemEditor:
    """Adds, changes, hides and reverts items of the catalogue."""

    def __init__(self, place: Workplace) -> None:
        self._place = place

    def form(self, kind: Kind, item_id: str = NEW_ITEM) -> ItemForm:
        """The form of an item, or an empty one; raises InputError for an id that is not known."""
        if item_id == NEW_ITEM:
            blank = Evidence(source="", kind=EvidenceKind.ASSUMED)
            rows = tuple(
                FormRow(field=f, title=field_title(f.name, kind), text="", bundled=None, evidence=blank)
                for f in form_fields(kind)
            )
            return ItemForm(kind=kind, id="", name="", origin=Origin.USER, rows=rows)
        item = self._place.catalogue.part(kind, item_id)
        bundle = self._place.catalogue.bundled(kind, item.id)
        now, before = form_texts(item, kind), {} if bundle is None else form_texts(bundle, kind)
        changed = {edit.field for edit in item.edits}
        rows = tuple(
            FormRow(
                field=f,
                title=field_title(f.name, kind),
                text=now[f.name],
                bundled=before.get(f.name, "") if f.name in changed else None,
                evidence=item.evidence(f.name),
            )
            for f in form_fields(kind)
        )
        return ItemForm(kind=kind, id=item.id, name=item.name, origin=item.origin, rows=rows)

    def check(
        self,
        kind: Kind,
        item_id: str,
        texts: Mapping[str, str],
        style: NumberStyle = NumberStyle.POINT,
    ) -> FormCheck:
        """What saving `texts` (by field, only those shown) would do; cheap enough for every key pressed."""
        form = self.form(kind, item_id)
        held = {row.field.name: row for row in form.rows}
        asked = {n: t for n, t in texts.items() if n in held and (not item_id or t.strip() != held[n].text)}
        if not item_id:
            asked = {**dict.fromkeys(held, ""), **asked}
        raw, problems = read_form(kind, asked, style)
        if not item_id:
            problems.update(self._taken(kind, texts.get("name", "")))
        if problems:
            return FormCheck(problems=problems, doubts=(), changes=(), item=None)
        item = self._item(kind, item_id, raw)
        after = form_texts(item, kind)
        changes = tuple(
            FieldChange(field=name, title=row.title, before=row.text, after=after[name])
            for name, row in held.items()
            if after[name] != row.text
        )
        return FormCheck(problems={}, doubts=tuple(doubts(item)), changes=changes, item=item)

    def save(
        self,
        kind: Kind,
        item_id: str,
        texts: Mapping[str, str],
        evidence: Evidence,
        style: NumberStyle = NumberStyle.POINT,
    ) -> CatalogueItem:
        """Write the change as one undoable step and return the item as it now is.

        A value typed back to what the bundle has is no edit any more. An evidence without a source is kept as
        assumed and shows as such.

        Raises:
            InputError: the first problem of `check`.
            DataError: the database cannot be written.
        """
        found = self.check(kind, item_id, texts, style)
        for problem in found.problems.values():
            raise problem
        assert found.item is not None
        item = found.item
        if not found.changes:
            return item
        known = (
            evidence if evidence.source else Evidence("", evidence.date, EvidenceKind.ASSUMED, evidence.note)
        )
        names = [change.field for change in found.changes]
        bundle = self._place.catalogue.bundled(kind, item.id)
        with self._place.step(
            f"{item.name}: {', '.join(names[:4])}{' ...' if len(names) > 4 else ''}"
        ) as step:
            if item.origin is Origin.USER or bundle is None:
                step.add(kind, self._own_row(kind, item, _with_followers(names), known))
            else:
                original = to_cells(bundle)
                cells = to_cells(item)
                for name in _with_followers(names):
                    if cells.get(name, "") == original.get(name, ""):
                        step.revert(kind, item.id, name)
                    else:
                        step.edit(kind, item.id, name, field_value(kind, name, cells.get(name, "")), known)
        return self._place.catalogue.part(kind, item.id)

    def revert(self, kind: Kind, item_id: str, field: str | None = None) -> None:
        """Give one field, or all of them, the bundle's value again, as one undoable step."""
        item = self._place.catalogue.part(kind, item_id)
        with self._place.step(f"{item.name}: {field or '*'} ↺") as step:
            for name in [None] if field is None else _with_followers([field]):
                step.revert(kind, item.id, name)

    def hide(self, kind: Kind, item_id: str, reason: str = "") -> None:
        """Leave an item out of lists and searches, as one undoable step."""
        item = self._place.catalogue.part(kind, item_id)
        with self._place.step(f"{item.name} ✕") as step:
            step.hide(kind, item.id, reason)

    def unhide(self, kind: Kind, item_id: str) -> None:
        """Show a hidden item again, as one undoable step."""
        with self._place.step(f"{item_id} ↺") as step:
            step.unhide(kind, item_id)

    def remove(self, kind: Kind, item_id: str) -> None:
        """Delete an item the user added; raises InputError for one of the bundle, which can only be hidden."""
        item = self._place.catalogue.part(kind, item_id)
        if item.origin is not Origin.USER:
            reason = Message(N_("this item comes with the program: it can be hidden"))
            raise InputError("impossible", "id", item_id, reason)
        with self._place.step(f"{item.name} ✕") as step:
            step.remove(kind, item.id)

    def hidden(self) -> Sequence[HiddenItem]:
        """What is left out of the lists."""
        own = self._place.catalogue.own()
        found = []
        for row in [] if own is None else own.hidden_rows():
            kind, item_id = Kind(str(row["kind"])), str(row["id"])
            item = self._place.catalogue.bundled(kind, item_id)
            found.append(HiddenItem(kind, item_id, item.name if item else item_id, str(row["reason"])))
        return found

    def _item(self, kind: Kind, item_id: str, raw: Mapping[str, object]) -> CatalogueItem:
        if not item_id:
            known = {name: value for name, value in raw.items() if value is not None}
            row = joined({**known, "id": slug(f"own-{raw['name']}"), "origin": Origin.USER})
            return decode_item(CLASSES[kind], {"evidence_kind": EvidenceKind.ASSUMED.value, **row})
        return decode_item(CLASSES[kind], self._laid_over(kind, item_id, raw))

    def _laid_over(self, kind: Kind, item_id: str, raw: Mapping[str, object]) -> Row:
        row = self._place.catalogue.row(kind, item_id)
        for name, value in by_field(raw).items():
            row = laid_over(row, name, value)
        return row

    def _own_row(self, kind: Kind, item: CatalogueItem, names: Sequence[str], evidence: Evidence) -> Row:
        raw = to_raw(kind, {n: c for n, c in to_cells(item).items() if c})
        known = self._place.catalogue.find(kind, item.id)
        if known is None:
            row = joined(raw)
        else:
            changed = dict.fromkeys(names) | {n: v for n, v in by_field(raw).items() if n in names}
            stored = self._laid_over(kind, item.id, changed)
            row = {n: v for n, v in stored.items() if n not in ("origin", "edits")}
        if not item.sources and evidence.source:
            row = {**row, "sources": evidence.source, "evidence_kind": evidence.kind.value}
        return {"date": evidence.date or self._place.today().isoformat(), **row}

    def _taken(self, kind: Kind, name: str) -> dict[str, InputError]:
        if not name.strip() or self._place.catalogue.find(kind, slug(f"own-{name}")) is None:
            return {}
        return {
            "name": InputError(
                "impossible", "name", name, Message(N_("an item of this name is there already"))
            )
        }


def _with_followers(names: Sequence[str]) -> list[str]:
    """Fields the program keeps in step with typed ones."""
    return [*names, *(FOLLOWERS[name] for name in names if name in FOLLOWERS)]
