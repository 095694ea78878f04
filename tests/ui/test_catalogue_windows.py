"""The parts database in the window: forms, imports, filters, history, over a real overlay of its own."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.i18n import Language
from gpuconfig.presentation.desk.pricing import PriceEntry
from gpuconfig.ui.main_window import MainWindow
from gpuconfig.ui.pages.catalogue.history_window import HistoryWindow
from gpuconfig.ui.pages.catalogue.import_window import ImportWindow
from gpuconfig.ui.pages.catalogue.item_window import ItemWindow
from gpuconfig.ui.pages.catalogue.page import CataloguePage
from gpuconfig.ui.pages.catalogue.price_window import PriceWindow
from gpuconfig.ui.widgets.letters import letters_of
from gpuconfig.ui.widgets.mnemonics import letter
from gpuconfig.ui.widgets.side_window import SideWindow
from tests.ui.conftest import pause, settle
from tests.ui.inspection import clipped, nameless, overlapping, stray_english

CARD = "nvidia-rtx-4090-24"
QUOTATION = '产品名称,数量,含税单价,货期\r\nRTX 4090 24GB,2,"21,500.00",现货\r\n神秘配件,1,100,一周\r\n'


@pytest.fixture
def window(own_window: MainWindow) -> MainWindow:
    return own_window


@pytest.fixture
def page(window: MainWindow) -> CataloguePage:
    found = window.pages["catalogue"]
    assert isinstance(found, CataloguePage)
    return found


def form(window: MainWindow) -> ItemWindow:
    settle(window)
    return window.findChildren(ItemWindow)[-1]


def importer(window: MainWindow) -> ImportWindow:
    return window.findChildren(ImportWindow)[-1]


def put(item: ItemWindow, name: str, text: str) -> None:
    box = item.fields[name].box
    if isinstance(box, QComboBox):
        box.setCurrentIndex(box.findData(text))
    else:
        box.setText(text)
        box.textEdited.emit(text)


def test_a_changed_field_is_saved_as_one_step_with_its_source_and_can_be_taken_back(window, page) -> None:
    page.open_form(CARD)
    item = form(window)
    put(item, "tdp_w", "425 W")
    item.source.setText("own meter")
    item.check()
    assert "425 W" in item.changes.text()
    item.save()
    settle(window)
    card = window.session.services.catalogue().accelerator(CARD)
    assert card.tdp_w == 425
    assert card.evidence("tdp_w").source == "own meter"
    assert item.fields["tdp_w"].row.bundled == "450 W"
    row = next(row for row in page.table.rows.rows if row.key == CARD)
    assert row.cells[0].note == "edited"
    item.fields["tdp_w"].revert.click()
    settle(window)
    assert window.session.services.catalogue().accelerator(CARD).tdp_w == 450
    assert len(window.session.services.desk().history.steps()) == 2


@pytest.mark.parametrize("text", ["many watts", "-5 W", "0 W", "450 GB", "1e400 W", "NaN W"])
def test_what_cannot_be_read_is_told_under_the_field_and_cannot_be_saved(window, page, text: str) -> None:
    page.open_form(CARD)
    item = form(window)
    put(item, "tdp_w", text)
    item.check()
    assert item.fields["tdp_w"].error.text()
    assert not item.save_button.isEnabled()


def test_what_contradicts_physics_is_saved_only_when_the_person_says_so(window, page) -> None:
    page.open_form(CARD)
    item = form(window)
    put(item, "bandwidth_bytes_per_s", "9 TB/s")
    item.check()
    assert item.notice.isVisible()
    assert not item.save_button.isEnabled()
    item.certain.setChecked(True)
    assert item.save_button.isEnabled()


def test_a_date_that_is_none_blocks_saving(window, page) -> None:
    page.open_form(CARD)
    item = form(window)
    put(item, "tdp_w", "425")
    item.day.setText("yesterday")
    item.check()
    assert "2026" in item.day_error.text()
    assert not item.save_button.isEnabled()


def test_a_new_entry_is_found_marked_and_deleted(window, page) -> None:
    page.kind.setCurrentIndex(page.kind.findData(Kind.POWER_SUPPLY.value))
    settle(window)
    page.open_form("")
    item = form(window)
    put(item, "name", "Workshop 1300 W")
    put(item, "rated_w", "1300 W")
    item.check()
    problems = {name: str(fault) for name, fault in item.found.problems.items()}
    assert problems == {}
    item.save()
    settle(window)
    page.query.setText("workshop")
    settle(window)
    pause(250)
    settle(window)
    assert [row.cells[0].note for row in page.table.rows.rows] == ["yours"]
    page.table.selectRow(0)
    assert page.remove.isEnabled()
    page.remove.click()
    settle(window)
    assert page.table.rows.rows == ()


def test_a_hidden_item_leaves_the_list_and_comes_back(window, page) -> None:
    page.table.select(CARD)
    page._enable()
    page.hide_item.click()
    settle(window)
    assert CARD not in {row.key for row in page.table.rows.rows}
    page.open_history()
    history = window.findChildren(HistoryWindow)[-1]
    history.hidden.selectRow(0)
    history.unhide.click()
    settle(window)
    assert CARD in {row.key for row in page.table.rows.rows}
    history.undo.click()
    settle(window)
    assert CARD not in {row.key for row in page.table.rows.rows}


def test_a_quotation_in_gb18030_is_previewed_rematched_and_written_whole(window, page, tmp_path) -> None:
    file = tmp_path / "报价.csv"
    file.write_bytes(QUOTATION.encode("gb18030"))
    page.open_import(file)
    settle(window)
    made = importer(window)
    assert made.stack.currentIndex() == 1
    made.next.click()
    settle(window)
    assert made.stack.currentIndex() == 2
    rows = made.preview.plan.rows
    assert [row.state.value for row in rows] == ["added", "rejected"]
    assert rows[0].like == CARD
    made.next.click()
    settle(window)
    offers = window.session.services.catalogue().offers(Kind.ACCELERATOR, CARD)
    assert any(offer.source.endswith("报价.csv") or "报价.csv" in str(offer) for offer in offers)
    assert len(window.session.services.desk().history.steps()) == 1
    window.toast._button.click()  # Undo
    settle(window)
    assert all(
        "报价.csv" not in str(o) for o in window.session.services.catalogue().offers(Kind.ACCELERATOR, CARD)
    )


def test_rows_taken_out_are_not_written(window, page, tmp_path) -> None:
    file = tmp_path / "q.csv"
    file.write_text(QUOTATION, encoding="utf-8-sig")
    page.open_import(file)
    settle(window)
    made = importer(window)
    made.next.click()
    settle(window)
    made.preview.table.selectRow(0)
    made.preview.leave.click()
    assert made.preview.writes() == 0
    made._enable()
    assert not made.next.isEnabled()


@pytest.mark.parametrize("content", [b"", b"\x00\xff\x00\xff" * 50, b"PK\x03\x04broken"])
def test_a_file_that_cannot_be_read_is_told_and_the_window_stays(window, page, tmp_path, content) -> None:
    file = tmp_path / "broken.xlsx"
    file.write_bytes(content)
    page.open_import(file)
    settle(window)
    made = importer(window)
    assert made.stack.currentIndex() == 0
    assert made.notice.isVisible()


def test_filters_by_field_take_units_and_an_unknown_value_never_passes(window, page) -> None:
    bar = page.filters
    bar.set_open(True)
    bar.field.setCurrentIndex(bar.field.findData("memory_bytes"))
    bar.value.setText("80 GB")
    bar._add()
    settle(window)
    found = [window.session.services.catalogue().accelerator(row.key) for row in page.table.rows.rows]
    assert found
    assert all(card.memory_bytes is not None and card.memory_bytes >= 80 * 2**30 for card in found)
    bar.value.setText("eighty")
    bar._add()
    assert bar.error.isVisible()
    bar._remove(bar.filters[0])
    settle(window)
    assert len(page.table.rows.rows) > len(found)


def test_every_window_is_named_fits_and_speaks_chinese(window, page, tmp_path) -> None:
    window.session.set_language(Language.ZH)
    file = tmp_path / "q.csv"
    file.write_text(QUOTATION, encoding="utf-8-sig")
    page.filters.set_open(True)
    page.open_form(CARD)
    page.open_history()
    page.open_import(file)
    settle(window)
    pause(100)
    made = importer(window)
    shown = [window.pages["catalogue"], form(window), window.findChildren(HistoryWindow)[-1], made]
    for widget in shown:
        assert not clipped(widget)
        assert not nameless(widget)
        assert not overlapping(widget)
        if not isinstance(widget, ItemWindow):
            assert not stray_english(widget)
    made.next.click()
    settle(window)
    assert not stray_english(made)
    assert not clipped(made)
    page.open_prices(CARD)
    page.open_rates()
    page.open_measurements()
    settle(window)
    for beside in window.findChildren(SideWindow):
        given = list(letters_of(beside))
        assert len(given) == len(set(given)), (beside, sorted(given))
        silent = [
            made.text()
            for made in beside.findChildren(QPushButton)
            if made.isVisibleTo(beside)
            and made.text()
            and not made.property("role")
            and not letter(made.text())
        ]
        assert silent == [], beside


def prices(window: MainWindow) -> PriceWindow:
    return window.findChildren(PriceWindow)[-1]


def test_a_price_that_was_asked_is_added_with_its_source_and_moves_the_total(window, page) -> None:
    page.open_prices(CARD)
    made = prices(window)
    before = len(made.table.rows.rows)
    made.edits["low"].setText("￥21,500")
    made.edits["source"].setText("中关村某店")
    made.edits["lead_time_days"].setText("3")
    made.add.click()
    settle(window)
    assert len(made.table.rows.rows) == before + 1
    newest = window.session.services.desk().prices.offers(Kind.ACCELERATOR, CARD)[0]
    assert (newest.low, newest.source, newest.lead_time_days) == (21500, "中关村某店", 3)
    made.table.selectRow(0)
    assert made.take_away.isEnabled()
    made.take_away.click()
    settle(window)
    assert len(made.table.rows.rows) == before


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("low", ""), ("low", "-5"), ("low", "0"), ("low", "€ 5"), ("low", "NaN"), ("low", "one"), ("high", "5"),
        ("date", "01/02/2026"), ("date", "2999-01-01"), ("date", "soon"), ("source", ""), ("lead_time_days", "a week"),
        ("lead_time_days", "1e9"),
    ],
)  # fmt: skip
def test_a_price_that_cannot_be_is_told_at_its_field_and_nothing_is_kept(window, page, field, text) -> None:
    page.open_prices(CARD)
    made = prices(window)
    made.edits["low"].setText("21500")
    made.edits["source"].setText("a shop")
    made.edits[field].setText(text)
    made.add.click()
    settle(window)
    assert made.errors[field].isVisible(), made.notice._text.text()
    assert window.session.services.desk().history.steps() == []
    assert made.edits[field].text() == text


def test_the_price_window_fits_in_chinese(window, page) -> None:
    window.session.set_language(Language.ZH)
    page.open_prices(CARD)
    made = prices(window)
    pause(50)
    assert not clipped(made)
    sources = {row.cells[-1].text for row in made.table.rows.rows}
    assert set(stray_english(made)) <= sources
    assert not nameless(made)


def test_a_window_closed_while_it_works_ends_its_work_without_a_word(window, page) -> None:
    page.open_history()
    page.open_history()
    assert len(window.findChildren(HistoryWindow)) == 1
    page.open_form(CARD)
    item = form(window)
    put(item, "tdp_w", "425 W")
    item.source.setText("own meter")
    item.save()
    item.close()
    window.findChildren(HistoryWindow)[-1].close()
    settle(window)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert window.session.services.catalogue().accelerator(CARD).tdp_w == 425
    assert window.findChildren(ItemWindow) == []
    assert "Saved" in window.toast._text.text()


def test_a_price_added_after_another_was_taken_away_replaces_none(window) -> None:
    prices = window.session.services.desk().prices
    for low in ("20000", "21000"):
        prices.add(Kind.ACCELERATOR, CARD, PriceEntry(low=low, source="a shop"))
    first = next(o for o in prices.offers(Kind.ACCELERATOR, CARD) if o.low == 20000)
    prices.remove(first)
    prices.add(Kind.ACCELERATOR, CARD, PriceEntry(low="22000", source="a shop"))
    own = {int(o.low) for o in prices.offers(Kind.ACCELERATOR, CARD) if o.source == "a shop"}
    assert own == {21000, 22000}
