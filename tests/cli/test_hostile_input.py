"""Input that no person writes by hand: the run goes on, the answer stays JSON, the message names the field."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpuconfig.cli.jsonl import Lines, answer_lines
from tests.cli.test_estimate import LORA, changed

DEEP = '{"a":' * 100_000


def strict(text: str) -> Any:
    def refuse(word: str) -> Any:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.mark.parametrize(
    "number", ["1" + "0" * 400, "1" + "0" * 5000, "1e400", "NaN", "-Infinity", "true", '"5"']
)
def test_numbers_beyond_numbers_are_refused(gpuconfig: Callable[..., Any], number: str) -> None:
    line = json.dumps(changed(LORA, "workload.sequence_length", 77)).replace("77", number)
    good = json.dumps(LORA)
    run = gpuconfig("estimate", "--jsonl", "-", lines=[line, good])
    first, second = (strict(row) for row in run.out.splitlines())
    assert run.code == 0
    assert first["error"]["code"] in {"out_of_range", "wrong_type", "not_json"}
    assert second["verdict"] == "fits"


@pytest.mark.parametrize(
    "identity", ["NaN", "1e400", '{"x": [1e400]}', "[" * 500 + "]" * 500, '{"x": 1}', "7"]
)
def test_any_identity_comes_back_as_json(gpuconfig: Callable[..., Any], identity: str) -> None:
    line = json.dumps(LORA).replace('"x1"', identity)
    (row,) = gpuconfig("estimate", "--jsonl", "-", lines=[line]).out.splitlines()
    assert strict(row)["verdict"] == "fits"


@pytest.mark.parametrize("line", [DEEP, "[" * 100_000, "\x00", "{}]", '{"id": "a"'])
def test_what_is_no_json_is_one_bad_line(gpuconfig: Callable[..., Any], line: str) -> None:
    run = gpuconfig("estimate", "--jsonl", "-", lines=[line, json.dumps(LORA)])
    assert [("error" in row) for row in run.lines] == [True, False]


def test_a_field_named_twice_is_refused_and_its_line_known(gpuconfig: Callable[..., Any]) -> None:
    line = json.dumps(LORA).replace('"kind"', '"kind": "serving", "kind"')
    (row,) = gpuconfig("estimate", "--jsonl", "-", "--lang", "zh", lines=[line]).lines
    assert (row["id"], row["error"]["code"], row["error"]["field"]) == ("x1", "duplicate_field", "kind")
    assert "两次" in row["error"]["message"]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e400", "[[[]]]", '{"value": 1}', '"8"', "0.5"])
@pytest.mark.parametrize("name", ["num_key_value_heads", "hidden_size", "intermediate_size", "vocab_size"])
def test_a_configuration_of_no_numbers_is_refused(
    gpuconfig: Callable[..., Any], name: str, number: str
) -> None:
    config = {
        "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256,
    }  # fmt: skip
    line = json.dumps(changed(LORA, "model", {"config": {**config, name: 77}})).replace("77", number)
    (row,) = gpuconfig("estimate", "--jsonl", "-", lines=[line]).lines
    assert (row["error"]["code"], row["error"]["field"]) == ("wrong_type", f"model.config.{name}")


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        ("model", {"file": "/dev/zero"}, "model.file"),
        ("model", {"file": "a\0b"}, "model.file"),
        ("model", {"file": "/nowhere/config.json"}, "model.file"),
        ("workload.lora", {"targets": []}, "workload.lora.targets"),
        ("workload.frozen_layers", 33, "workload.frozen_layers"),
        ("hardware.pcie", {"lanes": []}, "hardware.pcie.lanes"),
        ("hardware.pcie", {"lanes": [16, 8, 4]}, "hardware.pcie.lanes"),
        ("workload", {"kind": "image", "video": True}, "workload.video"),
        ("workload", {"kind": "vision_inference", "training": True}, "workload.training"),
    ],
)
def test_refusals_name_the_field(gpuconfig: Callable[..., Any], path: str, value: Any, field: str) -> None:
    run = gpuconfig("estimate", "--jsonl", "-", lines=[changed(LORA, path, value)])
    assert run.lines[0]["error"]["field"] == field


def test_a_fault_of_ours_costs_only_its_own_line(tmp_path: Path) -> None:
    def answer(numbers: Any) -> list[Any]:
        return [1 / number for number in numbers]

    lines = Lines(read=lambda data: data["n"], answer=answer, shape=lambda v: {"v": v}, say=str)
    out, errors = (tmp_path / "out").open("w"), (tmp_path / "errors").open("w")
    source = tmp_path / "lines"
    source.write_text('{"id": 1, "n": 2}\n{"id": 2, "n": 0}\n{"id": 3, "n": 4}\n')
    with out, errors:
        assert answer_lines(str(source), lines, out, errors) == 1
    rows = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]
    assert [row.get("v") for row in rows] == [0.5, None, 0.25]
    assert rows[1]["error"]["code"] == "internal"
    assert "ZeroDivisionError" in (tmp_path / "errors").read_text()


def test_bytes_of_another_encoding_and_half_a_character(tmp_path: Path) -> None:
    good = json.dumps(changed(LORA, "id", "\ud800")).encode()
    source = tmp_path / "lines.jsonl"
    source.write_bytes('{"id": "你", "model": "千问"}\n'.encode("gbk") + good + b"\n")
    words = [sys.executable, "-m", "gpuconfig", "estimate", "--jsonl", str(source), "--lang", "zh"]
    done = subprocess.run(
        words, capture_output=True, check=False, env={**os.environ, "PYTHONIOENCODING": "ascii"}
    )
    assert done.returncode == 0, done.stderr
    first, second = (json.loads(line) for line in done.stdout.decode("utf-8").splitlines())
    assert first["error"]["code"] == "encoding"
    assert second["id"] == "\ud800"


@pytest.mark.parametrize(
    ("method", "storage", "code"),
    [("full", "nf4", "impossible"), ("pretrain", "int8", "impossible"), ("qlora", "bf16", "impossible")],
)
def test_weights_that_cannot_be_trained_so_are_refused(
    gpuconfig: Callable[..., Any], method: str, storage: str, code: str
) -> None:
    request = changed(changed(LORA, "workload.method", method), "workload.weight_storage", storage)
    error = gpuconfig("estimate", "--jsonl", "-", lines=[request]).lines[0]["error"]
    assert (error["code"], error["field"]) == (code, "workload.weight_storage")


def test_a_chunked_loss_lies_between_whole_and_unwritten_logits(gpuconfig: Callable[..., Any]) -> None:
    lines = [changed(LORA, "workload.loss", loss) for loss in ("full_logits", "chunked", "fused_linear")]
    answers = gpuconfig("estimate", "--jsonl", "-", lines=lines).lines
    whole, chunked, unwritten = (a["memory"]["breakdown_bytes"]["logits"] for a in answers)
    assert whole > chunked > unwritten


@pytest.mark.parametrize("text", ["{", '{"model" 7}', '{"a": 1 "b": 2}', '{"a": "x', "{} {}", "[7, ]", " \n"])
def test_mistakes_in_json_are_told_in_chinese(gpuconfig: Callable[..., Any], text: str) -> None:
    run = gpuconfig("estimate", "-", "--lang", "zh", request=text)
    assert run.code == 3
    assert not re.search("[A-Za-z]", run.err.replace("JSON", ""))


@pytest.mark.parametrize("how", [(), ("--json",), ("--jsonl",)])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full is Linux's")
def test_an_answer_that_cannot_be_written_is_told(how: tuple[str, ...], tmp_path: Path) -> None:
    request = tmp_path / "request.json"
    request.write_text(json.dumps(LORA), encoding="utf-8")
    words = [sys.executable, "-m", "gpuconfig", "--lang", "zh", "estimate", *how, str(request)]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 3
    assert done.stderr.decode() == "无法写入 标准输出：磁盘已满\n"


def test_an_output_that_is_closed_is_told(tmp_path: Path) -> None:
    request = tmp_path / "request.json"
    request.write_text(json.dumps(LORA), encoding="utf-8")
    words = [sys.executable, "-m", "gpuconfig", "--lang", "zh", "estimate", str(request)]
    done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *words], stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr.decode()) == (3, "无法写入 标准输出：已关闭\n")
