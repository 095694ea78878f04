"""The kinds of paper."""

from __future__ import annotations

from enum import StrEnum

from gpuconfig.engine.provenance.message import N_


class DocumentKind(StrEnum):
    """Every paper the product writes; the value is what `--document` takes."""

    PROPOSAL = "proposal"
    BUDGET_ESTIMATE = "budget-estimate"
    QUOTATION = "quotation"
    REQUISITION = "requisition"
    COMPARISON = "comparison"
    DEVIATION = "deviation"
    BUILD_SHEET = "build-sheet"
    CARD_COMPARISON = "card-comparison"

    @property
    def heading(self) -> str:
        """The paper's name in English, to be translated."""
        return _TITLES[self]

    @property
    def has_prices(self) -> bool:
        """Whether it names amounts to be paid: it is then a draft while they are assumed."""
        return self not in (DocumentKind.BUILD_SHEET, DocumentKind.CARD_COMPARISON, DocumentKind.DEVIATION)

    @property
    def abbreviation(self) -> str:
        """Letters a document number starts with."""
        return _ABBREVIATIONS[self]


_TITLES = {
    DocumentKind.PROPOSAL: N_("Proposal to management"),
    DocumentKind.BUDGET_ESTIMATE: N_("Budget estimate"),
    DocumentKind.QUOTATION: N_("Quotation"),
    DocumentKind.REQUISITION: N_("Purchase requisition"),
    DocumentKind.COMPARISON: N_("Price comparison"),
    DocumentKind.DEVIATION: N_("Technical deviation table"),
    DocumentKind.BUILD_SHEET: N_("Build sheet"),
    DocumentKind.CARD_COMPARISON: N_("Comparison of accelerators"),
}
_ABBREVIATIONS = {
    DocumentKind.PROPOSAL: "PR",
    DocumentKind.BUDGET_ESTIMATE: "BE",
    DocumentKind.QUOTATION: "QU",
    DocumentKind.REQUISITION: "RQ",
    DocumentKind.COMPARISON: "PC",
    DocumentKind.DEVIATION: "DT",
    DocumentKind.BUILD_SHEET: "BS",
    DocumentKind.CARD_COMPARISON: "CC",
}
