"""What cannot be built or run is refused in every kind of request, with field, value and what is accepted."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.engine.estimation.answer import Estimate, Verdict
from gpuconfig.engine.estimation.estimator import Estimator
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.i18n import Language, render
from gpuconfig.i18n.translator import load

GPU = "nvidia-rtx-4090-24"
H100 = "nvidia-h100-sxm5-80"
EVERY_KIND = (
    ("llama-3.1-8b", {"kind": "training", "method": "lora"}),
    ("llama-3.1-8b", {"kind": "serving"}),
    ("sdxl", {"kind": "image"}),
    ("wan-2.1-t2v-1.3b", {"kind": "video"}),
    ("resnet-50", {"kind": "vision_training"}),
    ("resnet-50", {"kind": "vision_inference"}),
)


@pytest.fixture(scope="module")
def answer(read: Any, coefficients: Any) -> Any:
    estimator = Estimator(coefficients, (), {})

    def one(model: Any, work: Any, gpu: str = GPU, split: Any = None, **hardware: Any) -> Any:
        data = {"id": "a", "model": model, "workload": work, "hardware": {"gpu": gpu, **hardware}}
        return estimator.estimate([read(data if split is None else {**data, "parallelism": split})])[0]

    return one


def _refused(found: Any, field: str, english: str, chinese: str) -> None:
    assert isinstance(found, InputError)
    assert found.field == field
    for language, words in ((Language.EN, english), (Language.ZH, chinese)):
        assert words in render(found.message, load(language))


@pytest.mark.parametrize(("model", "work"), EVERY_KIND)
def test_power_limit_and_count_of_cards_are_refused_in_every_kind(answer: Any, model: str, work: Any) -> None:
    found = answer(model, work, power_limit_w=50)
    _refused(found, "hardware.power_limit_w", "from 90 to 608", "90")
    found = answer(model, work, gpus_per_node=21)
    _refused(found, "hardware.gpus_per_node", "from 1 to 20", "没有哪种整机")


def test_a_processor_with_graphics_is_one_in_a_machine(answer: Any) -> None:
    found = answer("llama-3.1-8b", {"kind": "serving"}, gpu="apple-m3-max", gpus_per_node=2)
    _refused(found, "hardware.gpus_per_node", "from 1 to 1", "没有哪种整机")
    many = answer("llama-3.1-8b", {"kind": "serving"}, gpu="nvidia-gb200-186", gpus_per_node=72,
                  split={"tensor": 8, "data": 9})  # fmt: skip
    assert isinstance(many, Estimate)


def test_steps_in_the_backward_pass_do_not_go_with_accumulation(answer: Any) -> None:
    work = {"kind": "training", "method": "full", "optimizer_in_backward": True, "framework": "torchtune"}
    found = answer("llama-3.1-8b", {**work, "gradient_accumulation": 4}, gpu=H100, split={})
    _refused(found, "workload.gradient_accumulation", "nothing can be accumulated", "无法做梯度累积")
    found = answer("llama-3.1-8b", work, gpu=H100, gpus_per_node=2, split={"pipeline": 2})
    _refused(found, "parallelism.pipeline", "nothing can be accumulated", "无法做梯度累积")
    assert isinstance(answer("llama-3.1-8b", work, gpu=H100, split={}), Estimate)


def test_the_search_accumulates_nothing_where_steps_are_in_the_backward_pass(answer: Any) -> None:
    work = {"kind": "training", "method": "full", "optimizer_in_backward": True, "framework": "torchtitan"}
    found = answer("llama-3.1-8b", work, gpu=H100, gpus_per_node=8)
    assert (found.parallelism["gradient_accumulation"], found.parallelism["pipeline"]) == (1, 1)


def test_tokens_beyond_learned_positions_are_refused(answer: Any, catalogue: Any) -> None:
    short = next(
        m for m in catalogue.models() if m.architecture is not None and m.architecture.positions == 1024
    )
    found = answer(short.id, {"kind": "training", "method": "full", "sequence_length": 2048})
    _refused(found, "workload.sequence_length", "from 1 to 1,024", "位置编码")
    found = answer(short.id, {"kind": "serving", "prompt_tokens": 1000, "output_tokens": 100})
    _refused(found, "workload.prompt_tokens", "from 1 to 1,024", "位置编码")
    found = answer(short.id, {"kind": "serving", "max_context": 4096})
    _refused(found, "workload.max_context", "from 1 to 1,024", "位置编码")
    work = {"kind": "training", "method": "full", "sequence_length": 1024}
    assert isinstance(answer(short.id, work, split={}), Estimate)


@pytest.mark.parametrize(
    ("model", "work"),
    [
        ("llama-3.1-8b", {"kind": "training", "method": "full", "offload": "optimizer"}),
        ("llama-3.1-8b", {"kind": "serving", "engine": "llama_cpp", "weight_format": "gguf:q8_0",
                          "offload_layers": 30}),
        ("sdxl", {"kind": "image", "offload": "model"}),
    ],
)  # fmt: skip
def test_host_memory_that_is_short_is_in_the_verdict(answer: Any, model: str, work: Any) -> None:
    gpu = H100 if work["kind"] == "training" else GPU
    needed = answer(model, work, gpu=gpu).memory.host_bytes
    assert needed.low <= needed.value < needed.high
    for has, code, verdict in (
        (0.5 * needed.low, "host_memory_short", Verdict.DOES_NOT_FIT),
        ((needed.value + needed.high) / 2, "host_memory_close", Verdict.TOO_CLOSE),
        (None, "host_memory_needed", Verdict.FITS),
        (1.01 * needed.high, None, Verdict.FITS),
    ):
        hardware = {} if has is None else {"host_memory_bytes": has}
        found = answer(model, work, gpu=gpu, **hardware)
        assert found.verdict is verdict
        assert [w.code for w in found.warnings if w.code.startswith("host_memory")] == (
            [code] if code else []
        )


def test_tensor_parallelism_that_engines_refuse_names_what_divides(answer: Any) -> None:
    work = {"kind": "serving", "engine": "vllm", "weight_format": "bf16"}
    found = answer("llama-3.1-405b", work, gpu=H100, gpus_per_node=10, split={"tensor": 10})
    _refused(found, "parallelism.tensor", "a divisor of 128", "128")


def test_heads_beside_a_known_total_take_the_usual_size_and_it_is_said(answer: Any) -> None:
    shape = {"layers": 46, "hidden": 4096, "heads": 96, "kv_heads": 8, "ffn": 10944, "vocab": 151552}
    moe = {"experts": 128, "experts_per_token": 8, "expert_ffn": 1408, "parameters_b": 106.0}
    work = {"kind": "training", "method": "qlora", "sequence_length": 2048}
    found = answer({"architecture": {**shape, **moe}}, work, gpu=H100, split={})
    assert isinstance(found, Estimate)
    assert ("model.architecture.head_dim", "128") in [(a.field, a.value) for a in found.assumptions]
    with pytest.raises(InputError) as error:
        answer({"architecture": shape}, work, gpu=H100, split={})
    assert error.value.field == "model.architecture.heads"
