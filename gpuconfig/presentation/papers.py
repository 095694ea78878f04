"""Which papers can be made, in which language and format, and what each still lacks."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.provenance.message import N_
from gpuconfig.i18n import Language, load
from gpuconfig.project.document import Project

REFUSED = '<>:"/\\|?*'
"""Characters that no file name may hold on some system."""

FORMATS = ((".pdf", "PDF"), (".xlsx", "Excel (XLSX)"), (".md", "Markdown"))
"""Ending and name of each kind of file."""

LANGUAGES = (
    ("zh", N_("Chinese")),
    ("en", N_("English")),
    ("zh+en", N_("Chinese with English")),
    ("en+zh", N_("English with Chinese")),
)

PAPER_WORDS = {
    "number": N_("Number"),
    "revision": N_("Version"),
    "valid_until": N_("Valid until (2026-12-31)"),
    "applicant": N_("Applicant"),
    "needed_by": N_("Needed by"),
    "urgency": N_("Urgency"),
    "purpose": N_("Purpose and necessity"),
    "existing": N_("Existing resources"),
    "budget_item": N_("Budget item"),
    "funding": N_("Source of the money"),
    "payment": N_("Terms of payment"),
    "delivery": N_("Place of delivery"),
    "lead_time": N_("Delivery time"),
    "warranty": N_("Warranty"),
    "acceptance": N_("Acceptance"),
    "service": N_("Service after the sale"),
    "invoice": N_("Kind of invoice"),
    "remarks": N_("Remarks"),
}
"""What a person may fill in; an empty field leaves a line to be filled in by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """One kind of document; `key` is the contract's `--document`."""

    key: str
    title: str
    purpose: str
    needs_seller: bool = False


PAPERS = (
    Paper(
        key="budget-estimate",
        title=N_("Budget estimate"),
        purpose=N_("For a budget application: sums that bind nobody, with their sources."),
    ),
    Paper(
        key="proposal",
        title=N_("Proposal"),
        purpose=N_(
            "For management: what to buy, for how much, why, with risks and an appendix of every figure."
        ),
    ),
    Paper(
        key="requisition",
        title=N_("Purchase requisition"),
        purpose=N_("For your purchasing office: lines, estimated prices, reasons, signatures."),
    ),
    Paper(
        key="comparison",
        title=N_("Comparison of options"),
        purpose=N_("Three or more options side by side with the reason for the choice."),
    ),
    Paper(
        key="deviation",
        title=N_("Technical deviation table"),
        purpose=N_("For a tender: each requirement, the answer, and where they differ."),
    ),
    Paper(
        key="card-comparison",
        title=N_("Comparison of accelerators"),
        purpose=N_("Data sheets of the compared cards side by side, with sources."),
    ),
    Paper(
        key="build-sheet",
        title=N_("Build sheet"),
        purpose=N_("For whoever assembles it: parts, slots, power, findings."),
    ),
    Paper(
        key="quotation",
        title=N_("Quotation"),
        purpose=N_("Binds the seller, so it needs one: fill in the seller below."),
        needs_seller=True,
    ),
)


def paper(key: str) -> Paper:
    """A paper by its key; the budget estimate where there is none of that name."""
    return next((item for item in PAPERS if item.key == key), PAPERS[0])


def file_name(project: Project, key: str, language: str, suffix: str = ".pdf") -> str:
    """Project and paper in the paper's first language, without a character that a file system refuses."""
    t = load(Language(language.partition("+")[0]))
    name = f"{t.gettext(project.title)[:80] or 'gpuconfig'} {t.gettext(paper(key).title)}{suffix}"
    return "".join("_" if c in REFUSED or ord(c) < 32 else c for c in name).strip(" .")
