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


def test_quantised_weights_save_their_share(make):
    """fp8 halves the 23.8 GB of FLUX and its text encoder, 4-bit GGUF takes less: ComfyUI reads them packed."""
    plain = make("flux.1-dev", "rtx 4090", engine="comfyui")
    half = make("flux.1-dev", "rtx 4090", precision="fp8")
    third = make("flux.1-dev", "rtx 4090", precision="gguf:q4_k_m")
    used = [a.memory.peak_allocated_bytes.value for a in (plain, half, third)]
    assert used[0] - used[1] == pytest.approx(11.9e9 + 4.9e9, rel=0.05)
    assert used[2] < used[1]
    assert half.image.seconds_per_image.value > plain.image.seconds_per_image.value
    assert any(a.field == "workload.engine" for a in half.assumptions)
    assert make("flux.1-dev", "rtx 4090", precision="gguf:q9_z").field == "workload.precision"


@pytest.mark.parametrize(
    ("model", "bytes_", "slower"),
    [
        ("stable-diffusion-v1-5", 0.72e9, (1.2, 1.6)),
        ("stable-diffusion-xl-base-1.0", 2.5e9, (1.25, 1.6)),
        ("flux.1-dev", 6.6e9, (1.1, 1.4)),
    ],
)
def test_a_controlnet_costs_its_weights_and_its_passes(make, model, bytes_, slower):
    """0.72, 2.5 and 6.6 GB in 16 bit; a copy of the encoder runs at every step."""
    card = "nvidia-h100-sxm5-80"
    alone, steered = make(model, card, batch=8), make(model, card, batch=8, controlnets=1)
    more = steered.memory.peak_allocated_bytes.value - alone.memory.peak_allocated_bytes.value
    assert more == pytest.approx(bytes_, rel=0.03)
    ratio = steered.image.seconds_per_image.value / alone.image.seconds_per_image.value
    assert slower[0] < ratio < slower[1]


def test_an_adapter_costs_little(make):
    """Rank 16 of FLUX is 172 MB; a second one adds the same."""
    used = [
        make("flux.1-dev", "h100", lora_rank=rank).memory.peak_allocated_bytes.value for rank in (0, 16, 32)
    ]
    assert used[1] - used[0] == pytest.approx(172e6, rel=0.02)
    assert used[2] - used[1] == pytest.approx(used[1] - used[0])


def test_a_clip_of_a_unet_costs_every_frame(make):
    """AnimateDiff: 16 frames are 16 pictures of SD 1.5 and the motion module."""
    one = make("animatediff", "rtx 4090", kind="video", frames=1)
    clip = make("animatediff", "rtx 4090", kind="video", frames=16)
    assert clip.video.seconds_per_clip.value > 6 * one.video.seconds_per_clip.value
    assert make("sdxl", "h100", 2, sequence_parallel=2).field == "workload.sequence_parallel"


@pytest.mark.parametrize(
    ("model", "card", "seconds"),
    [
        ("cogvideox-5b", "nvidia-h100-sxm5-80", 90),
        ("cogvideox-5b", "nvidia-a100-sxm4-80", 180),
        ("cogvideox1.5-5b", "nvidia-h100-sxm5-80", 550),
        ("cogvideox1.5-5b", "nvidia-a100-sxm4-80", 1000),
    ],
)
def test_presets_of_clips_against_their_model_cards(make, model, card, seconds):
    """Single-card times that the CogVideo project prints for its defaults."""
    answer = make(model, card, kind="video", precision="bf16", engine="diffusers")
    assert answer.video.seconds_per_clip.value == pytest.approx(seconds, rel=0.35)


@pytest.mark.parametrize(
    "model",
    [
        "animatediff", "cogvideox-2b", "cogvideox-5b", "mochi-1-preview", "wan2.1-t2v-1.3b", "wan2.1-t2v-14b",
        "wan2.2-t2v-a14b", "wan2.2-i2v-a14b", "wan2.2-ti2v-5b", "hunyuanvideo", "ltx-video",
        "stable-video-diffusion-img2vid-xt",
    ],
)  # fmt: skip
def test_every_preset_of_clips_is_answered_and_offload_helps(make, model):
    """Time and memory are known; offload takes less of the card, never less time."""
    plain = make(model, "nvidia-h100-sxm5-80", kind="video", engine="comfyui")
    moved = make(model, "nvidia-h100-sxm5-80", kind="video", engine="comfyui", offload="sequential")
    assert plain.video.seconds_per_clip.value > 1
    assert moved.memory.device_used_bytes.value < plain.memory.device_used_bytes.value
    assert moved.video.seconds_per_clip.value > plain.video.seconds_per_clip.value


def test_a_clip_of_stable_video_diffusion(make):
    """25 frames of 576 x 1024: its maker says 180 s with its own FP32 code on an A100; half of them, half the work."""
    whole = make("stable-video-diffusion-img2vid-xt", "nvidia-a100-sxm4-80", kind="video", precision="fp16")
    part = make("svd-xt", "nvidia-a100-sxm4-80", kind="video", precision="fp16", frames=13)
    assert 30 < whole.video.seconds_per_clip.value < 180
    assert part.video.seconds_per_clip.value == pytest.approx(
        whole.video.seconds_per_clip.value * 13 / 25, rel=0.1
    )
    assert part.memory.device_used_bytes.value < whole.memory.device_used_bytes.value


def test_add_ons_slow_each_step_and_never_save_memory(make):
    """ControlNets and adapters on pictures; an AnimateDiff clip is steered the same way."""
    for model, kind in (
        ("sd1.5", "image"),
        ("sdxl", "image"),
        ("flux.1-dev", "image"),
        ("animatediff", "video"),
    ):
        plain, adapted, steered, both = (
            make(model, "nvidia-h100-sxm5-80", kind=kind, batch=4, **work)
            for work in ({}, {"lora_rank": 64}, {"controlnets": 1}, {"controlnets": 2, "lora_rank": 64})
        )
        times = [
            a.figure(f"seconds_per_{'clip' if kind == 'video' else 'image'}").value
            for a in (plain, adapted, steered, both)
        ]
        used = [a.memory.peak_allocated_bytes.value for a in (plain, adapted, steered, both)]
        assert times[0] < times[1] < times[2] < times[3], model
        assert used[0] <= used[1] < used[2] < used[3], model


def test_sequence_parallel_pays_less_without_a_fast_link(make):
    """The same cards' worth of clips: four A100 by NVLink come nearer to a quarter than four over PCIe."""
    work = {"kind": "video", "precision": "bf16", "engine": "xdit"}
    shares = []
    for card in ("nvidia-a100-sxm4-80", "nvidia-a100-pcie-80", "nvidia-rtx-4090-24"):
        one = make("wan2.1-t2v-14b", card, **work).video.seconds_per_clip.value
        four = make("wan2.1-t2v-14b", card, 4, **work, sequence_parallel=4).video.seconds_per_clip.value
        shares.append(four / one)
        assert four < one
    assert 0.25 <= shares[0] < shares[1]
    assert shares[0] < shares[2]


def test_small_cards_for_servers_do_not_hold_their_peak(make):
    """By its data sheet a 70 W T4 is the equal of a 250 W RTX 2080 Ti; it makes pictures at a third of the pace."""
    t4, big = (
        make("sdxl", card, precision="fp16").image.iterations_per_s.value
        for card in ("nvidia-t4-16", "2080 Ti")
    )
    assert t4 < 0.45 * big
    l4, ada = (
        make("sdxl", card, precision="fp16").image.iterations_per_s.value
        for card in ("nvidia-l4-24", "rtx 4090")
    )
    assert l4 < 0.5 * ada


def test_a_clip_names_the_video_engines_of_the_card(make):
    said = {
        card: make("wan2.1-t2v-1.3b", card, kind="video").notes
        for card in ("rtx 4090", "nvidia-a100-sxm4-80")
    }
    assert "2x NVENC" in str(said["rtx 4090"][0].values["engines"])
    assert "processor" in said["nvidia-a100-sxm4-80"][0].text
    assert make("sdxl", "rtx 4090").notes == ()


@pytest.mark.parametrize(
    ("model", "size", "steps", "seconds"),
    [("hunyuanvideo", (1280, 720, 129), 50, 1904), ("cogvideox1.5-5b", (1360, 768, 81), 50, 550)],
)
def test_long_clips_on_hopper_by_the_kernel_of_pytorch(make, model, size, steps, seconds):
    """Readmes of HunyuanVideo (H100, 1,904 s) and CogVideoX1.5 (H100, about 550 s): FlashAttention-2."""
    width, height, frames = size
    answer = make(model, "h100", kind="video", width=width, height=height, frames=frames, steps=steps)
    assert answer.video.seconds_per_clip.value == pytest.approx(seconds, rel=0.15)


def test_a_model_s_own_program_keeps_the_attention_kernel_of_its_day(make):
    """Readmes of Wan 2.1 and 2.2, 720P: a step on H20 took 139 s, with FlashAttention-3 101 s; on A100 67 s both."""

    def step_s(model, gpu):
        steps = 40
        return (
            make(
                model, gpu, kind="video", engine="wan", width=1280, height=720, frames=81, steps=steps
            ).video.seconds_per_clip.value
            / steps
        )

    assert step_s("wan2.1-t2v-14b", "h20") == pytest.approx(139, rel=0.1)
    assert step_s("wan2.2-t2v-a14b", "h20") == pytest.approx(101, rel=0.1)
    assert step_s("wan2.1-t2v-14b", "a800") == pytest.approx(step_s("wan2.2-t2v-a14b", "a800"), rel=0.1)


@pytest.mark.parametrize(("card", "seconds"), [("apple-m1-max", 18), ("apple-m1-ultra", 9)])
def test_pictures_on_apple_silicon(make, card, seconds):
    """Apple's benchmark of Stable Diffusion 1.4, 50 steps."""
    answer = make("stable-diffusion-v1-5", card, steps=50, width=512, height=512, precision="fp16")
    assert answer.image.seconds_per_image.value == pytest.approx(seconds, rel=0.15)


def test_a_sparse_denoiser_pays_for_the_experts_a_token_passes(make):
    """HiDream-I1: 17 thousand million parameters are held, those of two of four experts are computed."""
    sparse, dense = (make(m, "h200", steps=28, guidance=1) for m in ("hidream-i1-full", "qwen-image"))
    held = [a.memory.breakdown_bytes["weights"] for a in (sparse, dense)]
    assert held[0] > held[1]
    assert sparse.image.seconds_per_image.value < dense.image.seconds_per_image.value
