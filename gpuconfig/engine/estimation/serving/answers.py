"""From values of the graph to the answer of one request: memory, speed, capacity, verdict, warnings."""

from __future__ import annotations

from collections.abc import Mapping

from gpuconfig.engine.estimation.answer import (
    Estimate,
    MemoryAnswer,
    PowerAnswer,
    ServingAnswer,
    Warning_,
)
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.host_memory import host_memory_warnings, with_host_memory
from gpuconfig.engine.estimation.memory.answer import memory_verdict
from gpuconfig.engine.estimation.power.host import GROUP as POWER
from gpuconfig.engine.estimation.power.host import WALL_BAND
from gpuconfig.engine.estimation.serving.bands import band, banded, inverse, joined, speculative_spread
from gpuconfig.engine.estimation.serving.settings import LAYER_SPLIT, POOLED
from gpuconfig.engine.estimation.serving.support import unsupported
from gpuconfig.engine.estimation.serving.table import ServingRow
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.request import EstimateRequest

Values = Mapping[str, float]
NAN = float("nan")
BEYOND_THE_CARD = N_(
    "used memory is told beyond what the card has as far as the work may need more than the engine's share: "
    "the engine then does not start"
)
POOL_SPREAD = 0.02
"""How far the driver's figure of a filled share may lie from it."""


def serving_estimate(
    request: EstimateRequest, row: ServingRow, values: Values, users: tuple[float, float, float] | None,
    coefficients: CoefficientSet,
) -> Estimate:  # fmt: skip
    """The answer of one request."""
    memory = _memory(row, values, coefficients)
    return Estimate(
        id=request.id, verdict=with_host_memory(memory_verdict(memory), memory, request.hardware.host_memory_bytes),
        memory=memory,
        serving=_serving(row, values, users, coefficients),
        power=PowerAnswer(
            gpu_w=banded(values["gpu_w"], coefficients.band("power", "serving_gpu_w_band"), "W"),
            wall_w=banded(values["wall_w"], coefficients.band(POWER, WALL_BAND), "W"),
        ),
        parallelism={"tensor": row.settings.tensor, "pipeline": row.settings.pipeline, "data": row.settings.data,
                     "expert": row.settings.expert},
        assumptions=row.assumptions,
        warnings=(
            *unsupported(request, row.settings, coefficients), *_warnings(row, values),
            *host_memory_warnings(memory, request.hardware.host_memory_bytes),
        ),
        notes=tuple(_notes(request, row, values, memory)),
    )  # fmt: skip


def _serving(
    row: ServingRow, values: Values, users: tuple[float, float, float] | None, coefficients: CoefficientSet
) -> ServingAnswer:
    factors = {
        n: band(row.scopes, n, coefficients)
        for n in ("decode", "prefill", "tpot", "ttft", "output", "capacity")
    }
    # With nobody to wait for, the first token is the prompt's time.
    if row.settings.concurrency <= row.settings.data:
        factors["ttft"] = inverse(factors["prefill"])
    if row.settings.speculative_tokens:
        slow, fast = speculative_spread(row.scopes, row.settings.speculative_tokens, coefficients)
        factors |= {n: joined(factors[n], (slow, fast)) for n in ("decode", "output")}
        factors["tpot"] = joined(factors["tpot"], (1 / fast, 1 / slow))
    if users is None:
        most = banded(values["cached_sequences"] * row.settings.data, factors["capacity"], "1")
    else:
        most = Figure(users[0], min(users[1], users[0]), max(users[2], users[0]))
    prefill = values["prefill_tokens_per_s"] if row.settings.prompt_tokens else NAN
    decode, output, tpot = (
        values[n] if row.settings.output_tokens else NAN
        for n in ("decode_tokens_per_s_per_user", "output_tokens_per_s", "tpot_s")
    )
    return ServingAnswer(
        decode_tokens_per_s_per_user=banded(decode, factors["decode"], "token/s"),
        output_tokens_per_s=banded(output, factors["output"], "token/s"),
        prefill_tokens_per_s=banded(prefill, factors["prefill"], "token/s"),
        ttft_ms=banded(1000 * values["ttft_s"], factors["ttft"], "ms"),
        tpot_ms=banded(1000 * tpot, factors["tpot"], "ms"),
        kv_bytes_per_token=round(values["kv_bytes_per_token"]),
        kv_capacity_tokens=banded(values["kv_capacity_tokens"], factors["capacity"], "token"),
        max_concurrency=most,
        weights_bytes=round(values["weights_bytes"]),
    )  # fmt: skip


def _memory(row: ServingRow, values: Values, coefficients: CoefficientSet) -> MemoryAnswer:
    low, high = band(row.scopes, "memory", coefficients)
    allocated, device = values["peak_allocated_bytes"], values["device_used_bytes"]
    share = values["usable_memory_bytes"] * row.settings.memory_utilization
    pooled = row.settings.engine in POOLED
    context, usable = values["context_bytes"], values["usable_memory_bytes"]
    starts = pooled and values["needed_bytes"] * low <= share
    breakdown = {
        "weights": values["weights_per_gpu_bytes"], "kv_cache": values["held_cache_bytes"],
        "activations": values["activation_bytes"], "logits": values["logits_bytes"],
        "graphs": values["captured_graph_bytes"], "communicator": values["joined_bytes"],
        "context": context,
    }  # fmt: skip
    host = values["host_weights_bytes"]
    return MemoryAnswer(
        peak_allocated_bytes=_bytes(allocated, low, high),
        peak_reserved_bytes=_share_bytes(share - context, usable - context)
        if starts
        else _bytes(allocated, low, high),
        device_used_bytes=_pool_bytes(values, share, (low, high)) if pooled else _bytes(device, low, high),
        usable_bytes=_known(usable),
        worst_phase="decode",
        breakdown_bytes={k: float(round(v)) for k, v in breakdown.items() if v == v},
        host_bytes=_bytes(host, 1.0, 1.1) if host > 0 else None,
    )


def _pool_bytes(values: Values, share: float, need_band: tuple[float, float]) -> Figure:
    """What the driver shows of an engine that fills its share whatever it needs.

    Where the share is surely enough, no more than the card has; where the need may be over the share, the band
    goes as far over the card as the need goes over the share.
    """
    device, usable, needed = (values[n] for n in ("device_used_bytes", "usable_memory_bytes", "needed_bytes"))
    if not (usable > 0 and share > 0 and needed > 0):
        return _bytes(device, *need_band)
    least, most = (factor * needed / share * usable for factor in need_band)
    low = (
        max((1.0 - POOL_SPREAD) * device, least)
        if least > usable
        else min((1.0 - POOL_SPREAD) * device, usable)
    )
    high = (
        max((1.0 + POOL_SPREAD) * device, most)
        if most > usable
        else min((1.0 + POOL_SPREAD) * device, usable)
    )
    return Figure(round(min(max(device, low), high)), round(low), round(high), "B")


def _share_bytes(filled: float, most: float) -> Figure:
    """Bytes that an engine which may start fills by its setting, never more than there are."""
    low, high = ((1.0 + sign * POOL_SPREAD) * filled for sign in (-1.0, 1.0))
    return Figure(round(filled), round(low), round(min(high, most)), "B")


def _warnings(row: ServingRow, values: Values) -> list[Warning_]:
    s, found = row.settings, []
    users = s.concurrency / s.data
    if users > values["slots"]:
        text = N_("the KV cache holds {held} of {users} users at once; the others wait for a slot")
        found.append(
            Warning_(
                "cache_full", Message(text, {"held": int(values["slots"] * s.data), "users": s.concurrency})
            )
        )
    if s.engine in LAYER_SPLIT and s.pipeline > 1:
        text = N_("layers are split over the cards: this adds memory, not decode speed")
        found.append(Warning_("layer_split", Message(text)))
    heads = int(row.columns["heads"])
    if heads % s.tensor:
        text = N_(
            "{heads} heads do not divide over {cards} cards, the fullest carries {most}; counts that divide: {even}"
        )
        even = ", ".join(str(d) for d in range(1, s.tensor + 1) if heads % d == 0)
        numbers = {"heads": heads, "cards": s.tensor, "most": -(-heads // s.tensor), "even": even}
        found.append(Warning_("uneven_heads", Message(text, numbers)))
    if s.tensor > 1 and row.scopes["link"] == "pcie_host":
        text = N_("without peer-to-peer transfers every exchange between cards goes through host memory")
        found.append(Warning_("no_peer_to_peer", Message(text)))
    if s.offload_layers:
        text = N_("{count} layers are read from host memory for every token")
        found.append(Warning_("host_layers", Message(text, {"count": s.offload_layers})))
    if s.offload_experts > s.offload_layers:
        text = N_("the experts of {count} layers are read from host memory for every token")
        found.append(Warning_("host_experts", Message(text, {"count": s.offload_experts})))
    if s.context_given and s.context_reserved > 4 * max(s.prompt_tokens + s.output_tokens, 1):
        text = N_("the cache is sized for {reserved} tokens, the requests need {needed}")
        values_ = {"reserved": s.context_reserved, "needed": s.prompt_tokens + s.output_tokens}
        found.append(Warning_("long_context", Message(text, values_)))
    return found


def _notes(request: EstimateRequest, row: ServingRow, values: Values, memory: MemoryAnswer) -> list[Message]:
    notes = []
    most, usable = memory.device_used_bytes.high, memory.usable_bytes
    if row.settings.engine in POOLED and most is not None and usable is not None and most > usable:
        notes.append(Message(BEYOND_THE_CARD))
    if not row.settings.output_tokens:
        notes.append(Message(N_("no answer tokens are asked for: there is no decode speed")))
    if request.model.is_assumed("architecture"):
        notes.append(Message(N_("the shape is that of a typical dense decoder of this size")))
    if values["tpot_s"] != values["tpot_s"]:
        notes.append(Message(N_("bandwidth or arithmetic rate of the card is not known: no speed")))
    return notes


def _bytes(value: float, low: float, high: float) -> Figure:
    if value != value:
        return Figure(None, unit="B")
    return Figure(round(value), round(value * low), round(value * high), "B")


def _known(value: float) -> float | None:
    return None if value != value else round(value)
