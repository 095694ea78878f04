"""Cards of two devices: the software's split of memory and rates, told of whole cards."""

from dataclasses import replace

import pytest

from gpuconfig.engine.estimation.devices import on_devices
from gpuconfig.engine.estimation.estimator import Estimator

GIB = 2**30
SERVING = {"kind": "serving", "engine": "vllm", "weight_format": "bf16"}
VISION = {"kind": "vision_training", "batch_per_gpu": 64, "precision": "bf16", "engine": "pytorch"}
TRAINING = {"kind": "training", "method": "lora", "sequence_length": 2048, "micro_batch_size": 1}


@pytest.fixture(scope="module")
def estimator(catalogue):
    return Estimator.of(catalogue, "test")


def _as_single_cards(request):
    """The request on twice as many cards, each of them what one device is."""
    split = on_devices(request)
    return replace(split, hardware=replace(split.hardware, devices_per_card=1))


@pytest.mark.parametrize(("card", "each"), [("amd-mi250x-128", 64), ("huawei-atlas-300i-duo-96", 48)])
def test_all_memory_of_a_card_of_two_devices_holds_the_model(estimator, read, card, each):
    hardware = {"gpu": card, "gpus_per_node": 4}
    (found,) = estimator.estimate([read({"model": "qwen2.5-72b", "workload": SERVING, "hardware": hardware})])
    memory = found.memory
    assert 0.9 * each * GIB < memory.usable_bytes <= each * GIB
    weights = memory.breakdown_bytes["weights"]
    assert 8 * weights == pytest.approx(72.7e9 * 2, rel=0.05)
    assert any(a.field == "hardware.gpus_per_node" and a.value == "4 x 2" for a in found.assumptions)


@pytest.mark.parametrize(
    ("model", "workload"), [("qwen2.5-7b", SERVING), ("resnet-50", VISION), ("qwen2.5-7b", TRAINING)]
)
def test_rates_and_memory_are_those_of_twice_as_many_devices(estimator, read, model, workload):
    request = read(
        {"model": model, "workload": workload, "hardware": {"gpu": "amd-mi250-128", "gpus_per_node": 2}}
    )
    cards, devices = estimator.estimate([request, _as_single_cards(request)])
    assert cards.memory.device_used_bytes == devices.memory.device_used_bytes
    for rate in ("tokens_per_s", "output_tokens_per_s", "samples_per_s"):
        assert cards.figure(rate) == devices.figure(rate)
    assert cards.power.gpu_w.value == pytest.approx(2 * devices.power.gpu_w.value)


def test_figures_of_a_card_explain_as_they_are_told(estimator, read):
    request = read({"model": "qwen2.5-7b", "workload": TRAINING, "hardware": {"gpu": "amd-mi250-128"}})
    (found,) = estimator.estimate([request])
    for name in ("tokens_per_s_per_gpu", "model_tflops_per_gpu", "gpu_w"):
        assert estimator.explain(request, name).value == pytest.approx(found.figure(name).value, rel=1e-6)
    training = found.training
    assert training.tokens_per_s_per_gpu.value == pytest.approx(training.tokens_per_s.value)


def test_remedies_count_cards(estimator, read):
    request = read({"model": "qwen2.5-72b", "workload": SERVING, "hardware": {"gpu": "amd-mi250x-128"}})
    (found,) = estimator.estimate([request])
    counts = [f.change["hardware.gpus_per_node"] for f in found.memory.cheapest_fixes
              if "hardware.gpus_per_node" in f.change]  # fmt: skip
    assert 2 in counts


def test_what_is_stated_of_a_card_is_shared_by_its_devices(estimator, read):
    hardware = {"gpu": "amd-mi250x-128", "gpus_per_node": 2, "power_limit_w": 400, "pcie": {"lanes": [16, 8]}}
    request = read({"model": "qwen2.5-7b", "workload": SERVING, "hardware": hardware})
    (found,) = estimator.estimate([request])
    assert found.power.gpu_w.value <= 400


def test_a_host_is_no_larger_for_cards_of_two_devices(estimator, read):
    request = read({"model": "qwen2.5-7b", "workload": SERVING,
                    "hardware": {"gpu": "amd-mi250x-128", "gpus_per_node": 4}})  # fmt: skip
    cards, devices = estimator.estimate([request, _as_single_cards(request)])
    assert cards.power.wall_w.value < devices.power.wall_w.value
