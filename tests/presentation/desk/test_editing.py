"""Forms: units, physics, one undoable step, single reverts, rows hidden."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig.engine.catalogue.titles import field_title
from gpuconfig.engine.catalogue.vocabulary import Kind, Origin
from gpuconfig.engine.provenance.errors import DataError, InputError
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind
from gpuconfig.exchange.item_form import FieldKind, form_fields, read_field, shown

CARD = "nvidia-rtx-4090-24"
SEEN = Evidence("https://example.org", "2026-12-01", EvidenceKind.MEASURED)
NUMBERS = [(kind, f) for kind in Kind for f in form_fields(kind) if f.kind is FieldKind.NUMBER]


def texts(desk, kind, item_id):
    return {row.field.name: row.text for row in desk.items.form(kind, item_id).rows}


def test_every_field_of_every_kind_has_a_title():
    untitled = [(k, f.name) for k in Kind for f in form_fields(k) if field_title(f.name, k) == f.name]
    assert untitled == []


@given(st.sampled_from(NUMBERS), st.integers(1, 10**15))
def test_a_shown_number_reads_back_exactly(field, number):
    _, one = field
    assert read_field(one, shown(one, str(number))) == str(number)


@pytest.mark.parametrize(
    ("field", "typed", "meant"),
    [
        ("memory_bytes", "24GiB", "24 GB"), ("memory_bytes", "24576 MiB", "24 GB"), ("tdp_w", "0.45 kW", "450 W"),
        ("bandwidth_bytes_per_s", "1.0 TB/s", "1000 GB/s"), ("length_mm", "12 in", "304.8 mm"),
        ("bf16_fp32acc_flops", "165.2 TFLOPS", "165.2 TFLOPS"), ("tdp_w", "450", "450 W"),
    ],
)  # fmt: skip
def test_units_as_people_write_them(desk, field, typed, meant):
    item = desk.items.check(Kind.ACCELERATOR, CARD, {field: typed, "name": "x"}).item
    shown_now = {f.name: f for f in form_fields(Kind.ACCELERATOR)}[field]
    assert shown(shown_now, format(getattr(item, field), ".15g")) == meant


@pytest.mark.parametrize(
    ("field", "typed", "code"),
    [
        ("memory_bytes", "1,5", "ambiguous"), ("tdp_w", "0", "out_of_range"), ("tdp_w", "24 GB", "wrong_type"),
        ("vendor", "Nvidia", "unknown_value"), ("bus_bits", "38.5", "wrong_type"), ("name", "", "missing"),
        ("power_connectors", "two 8-pin", "wrong_type"), ("length_mm", "-304", "out_of_range"),
    ],
)  # fmt: skip
def test_what_cannot_be_taken_is_named_and_not_saved(desk, field, typed, code):
    found = desk.items.check(Kind.ACCELERATOR, CARD, {field: typed})
    assert found.problems[field].code == code
    with pytest.raises(InputError):
        desk.items.save(Kind.ACCELERATOR, CARD, {field: typed}, SEEN)
    assert list(desk.history.steps()) == []


@pytest.mark.parametrize(
    "typed",
    [
        {"bandwidth_bytes_per_s": "2 TB/s"}, {"tdp_w": "900 W"}, {"fp16_fp16acc_flops": "100 TFLOPS"},
        {"bf16_fp32acc_flops": "900 TFLOPS"},
    ],
)  # fmt: skip
def test_physics_is_asked_about(desk, typed):
    assert desk.items.check(Kind.ACCELERATOR, CARD, typed).doubts
    assert not desk.items.check(Kind.ACCELERATOR, CARD, {"tdp_w": "440 W"}).doubts


def test_a_change_is_one_step_shown_beside_the_bundle_and_reverted_singly(desk, services):
    changed = {"tdp_w": "440 W", "memory_bytes": "48 GB", "power_connectors": "2x pcie_16@600"}
    card = desk.items.save(Kind.ACCELERATOR, CARD, changed, SEEN)
    assert (card.tdp_w, card.memory_gb, card.memory_bytes) == (440.0, 48.0, 48 * 2**30)
    assert [step.undone for step in desk.history.steps()] == [False]
    rows = {row.field.name: row for row in desk.items.form(Kind.ACCELERATOR, CARD).rows}
    assert (rows["tdp_w"].bundled, rows["memory_bytes"].bundled, rows["power_connectors"].bundled) == (
        "450 W", "24 GB", "1x pcie_16",
    )  # fmt: skip
    assert rows["tdp_w"].evidence == SEEN
    desk.items.revert(Kind.ACCELERATOR, CARD, "tdp_w")
    assert services.catalogue().accelerator(CARD).tdp_w == 450.0
    assert services.catalogue().accelerator(CARD).memory_gb == 48.0
    desk.items.revert(Kind.ACCELERATOR, CARD)
    assert services.catalogue().accelerator(CARD).edits == ()
    desk.history.undo()
    desk.history.undo()
    assert services.catalogue().accelerator(CARD).tdp_w == 440.0
    desk.history.undo()
    assert services.catalogue().accelerator(CARD).edits == ()


def test_a_value_typed_back_is_no_edit_and_no_source_is_assumed(desk):
    card = desk.items.save(Kind.ACCELERATOR, CARD, {"tdp_w": "440 W"}, Evidence(""))
    assert card.is_assumed("tdp_w")
    assert desk.items.save(Kind.ACCELERATOR, CARD, {"tdp_w": "450 W"}, SEEN).edits == ()


def test_a_new_item_keeps_its_unknowns(desk):
    made = {"name": "Bench 2000", "rated_w": "2 kW", "pcie_16": "4"}
    supply = desk.items.save(Kind.POWER_SUPPLY, "", made, SEEN)
    assert (supply.rated_w, supply.pcie_16, supply.sata, supply.origin) == (2000.0, 4, None, Origin.USER)
    supply = desk.items.save(Kind.POWER_SUPPLY, supply.id, {"pcie_16": ""}, SEEN)
    assert (supply.pcie_16, supply.rated_w, supply.edits) == (None, 2000.0, ())
    assert "name" in desk.items.check(Kind.POWER_SUPPLY, "", made).problems
    desk.items.remove(Kind.POWER_SUPPLY, supply.id)
    with pytest.raises(InputError):
        desk.items.form(Kind.POWER_SUPPLY, supply.id)


def test_slots_and_models_keep_what_a_form_does_not_show(desk, services):
    board = services.catalogue().motherboards()[0]
    typed = "1:x16/x16/5/cpu; 2:x16/x4/4/chipset"
    changed = desk.items.save(Kind.MOTHERBOARD, board.id, {"slots": typed}, SEEN)
    assert [slot.electrical_lanes for slot in changed.slots] == [16, 4]
    model = services.catalogue().models()[0]
    changed = desk.items.save(Kind.MODEL, model.id, {"licence": "our own"}, SEEN)
    assert (changed.licence, changed.architecture) == ("our own", model.architecture)


def test_hidden_rows_come_back(desk, services):
    desk.items.hide(Kind.ACCELERATOR, CARD, "not for sale")
    assert services.catalogue().find(Kind.ACCELERATOR, CARD) is None
    (hidden,) = desk.items.hidden()
    assert (hidden.id, hidden.reason, hidden.name) == (CARD, "not for sale", "RTX 4090 24GB")
    desk.items.unhide(Kind.ACCELERATOR, CARD)
    assert services.catalogue().accelerator(CARD).id == CARD
    with pytest.raises(InputError):
        desk.items.remove(Kind.ACCELERATOR, CARD)


def test_a_database_that_cannot_be_written_says_so(services, tmp_path):
    (tmp_path / "user").write_text("a file where the folder should be")
    with pytest.raises(DataError) as error:
        services.desk().items.save(Kind.ACCELERATOR, CARD, {"tdp_w": "440 W"}, SEEN)
    assert error.value.code == "unwritable"
    assert services.catalogue().accelerator(CARD).tdp_w == 450.0
