"""Power at the wall of machines whatever they work on: cards, hosts, fans and the loss in their supplies."""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.compute.roofline import Value
from gpuconfig.engine.estimation.graph import Input, quantity
from gpuconfig.engine.provenance.evidence import EvidenceKind
from gpuconfig.engine.provenance.explanation import Mark
from gpuconfig.engine.workloads.hardware import Hardware
from gpuconfig.engine.workloads.request import EstimateRequest

GROUP = "power"
WALL_BAND = "wall_w_band"
COEFFICIENTS = (
    ("usual_host_w", "Power of the host of one machine of this kind", "W"),
    (
        "usual_host_w_per_gpu",
        "Power of fans, network and board for each accelerator in machines of this kind",
        "W",
    ),
    ("usual_supply_efficiency", "Efficiency of the power supplies of machines of this kind", "1"),
    ("host_working_share", "Power of processors, memory and fans at work over their rating", "1"),
)
"""Of the group `power`: name, title, unit; each machine's form is the scope."""
MACHINE_INPUTS = (
    Input("host_rated_w", "Rated power of one machine without its cards, where its parts are known", "W"),
    Input("stated_supply_efficiency", "Efficiency of the power supplies where they are known", "1"),
)
HOST_INPUTS = (
    Input("gpus", "Accelerators in all machines"),
    Input("nodes", "Machines"),
    *MACHINE_INPUTS,
    *(Input(name, title, unit) for name, title, unit in COEFFICIENTS),
)


@quantity(unit="W")
def host_w(
    host_rated_w: Value, host_working_share: Value, usual_host_w: Value, usual_host_w_per_gpu: Value, gpus: Value,
    nodes: Value,
) -> Value:  # fmt: skip
    """Mean power of all hosts: of the machine's own parts where they are known, else as usual for its kind"""
    usual = nodes * usual_host_w + gpus * usual_host_w_per_gpu
    return np.where(np.isnan(host_rated_w), usual, nodes * host_rated_w * host_working_share)


@quantity(unit="1")
def supply_efficiency(stated_supply_efficiency: Value, usual_supply_efficiency: Value) -> Value:
    """Efficiency of the power supplies: of the machine's own where they are known"""
    return np.where(np.isnan(stated_supply_efficiency), usual_supply_efficiency, stated_supply_efficiency)


@quantity(unit="W")
def wall_w(gpu_w: Value, gpus: Value, host_w: Value, supply_efficiency: Value) -> Value:
    """Mean power of all machines at the socket: accelerators and hosts over the supplies' efficiency"""
    return (gpus * gpu_w + host_w) / supply_efficiency


def machine_columns(hardware: Hardware) -> dict[str, float]:
    """Columns of `MACHINE_INPUTS`: what is stated of the machine, NaN for what is not."""
    nan = float("nan")
    return {
        "host_rated_w": hardware.host_rated_w or nan,
        "stated_supply_efficiency": hardware.supply_efficiency or nan,
    }


def host_columns(
    request: EstimateRequest, coefficients: CoefficientSet
) -> tuple[dict[str, float], dict[str, Input]]:
    """Columns of `HOST_INPUTS` for one request, and the evidence of those that are coefficients."""
    hardware = request.hardware
    columns = {"gpus": float(hardware.gpu_count), "nodes": float(hardware.nodes), **machine_columns(hardware)}
    notes: dict[str, Input] = {}
    for name, title, unit in COEFFICIENTS:
        found = coefficients.row(GROUP, name, request.accelerator.form_factor.value)
        columns[name] = float("nan") if found.value is None else found.value
        mark = Mark.ASSUMED if found.evidence.kind is EvidenceKind.ASSUMED else Mark.MEASURED
        notes[name] = Input(name, title, unit, mark, found.evidence)
    columns["usual_host_w_per_gpu"] /= hardware.devices_per_card
    return columns, notes
