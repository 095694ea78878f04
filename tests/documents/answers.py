"""Estimates, findings and explanations as the engine gives them, for tests of papers."""

from __future__ import annotations

from gpuconfig.engine.compatibility.finding import CheckResult, Finding, NotChecked, Remedy, Status
from gpuconfig.engine.estimation.answer import (
    Assumption,
    BoundBy,
    Estimate,
    MemoryAnswer,
    PowerAnswer,
    TrainingAnswer,
    Verdict,
)
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind
from gpuconfig.engine.provenance.explanation import Explanation, Mark, NearMeasurement
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import Message
from gpuconfig.engine.workloads.request import EstimateRequest
from tests.documents.parts import GIB, yuan


def estimate(seconds: float, use_gib: float, gib: int, verdict: Verdict = Verdict.FITS) -> Estimate:
    def band(value: float, unit: str, part: float = 0.15) -> Figure:
        return Figure(value, value * (1 - part), value * (1 + part), unit)

    rate = 1e9 / seconds
    return Estimate(
        id="r1",
        verdict=verdict,
        memory=MemoryAnswer(
            peak_allocated_bytes=band(use_gib * 0.95 * GIB, "B", 0.04),
            peak_reserved_bytes=band(use_gib * 0.98 * GIB, "B", 0.05),
            device_used_bytes=band(use_gib * GIB, "B", 0.05),
            usable_bytes=float(gib * GIB),
            breakdown_bytes={
                "weights": 3.5 * GIB,
                "gradients": 3.5 * GIB,
                "optimizer": 10.6 * GIB,
                "activations": 4.2 * GIB,
                "logits": 2.3 * GIB,
                "transient": 1.0 * GIB,
                "context": 0.6 * GIB,
            },
        ),
        training=TrainingAnswer(
            tokens_per_s=band(rate, "token/s"),
            tokens_per_s_per_gpu=band(rate / 4, "token/s"),
            step_time_s=band(12.4, "s"),
            mfu=Figure(0.31, 0.26, 0.36, "1"),
            bound_by=BoundBy.COMMUNICATION,
            scaling_efficiency=Figure(0.78, 0.7, 0.85, "1"),
            time_to_train_s=band(seconds, "s"),
        ),
        power=PowerAnswer(gpu_w=band(2100, "W"), wall_w=band(2750, "W")),
        parallelism={"zero_stage": 3, "data": 4, "tensor": 1, "pipeline": 1},
        nearest=(
            NearMeasurement(
                0.21,
                2810.0,
                "token/s",
                "https://github.com/example/benchmarks",
                "Llama-3-8B, 4 × RTX 5090, ZeRO-3",
            ),
        ),
        assumptions=(
            Assumption("workload.micro_batch_size", "1", Message("the smallest that keeps the card busy")),
            Assumption(
                "workload.checkpointing", "full", Message("the states leave no room for all activations")
            ),
        ),
    )


CHECK = CheckResult(
    verdict=Status.WARNING,
    findings=(
        Finding(
            rule="power.continuous",
            status=Status.OK,
            title=Message("Continuous power of the supplies"),
            message=Message("Two supplies carry the load with a reserve."),
            measured=2750.0,
            required=3200.0,
            unit="W",
        ),
        Finding(
            rule="power.circuit",
            status=Status.WARNING,
            title=Message("Mains circuit"),
            message=Message("The machine needs more than a 16 A circuit may carry continuously."),
            measured=12.0,
            required=12.8,
            unit="A",
            remedy=Remedy(text=Message("Have a 32 A circuit laid."), cost=yuan("1500", "4000")),
        ),
        Finding(
            rule="pcie.peer_to_peer",
            status=Status.WARNING,
            title=Message("Direct transfers between cards"),
            message=Message(
                "The cards have neither NVLink nor peer-to-peer over PCIe: transfers go through host memory."
            ),
            remedy=Remedy(text=Message("Set fewer synchronisations by gradient accumulation."), slower=0.04),
        ),
        Finding(
            rule="memory.type",
            status=Status.OK,
            title=Message("Memory type"),
            message=Message("The board takes DDR5 RDIMM."),
        ),
    ),
    not_checked=(NotChecked("cooling.cpu", Message("Cooler of the processor"), ("cooling_w", "height_mm")),),
)


def explain(_request: EstimateRequest, name: str) -> Explanation:
    """A tree with formula, inputs and sources."""
    if name not in ("device_used_bytes", "tokens_per_s", "step_time_s", "wall_w"):
        raise InputError("unknown_value", "quantity", name, Message("not a known value"))
    card_evidence = Evidence(
        "https://www.nvidia.com/rtx-5090.pdf; https://docs.nvidia.com/", "2026-05", EvidenceKind.VENDOR
    )
    leaves = (
        Explanation(
            name="parameters",
            title="parameters of the model",
            value=7.6156e9,
            unit="parameter",
            mark=Mark.GIVEN,
        ),
        Explanation(
            name="peak_flops",
            title="peak of the card, BF16 with FP32 accumulation",
            value=209.5e12,
            unit="FLOP/s",
            mark=Mark.VENDOR,
            evidence=card_evidence,
        ),
        Explanation(
            name="efficiency",
            title="kernel efficiency",
            value=0.62,
            unit="1",
            mark=Mark.ASSUMED,
            low=0.5,
            high=0.7,
            source="https://arxiv.org/abs/1910.02054",
        ),
    )
    middle = Explanation(
        name="gradient_bytes",
        title="Gradients held by one GPU between backward and the optimizer step.",
        value=3.8e9,
        unit="B",
        mark=Mark.CALCULATED,
        formula="trainable_parameters_per_gpu * bytes_per_gradient / gradient_shard_count",
        inputs=leaves,
    )
    return Explanation(
        name=name,
        title=f"Title of {name}",
        value=2.9e10,
        unit="B",
        low=2.7e10,
        high=3.1e10,
        mark=Mark.CALCULATED,
        formula="weights_bytes + gradient_bytes + optimizer_bytes + activation_bytes",
        inputs=(middle, *leaves),
        source="https://arxiv.org/abs/1910.02054",
    )
