"""A run over a training set: first and later epochs, time, energy, utilisation, scaling, and what sets the pace."""

from __future__ import annotations

import pytest

from gpuconfig.engine.estimation.answer import BoundBy
from gpuconfig.engine.estimation.vision.estimate import estimate_vision, explain_vision

IMAGENET = 1_281_167
IMAGE_BYTES = 110_000
WORK = {
    "kind": "vision_training",
    "batch_per_gpu": 256,
    "precision": "fp16",
    "engine": "pytorch_channels_last",
}


@pytest.fixture(scope="session")
def run(read, coefficients):
    def answer(model="resnet-50", gpu="nvidia-a100-sxm4-80", count=8, hardware=None, **work):
        data = {"id": "v", "model": model, "workload": {**WORK, **work},
                "hardware": {"gpu": gpu, "gpus_per_node": count, **(hardware or {})}}  # fmt: skip
        (result,) = estimate_vision([read(data)], coefficients)
        return result

    return answer


def _codes(answer):
    return [w.code for w in answer.warnings]


def test_parts_of_a_step_add_up_and_time_follows_from_the_rate(run):
    answer = run(dataset_images=IMAGENET, epochs=90, hardware={"cpu_cores": 64, "storage_bytes_per_s": 1e9})
    vision = answer.vision
    assert sum(vision.time_breakdown_s.values()) == pytest.approx(vision.step_time_s.value, rel=1e-9)
    assert vision.step_time_s.value == pytest.approx(8 * 256 / vision.samples_per_s.value, rel=1e-9)
    assert vision.time_to_train_s.value == pytest.approx(IMAGENET * 90 / vision.samples_per_s.value, rel=1e-9)
    assert vision.time_to_train_s.low == pytest.approx(IMAGENET * 90 / vision.samples_per_s.high, rel=1e-9)
    watts = answer.power.wall_w.value
    assert vision.energy_wh_per_msample.value == pytest.approx(
        watts * 1e6 / vision.samples_per_s.value / 3600, rel=1e-9
    )


def test_mfu_is_three_forward_passes_over_the_dense_peak(run):
    """ResNet-50 takes 8.2 GFLOP forward (4.1 G multiply-accumulates); an A100 has 312 TFLOPS in FP16."""
    vision = run(count=1).vision
    assert vision.mfu.value == pytest.approx(vision.samples_per_s.value * 3 * 8.2e9 / 312e12, rel=0.02)
    assert vision.mfu.value == pytest.approx(vision.model_tflops_per_gpu.value / 312, rel=1e-9)


def test_one_card_is_its_own_measure_whatever_feeds_it(run):
    for hardware in ({}, {"cpu_cores": 4}, {"storage_bytes_per_s": 5e7}):
        assert run(count=1, hardware=hardware).vision.scaling_efficiency.value == pytest.approx(1, rel=1e-9)


def test_links_that_bind_are_told(run):
    """VGG-16 has 138 M parameters: eight cards on one lane each spend the step on exchanging gradients."""
    narrow = run(
        "vgg-16", "nvidia-rtx-3090-24", hardware={"pcie": {"lanes": 1, "generation": 3}}, batch_per_gpu=64
    )
    wide = run("vgg-16", "nvidia-rtx-3090-24", 1, batch_per_gpu=64)
    assert narrow.bound_by is BoundBy.COMMUNICATION
    assert wide.bound_by in (BoundBy.COMPUTE, BoundBy.MEMORY)
    assert narrow.vision.scaling_efficiency.value < 0.3
    assert narrow.vision.time_breakdown_s["gradient_reduction"] > narrow.vision.step_time_s.value / 2
    assert narrow.power.gpu_w.value < wide.power.gpu_w.value


def test_storage_sets_the_pace_where_the_training_set_is_not_known(run):
    answer = run(hardware={"storage_bytes_per_s": 5e7, "host_memory_bytes": 16e9})
    assert answer.vision.samples_per_s.value == pytest.approx(5e7 / IMAGE_BYTES)
    assert answer.vision.samples_per_s.low < 0.8 * answer.vision.samples_per_s.value
    assert answer.bound_by is BoundBy.INPUT
    assert _codes(answer) == ["storage_bound"]
    assert "workload.dataset_images" in answer.warnings[0].message.english()
    assert answer.vision.time_to_train_s.value is None


def test_a_set_that_host_memory_keeps_is_slow_once(run):
    """ImageNet is 141 GB: in 256 GB it is read once; in 128 GB from storage in every epoch."""
    slow = {"storage_bytes_per_s": 5e8}
    kept = run(dataset_images=IMAGENET, epochs=10, hardware={**slow, "host_memory_bytes": 256e9})
    again = run(dataset_images=IMAGENET, epochs=10, hardware={**slow, "host_memory_bytes": 128e9})
    free = run(dataset_images=IMAGENET, epochs=10)
    cold = IMAGENET / (5e8 / IMAGE_BYTES)
    warm = free.vision.time_to_train_s.value / 10
    assert kept.vision.time_to_train_s.value == pytest.approx(cold + 9 * warm, rel=1e-6)
    assert again.vision.time_to_train_s.value == pytest.approx(10 * cold, rel=1e-6)
    assert kept.vision.first_epoch_samples_per_s.value == pytest.approx(5e8 / IMAGE_BYTES)
    assert _codes(kept) == ["cold_first_epoch"]
    assert _codes(again) == ["storage_bound"]
    assert "128 GB" in again.warnings[0].message.english()
    assert not free.warnings


def test_host_memory_that_is_not_known_keeps_nothing(run):
    answer = run(dataset_images=IMAGENET, hardware={"storage_bytes_per_s": 5e8})
    assert _codes(answer) == ["storage_bound"]
    assert "not stated" in answer.warnings[0].message.english()
    assert {a.field: a.value for a in answer.assumptions}["workload.epochs"] == "90"


def test_fast_storage_says_nothing(run):
    fast, unknown = run(hardware={"storage_bytes_per_s": 1e10}), run()
    assert fast.vision.samples_per_s.value == unknown.vision.samples_per_s.value
    assert not fast.warnings


def test_storage_never_speeds_a_run_and_more_memory_never_slows_it(run):
    rates = [
        run(
            dataset_images=10**7, hardware={"storage_bytes_per_s": s, "host_memory_bytes": m}
        ).vision.samples_per_s.value
        for m in (64e9, 4e12)
        for s in (1e8, 1e9, 1e10)
    ]
    assert rates == sorted(rates[:3]) + sorted(rates[3:])
    assert all(few <= many for few, many in zip(rates[:3], rates[3:], strict=True))


def test_inference_has_a_rate_and_no_training_time(run):
    vision = run(kind="vision_inference", hardware={"storage_bytes_per_s": 5e7}).vision
    free = run(kind="vision_inference").vision
    assert vision.samples_per_s.value == free.samples_per_s.value
    assert vision.time_to_train_s.value is None
    assert 0 < vision.mfu.value < 1


def test_time_to_train_is_explained(read, coefficients):
    data = {
        "id": "v", "model": "resnet-50", "hardware": {"gpu": "h100"},
        "workload": {**WORK, "dataset_images": IMAGENET},
    }  # fmt: skip
    tree = explain_vision(read(data), coefficients, "time_to_train_s")
    assert {i.name for i in tree.inputs} == {"dataset_images", "epochs", "samples_per_s"}
