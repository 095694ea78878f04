"""Which papers can be made, and what each still lacks."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.provenance.message import N_
from gpuconfig.i18n import Language, load
from gpuconfig.project.document import Project

REFUSED = '<>:"/\\|?*'
"""Characters that no file name may hold on some system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """One kind of document; `key` is the contract's `--document`."""

    key: str
    title: str
    purpose: str
    needs_seller: bool = False


PAPERS = (
    Paper(
        key="proposal",
        title=N_("Proposal"),
        purpose=N_(
            "For management: what to buy, for how much, why, with risks and an appendix of every figure."
        ),
    ),
    Paper(
        key="budget-estimate",
        title=N_("Budget estimate"),
        purpose=N_("For a budget application: sums that bind nobody, with their sources."),
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
    """A paper by its key; the proposal where there is none of that name."""
    return next((item for item in PAPERS if item.key == key), PAPERS[0])


def file_name(project: Project, key: str, language: str) -> str:
    """Project and paper in the paper's language, without a character that a file system refuses."""
    t = load(Language(language))
    name = f"{t.gettext(project.title)[:80] or 'gpuconfig'} {t.gettext(paper(key).title)}.pdf"
    return "".join("_" if c in REFUSED or ord(c) < 32 else c for c in name).strip(" .")
