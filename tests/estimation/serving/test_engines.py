"""An engine or weights that do not run on a card are told by name; an engine left open is one that runs."""

from __future__ import annotations

import csv
import json

import pytest

from gpuconfig import paths
from gpuconfig.engine.catalogue.vocabulary import Software
from gpuconfig.engine.estimation.serving.engines import GROUP, READ_BY, engine_lack, last_release, runs
from gpuconfig.engine.estimation.serving.estimate import estimate_serving
from gpuconfig.engine.workloads.serving import ENGINE_NAMES, ServingEngine
from gpuconfig.i18n import Language, load
from gpuconfig.i18n.rendering import render

V100, T4, A100 = "nvidia-v100-sxm2-32", "nvidia-t4-16", "nvidia-a100-sxm4-80"
RX_6800, RX_7900, MI50, MI210, R9700 = (
    "amd-rx-6800-16", "amd-rx-7900xtx-24", "amd-mi50-32", "amd-mi210-64", "amd-ai-pro-r9700-32",
)  # fmt: skip


@pytest.fixture
def ask(read, coefficients):
    """The answer, or the error, of one 8B model on one card."""

    def answer(gpu, model="llama-3-8b", **work):
        data = {
            "id": "s", "model": model, "workload": {"kind": "serving", **work},
            "hardware": {"gpu": gpu, "gpus_per_node": 1, "nodes": 1},
        }  # fmt: skip
        (result,) = estimate_serving([read(data)], coefficients)
        return result

    return answer


def taken(answer, field):
    return next(a.value for a in answer.assumptions if a.field == f"workload.{field}")


@pytest.mark.parametrize(
    ("gpu", "work", "field", "reason", "accepted", "refused"),
    [
        (V100, {"engine": "vllm", "weight_format": "awq_int4"}, "weight_format", "7.5", "gptq_int4", "awq_int4"),
        (V100, {"engine": "vllm", "engine_version": "0.25"}, "engine", "0.19", "llama_cpp", "vllm"),
        (V100, {"engine": "sglang"}, "engine", "8.0", "lmdeploy", "sglang"),
        (V100, {"weight_format": "nvfp4"}, "weight_format", "7.0", "awq_int4", "nvfp4"),
        ("nvidia-tesla-p40-24", {"engine": "vllm"}, "engine", "6.1", "llama_cpp", "lmdeploy"),
        (T4, {"engine": "vllm", "weight_format": "mxfp4"}, "weight_format", "8.0", "awq_int4", "mxfp4"),
        (A100, {"engine": "tensorrt_llm", "weight_format": "fp8"}, "weight_format", "8.9", "int8", "nvfp4"),
        (V100, {"engine": "mlx", "weight_format": "mlx:4bit"}, "engine", "7.5", "lmdeploy", "mlx"),
        (RX_6800, {"engine": "vllm"}, "engine", "gfx1030", "llama_cpp", "sglang"),
        ("amd-rx-7600xt-16", {"engine": "vllm"}, "engine", "gfx1102", "llama_cpp", "vllm"),
        (RX_7900, {"engine": "sglang"}, "engine", "gfx1100", "vllm", "tensorrt_llm"),
        (RX_7900, {"engine": "vllm", "weight_format": "fp8"}, "weight_format", "gfx1100", "awq_int4", "fp8"),
        (MI210, {"engine": "vllm", "weight_format": "fp8"}, "weight_format", "gfx90a", "gptq_int4", "fp8"),
        (MI50, {"engine": "vllm"}, "engine", "gfx906", "llama_cpp", "vllm"),
        ("amd-mi300x-192", {"engine": "tensorrt_llm"}, "engine", "ROCm", "sglang", "mlx"),
        ("apple-m3-max", {"engine": "vllm"}, "engine", "Metal", "mlx", "sglang"),
        ("intel-gaudi2-96", {"engine": "llama_cpp"}, "engine", "SynapseAI", "vllm", "llama_cpp"),
    ],
)  # fmt: skip
def test_what_does_not_run_is_told_with_what_does(ask, gpu, work, field, reason, accepted, refused):
    """The figures are given all the same: a fork may run what the engine's releases do not."""
    answer = ask(gpu, **work)
    assert answer.serving
    (told,) = (w.message for w in answer.warnings if w.code.endswith("_not_supported"))
    code = "engine_not_supported" if field == "engine" else "format_not_supported"
    assert code in {w.code for w in answer.warnings}
    assert reason in told.english()
    names = told.english().rpartition(" run ")[2].split(", ")
    assert accepted in names
    assert refused not in names
    chinese = render(told, load(Language.ZH))
    assert reason in chinese
    assert accepted in chinese
    assert "runs" not in chinese
    assert "figures" not in chinese


@pytest.mark.parametrize(
    ("gpu", "work", "engine", "stored"),
    [
        (A100, {}, "vllm", "bf16"),
        (T4, {}, "vllm", "bf16"),
        (V100, {}, "llama_cpp", "gguf:q4_k_m"),
        ("nvidia-gtx-1080ti-11", {}, "llama_cpp", "gguf:q4_k_m"),
        (RX_6800, {}, "llama_cpp", "gguf:q4_k_m"),
        (MI50, {}, "llama_cpp", "gguf:q4_k_m"),
        (MI210, {}, "vllm", "bf16"),
        (R9700, {}, "vllm", "bf16"),
        ("apple-m3-max", {}, "llama_cpp", "gguf:q4_k_m"),
        ("huawei-910b-64", {}, "vllm", "bf16"),
        (V100, {"weight_format": "bf16"}, "llama_cpp", "bf16"),
        (V100, {"weight_format": "awq_int4"}, "lmdeploy", "awq_int4"),
        (A100, {"weight_format": "awq_int4"}, "vllm", "awq_int4"),
        (T4, {"weight_format": "exl2:4.0"}, "exllamav2", "exl2:4.0"),
    ],
)
def test_an_open_engine_is_one_that_runs_there(ask, gpu, work, engine, stored):
    answer = ask(gpu, **work)
    assert taken(answer, "engine") == engine
    assert stored == (work.get("weight_format") or taken(answer, "weight_format"))


def test_weights_as_published_that_the_card_lacks_units_for_fall_to_a_quantised_file(ask):
    """DeepSeek-V3 is published in FP8: vLLM reads it on MI300 and on A100, not on MI210."""
    assert taken(ask("amd-mi300x-192", "deepseek-v3"), "engine") == "vllm"
    assert taken(ask(A100, "deepseek-v3"), "weight_format") == "fp8"
    answer = ask(MI210, "deepseek-v3")
    assert (taken(answer, "engine"), taken(answer, "weight_format")) == ("llama_cpp", "gguf:q4_k_m")


def test_an_older_release_runs_on_an_older_card(catalogue, coefficients):
    v100, t4 = catalogue.accelerator(V100), catalogue.accelerator(T4)
    vllm, sglang = ServingEngine.VLLM, ServingEngine.SGLANG
    assert last_release(vllm, v100, coefficients) == "0.19"
    assert last_release(sglang, t4, coefficients) == "0.4"
    assert last_release(sglang, v100, coefficients) == ""
    assert last_release(vllm, t4, coefficients) == ""
    for version, lacks in (("0.9.2", False), ("v0.19.1", False), ("0.20", True), ("1.0", True), (None, True)):
        assert (engine_lack(vllm, v100, coefficients, version) is not None) is lacks, version


def test_every_engine_and_target_of_the_table_is_one_that_exists(catalogue):
    table = paths.database_sources() / f"seed/coefficients/{GROUP}.csv"
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    targets = (
        {a.compute_capability for a in catalogue.accelerators()} | {s.value for s in Software} | {"gfx1150"}
    )
    engines = {e.value for e in ServingEngine} | {"training"}
    assert rows
    for row in rows:
        parts = row["scope"].split("|")
        assert parts[0].partition("@")[0] in engines, row
        assert row["source"].startswith("https://"), row
        if row["name"] == "runs_on" and len(parts) > 1:
            assert parts[-1] in targets, row
            assert row["value"] in ("0", "1"), row


def test_every_measured_pair_of_card_and_engine_is_accepted(catalogue, coefficients):
    """What was measured ran: a row of the table that denies it is wrong."""
    seen = set()
    for row in catalogue.measurements():
        request = json.loads(row.request)
        if row.task == "serving":
            work = request["workload"]
            seen.add((request["hardware"]["gpu"], work["engine"], work.get("weight_format", "")))
    assert len(seen) > 50
    for gpu, engine, stored in seen:
        card = catalogue.accelerator(gpu)
        assert runs(ServingEngine(engine), card, coefficients, stored), (gpu, engine, stored)


def test_every_engine_has_a_name_and_own_formats_one_reader():
    assert set(ENGINE_NAMES) == set(ServingEngine)
    assert all(len(engines) == 1 for engines in READ_BY.values())
