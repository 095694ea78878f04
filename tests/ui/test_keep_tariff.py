"""The price of one's bill typed on the cost page becomes a tariff of one's own."""

from __future__ import annotations

from gpuconfig.presentation.cost_wishes import COST_FIELDS, OWN_TARIFF
from tests.ui.conftest import open_sample, pause, settle
from tests.ui.test_pages_look import keep


def test_a_typed_price_is_kept_and_chosen(own_window, own_services):
    window = own_window
    open_sample(window, 0)
    window.show_page("cost")
    settle(window)
    form = window.pages["cost"].form
    form.set_open(True)
    settle(window)
    assert not form.keep.isVisibleTo(window)
    form._changed(next(f for f in COST_FIELDS if f.key == "per_kwh"), "0.72")
    settle(window)
    assert form.keep.isVisibleTo(window)
    form.keep.button.click()
    settle(window)
    assert form.keep.state.isVisibleTo(window)  # nobody says so yet
    form.keep.source.setText("bill of 2026-11")
    keep(window, "keep-tariff")
    form.keep.button.click()
    for _ in range(200):
        request = window.session.request
        if request is not None and request.cost.tariff == OWN_TARIFF:
            break
        pause(50)
        settle(window)
    assert window.session.request.cost.tariff == OWN_TARIFF
    assert window.session.request.cost.per_kwh is None
    assert any(t.id == OWN_TARIFF for t in own_services.catalogue().tariffs())
    settle(window)
