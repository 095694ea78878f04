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
