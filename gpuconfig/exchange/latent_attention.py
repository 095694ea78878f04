"""Attention over a latent of keys and values, as configurations write it, and caches that are compressed further."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gpuconfig.engine.workloads.model_spec import MlaFields
from gpuconfig.exchange.config_numbers import positive

USUAL_ROTARY = 64
"""Rotary part of a head, where a configuration does not say."""
PICKED = 4
"""Tokens in an entry up to which so many entries are left that a layer attends to the best of them only."""


def mla_fields(config: Mapping[str, object]) -> MlaFields | None:
    """The latent's sizes; None where a layer caches keys and values of its heads."""
    given = config.get("qk_rope_head_dim")
    rope = given if isinstance(given, int) and given >= 0 else USUAL_ROTARY
    if compressed := compressed_context(config):
        width = compressed.head_dim
        return MlaFields(
            kv_rank=width - rope,
            rope_dim=rope,
            q_rank=compressed.q_rank,
            nope_dim=width - rope,
            value_dim=width,
        )
    rank = positive(config.get("kv_lora_rank"))
    if not rank:
        return None
    return MlaFields(
        kv_rank=rank, rope_dim=rope,
        q_rank=positive(config.get("q_lora_rank")), nope_dim=positive(config.get("qk_nope_head_dim")),
        value_dim=positive(config.get("v_head_dim")),
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class CompressedContext:
    """Layers that see a window as it is and the context before it as one entry for several tokens (DeepSeek V4).

    Attributes:
        ratios: tokens in one entry, layer by layer; 0 for a layer that sees its window only.
        index_heads, index_dim: the small attention that picks entries where they are many (`PICKED`).
        output_rank: width of the grouped output projection, over all its groups.
    """

    ratios: tuple[int, ...]
    hidden: int
    heads: int
    head_dim: int
    q_rank: int
    index_heads: int
    index_dim: int
    output_groups: int
    output_rank: int

    @property
    def cached_values(self) -> int:
        """Values that one token adds to the cache of all layers together."""
        entries = sum(self.head_dim / r for r in self.ratios if r)
        return round(entries + sum(self.index_dim / r for r in self.ratios if 0 < r <= PICKED))

    @property
    def parameters(self) -> float:
        """Weights of attention in all layers."""
        return sum(self._attention(ratio) for ratio in self.ratios)

    def _attention(self, ratio: int) -> float:
        width = self.heads * self.head_dim
        outer = width * self.output_rank + self.output_groups * self.output_rank * self.hidden
        plain = self.hidden * (self.q_rank + self.head_dim) + self.q_rank * width + outer
        if not ratio:
            return plain
        if ratio > PICKED:
            return plain + 2.0 * self.hidden * self.head_dim
        index = self.q_rank * self.index_heads * self.index_dim + self.hidden * self.index_heads
        return plain + index + 4.0 * self.hidden * (self.head_dim + self.index_dim)


def compressed_context(config: Mapping[str, object]) -> CompressedContext | None:
    """The compression that `compress_ratios` tells; None for other models, or where a size is missing."""
    layers = positive(config.get("num_hidden_layers"))
    ratios = _ratios(config)
    names = (
        "hidden_size", "num_attention_heads", "head_dim", "q_lora_rank", "index_n_heads", "index_head_dim",
        "o_groups", "o_lora_rank",
    )  # fmt: skip
    sizes = [found for name in names if (found := positive(config.get(name)))]
    if not ratios or not layers or len(sizes) < len(names):
        return None
    hidden, heads, head_dim, q_rank, index_heads, index_dim, groups, rank = sizes
    return CompressedContext(
        ratios=tuple(positive(r) or 0 for r in ratios[:layers]), hidden=hidden, heads=heads, head_dim=head_dim,
        q_rank=q_rank, index_heads=index_heads, index_dim=index_dim, output_groups=groups, output_rank=rank,
    )  # fmt: skip


def _ratios(config: Mapping[str, object]) -> list[object]:
    """Tokens in one entry by layer: as a list, or as a table by kind of layer."""
    ratios, kinds, rates = (config.get(name) for name in ("compress_ratios", "layer_types", "compress_rates"))
    if isinstance(ratios, list):
        return ratios
    if isinstance(kinds, list) and isinstance(rates, Mapping):
        return [rates.get(kind) for kind in kinds]
    return []
