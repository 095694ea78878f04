"""Tables of the founding articles' advice on splitting work, and of what a card's electricity costs a year."""

from __future__ import annotations

import numpy as np

from gpuconfig.cli.help_tables.asking import Asked, Asker, figure, percent, verdict
from gpuconfig.cli.help_tables.table import Gettext, markdown_table
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.training.search import StrategyTable, strategy_table
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.workloads.request import EstimateRequest

H100, RTX_4090 = "nvidia-h100-sxm5-80", "nvidia-rtx-4090-24"
PRETRAIN = {"method": "pretrain", "sequence_length": 4096, "framework": "megatron"}
MODEL_70B, MODEL_8B, MODEL_1B = "llama-3-70b", "llama-3-8b", "opt-1.3b"
NETWORK = {"inter_node": {"gbit_per_s_per_gpu": 400, "rdma": True}}
SAMPLES = 512
LARGE = Asked(MODEL_70B, H100, PRETRAIN, count=8, nodes=8, hardware=NETWORK)
SPLIT_HEADS = (
    N_("Split of 64 H100"), N_("tokens/s"), N_("Of peak"), N_("Memory of a card"), N_("Bubble"), N_("Checkpointing"),
)  # fmt: skip
WAYS_HEADS = (
    N_("Four RTX 4090 over PCIe"), N_("8B, LoRA, tokens/s"), N_("8B LoRA, four cards over one"),
    N_("1.3B, all weights, tokens/s"), N_("Verdict"),
)  # fmt: skip
LORA = {"method": "lora", "sequence_length": 2048, "micro_batch_size": 1, "gradient_accumulation": 8,
        "checkpointing": "full", "framework": "other", "weight_storage": "bf16"}  # fmt: skip
FULL = {"method": "full", "sequence_length": 2048, "micro_batch_size": 1, "gradient_accumulation": 8,
        "checkpointing": "full", "framework": "other"}  # fmt: skip
WAYS: tuple[tuple[str, dict[str, object]], ...] = (
    (N_("data parallel (DDP)"), {}),
    (N_("ZeRO-1"), {"zero_stage": 1}),
    (N_("fully sharded (ZeRO-3, FSDP)"), {"zero_stage": 3}),
    (N_("pipeline of four"), {"pipeline": 4}),
    (N_("tensor parallel over four"), {"tensor": 4}),
)
YEAR_HEADS = (N_("One H100 for a year"), N_("Watts"), "kWh", N_("at 0.10 USD a kWh"), N_("at 0.60 RMB a kWh"))
HOURS, USD, RMB = 8760.0, 0.10, 0.60
PRETRAIN_8B = {
    "method": "pretrain",
    "sequence_length": 4096,
    "micro_batch_size": 2,
    "gradient_accumulation": 16,
}


def three_dimensions(request: EstimateRequest, coefficients: CoefficientSet, gettext: Gettext) -> str:
    """TP8 x PP4 x DP2 of 64 H100 among all valid strategies for the same batch."""
    found = strategy_table(request, coefficients, samples=SAMPLES)
    c = found.columns
    degrees = c["tensor_parallel"] * c["pipeline_parallel"] * c["context_parallel"]
    article = (c["tensor_parallel"] == 8) & (c["pipeline_parallel"] == 4) & (c["data_parallel"] == 2)
    lines = (
        (N_("the article's: TP8 x PP4 x DP2, its best form"), article),
        (N_("the fastest of all"), np.ones(found.count, bool)),
        (N_("the fastest without a pipeline"), c["pipeline_parallel"] == 1),
        (N_("the fastest without tensor parallelism"), c["tensor_parallel"] == 1),
        (N_("fully sharded data parallel only"), degrees == 1),
    )  # fmt: skip
    rows = [_split(found, gettext(name), chosen) for name, chosen in lines]
    table = markdown_table([gettext(h) for h in SPLIT_HEADS], rows)
    fitting = found.fits & np.isfinite(c["tokens_per_s"])
    best = float(np.max(c["tokens_per_s"][fitting & article]))
    note = gettext(
        N_(
            "{count} strategies were evaluated, {fitting} of them surely fit; {faster} of these are faster than the"
            " article's split at its best."
        )
    ).format(
        count=f"{found.count:,}", fitting=f"{int(fitting.sum()):,}",
        faster=f"{int((c['tokens_per_s'][fitting] > best).sum()):,}",
    )  # fmt: skip
    return f"{table}\n\n{note}"


def _split(found: StrategyTable, name: str, chosen: object) -> list[str]:
    speed = np.where(found.fits & chosen, found.columns["tokens_per_s"], -1.0)
    row = found.row(int(np.nanargmax(speed)))
    p = row.parallelism
    degrees = f"TP{p.tensor} PP{p.pipeline}×{p.virtual_pipeline} CP{p.context} DP{p.data} ZeRO-{p.zero_stage}"
    return [
        f"{name}: {degrees}, {row.micro_batch_size} × {row.gradient_accumulation}", f"{row.tokens_per_s:,.0f}",
        percent(row.mfu), f"{row.device_used_bytes / 1e9:,.0f} / {found.usable_bytes / 1e9:,.0f} GB",
        percent(row.bubble_share), row.checkpointing.value,
    ]  # fmt: skip


def ways_to_split(ask: Asker, gettext: Gettext) -> str:
    """What four 4090 do with each way to split, against one of them."""
    lora = ask([Asked(MODEL_8B, RTX_4090, LORA, count=4, split=split) for _, split in WAYS])
    full = ask([Asked(MODEL_1B, RTX_4090, FULL, count=4, split=split) for _, split in WAYS])
    alone = figure(ask([Asked(MODEL_8B, RTX_4090, LORA, split={})])[0], "tokens_per_s") or float("nan")
    rows = []
    for (name, _), a, b in zip(WAYS, lora, full, strict=True):
        speed, whole = (figure(one, "tokens_per_s") or float("nan") for one in (a, b))
        rows.append(
            [
                gettext(name), f"{speed:,.0f}", f"{speed / alone:.2f} ×", f"{whole:,.0f}",
                f"{verdict(a, gettext)}; {verdict(b, gettext)}",
            ]
        )  # fmt: skip
    return markdown_table([gettext(h) for h in WAYS_HEADS], rows)


def electricity(ask: Asker, catalogue: Catalogue, gettext: Gettext) -> str:
    """Energy of one H100 that trains all year: as sold, as predicted, with its share of the machine."""
    eight = ask([Asked(MODEL_8B, H100, PRETRAIN_8B, count=8, split={"zero_stage": 3})])[0]
    card, wall = figure(eight, "gpu_w"), figure(eight, "wall_w")
    lines = (
        (N_("board power, as the article counts"), catalogue.accelerator(H100).tdp_w),
        (N_("as predicted in training"), card),
        (N_("with its eighth of the machine, at the socket"), None if wall is None else wall / 8.0),
    )
    rows = []
    for name, watts in lines:
        energy = (watts or float("nan")) * HOURS / 1000.0
        costs = (f"{energy * USD:,.0f} USD", f"{energy * RMB:,.0f} RMB")
        rows.append([gettext(name), f"{watts:,.0f}", f"{energy:,.0f}", *costs])
    return markdown_table([gettext(h) for h in YEAR_HEADS], rows)
