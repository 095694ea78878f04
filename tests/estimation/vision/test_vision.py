"""Vision networks against published throughput, several cards, and input-bound machines."""

from __future__ import annotations

import pytest

from gpuconfig.engine.estimation.vision.estimate import estimate_vision, explain_vision
from gpuconfig.engine.provenance.errors import InputError


@pytest.fixture(scope="session")
def run(read, coefficients):
    def answer(model, gpu, count=1, kind="vision_training", hardware=None, **work):
        data = {"id": "v", "model": model, "workload": {"kind": kind, **work},
                "hardware": {"gpu": gpu, "gpus_per_node": count, **(hardware or {})}}  # fmt: skip
        (result,) = estimate_vision([read(data)], coefficients)
        return result

    return answer


@pytest.mark.parametrize(
    ("gpu", "count", "batch", "measured"),
    [
        ("nvidia-a100-sxm4-80", 1, 1280, 1582),
        ("nvidia-rtx-3090-24", 1, 448, 905),
        ("nvidia-h100-sxm5-80", 8, 1280, 20_728),
    ],
)
def test_resnet_training(run, gpu, count, batch, measured):
    answer = run("resnet-50", gpu, count, batch_per_gpu=batch, precision="fp16")
    assert answer.vision.samples_per_s.value == pytest.approx(measured, rel=0.15)


def test_vit_inference(run):
    """ViT-B/16 on RTX 4090, batch 1,024: 2,787 images/s (timm)."""
    answer = run(
        "vit-base-patch16-224", "rtx 4090", kind="vision_inference", batch_per_gpu=1024, precision="fp16"
    )
    assert answer.vision.samples_per_s.value == pytest.approx(2787, rel=0.2)


def test_few_cores_hold_many_cards_back(run):
    free = run("resnet-50", "h100", 8, batch_per_gpu=256, precision="fp16")
    bound = run("resnet-50", "h100", 8, batch_per_gpu=256, precision="fp16", hardware={"cpu_cores": 8})
    assert bound.vision.samples_per_s.value < free.vision.samples_per_s.value / 2


def test_training_keeps_more_than_inference(run):
    training = run("resnet-50", "h100", batch_per_gpu=256, precision="fp16")
    inference = run("resnet-50", "h100", kind="vision_inference", batch_per_gpu=256, precision="fp16")
    assert training.memory.peak_allocated_bytes.value > 3 * inference.memory.peak_allocated_bytes.value


def test_bad_requests(run):
    assert run("resnet-50", "h100", precision="fp3").field == "workload.precision"
    assert isinstance(run("llama-3-8b", "h100"), InputError)


def test_explanation(read, coefficients):
    data = {
        "id": "v",
        "model": "resnet-50",
        "workload": {"kind": "vision_inference"},
        "hardware": {"gpu": "h100"},
    }
    assert explain_vision(read(data), coefficients, "samples_per_s").inputs


def test_slow_storage_sets_the_pace_of_a_cold_epoch(run):
    """110 kB an image: half a gigabyte a second feeds 4,545 of the twenty thousand that eight cards take."""
    slow, fast, unknown = (
        run("resnet-50", "h100", 8, batch_per_gpu=256, precision="fp16", hardware=hardware)
        for hardware in ({"storage_bytes_per_s": 5e8}, {"storage_bytes_per_s": 1e10}, {})
    )
    (warning,) = slow.warnings
    assert warning.code == "cold_first_epoch"
    assert "4,545" in warning.message.english()
    assert not fast.warnings
    assert not unknown.warnings
    assert slow.vision.samples_per_s.value == unknown.vision.samples_per_s.value
