"""Files that are folders, options before the subcommand, budgets by the month: nothing is ignored, nothing breaks."""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gpuconfig import app
from gpuconfig.cli.options import parse
from tests.cli.conftest import Run
from tests.cli.test_estimate import LORA, changed
from tests.cli.test_recommend_text import REQUEST

COMMANDS = (
    ("catalogue", "list", "--kind", "accelerator"),
    ("compare", "RTX 4090", "RTX 3090"),
    ("prices", "age"),
    ("help",),
)


@pytest.mark.parametrize("command", COMMANDS)
def test_common_options_hold_before_and_after_the_subcommand(command: tuple[str, ...]) -> None:
    common = ("--json", "--lang", "zh", "--database", "ours.db")
    for options in (parse((*common, *command)), parse((*command, *common))):
        assert (options.json, options.lang, options.database) == (True, "zh", Path("ours.db"))
    plain = parse(command)
    assert (plain.json, plain.lang, plain.database) == (False, None, None)


def _on(database: Path, capsys: pytest.CaptureFixture[str], *command: str) -> Run:
    code = app.run_command(parse(("--database", str(database), "--lang", "en", *command)))
    out, err = capsys.readouterr()
    return Run(code, out, err)


def _damaged(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE other (x)")
        database.commit()
    return path


@pytest.mark.parametrize("what", ["folder", "text", "of another program", "below a file"])
@pytest.mark.parametrize(
    "command",
    [
        ("catalogue", "list", "--kind", "cpu"),
        ("catalogue", "edit", "RTX 4090", "tdp_w=440 W"),
        ("prices", "age"),
    ],
)
def test_what_is_no_database_is_named(
    what: str, command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ours.db"
    if what == "folder":
        path.mkdir()
    elif what == "text":
        path.write_text("no database" * 1000, encoding="utf-8")
    elif what == "below a file":
        path.write_text("", encoding="utf-8")
        path = path / "ours.db"
        if command[1] != "edit":
            return  # a file that is not there yet is an empty catalogue of one's own
    else:
        _damaged(path)
    run = _on(path, capsys, *command)
    assert run.code == 3
    assert str(path) in run.err
    assert "Traceback" not in run.err


def test_a_database_that_another_program_holds_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gpuconfig.storage.overlay._WAIT_S", 0.01)
    path = tmp_path / "ours.db"
    edit = ("catalogue", "edit", "RTX 4090", "tdp_w=440 W")
    assert _on(path, capsys, *edit).code == 0
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        run = _on(path, capsys, "catalogue", "edit", "RTX 4090", "tdp_w=430 W")
    assert run.code == 3
    assert "ours.db cannot be used: another program uses it" in run.err


@pytest.mark.parametrize("text", ["[1]", "5", "null", '"x"'])
@pytest.mark.parametrize("command", ["estimate", "explain", "recommend", "check", "tco"])
def test_what_is_no_object_names_the_file(
    gpuconfig: Callable[..., Any], command: str, text: str, tmp_path: Path
) -> None:
    file = tmp_path / "wrong.json"
    file.write_text(text, encoding="utf-8")
    run = gpuconfig(command, str(file), "--lang", "en")
    assert run.code == 3
    assert "wrong.json: an object with named fields is needed" in run.err


@pytest.mark.parametrize(("years", "amount"), [(None, "30000"), (1, "30000"), (5, "300")])
def test_a_budget_by_the_month_is_answered(
    gpuconfig: Callable[..., Any], years: int | None, amount: str
) -> None:
    budget = {"amount": amount, "currency": "CNY", "kind": "per_month"}
    request = {**REQUEST, "budget": budget, "cost": {} if years is None else {"years": years}}
    run = gpuconfig("recommend", "-", "--json", request=request)
    if run.code:
        assert (run.code, run.json["options"]) == (1, [])
        return
    for option in run.json["options"]:
        assert float(option["tco"]["per_month"]["amount"]) <= float(amount)


def test_a_target_without_meaning_for_the_work_is_said(gpuconfig: Callable[..., Any]) -> None:
    request = {
        "model": "sdxl",
        "workload": {"kind": "image", "width": 1024, "height": 1024},
        "target": {"users": 20, "tokens_per_s": 5, "deadline_s": 60},
        "budget": {"amount": "30000", "currency": "CNY"},
        "constraints": {"accelerators": ["RTX 5090 D V2", "RTX 4090 D"]},
    }
    answer = gpuconfig("recommend", "-", "--json", "--lang", "en", request=request).json
    idle = [note for note in answer["notes"] if "was not used" in note]
    assert [("target.users" in note, "target.tokens_per_s" in note) for note in idle] == [
        (False, True),
        (True, False),
    ]
    assert answer["options"]


def test_a_card_sold_used_only_says_which_answer_takes_it(gpuconfig: Callable[..., Any]) -> None:
    request = {**REQUEST, "constraints": {"accelerators": ["RTX 3090"]}}
    answer = gpuconfig("recommend", "-", "--json", "--lang", "en", request=request).json
    reasons = {row["accelerator"]: row["reason"] for row in answer["rejected"]}
    assert "used_ok" in reasons["nvidia-rtx-3090-24"]


NO_OBJECTS: tuple[tuple[str, Any], ...] = (
    *itertools.product(("target", "constraints", "cost", "weights"), ("", 0, False, [])),
    *itertools.product(("organisation", "seller", "paper"), ("", 0, "banana", [1])),
)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        *NO_OBJECTS,
        ("project", 5),
        ("budget.currency", ""),
        ("budget.currency", 0),
        ("budget.kind", ""),
        ("budget.kind", 0),
        ("constraints.region", ""),
        ("constraints.region", 0),
        ("constraints.reuse", ""),
        ("constraints.reuse", 0),
        ("constraints.reuse", {"banana": 1}),
    ],
)
def test_an_empty_text_or_nought_is_refused_not_taken_for_absent(
    gpuconfig: Callable[..., Any], path: str, value: Any
) -> None:
    request = changed(REQUEST, path, value)
    (row,) = gpuconfig("recommend", "--jsonl", "-", lines=[request]).lines
    assert row["error"]["field"].startswith(path)


@pytest.mark.parametrize(
    "words",
    [
        ("recommend", "request.json", "--jsonl", "requests.jsonl"),
        ("estimate", "-", "--jsonl", "-"),
        ("recommend", "request.json", "--document", "quotation"),
        ("document", "--jsonl", "requests.jsonl", "--output", "paper.pdf"),
    ],
)
def test_an_option_that_would_be_ignored_is_wrong_usage(
    gpuconfig: Callable[..., Any], words: tuple[str, ...]
) -> None:
    assert gpuconfig(*words).code == 2


@pytest.mark.parametrize("command", ["estimate", "explain", "recommend", "check", "tco"])
def test_a_broken_line_is_named_and_the_run_goes_on(gpuconfig: Callable[..., Any], command: str) -> None:
    lines = ['{"id": 1', "[]", json.dumps(REQUEST | {"id": "last"})]
    rows = gpuconfig(command, "--jsonl", "-", lines=lines).lines
    assert [row.get("error", {}).get("field") for row in rows[:2]] == ["-:1", "-:2"]
    assert rows[2]["id"] == "last"


def test_costs_of_many_requests_line_by_line(gpuconfig: Callable[..., Any]) -> None:
    one = gpuconfig("tco", "-", "--json", request=REQUEST | {"id": "a"}).json
    rows = gpuconfig("tco", "--jsonl", "-", lines=[REQUEST | {"id": "a"}, REQUEST | {"id": "b"}]).lines
    assert [row["id"] for row in rows] == ["a", "b"]
    assert rows[0]["options"] == one["options"]


def test_a_text_without_a_measurement_is_told(gpuconfig: Callable[..., Any], tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text("", encoding="utf-8")
    request = tmp_path / "request.json"
    request.write_text(json.dumps(LORA), encoding="utf-8")
    run = gpuconfig("measurements", "paste", str(log), "--request", str(request), "--lang", "en")
    assert (run.code, run.out) == (1, "nothing in this text is a measurement\n")


@pytest.mark.parametrize(
    ("command", "option"), [(("document", "-"), "--output"), (("recommend", "-"), "--pdf")]
)
def test_a_refused_ending_names_the_option_it_was_written_behind(
    gpuconfig: Callable[..., Run], tmp_path: Path, command: tuple[str, ...], option: str
) -> None:
    paper = tmp_path / "paper.docx"
    found = gpuconfig(*command, option, str(paper), "--lang", "en", request=REQUEST)
    assert found.code == 3
    assert f"{option}:" in found.err
    assert not paper.exists()


def test_what_the_catalogue_lacks_is_named_in_the_reader_s_words(gpuconfig: Callable[..., Run]) -> None:
    found = gpuconfig("compare", "NOPE", "RTX 4090", "--lang", "zh")
    assert "加速卡" in found.err
    assert "accelerator" not in found.err
