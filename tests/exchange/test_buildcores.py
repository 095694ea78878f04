"""Import of the BuildCores Open Database: known errors corrected or unknown, cancel leaves nothing."""

import json
import tarfile
from pathlib import Path

import pytest

from gpuconfig.engine.catalogue.kinds import CLASSES
from gpuconfig.engine.catalogue.rows import decode_item
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import Cancelled, DataError
from gpuconfig.exchange.buildcores.archive import read_records
from gpuconfig.exchange.buildcores.importer import ATTRIBUTION, plan_buildcores
from gpuconfig.exchange.plan import RowState
from gpuconfig.storage.apply import write_items
from gpuconfig.storage.overlay import Overlay
from gpuconfig.storage.repository import open_catalogue


class StopAfter:
    """Cancels at the n-th report."""

    def __init__(self, reports):
        self.left = reports

    def report(self, fraction, what):
        assert 0 <= fraction <= 1, what
        self.left -= 1
        if self.left < 0:
            raise Cancelled


def plan(path, catalogue, progress=None):
    existing = {kind: catalogue.parts(kind) for kind in Kind}
    return plan_buildcores(path, existing, lambda name: catalogue.find(Kind.ACCELERATOR, name), progress)


@pytest.fixture
def planned(buildcores, catalogue):
    return plan(buildcores, catalogue)


def record(tmp_path, kind, **data):
    """A database of one record."""
    folder = tmp_path / "open-db" / kind
    folder.mkdir(parents=True)
    data.setdefault("metadata", {"name": "Test", "manufacturer": "X", "part_numbers": []})
    (folder / "one.json").write_text(json.dumps(data), encoding="utf-8")
    return tmp_path


def item_of(plan_):
    (row,) = plan_.rows
    return decode_item(CLASSES[row.kind], row.data)


def test_most_records_are_kept_with_their_source(planned):
    counts = planned.counts()
    assert counts[RowState.ADDED] > 200
    assert planned.source == ATTRIBUTION
    for row in planned.writes():
        assert "buildcores" in row.data["sources"]


def test_every_row_makes_an_item(planned):
    for row in planned.writes():
        assert decode_item(CLASSES[row.kind], row.data).id == row.data["id"]


def test_refused_rows_say_why(planned):
    refused = [row for row in planned.rows if row.state is RowState.REJECTED]
    assert refused
    assert all(row.reasons for row in refused)


def test_zero_plugs_are_unknown(tmp_path, catalogue):
    plugs = {"atx_24_pin": 0, "eps_8_pin": 0, "pcie_12vhpwr": 0, "pcie_6_plus_2_pin": 0}
    supply = item_of(plan(record(tmp_path, "PSU", wattage=1200, connectors=plugs), catalogue))
    assert (supply.pcie_16, supply.pcie_6plus2, supply.eps_8) == (None, None, None)


def test_promised_plug_coded_zero_is_unknown(tmp_path, catalogue):
    plugs = {"eps_8_pin": 2, "pcie_12vhpwr": 0, "pcie_6_plus_2_pin": 4}
    meta = {"name": "Maker 1000W ATX 3.1 12VHPWR", "manufacturer": "Maker"}
    supply = item_of(plan(record(tmp_path, "PSU", wattage=1000, connectors=plugs, metadata=meta), catalogue))
    assert (supply.pcie_16, supply.pcie_6plus2, supply.atx_version) == (None, 4, "3.1")


def test_generation_comes_from_the_chipset(tmp_path, catalogue):
    slots = [{"gen": "5.0", "quantity": 3, "lanes": 16}]
    board = item_of(
        plan(
            record(tmp_path, "Motherboard", socket="LGA 2066", chipset="Intel X299", pcie_slots=slots),
            catalogue,
        )
    )
    assert board.slots[0].generation == 3


def test_lanes_beyond_the_processor_are_unknown(tmp_path, catalogue):
    slots = [{"gen": "5.0", "quantity": 3, "lanes": 16}]
    board = item_of(
        plan(record(tmp_path, "Motherboard", socket="AM5", chipset="AMD X870E", pcie_slots=slots), catalogue)
    )
    assert [slot.electrical_lanes for slot in board.slots] == [16, None, None]


def test_terabytes_in_a_column_of_gigabytes(tmp_path, catalogue):
    memory = {"max": 1, "slots": 4, "ram_type": "DDR5"}
    board = item_of(
        plan(record(tmp_path, "Motherboard", socket="sTR5", chipset="AMD TRX50", memory=memory), catalogue)
    )
    assert board.max_memory_bytes == 1024 * 2**30


def test_card_takes_the_chip_from_the_catalogue(tmp_path, catalogue):
    meta = {"name": "Maker GeForce RTX 4090 OC", "manufacturer": "Maker", "part_numbers": ["M-4090"]}
    plugs = {"pcie_6_pin": 0, "pcie_8_pin": 0, "pcie_12VHPWR": 0, "pcie_12V_2x6": 0}
    data = {"chipset": "GeForce RTX 4090", "memory": 24, "tdp": 850, "length": 0, "total_slot_width": 4}
    card = item_of(plan(record(tmp_path, "GPU", power_connectors=plugs, metadata=meta, **data), catalogue))
    assert card.bf16_fp32acc_flops == pytest.approx(165.2e12)
    assert (card.tdp_w, card.length_mm, card.power_connectors, card.slots) == (450.0, None, None, 4.0)


def test_card_of_an_unknown_chip_is_refused(tmp_path, catalogue):
    (row,) = plan(record(tmp_path, "GPU", chipset="GeForce GT 710", memory=2), catalogue).rows
    assert row.state is RowState.REJECTED
    assert "GT 710" in str(row.reasons[-1])


@pytest.mark.parametrize("reports", [0, 1, 3])
def test_cancel_plans_nothing(buildcores, catalogue, reports):
    with pytest.raises(Cancelled):
        plan(buildcores, catalogue, StopAfter(reports))


def test_cancel_while_writing_leaves_nothing(planned, tmp_path):
    overlay = Overlay(tmp_path / "o.sqlite")
    rows = list(planned.writes()) * 5
    with pytest.raises(Cancelled):
        write_items(overlay, planned.title, rows, StopAfter(1))
    assert overlay.history() == []
    overlay.close()


def test_written_in_one_step_and_undone_in_one(planned, tmp_path, catalogue):
    overlay = Overlay(tmp_path / "o.sqlite")
    write_items(overlay, planned.title, planned.writes())
    (step,) = overlay.history()
    assert step.changes == len(planned.writes())
    bundle = catalogue._database.execute("PRAGMA database_list").fetchone()["file"]
    read = open_catalogue(Path(bundle), tmp_path / "o.sqlite")
    assert len(read.power_supplies()) > len(catalogue.power_supplies())
    read.close()
    overlay.undo()
    read = open_catalogue(Path(bundle), tmp_path / "o.sqlite")
    assert len(read.power_supplies()) == len(catalogue.power_supplies())
    read.close()
    overlay.close()


def test_importing_again_changes_nothing(planned, catalogue, buildcores):
    added = {kind: list(catalogue.parts(kind)) for kind in Kind}
    for row in planned.writes():
        added[row.kind].append(decode_item(CLASSES[row.kind], row.data))
    again = plan_buildcores(buildcores, added, lambda name: catalogue.find(Kind.ACCELERATOR, name))
    assert again.counts()[RowState.ADDED] == 0
    assert again.counts()[RowState.CHANGED] == 0


def test_broken_archive_and_foreign_folder(tmp_path, catalogue):
    broken = tmp_path / "x.tar.xz"
    broken.write_bytes(b"no archive")
    with pytest.raises(DataError):
        plan(broken, catalogue)
    with pytest.raises(DataError):
        plan(tmp_path, catalogue)


def test_records_outside_their_folder_are_not_read(tmp_path, catalogue):
    """A path that climbs out of the archive is data of nobody."""
    archive = tmp_path / "x.tar"
    payload = tmp_path / "p.json"
    payload.write_text('{"metadata": {"name": "x"}}', encoding="utf-8")
    with tarfile.open(archive, "w") as tar:
        tar.add(payload, "../../etc/p.json")
    assert plan(archive, catalogue).rows == ()


@pytest.mark.parametrize("at", [600, 30_000])
def test_a_damaged_archive_is_told(tmp_path, buildcores, at):
    content = bytearray(buildcores.read_bytes())
    content[at : at + 40] = bytes(40)
    (tmp_path / "bad.tar.xz").write_bytes(content)
    with pytest.raises(DataError) as error:
        list(read_records(tmp_path / "bad.tar.xz"))
    assert error.value.code == "bad_archive"
