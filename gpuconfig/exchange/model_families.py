"""Transformer families whose Hugging Face configuration is understood, and what their files leave unsaid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from gpuconfig.engine.provenance.message import N_


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """What a family's configuration file takes for granted.

    Attributes:
        gated: three feed-forward matrices.
        tied: the output projection shares the embedding where the file does not say.
        bias: biases on the query, key and value projections where the file does not say.
        qk_norm: normalises queries and keys.
        encoder: bidirectional, without vocabulary logits.
        learned_positions: a table of position embeddings.
        window_every: one layer of full attention in so many where the file gives a window but no pattern.
        head_dim: head size where the file does not say and it is not hidden / heads.
        shared_experts: shared experts where the file names only their size.
        defaults: sizes that its configuration class has and files therefore leave out.
    """

    gated: bool = True
    tied: bool = False
    bias: bool = False
    qk_norm: bool = False
    encoder: bool = False
    learned_positions: bool = False
    window_every: int | None = None
    head_dim: int | None = None
    shared_experts: int = 0
    defaults: Mapping[str, int] = field(default_factory=dict)


def _each(words: str, family: Family) -> dict[str, Family]:
    return dict.fromkeys(words.split(), family)


_LLAMA_LIKE = """
llama mistral mistral3 ministral ministral3 mixtral yi internlm internlm2 internlm3 baichuan aquila
deepseek granite granitemoe exaone olmo seed_oss minicpm minicpm3 smollm3 helium phi3
phi4 phimoe pixtral minimax minimax_text_01 hunyuan hunyuan_v1_dense hunyuan_v1_moe ernie4_5
ernie4_5_moe ernie4_5_vl_moe ernie4_5_vl_moe_text deepseek_v2 deepseek_v3 deepseek_v32 deepseek_v4 kimi_k2
kimi_k25 kimi_linear kimi_k3 glm_moe_dsa glm4_moe_lite glm5_next glm5_next_text xverse orion bailing_moe
step3 stablelm stablelm_epoch mistral4 minimax_m3 minimax_m3_vl minimax_m3_vl_text mimo_v2_flash mimo_v2
lfm2 lfm2_moe granitemoehybrid exaone_moe hy_v3 falcon_h1 mllama mllama_text_model ernie4_5_moe_vl"""
_WITH_QKV_BIAS = """
qwen qwen2 qwen2_moe qwen2_vl qwen2_vl_text qwen2_5_vl qwen2_5_vl_text chatglm glm glm4 glm4v
glm4v_text glm46v mimo gpt_oss"""
_WITH_QK_NORM = """
qwen3 qwen3_moe qwen3_vl qwen3_vl_text qwen3_vl_moe qwen3_vl_moe_text qwen3_next qwen3_5
qwen3_5_text qwen3_5_moe qwen3_5_moe_text qwen3_omni_moe_text olmo2 olmo3 olmoe exaone4 glm4_moe glm4v_moe
glm4v_moe_text minimax_m2 hunyuan_dense step3p5 step3p7"""
_GEMMA_3N_AND_4 = "gemma3n gemma3n_text gemma4 gemma4_text"
_GEMMA_3_DEFAULTS = MappingProxyType({"vocab": 262_208, "heads": 8, "kv_heads": 4})
"""Gemma3TextConfig of transformers; the 4B file says neither of them."""
_UNGATED_TIED = "bloom falcon mpt RefinedWeb RefinedWebModel"
_UNGATED_UNTIED = "gpt_neox phi gptj starcoder2 stablelm_alpha codegen"

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        **_each(_LLAMA_LIKE, Family()),
        **_each(_WITH_QKV_BIAS, Family(bias=True)),
        **_each(_WITH_QK_NORM, Family(qk_norm=True)),
        **_each("gemma cohere cohere2", Family(tied=True)),
        "gemma2": Family(tied=True, window_every=2, head_dim=256),
        **_each(
            "gemma3 gemma3_text",
            Family(tied=True, qk_norm=True, window_every=6, head_dim=256, defaults=_GEMMA_3_DEFAULTS),
        ),
        **_each(_GEMMA_3N_AND_4, Family(tied=True, qk_norm=True, window_every=6, head_dim=256)),
        **_each("llama4 llama4_text", Family(shared_experts=1, window_every=4)),
        **_each("nemotron nemotron_h arcee apertus", Family(gated=False)),
        **_each(
            "gpt2 opt gpt_bigcode gpt_neo", Family(gated=False, tied=True, bias=True, learned_positions=True)
        ),
        **_each(_UNGATED_TIED, Family(gated=False, tied=True)),
        **_each(_UNGATED_UNTIED, Family(gated=False, bias=True)),
        **_each(
            "bert roberta xlm-roberta electra camembert",
            Family(gated=False, tied=True, bias=True, encoder=True, learned_positions=True),
        ),
    }
)
"""`model_type` of config.json -> family."""

_REASONS = (
    (
        "mamba mamba2 falcon_mamba rwkv rwkv5 rwkv6 rwkv7 recurrent_gemma retnet",
        N_("{name} is a state-space model without attention, which is not modelled"),
    ),
    (
        "t5 mt5 umt5 bart mbart pegasus marian whisper t5gemma t5gemma2 florence2",
        N_(
            "{name} is an encoder-decoder: the encoder's pass over the source and attention to it are not modelled"
        ),
    ),
    (
        "hymba",
        N_("{name} has attention and a state space side by side in one layer, which is not modelled"),
    ),
    (
        "nemotron-nas decilm openelm laguna",
        N_("{name} has layers of different sizes, which is not modelled"),
    ),
)
UNMODELLED: Mapping[str, str] = MappingProxyType(
    {kind: reason for kinds, reason in _REASONS for kind in kinds.split()}
)
"""`model_type` of config.json -> why it is refused."""
