"""The memory of the chosen option: counters, fixes and old rules, in both languages, each figure with its reason."""

from __future__ import annotations

import pytest

from gpuconfig.engine.estimation.memory.rules_of_thumb import rules_of_thumb
from gpuconfig.i18n import Language
from gpuconfig.ui.widgets.fold import Fold
from tests.ui.conftest import open_sample, settle
from tests.ui.test_pages_look import keep, problems


@pytest.mark.parametrize("language", list(Language))
def test_the_fold_shows_counters_and_rules_that_open(make_window, language):
    window = make_window(language)
    open_sample(window, 0)
    window.show_page("result")
    fold = window.pages["result"].memory
    assert isinstance(fold, Fold)
    assert fold.isVisibleTo(window)
    fold.set_open(True)
    settle(window)
    window.pages["result"].area.ensureWidgetVisible(fold.table)
    settle(window)
    keep(window, f"memory-{language}")
    rows = [row for row in fold.table.rows.rows if not row.heading]
    option = window.session.option
    rules = rules_of_thumb(float(option.estimate_request.model.parameters or 0))
    assert len(rows) == 3 + len(option.estimate.memory.cheapest_fixes) + len(rules)
    assert all(row.cells[1].reference is not None for row in rows if row.cells[1].text)
    assert problems(window, language) == []
