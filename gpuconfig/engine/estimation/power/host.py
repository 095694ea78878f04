"""Power at the wall of machines whatever they work on: cards, hosts, fans and the loss in their supplies."""

from __future__ import annotations

from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.compute.roofline import Value
from gpuconfig.engine.estimation.graph import Input, quantity
from gpuconfig.engine.provenance.evidence import EvidenceKind
from gpuconfig.engine.provenance.explanation import Mark
from gpuconfig.engine.workloads.request import EstimateRequest

GROUP = "power"
WALL_BAND = "wall_w_band"
COEFFICIENTS = (
    ("host_w", "Power of the host of one machine", "W"),
    ("host_w_per_gpu", "Power of fans, network and board for each accelerator", "W"),
    ("supply_efficiency", "Efficiency of the power supplies", "1"),
)
HOST_INPUTS = (
    Input("gpus", "Accelerators in all machines"),
    Input("nodes", "Machines"),
    *(Input(name, title, unit) for name, title, unit in COEFFICIENTS),
)


@quantity(unit="W")
def wall_w(
    gpu_w: Value, gpus: Value, nodes: Value, host_w: Value, host_w_per_gpu: Value, supply_efficiency: Value
) -> Value:
    """Mean power of all machines at the socket: accelerators, hosts, fans and network over the supplies' efficiency"""
    return (gpus * (gpu_w + host_w_per_gpu) + nodes * host_w) / supply_efficiency


def host_columns(
    request: EstimateRequest, coefficients: CoefficientSet
) -> tuple[dict[str, float], dict[str, Input]]:
    """Columns of `HOST_INPUTS` for one request, and the evidence of those that are coefficients."""
    hardware = request.hardware
    columns = {"gpus": float(hardware.gpu_count), "nodes": float(hardware.nodes)}
    notes: dict[str, Input] = {}
    for name, title, unit in COEFFICIENTS:
        found = coefficients.row(GROUP, name, request.accelerator.form_factor.value)
        columns[name] = float("nan") if found.value is None else found.value
        mark = Mark.ASSUMED if found.evidence.kind is EvidenceKind.ASSUMED else Mark.MEASURED
        notes[name] = Input(name, title, unit, mark, found.evidence)
    return columns, notes
