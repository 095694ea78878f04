"""The image part of vision-language models: what a trained one keeps, and that a frozen one keeps nothing."""

from typing import Any

import pytest

from gpuconfig.engine.estimation.memory.graph import memory_graph
from gpuconfig.exchange.model_config import model_from_config
from gpuconfig.exchange.vision_tower import tower_parameters
from tests.estimation.memory.memory_bench import A100, Bench

FULL = {
    "method": "full", "framework": "other", "weight_storage": "bf16", "master_weights": False,
    "sequence_length": 512, "image_tokens": 1024, "checkpointing": "none", "micro_batch_size": 4,
}  # fmt: skip
LORA = {**FULL, "method": "lora", "framework": "hf_trainer"}
QWEN = "qwen2-vl-7b"


def kept(bench: Bench, model: Any, work: dict[str, Any]) -> float:
    columns = bench.columns(model, work, A100)
    return float(memory_graph().evaluate(columns, ["tower_activation_bytes"])["tower_activation_bytes"])


def test_a_trained_tower_keeps_what_its_layers_and_its_merger_need(bench: Bench) -> None:
    patches = 4 * 1024 * 4  # micro-batch, image tokens, patches joined into one token
    layer = 2 * 1280 * 2 + 2 * 1280 * 2 + 4 * 1280 * 2 + 4 * 16 + 2 * 5120 * 2
    merger = 2 * (3 * 1280 * 4 + 3584) / 4
    assert kept(bench, QWEN, FULL) == pytest.approx(patches * (32 * layer + merger))


def test_its_activations_are_in_the_peak(bench: Bench) -> None:
    tower = kept(bench, QWEN, FULL)
    with_images = bench.memory(QWEN, FULL, A100).breakdown_bytes["activations"]
    text = bench.memory(QWEN, {**FULL, "sequence_length": 1536, "image_tokens": 0}, A100)
    assert with_images - text.breakdown_bytes["activations"] == pytest.approx(tower, rel=1e-6)


def test_a_frozen_tower_keeps_nothing(bench: Bench) -> None:
    assert kept(bench, QWEN, LORA) == 0
    assert kept(bench, QWEN, {**LORA, "method": "qlora", "weight_storage": "nf4"}) == 0
    assert kept(bench, QWEN, {**FULL, "frozen_layers": 1}) == 0


def test_recomputation_leaves_the_stream_between_its_layers(bench: Bench) -> None:
    full = kept(bench, QWEN, {**FULL, "checkpointing": "full"})
    merger = 2 * (3 * 1280 * 4 + 3584) / 4
    assert full == pytest.approx(4 * 1024 * 4 * (32 * 1280 * 2 + merger))


@pytest.mark.parametrize("method", ["full", "lora"])
def test_more_image_tokens_need_more(bench: Bench, method: str) -> None:
    work = {**FULL, "method": method}
    peaks = [bench.allocated(QWEN, {**work, "image_tokens": n}, A100) for n in (1024, 2048, 4096)]
    assert peaks == sorted(set(peaks))


def test_many_patches_a_token_cost_more_than_few(bench: Bench) -> None:
    gemma = bench.columns("gemma-3-4b-it", FULL, A100)
    assert gemma["patches_per_token"] == 16
    assert bench.columns(QWEN, FULL, A100)["patches_per_token"] == 4


def test_shapes_agree_with_the_published_parameters(bench: Bench) -> None:
    """Layers hold most of what is published for the image part; mergers, wide as the language model, hold the rest."""
    models = [m for m in bench.catalogue.models() if m.vision_tower is not None]
    assert len(models) >= 25
    for model in models:
        assert model.vision_tower is not None
        share = tower_parameters(model.vision_tower) / (model.vision_parameters or 1)
        assert 0.5 < share <= 1.0, model.id


def test_a_size_without_a_shape_gets_a_usual_one(bench: Bench) -> None:
    c = bench.columns("kimi-k2.5", {**FULL, "method": "lora", "weight_storage": "bf16"}, A100)
    counted = c["tower_layers"] * c["tower_hidden"] * (4 * c["tower_hidden"] + 2 * c["tower_ffn"])
    assert counted == pytest.approx(400e6, rel=0.15)


@pytest.mark.parametrize(
    ("vision", "rest", "layers", "hidden", "ffn", "joined"),
    [
        ({"depth": 32, "embed_dim": 1280, "mlp_ratio": 4, "num_heads": 16, "hidden_size": 3584, "patch_size": 14,
          "spatial_merge_size": 2}, {}, 32, 1280, 5120, 4),
        ({"depth": 32, "hidden_size": 1280, "intermediate_size": 3420, "hidden_act": "silu", "patch_size": 14,
          "spatial_merge_size": 2}, {}, 32, 1280, 3420, 4),
        ({"num_hidden_layers": 24, "hidden_size": 1024, "intermediate_size": 4096, "image_size": 336,
          "patch_size": 14}, {}, 24, 1024, 4096, 1),
        ({"num_hidden_layers": 27, "hidden_size": 1152, "intermediate_size": 4304, "image_size": 896,
          "patch_size": 14}, {"mm_tokens_per_image": 256}, 27, 1152, 4304, 16),
        ({"num_hidden_layers": 24, "hidden_size": 1024, "intermediate_size": 4096, "image_size": 448,
          "patch_size": 14}, {"downsample_ratio": 0.5}, 24, 1024, 4096, 4),
    ],
    ids=["qwen2-vl", "qwen2.5-vl", "llava-1.5", "gemma-3", "internvl"],
)  # fmt: skip
def test_the_shape_is_read_from_a_configuration(
    vision: dict[str, Any], rest: dict[str, Any], layers: int, hidden: int, ffn: int, joined: int
) -> None:
    text = {
        "model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32,
        "intermediate_size": 11008, "vocab_size": 32064,
    }  # fmt: skip
    model = model_from_config({"text_config": text, "vision_config": vision, **rest})
    tower = model.vision_tower
    assert tower is not None
    assert (tower.layers, tower.hidden, tower.ffn, tower.patches_per_token) == (layers, hidden, ffn, joined)
    assert model.vision_parameters == tower_parameters(tower)


def test_the_language_part_of_a_configuration_keeps_its_size() -> None:
    text = {
        "model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32,
        "intermediate_size": 11008, "vocab_size": 32064,
    }  # fmt: skip
    vision = {"num_hidden_layers": 24, "hidden_size": 1024, "intermediate_size": 4096}
    plain, seeing = model_from_config(text), model_from_config({"text_config": text, "vision_config": vision})
    assert seeing.architecture is not None
    assert seeing.architecture.parameters == plain.parameters
