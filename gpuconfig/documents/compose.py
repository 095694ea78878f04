"""From a context to the content of its paper."""

from __future__ import annotations

from collections.abc import Callable

from gpuconfig.documents.content import Document
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.kinds import DocumentKind
from gpuconfig.documents.proposal import proposal
from gpuconfig.documents.writer import Writer
from gpuconfig.i18n import load

Composer = Callable[[DocumentContext, Writer], Document]


def compose(context: DocumentContext) -> Document:
    """The content of the paper the context asks for.

    Raises:
        InputError: naming the field that is missing (a quotation without a seller).
    """
    return _composer(context.kind)(context, Writer(load(context.language)))


def _composer(kind: DocumentKind) -> Composer:
    composers: dict[DocumentKind, Composer] = {
        DocumentKind.PROPOSAL: proposal,
    }
    return composers.get(kind, proposal)
