"""Writes one paper to a file, whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from gpuconfig.documents.compose import compose
from gpuconfig.documents.context import DocumentContext
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.i18n import load

SUFFIXES = (".pdf", ".xlsx", ".md")


def write_document(context: DocumentContext, path: Path) -> None:
    """Write the paper of `context` to `path`; the suffix (.pdf, .xlsx, .md) decides the format.

    A failed export leaves what lay at `path` untouched.

    Raises:
        InputError: unknown suffix, or a field the paper cannot do without (`seller.name` of a quotation).
        OSError: the folder cannot be written.
    """
    _replace(path, render(context, path.suffix.lower()))


def render(context: DocumentContext, suffix: str) -> bytes:
    """The paper as the bytes of a file of that suffix; the same context gives the same bytes.

    Raises:
        InputError: as `write_document`.
    """
    if suffix not in SUFFIXES:
        accepted = Message(N_("one of {names}"), {"names": ", ".join(SUFFIXES)})
        raise InputError(
            "unknown_value", "path", suffix, Message(N_("not a kind of file papers are written to")), accepted
        )
    document = compose(context)
    formats = load(context.language).formats
    # Each library is loaded only when a paper of its kind is written.
    if suffix == ".pdf":
        from gpuconfig.documents.pdf.render import render_pdf

        return render_pdf(document, formats)
    if suffix == ".xlsx":
        from gpuconfig.documents.xlsx.render import render_xlsx

        return render_xlsx(document)
    from gpuconfig.documents.markdown.render import render_markdown

    return render_markdown(document).encode()


def _replace(path: Path, content: bytes) -> None:
    """Temporary file beside `path`, flushed to disk, then put in its place in one step."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
