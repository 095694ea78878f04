"""An option duplicated in the window: it keeps its parts while the original changes, in both languages."""

from __future__ import annotations

import pytest

from gpuconfig.i18n import Language
from gpuconfig.presentation.exchange_view import exchangeable
from gpuconfig.project.commands import Exchange
from tests.ui.conftest import open_sample, settle
from tests.ui.test_pages_look import keep, problems


def another_part(window) -> Exchange:
    """A step that puts another part, at another price, into the chosen machine."""
    session = window.session
    found = session.services.alternatives(session.option.build, session.request)
    choices = [c for part in exchangeable(found, session.option, session.translator) for c in part.choices]
    return Exchange(choices[0].changes, choices[0].name)


@pytest.mark.parametrize("language", list(Language))
def test_duplicate_change_compare_take_over_and_delete(make_window, language):
    window = make_window(language)
    open_sample(window, 0)
    window.show_page("result")
    settle(window)
    session, fold = window.session, window.pages["result"].variants
    assert fold.isHidden()
    window.pages["result"].duplicate.click()
    settle(window)
    kept = session.option.price.total.middle()
    session.do(another_part(window))
    settle(window)
    changed = session.option.price.total.middle()
    assert changed != kept
    variant, original = fold.table.rows.rows
    assert variant.cells[1].sort == pytest.approx(float(kept.amount))
    assert variant.cells[1].note, "the distance from the original"
    assert original.cells[1].sort == pytest.approx(float(changed.amount))
    assert all(cell.reference is not None for cell in variant.cells[1:-1])
    window.pages["result"].area.ensureWidgetVisible(fold.editor)
    settle(window)
    keep(window, f"variants-{language}")
    assert problems(window, language) == []
    fold.use.click()
    settle(window)
    assert session.option.price.total.middle() == kept
    fold.delete.click()
    settle(window)
    assert fold.isHidden()
    session.undo()
    settle(window)
    assert list(session.project.variants) == ["1"]


def test_name_and_remark_are_typed_in_place(make_window):
    window = make_window()
    open_sample(window, 0)
    window.show_page("result")
    window.pages["result"].duplicate.click()
    settle(window)
    fold = window.pages["result"].variants
    fold.note.setFocus()
    fold.note.textEdited.emit("for the office")
    fold.name.textEdited.emit("quiet")
    settle(window)
    kept = window.session.project.variants["1"]
    assert (kept.name, kept.note) == ("quiet", "for the office")
    assert fold.table.rows.rows[0].cells[0].text == "quiet"
