"""Every column that speed, communication and power need beside the memory columns, with what is known of each."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.graph import Input
from gpuconfig.engine.estimation.inputs.coefficient_inputs import (
    COEFFICIENT_INPUTS,
    coefficient_columns,
    coefficient_rows,
)
from gpuconfig.engine.estimation.inputs.hardware import (
    HARDWARE_INPUTS,
    hardware_columns,
    is_legacy,
    speed_scopes,
)
from gpuconfig.engine.estimation.inputs.network import NETWORK_INPUTS, network_columns
from gpuconfig.engine.estimation.inputs.work_kinds import is_encoder
from gpuconfig.engine.estimation.training.settings import TrainingSettings
from gpuconfig.engine.provenance.explanation import Mark
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.training import Method, Optimizer, Stage

WORK_INPUTS = (
    Input("nodes", "Machines"),
    Input(
        "recompute_share", "Share of the layers recomputed where recomputation is on and sized to the memory"
    ),
    Input("splits_norms", "1: norms and residual stream are split over the tensor-parallel ranks"),
    Input("causal", "1: a token attends to those before it, 0: to all (encoders)"),
    Input(
        "predicted_share",
        "Share of the tokens whose loss is computed (masked language models: the masked ones)",
    ),
    Input("token_bytes", "Bytes read from storage for one token", "B"),
    Input("images_per_sequence", "Images read and decoded with one sequence"),
    Input("scoring_passes", "Forward passes of models that only score (reference, reward, value)"),
    Input("generates", "1: the step's answers are generated first"),
    Input(
        "orthogonalises",
        "1: matrices are stepped by Muon, whose steps are made orthogonal by matrix products",
    ),
    Input("target_tokens", "Tokens to train on", "token"),
)
SPEED_INPUTS = (*HARDWARE_INPUTS, *NETWORK_INPUTS, *WORK_INPUTS, *(c.input for c in COEFFICIENT_INPUTS))
MASKED_SHARE = 0.156  # 20 of 128 and 80 of 512 tokens are predicted in BERT's published recipes
SCORING_PASSES = {Stage.DPO: 1.0, Stage.GRPO: 1.0, Stage.PPO: 3.0}
"""Reference; reference (rewards by rule); reference, reward and value model."""
GENERATING = frozenset({Stage.GRPO, Stage.PPO})
STORED_TOKEN_BYTES = 4.0  # token ids of tokenised corpora


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedColumns:
    """One row of every column of `SPEED_INPUTS`, and what was assumed for it."""

    columns: dict[str, float]
    assumptions: tuple[Assumption, ...]


def speed_columns(
    request: EstimateRequest, settings: TrainingSettings, coefficients: CoefficientSet
) -> SpeedColumns:
    """The columns of one request; strategy columns may be replaced by arrays afterwards."""
    accelerator, hardware = request.accelerator, request.hardware
    network = network_columns(accelerator, hardware, coefficients)
    columns = hardware_columns(accelerator, hardware, settings)
    columns.update(network.columns)
    columns.update(_work_columns(request, settings))
    scopes = speed_scopes(accelerator, settings, is_encoder(request.model))
    columns.update(coefficient_columns(scopes, coefficients))
    return SpeedColumns(columns=columns, assumptions=network.assumptions)


def speed_notes(
    request: EstimateRequest, settings: TrainingSettings, coefficients: CoefficientSet
) -> dict[str, Input]:
    """What is known of each speed input of this request, for `explain`."""
    notes = {item.name: item for item in SPEED_INPUTS}
    card = request.accelerator
    for name, field in (
        ("memory_bytes_per_s", "bandwidth_bytes_per_s"),
        ("tdp_w", "tdp_w"),
        ("idle_w", "idle_w"),
    ):
        evidence = card.evidence(field)
        notes[name] = replace(notes[name], evidence=evidence, mark=Mark.of(evidence))
    for name in ("product_peak_flops", "base_peak_flops"):
        notes[name] = replace(notes[name], evidence=card.evidence(), mark=Mark.of(card.evidence()))
    for item, row in coefficient_rows(speed_scopes(card, settings, is_encoder(request.model)), coefficients):
        notes[item.name] = replace(item.input, evidence=row.evidence, mark=Mark.of(row.evidence))
    return notes


def _work_columns(request: EstimateRequest, settings: TrainingSettings) -> dict[str, float]:
    encoder = is_encoder(request.model)
    masked = MASKED_SHARE if settings.method is Method.PRETRAIN else 0.0
    return {
        "nodes": float(request.hardware.nodes),
        "recompute_share": 1.0,
        "splits_norms": float(_splits_norms(request, settings)),
        "causal": float(not encoder),
        "predicted_share": masked if encoder else 1.0,
        "token_bytes": STORED_TOKEN_BYTES,
        "images_per_sequence": float(settings.image_tokens > 0),
        "scoring_passes": SCORING_PASSES.get(settings.stage, 0.0),
        "generates": float(settings.stage in GENERATING),
        "orthogonalises": float(settings.optimizer is Optimizer.MUON and settings.trains_all),
        "target_tokens": float("nan") if settings.dataset_tokens is None else settings.dataset_tokens,
    }


def _splits_norms(request: EstimateRequest, settings: TrainingSettings) -> bool:
    """Where a split names it, as asked for (`sequence_parallel`); else today's stacks do, those of 2020-2022 do not."""
    named = request.parallelism is None or "sequence" not in request.parallelism.left_open
    return not named and not is_legacy(request.accelerator, settings)
