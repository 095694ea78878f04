"""Buying nothing stands beside the options; the chosen option is never among those that lost."""

from __future__ import annotations

from dataclasses import replace

from gpuconfig.documents.compose import compose
from gpuconfig.documents.kinds import DocumentKind
from gpuconfig.documents.markdown.render import render_markdown
from gpuconfig.engine.selection.recommendation import OptionKind
from gpuconfig.i18n import Language
from tests.documents import factory


def test_doing_nothing_has_the_same_figures_as_the_options() -> None:
    paper = render_markdown(compose(factory.context(DocumentKind.PROPOSAL, Language.EN)))
    rows = {line.split("|")[1].strip(): line for line in paper.splitlines() if line.startswith("|")}
    assert rows["Do nothing"].count("¥0") == 2
    assert "not done" in rows["Do nothing"]
    assert rows["Cost of ownership"].rstrip(" |").endswith("¥0 over 3 years")
    assert rows["Meets the target"].rstrip(" |").endswith("no")
    assert "leaves the work undone" in paper


def test_the_consequence_names_the_rent_of_todays_need() -> None:
    context = factory.context(DocumentKind.PROPOSAL, Language.ZH)
    first = context.recommendation.options[-1]
    rent = replace(first, kind=OptionKind.RENT, build=None, check=None)
    offered = context.recommendation.with_option(first, rent)
    paper = render_markdown(compose(replace(context, recommendation=offered)))
    assert "如仅偶尔需要，可按需租用" in paper
    assert "维持现状（不采购）" in paper


def test_what_runs_on_what_there_is_needs_no_such_row() -> None:
    context = factory.context(DocumentKind.PROPOSAL, Language.EN)
    first = context.recommendation.options[0]
    kept = replace(first, kind=OptionKind.KEEP)
    changed = context.recommendation.with_option(first, kept)
    paper = render_markdown(compose(replace(context, recommendation=changed, option=changed.options[0])))
    assert "Do nothing" not in paper


def test_an_option_changed_in_place_is_still_the_chosen_one() -> None:
    context = factory.context(DocumentKind.PROPOSAL, Language.EN)
    first = context.recommendation.options[0]
    changed = replace(first, check=None)
    offered = context.recommendation.with_option(first, changed)
    assert offered.options[0] is changed
    assert first not in offered.considered
    assert offered.options[1:] == context.recommendation.options[1:]
