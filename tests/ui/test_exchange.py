"""A remedy applied and a part exchanged on the build page: one step, checked anew, undone at once."""

from __future__ import annotations

from dataclasses import replace

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.finding import Finding, Remedy, Status
from gpuconfig.engine.provenance.message import Message
from gpuconfig.engine.selection.exchange import change_key
from gpuconfig.presentation.build_view import findings
from tests.ui.conftest import open_sample, settle


def test_another_part_is_one_step_that_can_be_undone(make_window):
    window = make_window()
    open_sample(window, 0)
    window.show_page("build")
    settle(window)
    session, page = window.session, window.pages["build"]
    before = session.option
    page.others.set_open(True)
    settle(window)
    assert page.others.rows.count() > 0
    request = session.request
    others = session.services.alternatives(before.build, request)
    kind, found = next((k, a) for k, a in others.items() if a)
    page.others._fill(before, {kind: found})
    combo = page.others.rows.itemAtPosition(0, 2).widget()
    combo.activated.emit(1)
    settle(window)
    now = session.option
    assert now.build.first(kind).item.id == found[0].line.item.id
    assert now.check is not before.check
    difference = now.price.total.middle().amount - before.price.total.middle().amount
    assert abs(difference - found[0].difference.amount) <= 1
    assert page.as_composed.isVisible()
    session.undo()
    settle(window)
    assert session.option.build == before.build
    session.redo()
    settle(window)
    page.as_composed.click()
    settle(window)
    assert session.option.build == before.build


def test_a_remedy_is_applied_by_its_button(make_window):
    window = make_window()
    open_sample(window, 0)
    window.show_page("build")
    settle(window)
    session, page = window.session, window.pages["build"]
    option = session.option
    cap = int((option.accelerator.tdp_w or 400) * 0.8)
    finding = Finding(
        rule="power.continuous",
        status=Status.WARNING,
        title=Message("Load"),
        message=Message("much"),
        remedy=Remedy(text=Message("cap"), change={"power_limit_w": cap}),
    )
    session.found = session.recommendation = replace(
        session.recommendation,
        options=tuple(
            replace(o, check=replace(o.check, findings=(finding,))) if o is option else o
            for o in session.recommendation.options
        ),
    )
    page.touch()
    row = findings(session.option.check, {}, session.translator)[0]
    assert page.can_apply(row)
    page.apply(row)
    settle(window)
    line = session.option.build.first(Kind.ACCELERATOR)
    assert line.power_limit_w == cap
    assert session.project.exchanges == {change_key(option, "power_limit_w"): str(cap)}
