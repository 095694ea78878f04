"""The operations of a workload on the roofline: how many FLOP each does for a byte, and how fast it gets there.

Everything is read from the values of the quantity graph, as an explanation holds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gpuconfig.engine.estimation.compute.roofline import product_bytes, product_flop
from gpuconfig.engine.provenance.explanation import Explanation
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.workloads.request import Kind

ROOTS: Mapping[Kind, str] = {Kind.TRAINING: "step_seconds", Kind.SERVING: "ttft_ms"}
"""The quantity whose explanation holds every value that is needed; other work has no roofline."""

Values = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Operation:
    """One kind of kernel: its FLOP and bytes in a micro-batch or step, and the seconds the estimate gives it."""

    title: str
    flop: float
    bytes: float
    seconds: float

    @property
    def intensity(self) -> float:
        """FLOP for each byte moved."""
        return self.flop / self.bytes

    @property
    def rate(self) -> float:
        """FLOP/s reached."""
        return self.flop / self.seconds


@dataclass(frozen=True, slots=True)
class Roofline:
    """The card's two limits on paper and as reached, and the operations under them."""

    peak_flops: float
    peak_bytes_per_s: float
    reached_flops: float
    reached_bytes_per_s: float
    operations: tuple[Operation, ...]


def roofline_of(tree: Explanation, kind: Kind) -> Roofline | None:
    """The roofline behind an explanation of `ROOTS[kind]`; None where a value is not known."""
    values: dict[str, float] = {}
    _collect(tree, values)
    try:
        return _training(values) if kind is Kind.TRAINING else _serving(values)
    except (KeyError, ZeroDivisionError):
        return None


def _collect(node: Explanation, values: dict[str, float]) -> None:
    if isinstance(node.value, int | float):
        values[node.name] = float(node.value)
    for item in node.inputs:
        if item.name not in values or item.inputs:
            _collect(item, values)


def _training(v: Values) -> Roofline:
    """All passes of one micro-batch; backward and recomputed passes have the intensities of the forward one."""
    layers = v["layers_per_stage"]
    products = layers * (2.0 + v["weight_gradient_share"] + v["recomputed_products"])
    attention = layers * (1.0 + v["attention_backward"] + v["recomputed_attention"])
    tokens, hidden, split, each = (
        v["tokens_per_gpu"], v["hidden"], v["tensor_parallel"], v["product_value_bytes"],
    )  # fmt: skip
    inward, outward = v["attention_input_width"] / split, v["attention_output_width"] / split
    found = [
        _repeated(
            products,
            N_("Attention projections"),
            product_flop(tokens, inward, hidden) + product_flop(tokens, hidden, outward),
            product_bytes(tokens, inward, hidden, each) + product_bytes(tokens, hidden, outward, each),
            v["projection_seconds"],
        ),
        _repeated(
            attention,
            N_("Attention"),
            v["attention_flop"],
            v["base_value_bytes"] * tokens * (inward + outward),
            v["attention_seconds"],
        ),
    ]
    found += _feed_forward(v, tokens, hidden, split, each, products)
    rows = tokens * v["predicted_share"]
    vocabulary = v["vocab"] / split
    head = 2.0 + v["trains_all"] + v["loss_fused_linear"]
    found.append(
        Operation(
            N_("Output head and loss"),
            head * product_flop(rows, vocabulary, hidden),
            head * product_bytes(rows, vocabulary, hidden, v["base_value_bytes"])
            + v["loss_passes"] * rows * vocabulary * v["base_value_bytes"],
            v["head_seconds"],
        )
    )
    return Roofline(
        v["product_peak_flops"], v["memory_bytes_per_s"], v["product_rate"], v["usable_bytes_per_s"], _known(found)
    )  # fmt: skip


def _repeated(passes: float, title: str, flop: float, moved: float, seconds: float) -> Operation:
    return Operation(title, passes * flop, passes * moved, passes * seconds)


def _feed_forward(
    v: Values, tokens: float, hidden: float, split: float, each: float, passes: float
) -> list[Operation]:
    inner, wide = v["mlp_matrices"] - 1.0, v["dense_ffn"] / split
    found = []
    if wide > 0:
        found.append(
            _repeated(
                passes,
                N_("Feed-forward"),
                product_flop(tokens, wide * inner, hidden) + product_flop(tokens, hidden, wide),
                product_bytes(tokens, wide * inner, hidden, each) + product_bytes(tokens, hidden, wide, each),
                v["feed_forward_seconds"],
            )
        )
    if v["experts"] > 0:
        rows, expert = v["routed_tokens_per_gpu"], v["expert_ffn"] / v["expert_tensor_parallel"]
        share, across = v["moe_layers"] / v["layers"], v["expert_hidden"]
        weights = v["experts"] / v["expert_parallel"] * (inner + 1.0) * across * expert
        moved = each * (weights + rows * (2.0 * across + (inner + 1.0) * expert))
        flop = product_flop(rows, expert * (inner + 1.0), across)
        seconds = v["expert_seconds"]
        found.append(_repeated(passes, N_("Routed experts"), share * flop, share * moved, seconds))
    return found


def _serving(v: Values) -> Roofline:
    """A prompt on its way in, and a step that makes one token for each running request."""
    prompt_flop = v["prompt_dense_flop"] + v["prompt_routed_flop"]
    step_flop = v["step_dense_flop"] + v["step_routed_flop"]
    weights = v["streamed_dense_bytes"] + v["streamed_routed_bytes"]
    prompt_bytes = v["prompt_stream_s"] * v["weight_bytes_per_s"]
    found = [
        Operation(N_("Prompt: matrix products"), prompt_flop, prompt_bytes, v["prompt_matrix_s"]),
        Operation(N_("Token: matrix products"), step_flop, weights, v["matrix_s"]),
    ]
    return Roofline(
        v["product_flops"], v["memory_bytes_per_s"], v["product_flops_per_s"], v["weight_bytes_per_s"], _known(found)
    )  # fmt: skip


def _known(found: list[Operation]) -> tuple[Operation, ...]:
    return tuple(o for o in found if o.flop > 0 and o.bytes > 0 and o.seconds > 0)
