"""Vision networks against published throughput, several cards, and input-bound machines."""

from __future__ import annotations

import pytest

from gpuconfig.engine.estimation.answer import BoundBy
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
    ("gpu", "count", "batch", "engine", "measured"),
    [
        ("nvidia-a100-sxm4-80", 1, 1280, "pytorch", 1582),
        ("nvidia-rtx-3090-24", 1, 448, "pytorch", 905),
        ("nvidia-h100-sxm5-80", 8, 1280, "pytorch", 20_728),
        ("nvidia-a100-sxm4-80", 1, 256, "pytorch_channels_last", 2470),
        ("nvidia-a100-sxm4-80", 8, 256, "mxnet", 16_925),
        ("nvidia-v100-sxm2-16", 8, 256, "tensorflow", 9510),
        ("nvidia-rtx-3090-24", 1, 512, "pytorch_channels_last", 1218),
    ],
)
def test_resnet_training(run, gpu, count, batch, engine, measured):
    """ResNet-50 in FP16: Lambda, DeepLearningExamples, timm; the layout of the engine tells their speeds apart."""
    answer = run("resnet-50", gpu, count, batch_per_gpu=batch, precision="fp16", engine=engine)
    assert answer.vision.samples_per_s.value == pytest.approx(measured, rel=0.17)


def test_an_open_layout_lies_between_both(run):
    """Who does not name the engine gets a speed between both layouts, a band that holds both, and is told."""
    ask = {"batch_per_gpu": 256, "precision": "fp16"}
    first, last, open_ = (
        run("resnet-50", "nvidia-a100-sxm4-80", **ask, **({"engine": e} if e else {}))
        for e in ("pytorch", "pytorch_channels_last", None)
    )
    speed = open_.vision.samples_per_s
    assert first.vision.samples_per_s.value < speed.value < last.vision.samples_per_s.value
    assert speed.low < first.vision.samples_per_s.value
    assert last.vision.samples_per_s.value < speed.high
    assert "workload.engine" in {a.field for a in open_.assumptions}
    assert "workload.engine" not in {a.field for a in last.assumptions}


def test_layout_changes_nothing_in_wide_formats(run):
    """Tensor cores want channels last in 16 bit only; TF32 runs as fast either way."""
    speeds = {
        run("resnet-50", "a100 sxm", batch_per_gpu=256, precision="tf32", engine=e).vision.samples_per_s.value
        for e in ("pytorch", "tensorflow")
    }
    assert len(speeds) == 1


def test_detector_is_not_its_backbone(run):
    """SSD300 with a ResNet-50 backbone trains at 724 images/s on A100 where ResNet-50 alone does 2,470."""
    ask = {"batch_per_gpu": 128, "precision": "fp16", "engine": "pytorch_channels_last"}
    detector = run("ssd300", "nvidia-a100-sxm4-80", **ask).vision.samples_per_s.value
    assert detector == pytest.approx(724, rel=0.2)
    assert run("resnet-50", "nvidia-a100-sxm4-80", **ask).vision.samples_per_s.value > 2.5 * detector


def test_gradients_travel_as_the_machine_lets_them(run):
    """VGG-16 exchanges 553 MB a step: slots, peer-to-peer and a second machine each move the speed the right way."""

    def speed(count=8, nodes=1, **hardware):
        machine = {"intra_node": "pcie", "nodes": nodes, **hardware}
        answer = run(
            "vgg-16", "nvidia-rtx-4090-24", count, batch_per_gpu=32, precision="fp16", hardware=machine
        )
        return answer.vision.samples_per_s.value

    full = speed(pcie={"generation": 4, "lanes": 16})
    assert speed(pcie={"generation": 4, "lanes": 8}) < full
    assert speed(pcie={"generation": 4, "lanes": [16, 16, 16, 16, 16, 16, 16, 4]}) < full
    assert speed(pcie={"generation": 4, "lanes": 16, "peer_to_peer": True}) > full
    slow, fast = ({"gbit_per_s_per_gpu": g, "rdma": g > 50} for g in (3.125, 100))
    assert speed(nodes=2, inter_node=slow) < speed(nodes=2, inter_node=fast)
    assert speed(nodes=2, inter_node=slow) < full  # more cards can be slower


def test_vit_inference(run):
    """ViT-B/16 on RTX 4090, batch 1,024: 2,787 images/s (timm)."""
    answer = run(
        "vit-base-patch16-224", "rtx 4090", kind="vision_inference", batch_per_gpu=1024, precision="fp16"
    )
    assert answer.vision.samples_per_s.value == pytest.approx(2787, rel=0.2)


@pytest.mark.parametrize(
    ("gpu", "precision", "batch", "milliseconds"),
    [
        ("nvidia-a100-sxm4-40", "fp16", 32, 43.01), ("nvidia-a100-sxm4-40", "int8", 32, 23.17),
        ("nvidia-a30-24", "fp16", 8, 23.21), ("nvidia-t4-16", "fp16", 64, 741.74), ("nvidia-t4-16", "int8", 64, 376.93),
    ],
)  # fmt: skip
def test_bert_of_384_tokens_with_tensorrt(run, gpu, precision, batch, milliseconds):
    """BERT-large over batch and precision, as NVIDIA's TensorRT demo measured it."""
    answer = run("bert-large-uncased", gpu, kind="vision_inference", engine="tensorrt", precision=precision,
                 batch_per_gpu=batch, sequence_length=384)  # fmt: skip
    assert batch / answer.vision.samples_per_s.value * 1000 == pytest.approx(milliseconds, rel=0.25)


def test_a_batch_shares_the_reading_of_weights_and_the_launch(run):
    def speed(batch, **work):
        return run("bert-large-uncased", "nvidia-a100-sxm4-40", kind="vision_inference", engine="tensorrt",
                   precision="fp16", batch_per_gpu=batch, **work).vision.samples_per_s.value  # fmt: skip

    assert speed(1) < speed(8) < speed(64) < 64 * speed(1)
    assert speed(8, sequence_length=128) > 2.5 * speed(8, sequence_length=384)
    assert speed(8) == speed(8, sequence_length=384)


def test_narrower_formats_are_faster_and_take_less(run):
    answers = [
        run("resnet-50", "h100", kind="vision_inference", engine="tensorrt", precision=p, batch_per_gpu=128)
        for p in ("fp32", "fp16", "int8")
    ]  # fmt: skip
    speeds = [a.vision.samples_per_s.value for a in answers]
    used = [a.memory.peak_allocated_bytes.value for a in answers]
    assert speeds[0] < speeds[1] < speeds[2]
    assert used[0] > used[1] > used[2]


def test_texts_do_not_wait_for_pictures_to_be_decoded(run):
    few = run("bert-base-uncased", "h100", 8, kind="vision_inference", hardware={"cpu_cores": 8})
    free = run("bert-base-uncased", "h100", 8, kind="vision_inference")
    assert few.vision.samples_per_s.value == free.vision.samples_per_s.value


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
    assert run("bert-base-uncased", "h100").field == "model"
    assert run("llama-3-8b", "h100", kind="vision_inference").field == "model"


def test_explanation(read, coefficients):
    data = {
        "id": "v",
        "model": "resnet-50",
        "workload": {"kind": "vision_inference"},
        "hardware": {"gpu": "h100"},
    }
    assert explain_vision(read(data), coefficients, "samples_per_s").inputs


def test_processor_that_decodes_too_few_images_is_told_with_its_band_and_a_remedy(run):
    work = {"batch_per_gpu": 256, "precision": "fp16"}
    free, held = (run("resnet-50", "h100", hardware=machine, **work) for machine in ({}, {"cpu_cores": 6}))
    rate = held.vision.samples_per_s
    assert rate.value == 900
    assert rate.low <= 0.6 * rate.value
    assert rate.high >= 1.5 * rate.value
    assert held.bound_by is BoundBy.HOST
    (warning,) = held.warnings
    assert warning.code == "decoding_bound"
    needed = int(warning.message.values["needed"])
    assert "6 processor cores" in warning.message.english()
    enough = run("resnet-50", "h100", hardware={"cpu_cores": needed}, **work)
    assert enough.vision.samples_per_s.value == free.vision.samples_per_s.value
    assert enough.bound_by is not BoundBy.HOST
    assert not enough.warnings
    assert not free.warnings


@pytest.mark.parametrize(
    ("gpu", "cards", "batch", "rate"),
    [
        ("nvidia-l4-24", 1, 32, 12882), ("nvidia-l40s-48", 8, 64, 345124), ("h100", 1, 2048, 88526),
        ("nvidia-a10-24", 1, 1024, 13276), ("nvidia-t4-16", 8, 256, 48898),
    ],
)  # fmt: skip
def test_resnet_in_int8_as_mlperf_measured_it(run, gpu, cards, batch, rate):
    answer = run("resnet-50", gpu, cards, kind="vision_inference", engine="tensorrt", precision="int8",
                 batch_per_gpu=batch)  # fmt: skip
    assert answer.vision.samples_per_s.value == pytest.approx(rate, rel=0.25)
