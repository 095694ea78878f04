"""Collectives against nccl-tests tables, scaling efficiency against runs that differ only in the number of cards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpuconfig.calibration.coefficient_files import FITTED as FITTED_NOTE
from gpuconfig.calibration.pattern import Free, minimise
from gpuconfig.calibration.source_score import Comparison, SourceScore, score
from gpuconfig.calibration.speed_fit import Case, Read, TrainingFit, grouped, priors_of, training_cases
from gpuconfig.engine.catalogue.record import Coefficient, Measurement
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.communication.collectives import bus_bandwidth
from gpuconfig.engine.estimation.communication.groups import by_path, group_rate, group_steps_s
from gpuconfig.engine.estimation.inputs.network import network_columns
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind
from gpuconfig.engine.workloads.request import EstimateRequest

TASK = "scaling"
SOURCE = f"db/seed/measurements/{TASK}.csv"
QUANTITY = "communication.bus_bandwidth"
EFFICIENCY = "training.scaling_efficiency"
FITTED = ("fast_efficiency", "in_switch_gain", "network_efficiency", "latency_s", "ramp_s")
DOUBT = 0.7


@dataclass(frozen=True, slots=True)
class AllReduce:
    """One measured all-reduce over every card of a machine or cluster."""

    measurement: Measurement
    request: EstimateRequest

    @property
    def source(self) -> str:
        """The source it was published by."""
        return self.measurement.fields.get("origin") or self.measurement.evidence.source

    @property
    def message_bytes(self) -> float:
        """Size of the message on each card."""
        return float(self.measurement.fields["message_bytes"])


def all_reduces(measurements: Iterable[Measurement], read: Read) -> list[AllReduce]:
    """The all-reduce rows among `measurements`."""
    return [AllReduce(m, read(m.request)) for m in measurements if m.quantity == QUANTITY]


def predicted_bus_bandwidth(row: AllReduce, coefficients: CoefficientSet) -> float:
    """Bus bandwidth of an all-reduce over every card of the machine, in byte/s."""
    hardware = row.request.hardware
    c = network_columns(row.request.accelerator, hardware, coefficients).columns
    size, node = float(hardware.gpu_count), float(hardware.gpus_per_node)
    domain = c["fast_domain_gpus"]
    rate = group_rate(
        size, 1.0, domain, node, c["fast_bytes_per_s"], c["fast_pair_bytes_per_s"], c["in_switch_bytes_per_s"],
        c["in_switch_least_gpus"], c["pcie_peer_bytes_per_s"], c["network_bytes_per_s"],
    )  # fmt: skip
    latency, ramp = (
        by_path(size, 1.0, domain, node, c[f"fast_{n}"], c[f"pcie_{n}"], c[f"network_{n}"])
        for n in ("latency_s", "ramp_s")
    )
    steps = group_steps_s(
        size, 1.0, domain, node, c["in_switch_least_gpus"], c["fast_hop_s"], c["pcie_hop_s"], c["network_hop_s"],
        c["network_tree_hop_s"],
    )  # fmt: skip
    return float(bus_bandwidth(row.message_bytes, size, rate, latency, ramp, *steps, c["tree_share"]))


def validate_scaling(
    measurements: Iterable[Measurement], read: Read, coefficients: CoefficientSet
) -> list[SourceScore]:
    """Scores of all-reduce bus bandwidth by source, then of scaling efficiency by source."""
    rows = list(measurements)
    comparisons = [
        Comparison(
            r.source, QUANTITY, r.measurement.value, predicted_bus_bandwidth(r, coefficients), None, None
        )
        for r in all_reduces(rows, read)
    ]
    pairs = scaling_pairs(training_cases(rows, read), coefficients)
    comparisons += [Comparison(p.source, EFFICIENCY, p.measured, p.predicted, None, None) for p in pairs]
    return score(comparisons)


def calibrate_scaling(
    measurements: Iterable[Measurement], read: Read, coefficients: CoefficientSet, today: str
) -> list[Coefficient]:
    """Fitted rows of the group `communication` for links: efficiency, in-switch gain, latency and ramp."""
    rows = all_reduces(measurements, read)
    priors = priors_of(coefficients)
    chosen = [c for c in priors.rows if c.group == "communication" and c.name in FITTED and c.value]
    start = np.array([c.value for c in chosen], float)
    measured = np.array([r.measurement.value for r in rows])
    sources = list(grouped([("", r.source) for r in rows]).values())

    def with_values(values: Any) -> CoefficientSet:
        return priors.with_rows(replace(c, value=float(v)) for c, v in zip(chosen, values, strict=True))

    def loss(values: Any) -> float:
        trial = with_values(values)
        errors = np.abs(np.log(np.array([predicted_bus_bandwidth(r, trial) for r in rows]) / measured))
        return float(np.mean([errors[at].mean() + np.median(errors[at]) for at in sources]))

    free = [Free(i, value / 10.0, value * 10.0, DOUBT) for i, value in enumerate(start)]
    best = minimise(loss, start, free, rounds=8)
    evidence = Evidence(SOURCE, today, EvidenceKind.CALCULATED)
    return [
        replace(c, value=float(f"{v:.4g}"), evidence=evidence, note=f"{FITTED_NOTE}{TASK}")
        for c, v in zip(chosen, best, strict=True)
        if abs(v / (c.value or 1.0) - 1.0) > 0.001
    ]


@dataclass(frozen=True, slots=True)
class ScalingPair:
    """Two runs of one source that differ in the number of cards: efficiency of the larger against the smaller one."""

    source: str
    cards: tuple[int, int]
    measured: float
    predicted: float


def scaling_pairs(cases: Sequence[Case], coefficients: CoefficientSet) -> list[ScalingPair]:
    """Scaling efficiency per card, measured and predicted, in groups that share model, card and work per replica."""
    fit = TrainingFit(cases, coefficients)
    ratio = fit.speed_ratio(fit.values)
    groups: dict[tuple[str, str], list[int]] = {}
    for i, case in enumerate(fit.cases):
        groups.setdefault((case.source, _work(case)), []).append(i)
    pairs = []
    for (source, _), rows in groups.items():
        rows = sorted(rows, key=lambda i: fit.cases[i].request.hardware.gpu_count)
        first = rows[0]
        for i in rows[1:]:
            small, large = (fit.cases[j].request.hardware.gpu_count for j in (first, i))
            if large > small:
                measured = _per_card(fit.cases[i]) / _per_card(fit.cases[first])
                pairs.append(
                    ScalingPair(source, (small, large), measured, measured * float(ratio[i] / ratio[first]))
                )
    return pairs


def _work(case: Case) -> str:
    """The request without what grows with the cluster."""
    data = json.loads(case.measurement.request)
    data["hardware"] = {
        k: v
        for k, v in data["hardware"].items()
        if k not in ("nodes", "gpus_per_node", "intra_node", "inter_node")
    }
    data["parallelism"] = {k: v for k, v in data["parallelism"].items() if k not in ("data", "zero_stage")}
    return json.dumps([data, case.measurement.quantity], sort_keys=True)


def _per_card(case: Case) -> float:
    """Measured speed of one card, up to a factor that is the same within a group."""
    cards, value = case.request.hardware.gpu_count, case.measurement.value
    if case.measurement.quantity == "training.step_time_s":
        split = case.request.parallelism
        return float((split.data or 1) if split else 1) / value / cards
    return value / cards
