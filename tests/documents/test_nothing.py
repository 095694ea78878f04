"""Buying nothing stands beside the options; the chosen option is never among those that lost."""

from __future__ import annotations

from dataclasses import replace

from gpuconfig.documents.compose import compose
from gpuconfig.documents.kinds import DocumentKind
from gpuconfig.documents.markdown.render import render_markdown
from gpuconfig.engine.pricing.wishes import Duration
from gpuconfig.engine.selection.recommendation import OptionKind
from gpuconfig.i18n import Language
from tests.documents import factory


def test_doing_nothing_has_the_same_figures_as_the_options() -> None:
    paper = render_markdown(compose(factory.context(DocumentKind.PROPOSAL, Language.EN)))
    lines = [line for line in paper.splitlines() if line.startswith("|")]
    rows = {line.split("|")[1].strip(): line for line in lines}
    summary, years = (line for line in lines if line.startswith("| Do nothing"))
    assert summary.count("¥0") == 2
    assert "not done" in summary
    assert years.count("¥0") == 3
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


def test_a_rental_for_one_run_is_asked_for_as_one() -> None:
    context = factory.context(DocumentKind.PROPOSAL, Language.EN)
    first = context.recommendation.options[0]
    rent = replace(first, kind=OptionKind.RENT, build=None, check=None)
    offered = context.recommendation.with_option(first, rent)
    request = replace(context.request, cost=replace(context.request.cost, need=Duration.ONE_RUN))
    chosen = replace(context, recommendation=offered, option=rent, request=request, study=None)
    paper = render_markdown(compose(chosen))
    assert "Approve renting" in paper
    assert "for one run" in paper
    assert "a month" not in paper.split("## ")[0]
    assert "Data leaves the house" in paper
    assert "Export control" not in paper
    assert "Delivery time unknown" not in paper
