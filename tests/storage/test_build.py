"""The built catalogue: repeatable, strict, and errors that name the line of the seed."""

import dataclasses
import shutil
import sqlite3
from contextlib import closing

import pytest

from gpuconfig import paths
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.kinds import CLASSES
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.storage.build import build
from gpuconfig.storage.tables import ITEM_COLUMNS

NESTED = {
    Kind.ACCELERATOR: {"link", "power_connectors", "adapter_connectors"},
    Kind.MOTHERBOARD: {"slots"},
    Kind.MODEL: {"architecture", "diffusion", "vision", "vision_tower", "file_bytes", "file_format"},
}
"""Fields that stand in tables of their own, or that only a model read from its files has."""


@pytest.fixture
def sources(tmp_path):
    """A copy of seed and migrations that a test may spoil."""
    folder = tmp_path / "db"
    shutil.copytree(paths.database_sources(), folder)
    return folder


def spoil(folder, file, old, new):
    path = folder / "seed" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_same_seed_gives_the_same_bytes(bundle, tmp_path):
    again = tmp_path / "again.sqlite"
    build(again)
    assert again.read_bytes() == bundle.read_bytes()


def test_foreign_keys_and_integrity_hold(bundle):
    with closing(sqlite3.connect(bundle)) as database:
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_every_table_is_strict(bundle):
    with closing(sqlite3.connect(bundle)) as database:
        tables = database.execute(
            "SELECT name, strict FROM pragma_table_list WHERE schema = 'main'"
        ).fetchall()
    loose = {name for name, strict in tables if not strict and not name.startswith("sqlite_")}
    assert loose == set()


@pytest.mark.parametrize("kind", list(CLASSES))
def test_table_holds_every_field_of_the_dataclass(bundle, kind):
    with closing(sqlite3.connect(bundle)) as database:
        columns = {row[1] for row in database.execute(f'PRAGMA table_info("{kind}")')}
    base = {field.name for field in dataclasses.fields(CatalogueItem)}
    fields = {field.name for field in dataclasses.fields(CLASSES[kind])} - base
    assert fields - NESTED.get(kind, set()) <= columns
    assert base - {"origin", "edits", "confirmations"} == set(ITEM_COLUMNS)


@pytest.mark.parametrize(
    ("file", "old", "new", "named"),
    [
        ("cpu.csv", ",AM5,", ",AM5,extra,", "cpu.csv, line 2"),
        ("cpu.csv", ",16,28,", ",sixteen,28,", "column cores: 'sixteen' is no number"),
        ("cpu.csv", ",16,28,", ",0,28,", "column cpu"),
        ("cpu.csv", "id,name", "id,nome", "column nome"),
        ("offers/hosts.csv", ",USD,", ",EUR,", "column offer"),
        ("accelerator.csv", "1x pcie_16", "1x pcie_99", "column power_connectors"),
        ("motherboard_slot.csv", "board-", "bord-", "column motherboard_slot: FOREIGN KEY"),
    ],
)
def test_bad_seed_is_refused_and_the_place_named(sources, tmp_path, file, old, new, named):
    spoil(sources, file, old, new)
    output = tmp_path / "out" / "catalogue.sqlite"
    with pytest.raises(DataError) as error:
        build(output, sources)
    assert named in str(error.value)
    assert not output.exists()


def test_coefficients_and_measurements_of_any_file_are_taken(sources, tmp_path):
    (sources / "seed" / "coefficients" / "own.csv").write_text(
        "name,scope,value,low,high,unit,source,date,kind,note\ntau,*,0.5,,,s,paper,2026,measured,\n",
        encoding="utf-8",
    )
    (sources / "seed" / "measurements" / "own.csv").write_text(
        "id,quantity,value,unit,request,source,date,kind,licence,note,rig\n"
        'm1,training.tokens_per_s,12,token/s,"{""model"": ""llama-2-7b""}",lab,2026,measured,MIT,,desk\n',
        encoding="utf-8",
    )
    output = tmp_path / "catalogue.sqlite"
    build(output, sources)
    from gpuconfig.storage.repository import open_catalogue

    opened = open_catalogue(output)
    (tau,) = opened.coefficients("own")
    (row,) = opened.measurements("own")
    opened.close()
    assert (tau.value, tau.low, tau.unit, tau.evidence.source) == (0.5, None, "s", "paper")
    assert (row.value, row.fields["rig"], row.licence) == (12.0, "desk", "MIT")
