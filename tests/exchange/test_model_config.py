"""config.json of the families people use, and refusals that name what is missing."""

from __future__ import annotations

import pytest

from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.exchange.model_config import model_from_config

LLAMA = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096,
    "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256,
    "max_position_embeddings": 8192, "tie_word_embeddings": False, "torch_dtype": "bfloat16",
}  # fmt: skip
DEEPSEEK_V3 = {
    "model_type": "deepseek_v3", "num_hidden_layers": 61, "hidden_size": 7168, "num_attention_heads": 128,
    "num_key_value_heads": 128, "intermediate_size": 18432, "moe_intermediate_size": 2048, "vocab_size": 129280,
    "n_routed_experts": 256, "num_experts_per_tok": 8, "n_shared_experts": 1, "first_k_dense_replace": 3,
    "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128,
    "quantization_config": {"quant_method": "fp8"},
}  # fmt: skip
GEMMA_3_27B = {
    "model_type": "gemma3",
    "text_config": {
        "model_type": "gemma3_text", "num_hidden_layers": 62, "hidden_size": 5376, "num_attention_heads": 32,
        "num_key_value_heads": 16, "head_dim": 128, "intermediate_size": 21504, "vocab_size": 262208,
        "sliding_window": 1024,
    },
    "vision_config": {"hidden_size": 1152, "num_hidden_layers": 27, "intermediate_size": 4304},
}  # fmt: skip
QWEN3_NEXT = {
    "model_type": "qwen3_next", "num_hidden_layers": 48, "hidden_size": 2048, "num_attention_heads": 16,
    "num_key_value_heads": 2, "head_dim": 256, "intermediate_size": 5120, "vocab_size": 151936, "num_experts": 512,
    "num_experts_per_tok": 10, "moe_intermediate_size": 512, "shared_expert_intermediate_size": 512,
    "full_attention_interval": 4, "linear_num_value_heads": 32, "linear_num_key_heads": 16,
    "linear_key_head_dim": 128, "linear_value_head_dim": 128, "linear_conv_kernel_dim": 4,
}  # fmt: skip


def test_llama():
    model = model_from_config(LLAMA)
    assert model.parameters == pytest.approx(8_030_261_248, rel=1e-4)
    assert model.native_precision == "bf16"
    assert model.architecture is not None
    assert model.architecture.attention_layers is None


def test_latent_attention_and_experts():
    model = model_from_config(DEEPSEEK_V3)
    shape = model.architecture
    assert shape is not None
    assert shape.mla is not None
    assert (shape.mla.kv_rank, shape.mla.rope_dim) == (512, 64)
    assert model.parameters == pytest.approx(671e9, rel=0.01)
    assert model.active_parameters == pytest.approx(37e9, rel=0.05)
    assert model.native_precision == "fp8"


def test_sliding_layers_in_a_nested_text_part():
    shape = model_from_config(GEMMA_3_27B).architecture
    assert shape is not None
    assert shape.attention_layers is not None
    assert (shape.attention_layers.full, shape.attention_layers.sliding) == (10, 52)
    assert shape.tied_embeddings


def test_hybrid_layers_have_a_fixed_state():
    shape = model_from_config(QWEN3_NEXT).architecture
    assert shape is not None
    kinds = shape.attention_layers
    assert kinds is not None
    assert (kinds.full, kinds.linear) == (12, 36)
    assert kinds.linear_state_bytes == 32 * 128 * 128 * 2 + 3 * (2 * 16 * 128 + 32 * 128) * 2


def test_layer_types_are_counted():
    config = {
        **LLAMA,
        "model_type": "gpt_oss",
        "num_local_experts": 32,
        "num_experts_per_tok": 4,
        "sliding_window": 128,
    }
    config["layer_types"] = ["sliding_attention", "full_attention"] * 16
    config["quantization_config"] = {"quant_method": "mxfp4"}
    model = model_from_config(config)
    assert model.architecture is not None
    assert model.architecture.attention_layers is not None
    assert model.architecture.attention_layers.sliding == 16
    assert model.native_precision == "mxfp4"


@pytest.mark.parametrize(
    ("config", "code", "words"),
    [
        ([], "wrong_type", "object"),
        ({**LLAMA, "model_type": "zorplex"}, "unknown_value", "zorplex"),
        ({"model_type": "zorplex", "hidden_size": 8}, "unknown_value", "missing: layers"),
        ({**LLAMA, "model_type": "mamba2"}, "unknown_value", "state-space"),
        ({**LLAMA, "model_type": "t5"}, "unknown_value", "encoder-decoder"),
        ({k: v for k, v in LLAMA.items() if k != "vocab_size"}, "missing", "vocab_size"),
        ({**LLAMA, "num_hidden_layers": "many"}, "wrong_type", "num_hidden_layers"),
        ({**LLAMA, "num_hidden_layers": -3}, "out_of_range", ""),
        ({"_class_name": "FluxPipeline"}, "unknown_value", "diffusion"),
    ],
)
def test_refused_by_name(config, code, words):
    with pytest.raises(InputError) as error:
        model_from_config(config)
    assert error.value.code == code
    assert words in str(error.value)


LATE_2026: dict[str, tuple[dict[str, object], float, float | None]] = {
    "nemotron-3-super": (
        {
            "model_type": "nemotron_h", "hidden_size": 4096, "num_attention_heads": 32, "num_key_value_heads": 2,
            "head_dim": 128, "intermediate_size": 2688, "vocab_size": 131072, "num_hidden_layers": 88,
            "hybrid_override_pattern": "MEMEMEM*EMEMEMEM*EMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*"
            "EMEMEMEM*EMEMEMEME",
            "mamba_num_heads": 128, "mamba_head_dim": 64, "ssm_state_size": 128, "n_groups": 8, "conv_kernel": 4,
            "moe_intermediate_size": 2688, "moe_latent_size": 1024, "moe_shared_expert_intermediate_size": 5376,
            "n_routed_experts": 512, "n_shared_experts": 1, "num_experts_per_tok": 22,
        },
        120.67e9, 12.8e9,
    ),
    "nemotron-3.5-lightning": (
        {
            "model_type": "nemotron_h", "hidden_size": 2688, "num_attention_heads": 32, "num_key_value_heads": 2,
            "head_dim": 128, "intermediate_size": 1856, "vocab_size": 131072,
            "layers_block_type": ["mamba", "moe"] * 17 + ["attention", "moe"] * 6 + ["mamba"] * 6,
            "mamba_num_heads": 64, "mamba_head_dim": 64, "ssm_state_size": 128, "n_groups": 8, "conv_kernel": 4,
            "moe_intermediate_size": 1856, "moe_latent_size": None, "moe_shared_expert_intermediate_size": 3712,
            "n_routed_experts": 128, "n_shared_experts": 1, "num_experts_per_tok": 6,
        },
        31.58e9, 3.58e9,
    ),
    "qwen3.5-27b": (
        {
            "model_type": "qwen3_5",
            "text_config": {
                "model_type": "qwen3_5_text", "attn_output_gate": True, "head_dim": 256, "hidden_size": 5120,
                "intermediate_size": 17408, "layer_types": (["linear_attention"] * 3 + ["full_attention"]) * 16,
                "linear_conv_kernel_dim": 4, "linear_key_head_dim": 128, "linear_num_key_heads": 16,
                "linear_num_value_heads": 48, "linear_value_head_dim": 128, "num_attention_heads": 24,
                "num_hidden_layers": 64, "num_key_value_heads": 4, "vocab_size": 248320,
            },
        },
        26.896e9, None,
    ),
    "kimi-k3": (
        {
            "model_type": "kimi_k3",
            "text_config": {
                "model_type": "kimi_linear", "first_k_dense_replace": 1, "hidden_size": 7168,
                "intermediate_size": 33792, "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_nope_head_dim": 128,
                "qk_rope_head_dim": 64, "v_head_dim": 128, "mla_use_output_gate": True,
                "linear_attn_config": {
                    "full_attn_layers": [*range(4, 93, 4), 93], "head_dim": 128, "num_heads": 96,
                    "short_conv_kernel_size": 4, "use_full_rank_gate": True,
                },
                "moe_intermediate_size": 3072, "routed_expert_hidden_size": 3584, "num_experts": 896,
                "num_experts_per_token": 16, "num_shared_experts": 2, "num_attention_heads": 96,
                "num_key_value_heads": 96, "num_hidden_layers": 93, "vocab_size": 163840,
            },
        },
        2779.5e9, 104e9,
    ),
    "deepseek-v4-flash": (
        {
            "model_type": "deepseek_v4", "hidden_size": 4096, "num_attention_heads": 64, "num_key_value_heads": 1,
            "head_dim": 512, "qk_rope_head_dim": 64, "q_lora_rank": 1024, "o_groups": 8, "o_lora_rank": 1024,
            "index_n_heads": 64, "index_head_dim": 128, "hc_mult": 4, "sliding_window": 128, "vocab_size": 129280,
            "compress_ratios": [0, 0] + [4, 128] * 20 + [4, 0], "num_hidden_layers": 43,
            "moe_intermediate_size": 2048, "n_routed_experts": 256, "n_shared_experts": 1,
            "num_experts_per_tok": 6, "expert_dtype": "fp4", "quantization_config": {"quant_method": "fp8"},
        },
        284e9, 13.5e9,
    ),
    "llama-4-maverick": (
        {
            "model_type": "llama4",
            "text_config": {
                "model_type": "llama4_text", "attention_chunk_size": 8192, "head_dim": 128, "hidden_size": 5120,
                "interleave_moe_layer_step": 2, "intermediate_size": 8192, "intermediate_size_mlp": 16384,
                "num_attention_heads": 40, "num_experts_per_tok": 1, "num_hidden_layers": 48,
                "num_key_value_heads": 8, "num_local_experts": 128, "vocab_size": 202048,
            },
        },
        400.7e9, 17.2e9,
    ),
    "gemma-4-26b-a4b": (
        {
            "model_type": "gemma4",
            "text_config": {
                "model_type": "gemma4_text", "attention_k_eq_v": True, "enable_moe_block": True,
                "global_head_dim": 512, "head_dim": 256, "hidden_size": 2816, "intermediate_size": 2112,
                "layer_types": (["sliding_attention"] * 5 + ["full_attention"]) * 5, "moe_intermediate_size": 704,
                "num_attention_heads": 16, "num_experts": 128, "top_k_experts": 8, "num_hidden_layers": 30,
                "num_global_key_value_heads": 2, "num_key_value_heads": 8, "sliding_window": 1024,
                "tie_word_embeddings": True, "vocab_size": 262144,
            },
        },
        25.23e9, 3.82e9,
    ),
    "mimo-v2-flash": (
        {
            "model_type": "mimo_v2_flash", "num_hidden_layers": 48, "hidden_size": 4096, "num_attention_heads": 64,
            "num_key_value_heads": 4, "head_dim": 192, "v_head_dim": 128, "intermediate_size": 16384,
            "vocab_size": 152576, "sliding_window": 128, "swa_num_key_value_heads": 8,
            "hybrid_layer_pattern": [0] + ([1] * 5 + [0]) * 7 + [1] * 4 + [0], "moe_layer_freq": [0] + [1] * 47,
            "moe_intermediate_size": 2048, "n_routed_experts": 256, "num_experts_per_tok": 8,
        },
        308.8e9, 15.4e9,
    ),
}  # fmt: skip
"""Sizes from the models' configurations, and the totals that their owners or their weights' files state."""


@pytest.mark.parametrize("name", LATE_2026)
def test_totals_of_layers_of_several_kinds(name: str):
    config, total, active = LATE_2026[name]
    model = model_from_config(config)
    assert model.parameters == pytest.approx(total, rel=0.01)
    if active is not None:
        assert model.active_parameters == pytest.approx(active, rel=0.03)


def test_compressed_context_caches_a_fraction_of_a_token():
    shape = model_from_config(LATE_2026["deepseek-v4-flash"][0]).architecture
    assert shape is not None
    assert shape.attention_layers is not None
    # 21 layers with an entry and an index for 4 tokens, 20 with one entry for 128
    assert shape.attention_layers.cached_values == 21 * (512 + 128) // 4 + 20 * 512 // 128
    assert shape.attention_layers.window == 128


def test_values_narrower_than_keys_cache_their_own_width():
    shape = model_from_config(LATE_2026["mimo-v2-flash"][0]).architecture
    assert shape is not None
    assert 2 * shape.head_dim == 192 + 128
    assert (shape.kv_heads, shape.full_kv_heads) == (8, 4)


def test_image_part_counts_in_the_total():
    config = {**LLAMA, "vision_config": {"vt_num_hidden_layers": 27, "vt_hidden_size": 1152,
              "vt_intermediate_size": 4304, "vt_num_attention_heads": 16, "merge_kernel_size": [2, 2]}}  # fmt: skip
    model = model_from_config(config)
    assert model.vision_tower is not None
    assert model.vision_tower.patches_per_token == 4
    assert model.architecture is not None
    assert model.vision_parameters is not None
    assert model.architecture.parameters == model.parameters - model.vision_parameters


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("hymba", "side by side"),
        ("nemotron-nas", "different sizes"),
        ("whisper", "encoder-decoder"),
        ("longcat_flash", "not known"),
    ],
)
def test_what_is_not_modelled_is_refused_with_its_reason(kind: str, said: str):
    with pytest.raises(InputError) as refused:
        model_from_config({**LLAMA, "model_type": kind})
    assert said in refused.value.reason.english()
    assert kind in refused.value.reason.english()


FALCON_H1_7B = {
    "model_type": "falcon_h1", "num_hidden_layers": 44, "hidden_size": 3072, "num_attention_heads": 12,
    "num_key_value_heads": 2, "head_dim": 128, "intermediate_size": 12288, "vocab_size": 130049,
    "mamba_n_heads": 24, "mamba_d_head": 128, "mamba_d_state": 256, "mamba_n_groups": 1, "mamba_d_conv": 4,
    "tie_word_embeddings": False,
}  # fmt: skip
LLAMA_3_2_VISION_11B = {
    "model_type": "mllama",
    "text_config": {
        "model_type": "mllama_text_model", "num_hidden_layers": 40, "hidden_size": 4096, "num_attention_heads": 32,
        "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256,
        "cross_attention_layers": [3, 8, 13, 18, 23, 28, 33, 38], "tie_word_embeddings": False,
    },
    "vision_config": {
        "hidden_size": 1280, "num_hidden_layers": 32, "num_global_layers": 8, "intermediate_size": 5120,
        "attention_heads": 16, "image_size": 560, "patch_size": 14, "max_num_tiles": 4,
    },
}  # fmt: skip
ERNIE_4_5_VL_28B = {
    "model_type": "ernie4_5_moe_vl", "num_hidden_layers": 28, "hidden_size": 2560, "num_attention_heads": 20,
    "num_key_value_heads": 4, "intermediate_size": 12288, "vocab_size": 103424, "tie_word_embeddings": True,
    "moe_num_experts": [64, 64], "moe_intermediate_size": [1536, 512], "moe_k": 6, "moe_num_shared_experts": 2,
    "moe_layer_start_index": [1, 1],
    "vision_config": {"depth": 32, "embed_dim": 1280, "hidden_size": 1280, "mlp_ratio": 4, "num_heads": 16,
                      "patch_size": 14, "spatial_merge_size": 2},
}  # fmt: skip
GEMMA_3_4B = {
    "model_type": "gemma3",
    "text_config": {
        "model_type": "gemma3_text", "hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 34,
        "sliding_window": 1024,
    },
    "vision_config": {"hidden_size": 1152, "num_hidden_layers": 27, "intermediate_size": 4304,
                      "num_attention_heads": 16, "patch_size": 14, "image_size": 896},
}  # fmt: skip


@pytest.mark.parametrize(
    ("config", "published"),
    [
        (FALCON_H1_7B, 7.59e9), (LLAMA_3_2_VISION_11B, 10.67e9), (ERNIE_4_5_VL_28B, 29.4e9), (GEMMA_3_4B, 4.30e9),
    ],
    ids=["falcon-h1-7b", "llama-3.2-11b-vision", "ernie-4.5-vl-28b", "gemma-3-4b"],
)  # fmt: skip
def test_unusual_families_count_to_their_published_total(config: dict[str, object], published: float):
    assert model_from_config(config).parameters == pytest.approx(published, rel=0.012)


def test_attention_and_a_state_space_in_one_layer_cache_both():
    shape = model_from_config(FALCON_H1_7B).architecture
    assert shape is not None
    kinds = shape.attention_layers
    assert kinds is not None
    assert (kinds.full, kinds.linear) == (44, 44)
    assert kinds.linear_state_bytes == 24 * 128 * 256 * 4 + 3 * (24 * 128 + 2 * 256) * 2


def test_layers_that_attend_to_an_image_cache_its_tiles_and_no_text():
    shape = model_from_config(LLAMA_3_2_VISION_11B).architecture
    assert shape is not None
    kinds = shape.attention_layers
    assert kinds is not None
    assert (kinds.full, kinds.linear) == (32, 8)
    assert kinds.linear_state_bytes == 4 * (40**2 + 1) * 2 * 8 * 128 * 2


def test_experts_of_images_are_stored_but_no_word_is_sent_to_them():
    shape = model_from_config(ERNIE_4_5_VL_28B).architecture
    assert shape is not None
    assert (shape.experts, shape.expert_ffn, shape.dense_layers) == (64, 1536, 1)
    assert shape.extra_parameters == 27 * 64 * 3 * 2560 * 512
    assert shape.active_parameters == pytest.approx(3e9, rel=0.15)


def test_sizes_that_a_file_leaves_to_its_class_are_marked_as_inferred():
    model = model_from_config(GEMMA_3_4B)
    assert model.architecture is not None
    assert (model.architecture.heads, model.architecture.kv_heads, model.architecture.vocab) == (
        8,
        4,
        262_208,
    )
    assert model.inferred_fields >= {"heads", "kv_heads", "vocab"}
    assert not model_from_config(GEMMA_3_27B).inferred_fields
