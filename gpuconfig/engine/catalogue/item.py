"""What every catalogue item carries: identity, names, evidence and the user's edits."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.catalogue.vocabulary import Confidence, Origin
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldEdit:
    """One field the user changed, with the value the bundle holds.

    Attributes:
        field: name of the dataclass field.
        bundled: the bundle's value as text; None where the bundle does not know it.
        evidence: what the user gave as its source; kind ASSUMED where nothing was given.
        changed_at: ISO time of the change.
    """

    field: str
    bundled: str | None
    evidence: Evidence
    changed_at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """Fields that a page of the maker states as the catalogue has them.

    Attributes:
        address: of the page, at the maker or in a repository of the maker.
        date: the day it was read (ISO, may be shortened).
        fields: names of the dataclass fields it confirms.
    """

    address: str
    date: str
    fields: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueItem:
    """Base of accelerators, parts and models.

    Attributes:
        id: stable, lower case, unique within its kind.
        name: as sold; never translated.
        aliases: other names, Chinese ones too, that a search must find.
        brand: maker as text.
        part_number: the maker's number; None where not known.
        sources: what the row rests on.
        date: the day the row was checked (ISO, may be shortened).
        evidence_kind: kind of the row's evidence; single fields may differ.
        confirmations: the maker's own pages and the fields each confirms; those fields are the maker's, whatever
            the rest of the row rests on.
        inferred_fields: filled by class or by a sister product, not seen for this one: shown as assumed.
        derived_fields: calculated from other fields, not published by the maker.
        edits: fields changed by the user's overlay.
    """

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    brand: str = ""
    part_number: str | None = None
    sources: tuple[str, ...] = ()
    date: str | None = None
    evidence_kind: EvidenceKind = EvidenceKind.VENDOR
    confidence: Confidence = Confidence.LOW
    notes: str = ""
    inferred_fields: frozenset[str] = frozenset()
    derived_fields: frozenset[str] = frozenset()
    confirmations: tuple[Confirmation, ...] = ()
    origin: Origin = Origin.BUNDLED
    edits: tuple[FieldEdit, ...] = ()

    def evidence(self, field: str | None = None) -> Evidence:
        """The evidence behind `field`, or behind the row where no field is named."""
        for edit in self.edits:
            if edit.field == field:
                return edit.evidence
        for page in self.confirmations:
            if field in page.fields:
                return Evidence(page.address, page.date, EvidenceKind.VENDOR, self.notes)
        kind = self.evidence_kind
        if field in self.inferred_fields:
            kind = EvidenceKind.ASSUMED
        elif field in self.derived_fields:
            kind = EvidenceKind.CALCULATED
        return Evidence(source="; ".join(self.sources), date=self.date, kind=kind, note=self.notes)

    def is_assumed(self, field: str) -> bool:
        """True where the value of `field` is not the maker's nor measured nor calculated."""
        return self.evidence(field).kind is EvidenceKind.ASSUMED
