"""What a request states about split and machine and a training run does not move with: named, with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.hardware import InterNode, IntraNode, Parallelism, Pcie
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.training import Replicas

Columns = Mapping[str, float]
Found = Iterator[tuple[str, object, str]]
ONE_CARD = N_("without effect: one card has nothing to talk to")
OFFLOADS = ("offload_optimizer", "offload_parameters", "offload_activations", "offload_nvme", "paged_states")


def ignored_machine(request: EstimateRequest, columns: Columns) -> tuple[Assumption, ...]:
    """Stated fields of `parallelism` and `hardware` without effect, and why.

    Args:
        columns: the run's columns of `names.TRAINING_INPUTS`.
    """
    asked = request.parallelism or Parallelism()
    found = (
        *_degrees(asked, columns),
        *_replicas(columns),
        *_links(request, columns),
        *_host(request, columns),
    )
    return tuple(Assumption(field, _shown(value), Message(why)) for field, value, why in found)


def _degrees(asked: Parallelism, c: Columns) -> Found:
    if asked.zero_stage and c["data_parallel"] * c["context_parallel"] == 1:
        why = N_("shards nothing over one replica: only what the framework does at this stage anyhow counts")
        yield "parallelism.zero_stage", asked.zero_stage, why
    if asked.sequence and c["tensor_parallel"] == 1:
        yield "parallelism.sequence", True, N_("without effect: there is one tensor-parallel rank")
    if asked.virtual_pipeline > 1 and c["pipeline_parallel"] == 1:
        yield (
            "parallelism.virtual_pipeline",
            asked.virtual_pipeline,
            N_("without effect: there is one pipeline stage"),
        )


def _replicas(c: Columns) -> Found:
    if c["threaded_replicas"] and c["data_parallel"] == 1:
        yield (
            "workload.replicas",
            Replicas.THREADS.value,
            N_("without effect: there is one copy of the model"),
        )


def _links(request: EstimateRequest, c: Columns) -> Found:
    hardware = request.hardware
    if hardware.gpus_per_node == 1 and hardware.intra_node is not IntraNode.AUTO:
        yield "hardware.intra_node", hardware.intra_node.value, ONE_CARD
    alone = hardware.gpus_per_node == 1 and not any(c[name] for name in OFFLOADS)
    if alone and hardware.nodes == 1:
        for name in ("generation", "lanes", "peer_to_peer", "topology"):
            if (value := getattr(hardware.pcie, name)) != getattr(Pcie(), name):
                yield f"hardware.pcie.{name}", value, ONE_CARD
    if hardware.nodes == 1:
        for name in ("gbit_per_s_per_gpu", "rdma"):
            if (value := getattr(hardware.inter_node, name)) != getattr(InterNode(), name):
                yield f"hardware.inter_node.{name}", value, N_("without effect: there is one machine")


def _host(request: EstimateRequest, c: Columns) -> Found:
    hardware = request.hardware
    kept = any(c[name] for name in OFFLOADS)
    for name in ("host_memory_bytes", "host_bandwidth_bytes_per_s"):
        if getattr(hardware, name) is not None and not kept:
            why = N_("without effect: the run keeps nothing in host memory")
            yield f"hardware.{name}", f"{getattr(hardware, name):.6g}", why
    if hardware.cpu_cores is not None and not c["image_tokens"]:
        yield "hardware.cpu_cores", hardware.cpu_cores, N_("without effect: no images are decoded")


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
