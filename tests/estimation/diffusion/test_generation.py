"""Image and video generation against published runs, offload modes, and bad input."""

from __future__ import annotations

import pytest

from gpuconfig.engine.estimation.answer import Estimate, Verdict
from gpuconfig.engine.estimation.diffusion.estimate import estimate_diffusion, explain_diffusion
from gpuconfig.engine.provenance.errors import InputError


@pytest.fixture(scope="session")
def make(read, coefficients):
    def answer(model, gpu, count=1, kind="image", **work):
        data = {"id": "g", "model": model, "workload": {"kind": kind, **work},
                "hardware": {"gpu": gpu, "gpus_per_node": count}}  # fmt: skip
        (result,) = estimate_diffusion([read(data)], coefficients)
        return result

    return answer


def test_flux_on_h100(make):
    """28 steps at 1024 x 1024: 6.43 s plain, 4.0 s compiled (diffusers-torchao)."""
    plain = make("flux.1-dev", "h100", steps=28, precision="bf16", engine="diffusers")
    quick = make("flux.1-dev", "h100", steps=28, precision="bf16", engine="diffusers", compiled=True)
    assert plain.image.seconds_per_image.value == pytest.approx(6.43, rel=0.15)
    assert quick.image.seconds_per_image.value < plain.image.seconds_per_image.value


def test_video_scales_over_cards(make):
    """Wan2.1 14B 720P on A800, 1 to 8 cards: 3,343, 1,722, 886, 470 s."""
    work = {
        "kind": "video",
        "steps": 50,
        "width": 1280,
        "height": 720,
        "frames": 81,
        "engine": "wan",
        "precision": "bf16",
    }
    for cards, seconds in ((2, 1722), (4, 886), (8, 470)):
        answer = make("wan2.1-t2v-14b", "nvidia-a800-sxm4-80", cards, **work, sequence_parallel=cards)
        assert answer.video.seconds_per_clip.value == pytest.approx(seconds, rel=0.25)


def test_offload_trades_memory_for_time(make):
    answers = [
        make("flux.1-dev", "rtx 4090", steps=28, offload=mode) for mode in ("none", "model", "sequential")
    ]
    used = [a.memory.device_used_bytes.value for a in answers]
    times = [a.image.seconds_per_image.value for a in answers]
    assert used[0] > used[1] > used[2]
    assert times[0] < times[1] < times[2]
    assert answers[0].verdict is Verdict.DOES_NOT_FIT
    assert any(fix.change == {"workload.offload": "sequential"} for fix in answers[0].memory.cheapest_fixes)


def test_more_pixels_cost_more(make):
    small = make("stable-diffusion-xl-base-1.0", "rtx 4090", width=512, height=512, steps=20)
    large = make("stable-diffusion-xl-base-1.0", "rtx 4090", width=1024, height=1024, steps=20)
    assert large.image.seconds_per_image.value > 2 * small.image.seconds_per_image.value
    assert large.memory.peak_allocated_bytes.value > small.memory.peak_allocated_bytes.value


def test_bad_requests_name_their_field(make):
    for change, field in (
        ({"precision": "fp3"}, "workload.precision"),
        ({"sequence_parallel": 4}, "workload.sequence_parallel"),
    ):
        error = make("flux.1-dev", "h100", **change)
        assert isinstance(error, InputError)
        assert error.field == field
    assert make("llama-3-8b", "h100").field == "model"


def test_explanation(read, coefficients):
    data = {"id": "g", "model": "flux.1-dev", "workload": {"kind": "image"}, "hardware": {"gpu": "h100"}}
    tree = explain_diffusion(read(data), coefficients, "seconds_per_image")
    assert tree.value
    assert tree.inputs


def test_defaults_are_reported(make):
    answer = make("flux.1-dev", "h100")
    assert isinstance(answer, Estimate)
    assert {a.field for a in answer.assumptions} >= {"workload.steps", "workload.precision"}
