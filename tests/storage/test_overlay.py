"""The user's overlay: edits beside the bundle's values, undo, hidden rows, versions and broken files."""

import csv
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from gpuconfig import paths
from gpuconfig.engine.catalogue.vocabulary import Kind, Origin
from gpuconfig.engine.provenance.errors import DataError, InputError
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.storage import migrate
from gpuconfig.storage.build import build
from gpuconfig.storage.overlay import Overlay
from gpuconfig.storage.repository import open_catalogue

CARD = "nvidia-rtx-4090-24"
SEEN = Evidence(source="https://example.org/price", date="2026-11-30", kind=EvidenceKind.MEASURED)
FIXTURES = Path(__file__).parent / "fixtures"

OFFER = {
    "id": "own-1", "subject_kind": "accelerator", "subject_id": CARD, "low": "15000", "high": "15500",
    "currency": "CNY", "tax": "included", "condition": "used", "region": "CN", "kind": "quote", "date": "2026-11-30",
    "source": "quotation 17",
}  # fmt: skip


def test_edit_shows_the_bundled_value_beside_it(overlay, merged):
    with overlay.step("idle power measured") as step:
        step.edit(Kind.ACCELERATOR, CARD, "tdp_w", 440.0, SEEN)
    card = merged().accelerator(CARD)
    (edit,) = card.edits
    assert (card.tdp_w, edit.field, edit.bundled) == (440.0, "tdp_w", "450.0")
    assert card.evidence("tdp_w") == SEEN


def test_revert_undo_and_redo(overlay, merged):
    with overlay.step("first") as step:
        step.edit(Kind.ACCELERATOR, CARD, "tdp_w", 440.0, SEEN)
    with overlay.step("second") as step:
        step.edit(Kind.ACCELERATOR, CARD, "tdp_w", 430.0, SEEN)
    assert overlay.undo().title == "second"
    assert merged().accelerator(CARD).tdp_w == 440.0
    overlay.undo()
    assert merged().accelerator(CARD).tdp_w == 450.0
    assert overlay.undo() is None
    overlay.redo()
    overlay.redo()
    assert merged().accelerator(CARD).tdp_w == 430.0
    with overlay.step("taken back") as step:
        step.revert(Kind.ACCELERATOR, CARD, "tdp_w")
    assert merged().accelerator(CARD).edits == ()
    overlay.undo()
    assert merged().accelerator(CARD).tdp_w == 430.0
    assert [step.title for step in overlay.history()] == ["first", "second", "taken back"]


def test_new_step_drops_what_was_undone(overlay):
    for title in ("one", "two"):
        with overlay.step(title) as step:
            step.hide(Kind.ACCELERATOR, f"card-{title}")
    overlay.undo()
    with overlay.step("three") as step:
        step.hide(Kind.ACCELERATOR, "card-three")
    assert [step.title for step in overlay.history()] == ["one", "three"]
    assert overlay.redo() is None


def test_unknown_becomes_null(overlay, merged):
    with overlay.step("not believed") as step:
        step.edit(Kind.ACCELERATOR, CARD, "tdp_w", None, SEEN)
    assert merged().accelerator(CARD).tdp_w is None


def test_addition_hidden_and_back(overlay, merged):
    with overlay.step("own supply") as step:
        step.add(
            Kind.POWER_SUPPLY,
            {
                "id": "own-psu",
                "name": "Bench supply",
                "aliases": "实验电源",
                "rated_w": 3000.0,
                "evidence_kind": "assumed",
            },
        )
        step.hide(Kind.ACCELERATOR, CARD, "not for sale")
    read = merged()
    supply = read.part(Kind.POWER_SUPPLY, "实验电源")
    assert (supply.rated_w, supply.origin) == (3000.0, Origin.USER)
    with pytest.raises(InputError):
        read.accelerator(CARD)
    with overlay.step("shown again") as step:
        step.unhide(Kind.ACCELERATOR, CARD)
        step.remove(Kind.POWER_SUPPLY, "own-psu")
    read = merged()
    assert read.accelerator(CARD).id == CARD
    assert read.find(Kind.POWER_SUPPLY, "own-psu") is None


def test_added_board_has_its_slots(overlay, merged):
    with overlay.step("own board") as step:
        step.add(
            Kind.MOTHERBOARD,
            {
                "id": "own-board", "name": "Own board", "socket": "SP5", "evidence_kind": "assumed",
                "motherboard_slot": [{"position": 1, "physical_lanes": 16, "electrical_lanes": 16, "generation": 5}],
            },
        )  # fmt: skip
    assert merged().part(Kind.MOTHERBOARD, "own-board").slots[0].generation == 5


def test_offers_and_rates_of_the_user_come_first(overlay, merged):
    with overlay.step("quotation") as step:
        step.put("offer", [OFFER])
        step.put(
            "exchange_rate",
            [
                {
                    "base": "USD",
                    "target": "CNY",
                    "rate": "6.70",
                    "date": "2026-11-30",
                    "evidence_kind": "measured",
                }
            ],
        )
    read = merged()
    offer = read.offers(Kind.ACCELERATOR, CARD)[0]
    assert (offer.id, offer.origin) == ("own-1", Origin.USER)
    assert str(read.exchange_rate(Currency.USD, Currency.CNY).rate) == "6.70"


def test_version_changes_with_the_overlay(overlay, merged):
    before = merged().version()
    with overlay.step("edit") as step:
        step.edit(Kind.ACCELERATOR, CARD, "tdp_w", 1.0, SEEN)
    after = merged().version()
    assert before.catalogue != after.catalogue
    assert after.catalogue.startswith(before.catalogue)


def test_failed_step_leaves_nothing(overlay, merged):
    def fail():
        with overlay.step("broken") as step:
            step.edit(Kind.ACCELERATOR, CARD, "tdp_w", 1.0, SEEN)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert overlay.history() == []
    assert merged().accelerator(CARD).tdp_w == 450.0


def test_bad_offer_is_refused(overlay):
    with pytest.raises(sqlite3.IntegrityError), overlay.step("negative") as step:
        step.put("offer", [{**OFFER, "low": "-1"}])


def test_newer_file_is_refused_and_left_untouched(overlay_path):
    Overlay(overlay_path).close()
    with closing(sqlite3.connect(overlay_path)) as database:
        database.execute("PRAGMA user_version = 99")
    before = overlay_path.read_bytes()
    with pytest.raises(DataError) as error:
        Overlay(overlay_path)
    assert error.value.code == "newer_version"
    assert overlay_path.read_bytes() == before


@pytest.mark.parametrize("content", [b"no database at all" * 100, None])
def test_foreign_file_is_refused(overlay_path, content):
    if content is None:
        with closing(sqlite3.connect(overlay_path)) as database:
            database.execute("CREATE TABLE other (id)")
            database.commit()
    else:
        overlay_path.write_bytes(content)
    with pytest.raises(DataError) as error:
        Overlay(overlay_path)
    assert error.value.code == "not_a_database"


@pytest.mark.parametrize("number", range(1, len(migrate.migrations()) + 1))
def test_every_old_schema_opens(number, overlay_path, merged):
    """A file of each schema that was ever released is brought up to date with its content and a backup."""
    shutil.copy(FIXTURES / f"overlay_schema_{number}.sqlite", overlay_path)
    read = merged()
    assert read.accelerator(CARD).tdp_w == 440.0
    assert read.offers(Kind.ACCELERATOR, CARD)[0].id == "own-1"
    made = overlay_path.with_suffix(f".schema-{number}.bak").exists()
    assert made == (number < len(migrate.migrations()))


WRITER = """
import sys
from pathlib import Path
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.storage.overlay import Overlay
overlay = Overlay(Path(sys.argv[1]))
number = len(overlay.history())
print("ready", flush=True)
while True:
    number += 1
    with overlay.step(str(number)) as step:
        for index in range(50):
            step.add(Kind.DRIVE, {"id": f"drive-{number}-{index}", "name": "d", "capacity_bytes": 1})
    print(number, flush=True)
"""


def kill_while_writing(path, delay):
    """Start a writer, kill it after `delay` seconds, and return the last step it reported as written."""
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(delay)
    os.kill(process.pid, signal.SIGKILL)
    said = process.stdout.read().split()
    process.stdout.close()
    process.wait()
    return int(said[-1]) if said else 0


@pytest.mark.parametrize("rounds", [3, pytest.param(200, marks=pytest.mark.long)])
@pytest.mark.timeout(900)
def test_kill_loses_nothing_committed_and_leaves_no_half_step(overlay_path, rounds):
    chance = random.Random(rounds)
    reported = 0
    for _ in range(rounds):
        reported = max(reported, kill_while_writing(overlay_path, chance.uniform(0, 0.08)))
    overlay = Overlay(overlay_path)
    history = overlay.history()
    overlay.close()
    with closing(sqlite3.connect(overlay_path)) as database:
        (drives,) = database.execute("SELECT count(*) FROM addition").fetchone()
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert len(history) >= reported
    assert all(step.changes == 50 for step in history)
    assert drives == 50 * len(history)


def test_edits_survive_an_update_of_the_bundle(overlay, overlay_path, tmp_path):
    """A newer bundle with another value and without one of the parts: the person's change stands beside it."""
    with overlay.step("own value") as step:
        step.edit(Kind.ACCELERATOR, CARD, "tdp_w", 440.0, SEEN)
        step.edit(Kind.RISER, "part-that-goes", "length_mm", 1.0, SEEN)
    sources = tmp_path / "db"
    shutil.copytree(paths.database_sources(), sources)
    seed = sources / "seed" / "accelerator.csv"
    rows = list(csv.DictReader(seed.read_text(encoding="utf-8").splitlines()))
    for row in rows:
        row["tdp_w"] = "455" if row["id"] == CARD else row["tdp_w"]
    with seed.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    build(tmp_path / "newer.sqlite", sources)
    newer = open_catalogue(tmp_path / "newer.sqlite", overlay_path)
    card = newer.accelerator(CARD)
    (edit,) = card.edits
    assert (card.tdp_w, edit.bundled) == (440.0, "455.0")
    assert newer.bundled(Kind.ACCELERATOR, CARD).tdp_w == 455.0
    newer.close()
