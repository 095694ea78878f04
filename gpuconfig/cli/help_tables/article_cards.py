"""Tables of the founding articles' claims on single and joined cards, beside what the models predict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from gpuconfig.cli.help_tables.asking import Asked, Asker, band, figure, memory, percent, verdict
from gpuconfig.cli.help_tables.table import UNKNOWN, Gettext, markdown_table
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import Kind, Region
from gpuconfig.engine.pricing.planning import Buyer, Pricer
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.money import Currency

MODEL = "opt-1.3b"
STEP = {"method": "full", "sequence_length": 2048, "micro_batch_size": 2, "gradient_accumulation": 1}
LARGER = {**STEP, "gradient_accumulation": 16}
SAME_WORK = {"checkpointing": "full"}
"""Settled, so that one card does not recompute more than four."""
WHOLE = {"method": "full", "sequence_length": 2048}
PATHS: Mapping[str, Mapping[str, object]] = {
    N_("PCIe through host memory"): {},
    N_("PCIe through host memory, eight lanes"): {"pcie": {"lanes": 8}},
    N_("PCIe, patched driver with peer-to-peer"): {"pcie": {"peer_to_peer": True}},
}
"""Links of the cards that have none of their own, and the machine of each."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What the six-card article says of one card.

    Attributes:
        tokens_per_s: its tokens/s a US dollar times its price, which is its table within rounding.
        scaling: speed of four cards over four times one.
        reason: why the figures cannot be compared, or why ours differ.
    """

    card: str
    tokens_per_s: float
    price: int
    scaling: float
    reason: str


CLAIMS = (
    Claim("nvidia-a100-sxm4-80", 9750, 15_000, 0.92,
          N_("a quarter of peak: what scripts without fused attention reached")),
    Claim("nvidia-h100-sxm5-80", 15_600, 30_000, 0.95,
          N_("an eighth of peak: 4,096 tokens a step starve it; 1.6 times the A100 is the script, not the card")),
    Claim("nvidia-h200-sxm-141", 16_000, 40_000, 0.95,
          N_("computes like the H100: only the optimizer and element-wise passes gain from its bandwidth")),
    Claim("amd-mi300x-192", 14_400, 20_000, 0.91,
          N_("under a tenth of peak; FP16 was no need, BF16 runs at the same rate")),
    Claim("nvidia-rtx-4090-24", 8028, 1800, 0.68,
          N_("peak with FP32 accumulation is 165 TFLOPS, half of what the article takes; memory is short")),
    Claim("nvidia-rtx-5090-32", 10_375, 2500, 0.76,
          N_("the text puts it 18 % behind the A100, its own table 6 % ahead")),
)  # fmt: skip

_CARD, _SAID, _OURS = N_("Card"), N_("Article, tokens/s"), N_("Ours, tokens/s (90 % band)")
SIX_HEADS = (
    _CARD, _SAID, _OURS, N_("Article, of A100"), N_("Ours, of A100"), N_("Article, of peak"), N_("Ours, of peak"),
    N_("Verdict"), N_("Ours with the best batch, tokens/s"), N_("Why it differs"),
)  # fmt: skip
FOUR_HEADS = (
    _CARD, N_("Article"), N_("Ours, 4,096 tokens a card and step"), N_("Ours, 65,536 tokens a card and step"),
    N_("Link"), N_("Bound by"),
)  # fmt: skip
DOLLAR_HEADS = (
    _CARD, N_("Article's price, USD"), N_("Article, tokens/s a USD"), N_("Ours at that price"),
    N_("Catalogue's price, USD"), N_("Ours at the catalogue's price"), N_("of the A100"),
)  # fmt: skip
LINKS = {
    "nvidia-a100-sxm4-80": N_("NVLink 3"), "nvidia-h100-sxm5-80": N_("NVLink 4"), "nvidia-h200-sxm-141": N_("NVLink 4"),
    "amd-mi300x-192": N_("Infinity Fabric"),
}  # fmt: skip


def six_cards(ask: Asker, catalogue: Catalogue, gettext: Gettext) -> str:
    """The six-card table: the same 4,096 tokens a step on each card."""
    cards = [c.card for c in CLAIMS]
    ours = ask([Asked(MODEL, card, STEP, split={}) for card in cards])
    best = ask([Asked(MODEL, card, WHOLE) for card in cards])
    first = ours[0].training
    rows = []
    for claim, one, free in zip(CLAIMS, ours, best, strict=True):
        peak = catalogue.accelerator(claim.card).bf16_fp32acc_flops
        said = None if peak is None or first is None else claim.tokens_per_s * _flop(ours[0]) / peak
        rows.append([
            catalogue.accelerator(claim.card).name, f"{claim.tokens_per_s:,.0f}", band(one.figure("tokens_per_s")),
            f"{claim.tokens_per_s / CLAIMS[0].tokens_per_s:.2f}", f"{_speed(one) / _speed(ours[0]):.2f}",
            percent(said), percent(figure(one, "mfu")), verdict(one, gettext), f"{_speed(free):,.0f}",
            gettext(claim.reason),
        ])  # fmt: skip
    return markdown_table([gettext(h) for h in SIX_HEADS], rows)


def four_cards(ask: Asker, catalogue: Catalogue, gettext: Gettext) -> str:
    """Scaling from one card to four, stock and patched driver, small and usual steps."""
    cases: list[tuple[Claim, str]] = []
    for claim in CLAIMS:
        own = LINKS.get(claim.card)
        cases += [(claim, own)] if own else [(claim, path) for path in PATHS]
    small, large = (
        ask(
            [Asked(MODEL, c.card, work, count=4, split={}, hardware=PATHS.get(link, {})) for c, link in cases]
        )
        for work in ({**STEP, **SAME_WORK}, {**LARGER, **SAME_WORK})
    )
    rows = []
    for (claim, link), a, b in zip(cases, small, large, strict=True):
        bound = "" if a.training is None or a.training.bound_by is None else a.training.bound_by.value
        rows.append([
            catalogue.accelerator(claim.card).name, percent(claim.scaling), percent(figure(a, "scaling_efficiency")),
            percent(figure(b, "scaling_efficiency")), gettext(link), gettext(BOUND.get(bound, bound)),
        ])  # fmt: skip
    return markdown_table([gettext(h) for h in FOUR_HEADS], rows)


def per_dollar(ask: Asker, catalogue: Catalogue, gettext: Gettext) -> str:
    """Throughput a dollar at the article's prices and at those of the catalogue, card alone."""
    ours = ask([Asked(MODEL, c.card, STEP, split={}) for c in CLAIMS])
    pricer = Pricer(
        catalogue, Buyer(region=Region.US, currency=Currency.USD, tax_included=False, used_ok=True)
    )
    found = []
    for claim in CLAIMS:
        planned = pricer.price(Kind.ACCELERATOR, catalogue.accelerator(claim.card))
        found.append(None if planned is None else planned.middle().amount)
    speeds = [_speed(one) for one in ours]
    each = [None if p is None else s / float(p) for s, p in zip(speeds, found, strict=True)]
    rows = [
        [
            catalogue.accelerator(c.card).name, f"{c.price:,}", f"{c.tokens_per_s / c.price:.2f}",
            f"{speed / c.price:.2f}", UNKNOWN if price is None else f"{_round(price):,}",
            UNKNOWN if now is None else f"{now:.2f}", _ratio(now, each[0]),
        ]
        for c, speed, price, now in zip(CLAIMS, speeds, found, each, strict=True)
    ]  # fmt: skip
    return markdown_table([gettext(h) for h in DOLLAR_HEADS], rows)


EIGHT_HEADS = (N_("Claim"), N_("Article"), N_("Ours"), N_("Verdict"), N_("Memory of a card"), N_("Remark"))
MODEL_13B = "llama-2-13b"
A100, RTX_4090, H100 = "nvidia-a100-sxm4-80", "nvidia-rtx-4090-24", "nvidia-h100-sxm5-80"
SHARDED = {"zero_stage": 3}
FULL_13B = {"method": "full", "sequence_length": 2048, "checkpointing": "full", "framework": "deepspeed"}
LORA_13B = {**FULL_13B, "method": "lora", "framework": "hf_trainer"}
HOST = {**FULL_13B, "offload": "optimizer_and_parameters", "gradient_accumulation": 16}


@dataclass(frozen=True, slots=True)
class Eight:
    """One line on eight cards."""

    claim: str
    said: str
    asked: Asked
    remark: str


EIGHT = (
    Eight(N_("DDP of 13B on 8 A100 80GB"), N_("runs"), Asked(MODEL_13B, A100, FULL_13B, count=8, split={}),
          N_("every card keeps 16 bytes a parameter: 208 GB of states")),
    Eight(N_("13B on 8 A100 80GB, fully sharded"), N_("112 tokens/s"),
          Asked(MODEL_13B, A100, FULL_13B, count=8, split=SHARDED),
          N_("112 tokens/s is a hundredth of what eight A100 do; the article may count samples or one answer")),
    Eight(N_("13B on 8 RTX 4090, fully sharded"), N_("38 tokens/s"),
          Asked(MODEL_13B, RTX_4090, FULL_13B, count=8, split=SHARDED),
          N_("208 GB of states exceed 8 x 24 = 192 GB")),
    Eight(N_("13B on 8 RTX 4090, states in host memory"), N_("38 tokens/s"),
          Asked(MODEL_13B, RTX_4090, HOST, count=8, split=SHARDED),
          N_("runs from host memory: the optimizer's pass through it is what takes the time")),
    Eight(N_("13B LoRA on 8 A100 80GB"), UNKNOWN, Asked(MODEL_13B, A100, LORA_13B, count=8, split=SHARDED),
          N_("a fair comparison of both machines: work that fits each")),
    Eight(N_("13B LoRA on 8 RTX 4090"), UNKNOWN, Asked(MODEL_13B, RTX_4090, LORA_13B, count=8, split=SHARDED),
          N_("a fair comparison of both machines: work that fits each")),
)  # fmt: skip
SHARE_HEADS = (
    N_("Cards and link"), N_("Article"), N_("Ours, 4,096 tokens a card and step"),
    N_("Ours, 65,536 tokens a card and step"),
)  # fmt: skip
COMMUNICATION = (
    "tensor_parallel", "context_parallel", "expert_parallel", "pipeline_transfers", "weight_gathering",
    "gradient_reduction",
)  # fmt: skip
BOUND = {
    "compute": N_("compute"), "memory": N_("memory"), "communication": N_("communication"),
    "pipeline": N_("pipeline"), "input": N_("input"), "host": N_("host"),
}  # fmt: skip


def eight_cards(ask: Asker, gettext: Gettext) -> str:
    """Full training of 13B on eight cards: which of the article's runs exist at all."""
    rows = [
        [
            gettext(line.claim), line.said if line.said == UNKNOWN else gettext(line.said),
            band(one.figure("tokens_per_s")), verdict(one, gettext), memory(one), gettext(line.remark),
        ]
        for line, one in zip(EIGHT, ask([line.asked for line in EIGHT]), strict=True)
    ]  # fmt: skip
    return markdown_table([gettext(h) for h in EIGHT_HEADS], rows)


def communication_shares(ask: Asker, catalogue: Catalogue, gettext: Gettext) -> str:
    """Share of the step that communication takes and compute does not hide, data parallel over eight cards."""
    lines = ((RTX_4090, 8, "35 %"), (A100, 8, "5 %"), (H100, 8, "≈ 0"))
    small, large = (
        ask([Asked(MODEL, card, work, count=n, split={}) for card, n, _ in lines]) for work in (STEP, LARGER)
    )
    rows = [
        [
            f"{n} × {catalogue.accelerator(card).name}",
            said,
            percent(_communication(a)),
            percent(_communication(b)),
        ]
        for (card, n, said), a, b in zip(lines, small, large, strict=True)
    ]
    return markdown_table([gettext(h) for h in SHARE_HEADS], rows)


def _communication(one: object) -> float | None:
    training = getattr(one, "training", None)
    step = None if training is None else training.step_time_s.value
    if training is None or not step:
        return None
    return float(sum(training.time_breakdown_s.get(name, 0.0) for name in COMMUNICATION) / step)


def _speed(one: object) -> float:
    return figure(one, "tokens_per_s") or float("nan")


def _flop(one: object) -> float:
    """Model FLOP of one token, from utilisation and speed of one answer."""
    flops, speed = figure(one, "model_tflops_per_gpu"), figure(one, "tokens_per_s_per_gpu")
    return float("nan") if flops is None or not speed else flops * 1e12 / speed


def _ratio(value: float | None, reference: float | None) -> str:
    return UNKNOWN if value is None or not reference else f"{value / reference:.2f}"


def _round(price: Decimal) -> int:
    return int(round(price, -1))
