"""The columns of the serving graph: what each input is and its unit."""

from __future__ import annotations

from dataclasses import dataclass

from gpuconfig.engine.estimation.graph import Input
from gpuconfig.engine.estimation.power.sustained import HOLDING, INLET

MODEL_INPUTS = (
    Input("layers", "Transformer layers"),
    Input("hidden", "Hidden size"),
    Input("layer_parameters", "Parameters of the layers without routed experts", "parameter"),
    Input("routed_parameters", "Parameters of all routed experts", "parameter"),
    Input("embedding_parameters", "Parameters of the token table", "parameter"),
    Input("head_parameters", "Parameters of the output projection held apart from the table", "parameter"),
    Input(
        "head_read_parameters",
        "Parameters of the output projection, shared with the table or not",
        "parameter",
    ),
    Input("wide_parameters", "Parameters outside the language layers (vision tower), 16 bit", "parameter"),
    Input("experts", "Routed experts of a layer; 1 for a dense model"),
    Input("experts_per_token", "Experts one token passes; 1 for a dense model"),
    Input("moe_layers", "Layers with routed experts"),
    Input("full_layers", "Layers that attend to the whole context"),
    Input("sliding_layers", "Layers that attend to a window"),
    Input("linear_layers", "Layers with a state of fixed size"),
    Input("latent_layers", "Layers with latent attention"),
    Input("window_tokens", "Window of the sliding layers", "token"),
    Input("full_kv_values", "Cached values of a token in a full layer, mean over layers", "element"),
    Input("sliding_kv_values", "Cached values of a token in a sliding layer, mean over layers", "element"),
    Input("compressed_kv_values", "Values a token adds to a compressed cache, over all layers", "element"),
    Input("linear_state_bytes", "State of one sequence in a linear layer", "B"),
    Input("heads", "Query heads"),
    Input("kv_heads", "KV heads; 1 for latent attention, which every tensor-parallel rank keeps whole"),
    Input("attention_width", "Query heads times head size (score plus value, halved)"),
    Input("vocab", "Vocabulary"),
    Input("ffn_width", "Feed-forward values of a token: the dense size, or that of the experts it passes"),
    Input("expert_width", "Feed-forward size of one expert; that of the layer for a dense model"),
    Input("file_weights_bytes", "Exact bytes of the model file; unknown for a preset", "B"),
)
FORMAT_INPUTS = (
    Input("layer_bits", "Bits of a weight in the layers"),
    Input("routed_bits", "Bits of a weight in the experts"),
    Input("embedding_bits", "Bits of a weight in the token table"),
    Input("head_bits", "Bits of a weight in the output projection"),
    Input("kv_bits", "Bits of a cached value, scales included"),
)
LOAD_INPUTS = (
    Input("prompt_tokens", "Prompt length", "token"),
    Input("output_tokens", "Answer length", "token"),
    Input("concurrency", "Users at once, each with one request under way"),
    Input("prefix_cache_hit", "Share of the prompt found in the prefix cache"),
    Input("speculative_tokens", "Tokens drafted in a step; 0 without speculation"),
    Input("context_reserved", "Tokens the cache holds for one sequence at least", "token"),
    Input("memory_utilization", "Share of the card the engine may take"),
    Input("offload_layers", "Layers kept in host memory"),
    Input("offload_experts", "Layers whose routed experts are kept in host memory"),
    Input("held_sequences", "Sequences whose cache must be there at once"),
    Input("preallocated", "1 where the whole cache is allocated at start"),
    Input("pooled", "1 for an engine that takes its share of the card at start"),
)
LAYOUT_INPUTS = (
    Input("tensor_parallel", "Tensor-parallel degree"),
    Input("pipeline_parallel", "Pipeline stages"),
    Input("data_parallel", "Replicas"),
    Input("expert_parallel", "Cards the experts are spread over"),
    Input(
        "pipelined", "1 where stages work on different sequences at the same time, 0 for a plain layer split"
    ),
)
HARDWARE_INPUTS = (
    Input("memory_bytes_per_s", "Memory bandwidth of the card", "B/s"),
    Input("usable_memory_bytes", "What the driver shows, less the display", "B"),
    Input("product_flops", "Dense peak of matrix products in the computed format", "FLOP/s"),
    Input("attention_flops", "Dense peak in 16 bit", "FLOP/s"),
    Input("host_bytes_per_s", "Memory bandwidth of the host", "B/s"),
    Input("host_cores", "Processor cores of the host"),
    Input("slot_bytes_per_s", "Link from the host to a card, one direction", "B/s"),
    Input("link_bytes_per_s", "Link between cards, one direction", "B/s"),
    Input("tdp_w", "Board power", "W"),
    Input("idle_w", "Power when idle", "W"),
    Input("power_limit_w", "Power limit set", "W"),
    INLET,
)


@dataclass(frozen=True, slots=True)
class CoefficientInput:
    """An input read from the coefficients; scopes are templates over engine, family, architecture, format …

    `{stack}` stands for the paged engines together, which share most of their kernels, and for any other engine alone.
    """

    input: Input
    scopes: tuple[str, ...]

    @property
    def name(self) -> str:
        """Name of the column and of the coefficient."""
        return self.input.name


def _row(name: str, title: str, unit: str, *scopes: str) -> CoefficientInput:
    return CoefficientInput(Input(name, title, unit), scopes)


_BY_ENGINE = ("{engine}|{family}", "{engine}", "{stack}")
_BY_CARD = (
    "{engine}|{architecture}",
    "{stack}|{architecture}",
    "{engine}|{family}",
    "{stack}|{family}",
    "{engine}",
    "{stack}",
)
_BY_FORMAT = (
    "{engine}|{family}|{format}",
    "{engine}|{format}",
    "{stack}|{format}",
    "{engine}|{family}",
    "{engine}",
    "{stack}",
    "*|{format}",
)

COEFFICIENT_INPUTS = (
    _row(
        "weight_stream_fraction",
        "Share of the bandwidth at which this engine streams weights of this format",
        "1",
        *_BY_FORMAT,
    ),
    _row(
        "card_stream_factor",
        "The same of this card over that of its family",
        "1",
        "{engine}|{card}",
        "{stack}|{card}",
        *_BY_CARD,
        "{architecture}",
        "{family}",
    ),
    _row("most_stream_fraction", "Share of the bandwidth that no kernel exceeds", "1", "{engine}"),
    _row("linear_key_width", "Key width of a head of linear attention", "1", "{engine}"),
    _row("cache_stream_fraction", "Share of the bandwidth at which the KV cache is read", "1", *_BY_CARD),
    _row("product_fraction", "Share of the peak that large products of this format reach", "1", *_BY_FORMAT),
    _row(
        "card_product_factor",
        "The same of this card over that of its family",
        "1",
        "{engine}|{card}",
        "{stack}|{card}",
        *_BY_CARD,
        "{architecture}",
    ),
    _row("flops_per_watt", "Peak that a watt of board power sustains", "FLOP/J", "{engine}"),
    _row(
        "sustained_slope",
        "How products follow power over peak: 1 in proportion, 0 not at all",
        "1",
        "{engine}|{family}",
    ),
    _row(
        "expert_product_factor",
        "Rate of the experts' grouped products over plain ones, all tiles full",
        "1",
        *_BY_CARD,
    ),
    _row(
        "expert_half_tokens",
        "Tokens of an expert in a pass at which its products run at half that rate",
        "token",
        *_BY_CARD,
    ),
    _row(
        "expert_half_width",
        "Feed-forward size of an expert at which its products run at half that rate",
        "1",
        "{engine}",
        "{stack}",
    ),
    _row(
        "expert_stream_factor",
        "Rate at which experts are streamed over plain weights",
        "1",
        "{engine}|{architecture}|{format}",
        *_BY_FORMAT[:1],
        *_BY_CARD,
    ),
    _row(
        "routing_evenness",
        "How alike the experts are asked for: shape of their popularity, large for all alike",
        "1",
        "{engine}",
        "{stack}",
    ),
    _row("attention_fraction", "Share of the 16-bit peak that prompt attention reaches", "1", *_BY_CARD),
    _row(
        "overlap_power",
        "How products and weight reads overlap: 1 adds them, large takes the longer",
        "1",
        "{engine}",
    ),
    _row("layer_seconds", "Fixed time of a layer and step", "s", *_BY_CARD),
    _row(
        "format_layer_seconds",
        "Further fixed time of a layer in this format: scaling of values, kernels of their own for unpacking",
        "s",
        "{engine}|{format}",
        "{engine}",
        "*|{format}",
    ),
    _row(
        "further_card_seconds",
        "Launches of a layer for each further card, where one process serves all cards in turn",
        "s",
        "{engine}",
    ),
    _row("moe_layer_seconds", "Further fixed time of a layer with experts", "s", *_BY_FORMAT[:2], *_BY_CARD),
    _row("linear_layer_seconds", "Further fixed time of a linear-attention layer", "s", *_BY_CARD),
    _row(
        "latent_layer_seconds",
        "Further fixed time of a latent-attention layer: its products are many and small",
        "s",
        *_BY_CARD,
    ),
    _row("step_seconds", "Fixed time of a step", "s", *_BY_CARD),
    _row(
        "sequence_seconds",
        "Time of a step for each running sequence: sampling and scheduling",
        "s",
        *_BY_ENGINE,
    ),
    _row(
        "reduce_seconds",
        "Latency of a small all-reduce of two cards",
        "s",
        "{link}|{engine}",
        "{link}|{stack}",
        "{link}",
    ),
    _row(
        "reduce_seconds_per_card",
        "Further latency for each doubling of the cards",
        "s",
        "{link}|{engine}",
        "{link}|{stack}",
        "{link}",
    ),
    _row(
        "link_fraction",
        "Share of the link that large transfers reach",
        "1",
        "{link}|{engine}",
        "{link}|{stack}",
        "{link}",
    ),
    _row("split_seconds", "Time to hand a token's state to the next card of a layer split", "s", "{engine}"),
    _row("chunk_tokens", "Tokens of a prompt that one pass takes", "token", "{engine}|{size}", "{engine}"),
    _row("prefill_seconds", "Fixed time to take in a request", "s", *_BY_ENGINE),
    _row("prefill_layer_seconds", "Fixed time of a layer and prompt pass", "s", *_BY_CARD),
    _row("prefill_moe_layer_seconds", "The same, further, of a layer with experts", "s", *_BY_ENGINE),
    _row("prefill_latent_layer_seconds", "The same, further, of latent attention", "s", *_BY_ENGINE),
    _row(
        "prefill_split_gain",
        "Share of the ideal gain that a layer split gives on prompts of several passes",
        "1",
        "{engine}",
    ),
    _row(
        "mixing_fraction",
        "Share of others' prompt time that delays running sequences",
        "1",
        "{engine}",
        "{stack}",
    ),
    _row(
        "burst_share", "Prompts that come together with one's own, for two users", "1", "{engine}", "{stack}"
    ),
    _row(
        "burst_power",
        "How that number grows with the users: 1 in proportion, 0 not at all",
        "1",
        "{engine}",
        "{stack}",
    ),
    _row("delivery_steps", "Steps until the first tokens are handed out", "1", "{engine}", "{stack}"),
    _row(
        "admitted_output_share",
        "Share of the answer whose cache must be free before a request is let in",
        "1",
        "{engine}",
    ),
    _row(
        "max_sequences", "Sequences the engine runs at once by default", "1", "{engine}|{family}", "{engine}"
    ),
    _row("acceptance", "Chance that a drafted token is accepted", "1", "{method}"),
    _row("draft_share", "Time of drafting one token over a step", "1", "{method}"),
    _row("copied_cache_passes", "Times the cache is copied in a step", "1", "{engine}"),
    _row(
        "context_bytes",
        "Memory of the driver's context and the engine's libraries",
        "B",
        "{engine}|{software}",
        "{software}",
    ),
    _row("graph_bytes", "Memory of captured graphs", "B", "{engine}|{size}", *_BY_ENGINE),
    _row("graph_bytes_per_layer", "Further memory of captured graphs for each layer", "B", *_BY_ENGINE),
    _row("score_copies", "Attention scores written out at once, in layers", "1", "{engine}"),
    _row("table_on_host", "1 where the token table is looked up in host memory", "1", *_BY_ENGINE),
    _row("communicator_bytes", "Memory of the communicator where cards work together", "B", "{engine}"),
    _row(
        "activation_tokens",
        "Tokens of a pass whose activations are held at once",
        "token",
        "{engine}|{size}",
        "{engine}",
    ),
    _row(
        "ffn_copies",
        "Feed-forward values held for a token at the peak, in feed-forward sizes",
        "1",
        "{engine}",
    ),
    _row("hidden_copies", "Further values held for a token at the peak, in hidden sizes", "1", "{engine}"),
    _row("logit_rows", "Rows of logits held at once", "1", "{engine}|{size}", "{engine}"),
    _row("logit_bytes", "Bytes of a logit, copies and the sampler's sort included", "B", "{engine}"),
    _row("paging_loss", "Share of the cache lost to pages", "1", "{engine}"),
    _row("host_fraction", "Share of the host's bandwidth that offloaded layers reach", "1", "{engine}"),
    _row("host_expert_fraction", "Share of the host's bandwidth that experts reach there", "1", "{engine}"),
    _row("core_flops_per_s", "Rate of one processor core on prompts", "FLOP/s", "{engine}"),
    _row("decode_power_share", "Share of board power drawn while decoding", "1", "{family}"),
    _row("prefill_power_share", "Share of board power drawn by prompts", "1", "{family}"),
    _row(
        "compute_power_slope",
        "Exponent of the speed of prompts over the share of the board power held",
        "1",
        "{family}",
    ),
    _row(
        "stream_power_slope",
        "Exponent of streaming speed over the share of the board power held",
        "1",
        "{family}",
    ),
)
"""Every coefficient the serving graph reads."""

INPUTS = (
    *MODEL_INPUTS, *FORMAT_INPUTS, *LOAD_INPUTS, *LAYOUT_INPUTS, *HARDWARE_INPUTS,
    *(c.input for c in COEFFICIENT_INPUTS), *(Input(n, t, u) for n, t, u, _ in HOLDING),
)  # fmt: skip
