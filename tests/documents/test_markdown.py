"""Markdown: the same content, hostile text escaped."""

from __future__ import annotations

from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from gpuconfig.documents.kinds import DocumentKind
from gpuconfig.documents.markdown.render import escape
from gpuconfig.documents.write import render
from gpuconfig.i18n import Language
from gpuconfig.project.document import Project
from tests.documents import factory


@pytest.mark.parametrize("kind", DocumentKind)
@pytest.mark.parametrize("language", Language)
def test_every_paper(kind: DocumentKind, language: Language) -> None:
    made = render(factory.context(kind, language, seller=factory.SELLER), ".md").decode()
    assert made.startswith("# ")
    assert "RTX 5090" in made
    if kind in (DocumentKind.PROPOSAL, DocumentKind.QUOTATION):
        assert "| **¥198,453.01** |" in made
        assert "人民币壹拾玖万捌仟肆佰伍拾叁元零壹分" in made


@pytest.mark.parametrize(
    "text", ["<b>x</b>", "a | b", "# x", "1. x", "- x", "[x](y)", "*x* _y_", "`x`", "&amp;", "x\ny", "\\"]
)
def test_hostile_text_is_shown_literally(text: str) -> None:
    shown = MarkdownIt().render(escape(text))
    plain = shown.replace("<p>", "").replace("</p>", "").replace("<br>", "\n").strip()
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        plain = plain.replace(entity, character)
    assert plain == text


def test_a_table_row_stays_one_row() -> None:
    made = render(factory.context(DocumentKind.REQUISITION, project=Project(title="a|b\nc")), ".md").decode()
    assert "a\\|b<br>c" in made
    context = factory.context(DocumentKind.REQUISITION)
    department = replace(context.organisation, department="x|y\nz")
    made = render(replace(context, organisation=department), ".md").decode()
    assert any("x\\|y<br>z" in line and line.count(" | ") == 1 for line in made.splitlines())
