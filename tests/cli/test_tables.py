"""Comparing, exporting, importing, quotations and papers on the command line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

NEED = {
    "model": "qwen2.5-7b",
    "workload": {"kind": "training", "method": "lora", "sequence_length": 2048, "dataset_tokens": 5e7},
    "budget": {"amount": "60000", "currency": "CNY"},
    "constraints": {"accelerators": ["nvidia-rtx-4090-24"], "gpu_count": 1},
}


def test_compare_lays_cards_side_by_side(gpuconfig: Callable[..., Any]) -> None:
    body = gpuconfig("compare", "RTX 4090", "RTX 5090", "--json").json
    assert body["accelerators"] == ["nvidia-rtx-4090-24", "nvidia-rtx-5090-32"]
    assert all(row["heading"] or len(row["cells"]) == 3 for row in body["rows"])
    fewer = gpuconfig("compare", "RTX 4090", "RTX 5090", "--differences", "--json").json
    assert len(fewer["rows"]) < len(body["rows"])


@pytest.mark.parametrize("count", [1, 7])
def test_compare_takes_two_to_six(gpuconfig: Callable[..., Any], count: int) -> None:
    run = gpuconfig("compare", *["RTX 4090"] * count, "--json")
    assert run.code == 3
    assert "2" in run.json["error"]["message"]


def test_an_export_reads_back_unchanged(gpuconfig: Callable[..., Any], tmp_path: Path) -> None:
    table = tmp_path / "cpus.csv"
    assert gpuconfig("catalogue", "export", str(table), "--kind", "cpu").code == 0
    counts = gpuconfig("catalogue", "diff", str(table), "--kind", "cpu", "--json").json["counts"]
    assert counts["unchanged"] >= 40
    assert counts["added"] == counts["changed"] == counts["rejected"] == 0


def test_an_import_is_seen_afterwards(gpuconfig: Callable[..., Any], tmp_path: Path) -> None:
    table = tmp_path / "cpus.csv"
    gpuconfig("catalogue", "export", str(table), "--kind", "cpu")
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8-sig"))))
    row = {**rows[0], "id": "cpu-of-our-own", "name": "A CPU of our own", "aliases": ""}
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(row))
        writer.writeheader()
        writer.writerow(row)
    run = gpuconfig("catalogue", "import", str(table), "--kind", "cpu", "--json")
    assert run.json["counts"]["added"] == 1, run.json
    shown = ("catalogue", "show", "A CPU of our own", "--kind", "cpu", "--json")
    assert gpuconfig(*shown).json["origin"] == "user"
    assert gpuconfig("catalogue", "undo").code == 0
    assert gpuconfig(*shown).code == 3
    assert gpuconfig("catalogue", "redo").code == 0
    assert gpuconfig("catalogue", "remove", "cpu-of-our-own", "--kind", "cpu").code == 0
    titles = [step["title"] for step in gpuconfig("catalogue", "history", "--json").json["steps"]]
    assert titles[-2:] == ["cpus.csv", "A CPU of our own ✕"]


def test_ages_of_prices_are_told_oldest_first(gpuconfig: Callable[..., Any]) -> None:
    rows = gpuconfig("prices", "age", "--json").json["prices"]
    known = [row["days"] for row in rows if row["days"] is not None]
    assert known == sorted(known, reverse=True)
    assert len(rows) >= 106


def test_a_quotation_is_matched_and_shown(gpuconfig: Callable[..., Any], tmp_path: Path) -> None:
    quote = tmp_path / "报价.csv"
    quote.write_bytes("品名,型号,数量,含税单价\n显卡,RTX 4090 24GB,2,19999.00\n".encode("gb18030"))
    lines = gpuconfig("prices", "refresh", str(quote), "--json").json["rows"]
    assert (lines[0]["data"]["low"], lines[0]["data"]["tax"]) == ("19999.00", "included")
    assert (lines[0]["like"], lines[0]["state"]) == ("nvidia-rtx-4090-24", "added")
    assert lines[0]["likeness"] >= 0.9


def test_tco_and_papers(gpuconfig: Callable[..., Any], tmp_path: Path) -> None:
    options = gpuconfig("tco", "-", "--json", request=NEED).json["options"]
    assert options[0]["tco"]["years"] == 3
    for name in ("estimate.pdf", "estimate.xlsx", "estimate.md"):
        assert gpuconfig("document", "-", "--output", str(tmp_path / name), request=NEED).code == 0
        assert (tmp_path / name).stat().st_size > 1000


def test_a_project_file_brings_its_own_title_seller_and_buyer(
    gpuconfig: Callable[..., Any], tmp_path: Path
) -> None:
    project = {"schema": 1, "title": "Machine for the White laboratory", "request": NEED,
               "seller": {"name": "Acme Ltd"}, "organisation": {"name": "Example Institute"},
               "paper": {"number": "Q-77"}}  # fmt: skip
    paper = tmp_path / "q.md"
    words = ("document", "-", "--document", "quotation", "--output", str(paper))
    assert gpuconfig(*words, request=project).code == 0
    text = paper.read_text(encoding="utf-8")
    assert all(w in text for w in ("White laboratory", "Acme Ltd", "Example Institute", "Q-77"))


def test_a_quotation_without_a_seller_is_refused_by_field(
    gpuconfig: Callable[..., Any], tmp_path: Path
) -> None:
    words = ("document", "-", "--document", "quotation", "--output", str(tmp_path / "q.pdf"), "--json")
    run = gpuconfig(*words, request=NEED)
    assert run.code == 3
    assert run.json["error"]["field"].startswith("seller")
    assert not (tmp_path / "q.pdf").exists()


def test_a_paper_that_cannot_be_written_says_so(gpuconfig: Callable[..., Any], tmp_path: Path) -> None:
    run = gpuconfig("document", "-", "--output", str(tmp_path / "no" / "folder.pdf"), request=NEED)
    assert run.code == 3
    assert "folder.pdf" in run.err


def test_a_quotation_shows_what_it_flips(tmp_path: Path) -> None:
    from gpuconfig import app
    from gpuconfig.cli.options import parse
    from gpuconfig.cli.run import run as run_words

    need = tmp_path / "need.json"
    need.write_text(json.dumps({**NEED, "constraints": {}, "budget": {"amount": "90000", "currency": "CNY"}}))
    services = app.services(tmp_path / "own.sqlite")
    out = io.StringIO()

    def call(*words: str) -> Any:
        out.truncate(out.seek(0))
        assert run_words(parse([*words, "--json"]), services, out, out) == 0
        return json.loads(out.getvalue())

    first = call("recommend", str(need))["options"][0]["accelerator"]
    name = call("catalogue", "show", first if isinstance(first, str) else first["id"])["name"]
    quote = tmp_path / "quote.csv"
    quote.write_text(f"名称,含税单价\n{name},80000\n", encoding="utf-8")
    body = call("prices", "import", str(quote), "--request", str(need))
    assert body["counts"]["added"] == 1
    assert body["outcomes"][0]["price_before"] != body["outcomes"][0]["price_after"]
    assert body["outcomes"][0]["rank_after"] != 1
