"""Files into the catalogue: preview, remembered columns, all or nothing, one step."""

import dataclasses
import json
from pathlib import Path

import pytest

from gpuconfig.engine.catalogue.vocabulary import Kind, Origin
from gpuconfig.engine.provenance.errors import Cancelled, DataError
from gpuconfig.exchange.formats import ImportFormat
from gpuconfig.exchange.plan import RowState
from gpuconfig.exchange.write_table import export_items
from gpuconfig.presentation.desk.importing import ImportTerms

FIXTURES = Path(__file__).parents[2] / "exchange" / "fixtures"
QUOTE = """报价单,,,
产品名称,数量,含税单价(元),货期
RTX 4090 24GB,2,18500,现货
银河 9000 加速卡,1,99000,2周
A6000 Ada 咨询,1,,
"""


class Cancels:
    """A person who stops after some reports."""

    def __init__(self, after):
        self.left = after

    def report(self, fraction, what):  # noqa: ARG002
        self.left -= 1
        if self.left < 0:
            raise Cancelled


@pytest.fixture
def quote(tmp_path):
    path = tmp_path / "报价.csv"
    path.write_bytes(QUOTE.encode("gb18030"))
    return path


@pytest.mark.parametrize("ending", ["csv", "xlsx", "json", "md"])
def test_every_export_reads_back_unchanged(desk, services, tmp_path, ending):
    for kind in Kind:
        path = tmp_path / f"{kind}.{ending}"
        export_items(path, kind, services.catalogue().parts(kind))
        counts = desk.imports.plan(desk.imports.open(path, kind)).counts()
        assert counts[RowState.ADDED] == counts[RowState.CHANGED] == 0, kind
        assert counts[RowState.UNCHANGED] == len(services.catalogue().parts(kind)), kind


def test_a_changed_row_of_the_bundle_becomes_edits(desk, services, tmp_path):
    path = tmp_path / "cards.json"
    rows = [{"id": "nvidia-rtx-4090-24", "name": "RTX 4090 24GB", "tdp_w": "440", "vendor": "NVIDIA",
             "family": "GeForce 40", "software": "cuda", "form_factor": "pcie"}]  # fmt: skip
    path.write_text(json.dumps(rows), encoding="utf-8")
    plan = desk.imports.plan(desk.imports.open(path, Kind.ACCELERATOR))
    (row,) = plan.rows
    assert [(c.field, c.before, c.after) for c in row.changes] == [("tdp_w", "450", "440")]
    assert desk.imports.apply(plan) == 1
    card = services.catalogue().accelerator("nvidia-rtx-4090-24")
    assert (card.tdp_w, card.origin, card.evidence("tdp_w").source) == (440.0, Origin.BUNDLED, "cards.json")
    assert card.bandwidth_bytes_per_s == 1008e9
    desk.items.revert(Kind.ACCELERATOR, card.id, "tdp_w")
    assert services.catalogue().accelerator(card.id).tdp_w == 450.0


def test_a_quotation_is_previewed_corrected_and_applied(desk, services, quote):
    (part,) = desk.imports.open(quote)
    assert part.format is ImportFormat.QUOTATION
    plan = desk.imports.plan([part], ImportTerms(date="2026-12-01"))
    states = [row.state for row in plan.rows]
    assert states == [RowState.ADDED, RowState.REJECTED, RowState.REJECTED]
    assert all(row.reasons for row in plan.rows[1:])
    moved = desk.imports.rematched(plan, 0, Kind.ACCELERATOR, "nvidia-rtx-4090d-24")
    assert moved.rows[0].like == "nvidia-rtx-4090d-24"
    desk.imports.apply(plan)
    offer = services.catalogue().offers(Kind.ACCELERATOR, "nvidia-rtx-4090-24")[0]
    assert (str(offer.low), offer.origin, offer.lead_time_days, offer.date) == (
        "18500",
        Origin.USER,
        0,
        "2026-12-01",
    )
    again = desk.imports.plan(desk.imports.open(quote), ImportTerms(date="2026-12-01"))
    assert again.rows[0].state is RowState.UNCHANGED
    assert [s.title for s in desk.history.steps()] == [quote.name]


def test_a_corrected_column_is_remembered(desk, quote):
    (part,) = desk.imports.open(quote)
    assert not part.remembered
    changed = desk.imports.with_column(part, 3, "note")
    desk.imports.apply(desk.imports.plan([changed]))
    (part,) = desk.imports.open(quote)
    assert part.remembered
    assert part.mapping.fields[3] == "note"


def test_rows_taken_out_are_not_written(desk, quote):
    plan = desk.imports.plan(desk.imports.open(quote))
    assert desk.imports.apply(plan, leave={0}) == 0
    assert list(desk.history.steps()) == []


def test_a_table_of_unknown_kind_asks(desk, tmp_path):
    path = tmp_path / "parts.csv"
    path.write_text("name,brand\nSomething,Somebody\n")
    (part,) = desk.imports.open(path)
    with pytest.raises(DataError) as error:
        desk.imports.plan([part])
    assert error.value.code == "no_kind"
    plan = desk.imports.plan([dataclasses.replace(part, kind=Kind.NIC)])
    assert plan.counts()[RowState.ADDED] == 1


@pytest.mark.parametrize("after", [0, 1, 2])
def test_cancelling_buildcores_leaves_nothing(desk, services, after):
    parts = desk.imports.open(FIXTURES / "buildcores_300.tar.xz")
    before = len(services.catalogue().parts(Kind.CPU))
    try:
        plan = desk.imports.plan(parts, None, Cancels(after))
    except Cancelled:
        plan = desk.imports.plan(parts)
    with pytest.raises(Cancelled):
        desk.imports.apply(plan, Cancels(0))
    assert list(desk.history.steps()) == []
    assert len(services.catalogue().parts(Kind.CPU)) == before


def test_rental_prices_show_what_moved(desk, services, tmp_path):
    path = tmp_path / "acme.csv"
    head = "InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region\n"
    path.write_text(head + "x1,H100,8,20.0,,eu\nx1,H100,8,20.0,,eu\n")
    plan = desk.imports.plan(desk.imports.open(path), ImportTerms(date="2026-12-01"))
    assert [row.state for row in plan.rows] == [RowState.ADDED, RowState.REJECTED]
    desk.imports.apply(plan)
    path.write_text(head + "x1,H100,8,18.5,,eu\n")
    (row,) = desk.imports.plan(desk.imports.open(path), ImportTerms(date="2026-12-02")).rows
    assert [(c.field, c.before, c.after) for c in row.changes] == [("per_hour", "20.0", "18.5")]
    assert services.catalogue().cloud_offers()[0].provider == "acme"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", b"{"),
        ("a.json", b"[1]"),
        ("a.md", b"no table"),
        ("a.xlsx", b"PK\x03\x04"),
        ("a.tar.xz", b"no"),
    ],
)
def test_unreadable_files_say_so(desk, tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError):
        desk.imports.plan(desk.imports.open(tmp_path / name, Kind.CPU))
