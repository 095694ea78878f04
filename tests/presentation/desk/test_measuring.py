"""Own measurements: read from lines of tools, kept, and what they make of the estimate of that card."""

import math

import pytest

from gpuconfig.engine.estimation.answer import Estimate, Verdict
from gpuconfig.engine.estimation.own import OWN_NOTE
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.workloads.request import Kind
from gpuconfig.exchange.run_logs import read_log, settled

SERVING = {
    "model": "llama-2-7b", "hardware": {"gpu": "RTX 3090", "gpus_per_node": 1, "nodes": 1},
    "workload": {"kind": "serving", "engine": "llama_cpp", "weight_format": "gguf:q4_0", "prompt_tokens": 512,
                 "output_tokens": 128, "concurrency": 1},
}  # fmt: skip
TRAINING = {
    "model": "qwen2.5-7b", "hardware": {"gpu": "RTX 4090", "gpus_per_node": 1, "nodes": 1},
    "workload": {"kind": "training", "method": "qlora", "sequence_length": 2048, "micro_batch_size": 1,
                 "gradient_accumulation": 8, "framework": "hf_trainer"},
    "parallelism": {"data": 1},
}  # fmt: skip
LLAMA_BENCH = """| model         |     size |   params | backend | ngl |  test |             t/s |
| llama 7B Q4_0 | 3.56 GiB |   6.74 B | CUDA    |  99 | pp512 | 4800.16 ± 11.07 |
| llama 7B Q4_0 | 3.56 GiB |   6.74 B | CUDA    |  99 | tg128 |   120.94 ± 0.06 |
"""


@pytest.mark.parametrize(
    ("kind", "line", "found"),
    [
        ("training", "|  0%   45C    P2   120W / 450W |  21984MiB / 24564MiB |     98%      Default |",
         {"memory.device_used_bytes": 21984 * 2**20}),
        ("training", "21984 MiB, 24564 MiB", {"memory.device_used_bytes": 21984 * 2**20}),
        ("training", "{'train_runtime': 123.4, 'train_samples_per_second': 3.2, 'train_steps_per_second': 0.4}",
         {"training.samples_per_s": 3.2, "training.step_time_s": 2.5}),
        ("training", " iteration 100/ 500 | consumed samples: 51200 | elapsed time per iteration (ms): 12345.6 | "
         "throughput per GPU (TFLOP/s/GPU): 412.3 | learning rate: 1.0E-05 |",
         {"training.step_time_s": 12.3456, "training.model_tflops_per_gpu": 412.3}),
        ("training", "[Rank 0] (after 1 iterations) memory (MB) | allocated: 10.5 | max allocated: 45678.5 | "
         "reserved: 50000.0 | max reserved: 51000.0",
         {"memory.peak_allocated_bytes": 45678.5 * 2**20, "memory.peak_reserved_bytes": 51000 * 2**20}),
        ("training", "[titan] step: 10  loss: 7.1  memory: 47.90GiB(50.35%)  tps: 5,793  tflops: 339.1  mfu: 34.29%",
         {"memory.peak_reserved_bytes": 47.9 * 2**30, "training.tokens_per_s_per_gpu": 5793,
          "training.model_tflops_per_gpu": 339.1}),
        ("serving", LLAMA_BENCH,
         {"serving.prefill_tokens_per_s": 4800.16, "serving.decode_tokens_per_s_per_user": 120.94}),
        ("serving", "Output token throughput (tok/s):         1234.56\nMean TTFT (ms): 88.1\nMean TPOT (ms): 12.5",
         {"serving.output_tokens_per_s": 1234.56, "serving.ttft_ms": 88.1, "serving.tpot_ms": 12.5}),
        ("image", "100%|██████████| 20/20 [00:01<00:00, 15.30it/s]", {"image.iterations_per_s": 15.3}),
        ("image", "100%|██████████| 20/20 [00:40<00:00,  2.00s/it]", {"image.iterations_per_s": 0.5}),
    ],
)  # fmt: skip
def test_lines_of_tools(kind, line, found):
    values = settled(read_log(line, Kind(kind)))
    assert {v.quantity: v.value for v in values} == pytest.approx(found)


def test_what_cannot_be_compared_says_why():
    lines = "Total Token throughput (tok/s): 9000\n21984MiB / 24564MiB"
    assert all(value.problem is not None for value in read_log(lines, Kind.SERVING))
    assert read_log("hello\n", Kind.TRAINING) == ()


def figure(services, request, part, name):
    (answer,) = services.estimate([services.read_estimate(request)])
    assert isinstance(answer, Estimate)
    return answer, getattr(getattr(answer, part), name)


def test_a_run_moves_its_own_configuration_most_and_shows_as_such(desk, services):
    _, before = figure(services, SERVING, "serving", "tpot_ms")
    bigger = {**SERVING, "model": "llama-2-13b"}
    _, far_before = figure(services, bigger, "serving", "tpot_ms")
    other = {**SERVING, "hardware": {**SERVING["hardware"], "gpu": "RTX 4090"}}
    _, other_before = figure(services, other, "serving", "tpot_ms")
    kept = desk.measurements.keep(desk.measurements.read(LLAMA_BENCH, SERVING), SERVING, "our box")
    assert len(kept) == 2
    answer, after = figure(services, SERVING, "serving", "tpot_ms")
    assert after.evidence.note == OWN_NOTE
    assert after.evidence.source == "our box"
    assert any("measurements" in str(note) for note in answer.notes)
    _, far = figure(services, bigger, "serving", "tpot_ms")
    near_move, far_move = math.log(after.value / before.value), math.log(far.value / far_before.value)
    assert abs(near_move) > abs(far_move) > 0
    assert near_move * far_move > 0
    assert after.high / after.low < before.high / before.low
    assert figure(services, other, "serving", "tpot_ms")[1] == other_before
    decode = figure(services, SERVING, "serving", "decode_tokens_per_s_per_user")[1]
    assert decode.value == pytest.approx(120.94, rel=0.05)
    tree = services.explain(services.read_estimate(SERVING), "tpot_ms")
    assert tree.value == pytest.approx(after.value)
    assert tree.inputs[0].value * 1000 * tree.inputs[1].value == pytest.approx(after.value)


def test_memory_moves_all_counters_the_breakdown_and_the_verdict(desk, services):
    answer, used = figure(services, TRAINING, "memory", "device_used_bytes")
    assert answer.verdict is Verdict.FITS
    desk.measurements.add("memory.device_used_bytes", "23.9 GiB", TRAINING, "nvidia-smi")
    moved, _ = figure(services, TRAINING, "memory", "device_used_bytes")
    memory = moved.memory
    assert memory.device_used_bytes.value == pytest.approx(23.9 * 2**30, rel=0.02)
    assert used.value < 20e9
    assert memory.peak_allocated_bytes.value > answer.memory.peak_allocated_bytes.value
    assert moved.verdict is not Verdict.FITS
    whole = sum(memory.breakdown_bytes.values()) - memory.breakdown_bytes.get("context", 0)
    before = sum(answer.memory.breakdown_bytes.values()) - answer.memory.breakdown_bytes.get("context", 0)
    grown = memory.peak_allocated_bytes.value / answer.memory.peak_allocated_bytes.value
    assert whole / before == pytest.approx(grown)


def test_list_remove_and_undo(desk, services):
    made = desk.measurements.add("serving.tpot_ms", "12.5 ms", SERVING, "our box")
    (run,) = desk.measurements.all()
    assert run.measurement.id == made.id
    assert run.off() == pytest.approx(12.5 / run.estimated - 1)
    plain = figure(services, SERVING, "serving", "tpot_ms")[1].value
    desk.measurements.remove(made.id)
    assert desk.measurements.all() == []
    assert figure(services, SERVING, "serving", "tpot_ms")[1].value == pytest.approx(run.estimated)
    desk.history.undo()
    assert figure(services, SERVING, "serving", "tpot_ms")[1].value == pytest.approx(plain)
    with pytest.raises(InputError):
        desk.measurements.remove("own-nothing")


@pytest.mark.parametrize(
    ("quantity", "value"),
    [
        ("serving.tpot_ms", "fast"),
        ("serving.tpot_ms", "0"),
        ("serving.tpot_ms", "1,500"),
        ("training.mfu", "0.4"),
    ],
)
def test_typed_nonsense_is_refused(desk, quantity, value):
    if value == "1,500":
        assert desk.measurements.add(quantity, value, SERVING).value == 1500
        return
    with pytest.raises(InputError):
        desk.measurements.add(quantity, value, SERVING)
    assert list(desk.history.steps()) == []
