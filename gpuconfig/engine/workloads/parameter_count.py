"""How many parameters a transformer of a given shape has, by the part of the network that holds them."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.catalogue.neural_model import Architecture


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterCount:
    """Parameters of a whole model by part.

    Attributes:
        embedding: token embedding and learned positions.
        head: output projection; 0 where it shares the embedding's matrix.
        attention: projections of all layers, biases included.
        dense_mlp: feed-forward of the layers without experts.
        routed: all routed experts; `routed_active` those one token passes.
        shared: shared experts, passed by every token.
        router: the matrices that choose the experts.
        norms: normalisation weights.
    """

    embedding: float
    head: float
    attention: float
    dense_mlp: float
    routed: float
    routed_active: float
    shared: float
    router: float
    norms: float

    @property
    def total(self) -> float:
        """All parameters."""
        parts = (self.embedding, self.head, self.attention, self.dense_mlp)
        return sum(parts) + self.routed + self.shared + self.router + self.norms

    @property
    def active(self) -> float:
        """Parameters one token passes, the embedding table included as published counts do."""
        return self.total - self.routed + self.routed_active


def count_parameters(shape: Architecture) -> ParameterCount:
    """Parameters of `shape` by part, from its sizes alone (`shape.parameters` is not looked at)."""
    hidden, matrices = shape.hidden, 3 if shape.gated_mlp else 2
    expert_ffn = shape.expert_ffn or shape.ffn
    table = float(shape.vocab) * hidden
    moe, dense = shape.moe_layers, shape.layers - shape.moe_layers
    expert = float(matrices) * (shape.expert_hidden or hidden) * expert_ffn
    shared_ffn = shape.shared_expert_ffn or expert_ffn
    return ParameterCount(
        embedding=table + float(shape.positions) * hidden,
        head=0.0 if shape.tied_embeddings else table,
        attention=_attention(shape),
        dense_mlp=float(dense) * matrices * hidden * shape.ffn,
        routed=moe * shape.experts * expert,
        routed_active=moe * shape.experts_per_token * expert,
        shared=moe * shape.shared_experts * matrices * float(hidden) * shared_ffn,
        router=float(moe) * hidden * shape.experts,
        norms=float(2 * shape.layers + 1) * hidden,
    )


def _attention(shape: Architecture) -> float:
    """Projections of all layers; a linear-attention layer counts as a full one of the same heads."""
    full = projection_parameters(
        shape, shape.full_head_dim or shape.head_dim, shape.full_kv_heads or shape.kv_heads
    )
    kinds = shape.attention_layers
    if kinds is None:
        return shape.layers * full
    other = projection_parameters(shape, shape.head_dim, shape.kv_heads)
    return kinds.full * full + (kinds.sliding + kinds.linear) * other


def projection_parameters(shape: Architecture, head_dim: int, kv_heads: int) -> float:
    """Query, key, value and output projections of one layer of `shape`, with heads as given."""
    hidden, heads = float(shape.hidden), shape.heads
    if shape.mla is not None:
        mla = shape.mla
        nope, value = mla.nope_dim or head_dim, mla.value_dim or head_dim
        query = (
            hidden * mla.q_rank + mla.q_rank * heads * (nope + mla.rope_dim)
            if mla.q_rank
            else hidden * heads * (nope + mla.rope_dim)
        )
        latent = hidden * (mla.kv_rank + mla.rope_dim) + mla.kv_rank * heads * float(nope + value)
        return query + latent + heads * value * hidden
    bias = (heads + 2 * kv_heads) * head_dim if shape.attention_bias else 0
    return 2 * hidden * head_dim * (heads + kv_heads) + bias
