"""Project files: whole or not at all, newer ones refused and left alone, damage named."""

import json
from dataclasses import replace

import pytest

from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.project.document import SCHEMA, Project
from gpuconfig.project.files import dumps, loads, read_project, write_project

PROJECT = Project(
    title="七B 微调 & <more>",
    answers={"task": "lora", "budget": "1,5", "accelerators": ["a", "b"], "model?": True},
    request={"model": "x"},
    compared=("option:a x 1 x 1", "b"),
    overrides={"power.continuous": "tested"},
    seller={"name": "某公司"},
)


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "项目.gpuconfig"
    write_project(PROJECT, path)
    assert read_project(path) == PROJECT
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_a_newer_file_is_refused_and_left_untouched(tmp_path):
    path = tmp_path / "new.gpuconfig"
    path.write_text(json.dumps({"schema": SCHEMA + 1, "title": "from the future"}))
    before = path.read_bytes()
    with pytest.raises(DataError) as told:
        read_project(path)
    assert told.value.code == "newer_schema"
    assert "new.gpuconfig" in told.value.message.english()
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "damaged"),
        ('{"schema": 1,\n "title": ', "damaged"),
        ("[]", "not_a_project"),
        ("{}", "not_a_project"),
        ('{"schema": 1, "answers": []}', "damaged"),
        ('{"schema": 1, "compared": [1]}', "damaged"),
        ('{"schema": 1, "seller": {"name": 3}}', "damaged"),
        ("[" * 100_000, "not_a_project"),
    ],
)
def test_damage_is_named(text, code):
    with pytest.raises(DataError) as told:
        loads(text, "x.gpuconfig")
    assert told.value.code == code
    assert "x.gpuconfig" in told.value.message.english()


def test_fields_of_later_versions_of_the_same_schema_are_passed_over():
    assert loads('{"schema": 1, "title": "a", "colour": "red"}', "x") == Project(title="a")


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.gpuconfig"
    write_project(PROJECT, path)
    before = path.read_bytes()

    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(DataError) as told:
        write_project(replace(PROJECT, title="other"), path)
    assert told.value.code == "unwritable"
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_the_text_is_for_people_too():
    assert "七B" in dumps(PROJECT)
