"""The user's catalogue on the command line: edit, hide, measurements, decisions, progress, Ctrl+C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FIXTURES = Path(__file__).parents[1] / "exchange" / "fixtures"
SERVING = {
    "model": "llama-2-7b",
    "hardware": {"gpu": "RTX 3090", "gpus_per_node": 1, "nodes": 1},
    "workload": {
        "kind": "serving", "engine": "llama_cpp", "weight_format": "gguf:q4_0", "prompt_tokens": 512,
        "output_tokens": 128, "concurrency": 1,
    },
}  # fmt: skip


@pytest.fixture
def services(tmp_path: Path) -> Any:
    from gpuconfig import app

    return app.services(tmp_path / "user" / "overlay.sqlite")


def test_edit_asks_about_physics_and_reverts(gpuconfig: Callable[..., Any]) -> None:
    words = ("catalogue", "edit", "RTX 4090", "tdp_w=900 W", "--json")
    asked = gpuconfig(*words)
    assert (asked.code, asked.json["saved"]) == (1, False)
    assert asked.json["doubts"]
    assert gpuconfig(*words, "--anyway", "--source", "our box").json["saved"]
    shown = ("catalogue", "show", "RTX 4090", "--json")
    assert gpuconfig(*shown).json["tdp_w"] == 900
    assert gpuconfig("catalogue", "revert", "RTX 4090", "--field", "tdp_w").code == 0
    assert gpuconfig(*shown).json["tdp_w"] == 450
    assert gpuconfig("catalogue", "edit", "RTX 4090", "tdp=1").code == 3
    assert gpuconfig("catalogue", "edit", "RTX 4090", "tdp_w").code == 3


@pytest.mark.parametrize("item", [{}, {"id": "x"}, {"id": "x", "name": "y", "nobody": 1}])
def test_an_item_without_its_fields_is_rejected(gpuconfig: Callable[..., Any], item: Any) -> None:
    run = gpuconfig("catalogue", "add", "-", "--kind", "cpu", "--json", request=item)
    (row,) = run.json["rows"]
    assert (run.code, row["state"]) == (3, "rejected")
    assert row["reasons"]


def test_hide_and_show_again(gpuconfig: Callable[..., Any]) -> None:
    assert gpuconfig("catalogue", "hide", "nvidia-rtx-4090-24", "--reason", "not sold").code == 0
    assert gpuconfig("catalogue", "show", "nvidia-rtx-4090-24").code == 3
    assert gpuconfig("catalogue", "unhide", "nvidia-rtx-4090-24").code == 0
    assert gpuconfig("catalogue", "show", "nvidia-rtx-4090-24").code == 0


def test_search_by_nickname(gpuconfig: Callable[..., Any]) -> None:
    found = gpuconfig("catalogue", "search", "老黄", "4090", "涡轮", "48G", "--json").json["items"]
    assert found[0]["modified"]
    assert gpuconfig("catalogue", "search", "no such thing").code == 1


def test_formats_are_recognised(gpuconfig: Callable[..., Any]) -> None:
    body = gpuconfig("catalogue", "diff", str(FIXTURES / "netbox"), "--json").json
    assert body["counts"]["added"] == 3
    body = gpuconfig("catalogue", "import", str(FIXTURES / "buildcores_300.tar.xz"), "--json").json
    assert "ODC-By" in body["source"]
    assert body["counts"]["added"] > 200
    assert gpuconfig("catalogue", "undo").code == 0


def test_measurements_are_pasted_listed_and_removed(gpuconfig: Callable[..., Any], tmp_path: Path) -> None:
    request, log = tmp_path / "r.json", tmp_path / "log.txt"
    request.write_text(json.dumps(SERVING))
    log.write_text("| llama 7B Q4_0 | 3.56 GiB | 6.74 B | CUDA | 99 | tg128 | 120.94 ± 0.06 |\n")
    words = ("measurements", "paste", str(log), "--request", str(request), "--json")
    assert gpuconfig(*words).json["kept"] == []
    (kept,) = gpuconfig(*words, "--store", "--source", "our box").json["kept"]
    (row,) = gpuconfig("measurements", "list", "--json").json["measurements"]
    assert (row["id"], row["measured"], row["source"]) == (kept, 120.94, "our box")
    assert gpuconfig("estimate", str(request), "--json").json["serving"]["decode_tokens_per_s_per_user"][
        "value"
    ]
    added = gpuconfig("measurements", "add", "serving.tpot_ms", "8.3 ms", "--request", str(request), "--json")
    assert len(added.json["kept"]) == 1
    assert gpuconfig("measurements", "remove", kept).code == 0
    assert len(gpuconfig("measurements", "list", "--json").json["measurements"]) == 1
    log.write_text("nothing to read\n")
    assert gpuconfig(*words).code == 1


def test_a_project_without_a_decision_says_so(gpuconfig: Callable[..., Any], tmp_path: Path) -> None:
    project = tmp_path / "p.gpuconfig"
    project.write_text(json.dumps({"schema": 1, "title": "t"}))
    run = gpuconfig("catalogue", "changes", str(project), "--json")
    assert run.code == 3
    assert run.json["error"]["field"] == "frozen"


def test_an_online_refresh_without_network_is_polite(
    gpuconfig: Callable[..., Any], services: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gpuconfig.settings import PRICE_SOURCES, Settings

    monkeypatch.setenv("GPUCONFIG_USER_FOLDER", str(Path(services.desk()._place.overlay).parent))
    Settings().set(PRICE_SOURCES, ("rate https://localhost:9/none",))
    run = gpuconfig("prices", "online", "--timeout", "2")
    assert run.code == 1
    assert "Nothing was changed" in run.err or "未做任何改动" in run.err


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C is another signal there")
def test_ctrl_c_leaves_nothing_or_the_whole_import(tmp_path: Path) -> None:
    from gpuconfig.storage.overlay import Overlay

    environment = {**os.environ, "GPUCONFIG_USER_FOLDER": str(tmp_path / "user")}
    left: dict[float | None, list[int]] = {}
    for delay in (0.3, 0.8, None):  # the last one runs to its end
        overlay = tmp_path / f"{delay}.sqlite"
        words = ["catalogue", "import", str(FIXTURES / "buildcores_300.tar.xz"), "--database", str(overlay)]
        process = subprocess.Popen(
            [sys.executable, "-m", "gpuconfig", *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
        )  # fmt: skip
        if delay is not None:
            time.sleep(delay)
            process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        assert b"sqlite3" not in errors
        if overlay.exists():
            opened = Overlay(overlay)
            left[delay] = [step.changes for step in opened.history()]
            opened.close()
    whole = left[None]
    assert len(whole) == 1
    assert all(steps in ([], whole) for steps in left.values())  # it may have been quicker than the hand


def test_what_an_import_does_is_told_in_the_reader_s_language(
    gpuconfig: Callable[..., Any], tmp_path: Path
) -> None:
    quote = tmp_path / "报价.csv"
    quote.write_bytes("产品名称;数量;含税单价\nRTX 5090 32GB;1;25.500,00\n神秘卡;1;1,00\n".encode("gb18030"))
    database = str(tmp_path / "own.sqlite")
    shown = gpuconfig("prices", "refresh", str(quote), "--lang", "zh", "--database", database).out
    assert shown.splitlines()[0] == "新增 1, 修改 0, 无变化 0, 不导入 1"
    assert "added" not in shown


def test_an_edit_that_changes_nothing_says_so(gpuconfig: Callable[..., Any]) -> None:
    words = ("catalogue", "edit", "RTX 4090", "tdp_w=440 W", "--lang", "en")
    assert "450 W -> 440 W" in gpuconfig(*words).out
    assert "nothing changes" in gpuconfig(*words).out
