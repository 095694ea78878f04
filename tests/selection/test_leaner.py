"""Leaner ways to make pictures and clips: tried where the plain one does not do, told, and never in silence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gpuconfig.engine.estimation.answer import Estimate
from gpuconfig.engine.selection.leaner import (
    PICTURE_FORMS,
    before_plain,
    changed_settings,
    leaner,
    plain_first,
    shared,
    told,
)
from gpuconfig.engine.selection.recommendation import Option, Recommendation
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.serving import DiffusionWorkload, ImageOffload
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import answer, estimator, request

FLUX: dict[str, Any] = {
    "model": "flux.1-dev",
    "workload": {"kind": "image"},
    "budget": {"amount": "30000", "currency": "CNY"},
}
CLIP: dict[str, Any] = {
    "model": "wan2.2-t2v-a14b",
    "workload": {"kind": "video"},
    "budget": {"amount": "60000", "currency": "CNY"},
}


def bought(found: Recommendation) -> list[Option]:
    return [o for o in found.options if o.build is not None]


@pytest.mark.parametrize("body", [FLUX, CLIP], ids=["flux for 30,000", "wan 2.2 14B for 60,000"])
def test_a_small_budget_is_met_in_a_leaner_way(body: dict[str, Any]) -> None:
    """The published model does not fit; what is offered says what it saves and at which price."""
    found = answer(body)
    assert bought(found)
    for option in bought(found):
        assert option.within_budget
        assert option.leaner
        assert all(sentence in option.why for sentence in told(option))
    warned = [w.message.values["rank"] for w in found.warnings if w.code == "leaner"]
    assert {o.rank for o in found.options if o.leaner} == set(warned)


def test_a_stated_recipe_is_kept() -> None:
    """Nothing but the stated precision and offload is tried."""
    body = {**FLUX, "workload": {"kind": "image", "precision": "bf16", "offload": "none"}}
    found = answer(body)
    assert found.considered
    assert not any(o.leaner for o in found.considered)


def estimate_of(body: dict[str, Any], gpu: str) -> EstimateRequest:
    wanted = request(body)
    from gpuconfig.engine.workloads.hardware import Hardware

    card = bundled_catalogue().accelerator(gpu)
    return EstimateRequest(
        id="x", kind=wanted.kind, model=wanted.model, accelerator=card, workload=wanted.workload,
        hardware=Hardware(gpu=card.id),
    )  # fmt: skip


def test_forms_go_from_the_least_changed_to_the_leanest() -> None:
    """fp8 first, then models in turn, then layers at every step."""
    forms = leaner(estimate_of(FLUX, "rtx 4090"), estimator().coefficients)
    assert len(forms) == len(PICTURE_FORMS)
    told_first = [changed_settings(request(FLUX).workload, form) for form in forms]
    assert told_first[0] == {"precision": "fp8"}
    assert told_first[1] == {"offload": "model"}
    assert [t.get("offload") for t in told_first].index("model") < [
        t.get("offload") for t in told_first
    ].index("sequential")


def test_cards_of_a_machine_share_a_transformers_picture() -> None:
    """24 heads are dealt to 2, 3, 4 or 8 cards; a U-Net is not shared; offload and sharing exclude each other."""
    flux, sdxl = request(FLUX), request({**FLUX, "model": "sdxl"})
    for cards, degree in ((1, None), (2, 2), (3, 3), (4, 4), (5, 4), (8, 8)):
        work = shared(flux.workload, flux.model, cards)
        assert isinstance(work, DiffusionWorkload)
        assert work.sequence_parallel == degree
    assert shared(sdxl.workload, sdxl.model, 4) == sdxl.workload
    assert isinstance(flux.workload, DiffusionWorkload)
    moved = replace(flux.workload, offload=ImageOffload.MODEL)
    assert shared(moved, flux.model, 4) == moved
    both = replace(estimate_of(FLUX, "rtx 4090"), workload=shared(flux.workload, flux.model, 2))
    assert all(
        f.workload.offload is None
        for f in leaner(both, estimator().coefficients)
        if isinstance(f.workload, DiffusionWorkload)
    )


def test_a_leaner_option_before_a_plain_one_says_why() -> None:
    """Where every option shown is leaner, the best plain one within the budget takes the last place."""
    found = answer({**FLUX, "budget": {"amount": "80000", "currency": "CNY"}})
    options = bought(found)
    plain = [o for o in options if not o.leaner]
    assert plain
    for option in options:
        other = before_plain(option, options)
        assert (other is not None) == (bool(option.leaner) and plain[-1].rank > option.rank)
        reasons = [m.text for m in option.why]
        assert any("only because it costs" in text for text in reasons) == (other is not None)


def test_the_best_plain_option_is_shown_last() -> None:
    """It takes the last of several places and stands beside a single one."""
    lean = bought(answer(FLUX))
    plain = replace(lean[0], leaner={}, rank=9, count=7)
    shown = plain_first(lean[:3], [*lean, plain])
    assert [o.rank for o in shown] == list(range(1, len(shown) + 1))
    assert shown[-1].count == 7
    assert plain_first(lean[:1], [*lean, plain])[-1].count == 7
    assert plain_first(lean, lean) == tuple(lean)
    assert plain_first((), [plain]) == ()


def test_cards_must_encode_av1_where_that_is_asked() -> None:
    """No card without it, or of which it is not known, is offered; the refusal says which of the two."""
    body = {**CLIP, "constraints": {"av1_encode": True, "condition": "used_ok"}}
    found = answer(body)
    assert found.considered
    assert all(o.accelerator.av1_encode for o in found.considered)
    video = {r.accelerator: r.reason.text for r in found.rejected if r.code == "video"}
    assert "does not encode AV1 in hardware" in video["nvidia-rtx-3090-24"]
    assert any("not known" in text for text in video.values())


@pytest.mark.parametrize(
    ("model", "gpu", "asked", "told_format"),
    [
        ("qwen2.5-32b", "apple-m3-ultra", None, "gguf:q4_k_m"),
        ("qwen2.5-32b", "apple-m3-ultra", "gguf:q4_k_m", None),
        ("qwen2.5-32b", "nvidia-h100-sxm5-80", None, None),
        ("gpt-oss-20b", "apple-m3-ultra", None, None),
        ("gpt-oss-20b", "nvidia-h100-sxm5-80", None, None),
    ],
)
def test_the_weights_an_engine_takes_by_itself_are_told(
    model: str, gpu: str, asked: str | None, told_format: str | None
) -> None:
    """llama.cpp's usual 4 bits are not the published weights; the MXFP4 of gpt-oss is, in any file."""
    body = {"model": model, "workload": {"kind": "serving", "weight_format": asked}}
    wanted = estimate_of(body, gpu)
    (found,) = estimator().estimate([wanted])
    assert isinstance(found, Estimate)
    changed = changed_settings(wanted.workload, wanted, found.assumptions)
    assert changed.get("weight_format") == told_format
