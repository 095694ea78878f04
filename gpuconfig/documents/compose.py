"""From a context to the content of its paper."""

from __future__ import annotations

from collections.abc import Callable

from gpuconfig.documents.bilingual import side_by_side
from gpuconfig.documents.budget_estimate import budget_estimate
from gpuconfig.documents.build_sheet import build_sheet
from gpuconfig.documents.card_comparison import card_comparison
from gpuconfig.documents.content import Document
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.deviation import deviation_table
from gpuconfig.documents.kinds import DocumentKind
from gpuconfig.documents.price_comparison import price_comparison
from gpuconfig.documents.proposal import proposal
from gpuconfig.documents.quotation import quotation
from gpuconfig.documents.requisition import requisition
from gpuconfig.documents.writer import Writer
from gpuconfig.i18n import load

Composer = Callable[[DocumentContext, Writer], Document]

COMPOSERS: dict[DocumentKind, Composer] = {
    DocumentKind.PROPOSAL: proposal,
    DocumentKind.BUDGET_ESTIMATE: budget_estimate,
    DocumentKind.QUOTATION: quotation,
    DocumentKind.REQUISITION: requisition,
    DocumentKind.COMPARISON: price_comparison,
    DocumentKind.DEVIATION: deviation_table,
    DocumentKind.BUILD_SHEET: build_sheet,
    DocumentKind.CARD_COMPARISON: card_comparison,
}


def compose(context: DocumentContext) -> Document:
    """The content of the paper the context asks for.

    Raises:
        InputError: naming the field that is missing (a quotation without a seller).
    """
    write = COMPOSERS[context.kind]
    first = write(context, Writer(load(context.language)))
    if context.second_language in (None, context.language):
        return first
    return side_by_side(first, write(context, Writer(load(context.second_language))))
