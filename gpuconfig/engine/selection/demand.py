"""From the request to estimates and needs: fills what the person left open, and says so."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from gpuconfig.engine.builds.build import Build, CardLink
from gpuconfig.engine.builds.placement import place
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import ServerPlatform
from gpuconfig.engine.catalogue.host import Cpu, MemoryKit, Motherboard
from gpuconfig.engine.catalogue.peripheral import Drive
from gpuconfig.engine.catalogue.vocabulary import OPEN_FANS, Cooling, FormFactor
from gpuconfig.engine.catalogue.vocabulary import Kind as PartKind
from gpuconfig.engine.compatibility.environment import Noise, environment_of, machine_room_feed, outlet
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.estimation.answer import Assumption, Estimate
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.units import GIB
from gpuconfig.engine.selection.candidates import Candidate
from gpuconfig.engine.selection.composer.need import Need
from gpuconfig.engine.selection.leaner import shared
from gpuconfig.engine.selection.request import Constraints, Form, RecommendRequest, Target
from gpuconfig.engine.workloads.hardware import Hardware, InterNode, IntraNode, Pcie, PcieTopology
from gpuconfig.engine.workloads.request import EstimateRequest, Kind, Workload
from gpuconfig.engine.workloads.serving import ServingWorkload
from gpuconfig.engine.workloads.training import Method, TrainingWorkload

GROUP = "selection"
_MODULES = frozenset({FormFactor.SXM, FormFactor.OAM, FormFactor.MODULE, FormFactor.SUPERCHIP})


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """The request with its open ends filled.

    Attributes:
        workload: as it is estimated.
        target: the person's, with the patience taken where nothing is said.
        deadline_s: of `target`; None where there is none.
    """

    request: RecommendRequest
    workload: Workload
    target: Target
    assumptions: tuple[Assumption, ...]

    @property
    def deadline_s(self) -> float | None:
        """When a training run must be done."""
        return self.target.deadline_s


def demand_of(request: RecommendRequest, coefficients: CoefficientSet) -> Demand:
    """Defaults for what a newcomer does not say."""
    workload = request.workload
    notes: list[Assumption] = []
    target = request.target
    free = request.constraints.gpu_count is None
    if isinstance(workload, TrainingWorkload):
        method = workload.method.value
        if workload.dataset_tokens is None:
            tokens = _dataset_tokens(request, workload, coefficients)
            workload = replace(workload, dataset_tokens=tokens)
            notes.append(_assumed("workload.dataset_tokens", f"{tokens:.3g}",
                                  N_("no data set was named: a usual size for the method")))  # fmt: skip
        if target.deadline_s is None and free and target.tokens_per_s is None:
            patience = coefficients.value(GROUP, "patience_s", method)
            target = replace(target, deadline_s=patience)
            notes.append(_assumed("target.deadline_s", f"{patience:.0f}",
                                  N_("no deadline was set: machines that take longer are not offered")))  # fmt: skip
    elif isinstance(workload, ServingWorkload):
        if workload.concurrency is None and target.users:
            workload = replace(workload, concurrency=target.users)
        if target.tpot_ms is None and target.tokens_per_s is None and free:
            slowest = workload.tpot_target_ms or coefficients.value(GROUP, "patience_tpot_ms", "serving")
            target = replace(target, tpot_ms=slowest)
            notes.append(_assumed("target.tpot_ms", f"{slowest:.0f}",
                                  N_("no speed was asked: each user gets text at reading speed")))  # fmt: skip
        if target.ttft_ms is None and workload.ttft_target_ms is not None:
            target = replace(target, ttft_ms=workload.ttft_target_ms)
        elif target.ttft_ms is None and target.tokens_per_s is None and free:
            longest, why = _patience_ttft_ms(workload, coefficients)
            target = replace(target, ttft_ms=longest)
            notes.append(_assumed("target.ttft_ms", f"{longest:.0f}", why))
    elif request.kind in (Kind.IMAGE, Kind.VIDEO) and free and target.deadline_s is None:
        # The contract has no target of its own for a picture or clip: the deadline bounds one.
        patience = coefficients.value(GROUP, "patience_s", request.kind.value)
        target = replace(target, deadline_s=patience)
        why = N_("no time was asked for one picture or clip: slower machines are not offered")
        notes.append(_assumed("target.deadline_s", f"{patience:.0f}", why))
    if request.constraints.mains is None and not _in_server_place(request.constraints):
        volts, amps = mains(request, coefficients)
        notes.append(_assumed("constraints.mains", f"{volts:.0f} V {amps:.0f} A",
                              N_("no outlet was named: the ordinary one of the region")))  # fmt: skip
        if request.constraints.form is not Form.WORKSTATION and request.constraints.noise is not Noise.OFFICE:
            volts, amps = machine_room_feed(environment_of(request.constraints), coefficients)
            why = N_("a rack server stands in a machine room: a feed of its own for each of its supplies")
            notes.append(_assumed("constraints.mains", f"{volts:.0f} V {amps:.0f} A", why))
    return Demand(request=request, workload=workload, target=target, assumptions=tuple(notes))


def estimate_request(demand: Demand, candidate: Candidate, coefficients: CoefficientSet) -> EstimateRequest:
    """What is asked of the estimator before a machine is composed: slots as good as the card.

    Host memory is left open: the machine is given what the work keeps there.
    """
    card = candidate.accelerator
    network = InterNode()
    if candidate.nodes > 1:
        network = InterNode(gbit_per_s_per_gpu=network_gbit(candidate, coefficients), rdma=True)
    hardware = Hardware(
        gpu=card.id,
        gpus_per_node=candidate.per_node,
        nodes=candidate.nodes,
        inter_node=network,
        inlet_c=demand.request.constraints.ambient_c,
    )
    return EstimateRequest(
        id=candidate.key, kind=demand.request.kind, model=demand.request.model, accelerator=card,
        workload=shared(demand.workload, demand.request.model, candidate.per_node), hardware=hardware, parallelism=None,
    )  # fmt: skip


def on_machine(
    request: EstimateRequest, build: Build, wish: Constraints, coefficients: CoefficientSet
) -> EstimateRequest:
    """The same request on the slots, parts, supplies, power cap and air of the composed machine."""
    hardware = request.hardware
    machine = Machine(build, environment_of(wish), coefficients)
    changes: dict[str, object] = {
        "inlet_c": _inlet_c(build, request, wish.ambient_c, coefficients),
        "host_rated_w": machine.host_rated_w(),
        "supply_efficiency": machine.efficiency(),
    }
    cards = build.first(PartKind.ACCELERATOR)
    if cards is not None and cards.power_limit_w is not None:
        changes["power_limit_w"] = cards.power_limit_w
    board = build.first(PartKind.MOTHERBOARD)
    if board is not None and isinstance(board.item, Motherboard):
        changes["pcie"] = (
            _carried_pcie(build.links, request.accelerator, hardware)
            if build.links
            else _board_pcie(machine, request.accelerator, hardware)
        )
    server = build.first(PartKind.SERVER)
    if server is not None and isinstance(server.item, ServerPlatform):
        changes["pcie"] = _server_pcie(server.item, request.accelerator, hardware)
    if build.of(PartKind.BRIDGE) and machine.is_linked:
        changes["intra_node"] = IntraNode.NVLINK
    cpu = build.first(PartKind.CPU)
    if cpu is not None and isinstance(cpu.item, Cpu):
        changes["cpu_cores"] = None if cpu.item.cores is None else cpu.item.cores * cpu.quantity
    changes["host_bandwidth_bytes_per_s"] = machine.memory_bytes_per_s()
    kit = build.first(PartKind.MEMORY)
    if kit is not None and isinstance(kit.item, MemoryKit):
        changes["host_memory_bytes"] = float(kit.item.capacity_bytes() * kit.quantity)
    drive = build.first(PartKind.DRIVE)
    if drive is not None and isinstance(drive.item, Drive):
        changes["storage_bytes_per_s"] = drive.item.read_bytes_per_s
    network = machine.network_bits_per_s() if hardware.nodes > 1 else None
    if network:
        rate, nic = network / hardware.gpus_per_node / 1e9, machine.nics[0]
        changes["inter_node"] = InterNode(gbit_per_s_per_gpu=rate, rdma=nic.rdma)
    return replace(request, hardware=replace(hardware, **changes))  # type: ignore[arg-type]


def need_of(
    demand: Demand,
    candidate: Candidate,
    asked: Hardware,
    estimate: Estimate,
    coefficients: CoefficientSet,
    circuit_w: float | None,
) -> Need:
    """What one machine of the candidate must hold, given the hardware that the estimate was asked for."""
    wish = demand.request.constraints
    card = candidate.accelerator
    server_place = _in_server_place(wish)
    host = estimate.memory.host_bytes if estimate.memory else None
    cores = max(
        coefficients.value(GROUP, "cores_floor"),
        coefficients.value(GROUP, "cores_per_card") * candidate.per_node,
        asked.cpu_cores or 0,
    )
    outlet_volts, _ = mains(demand.request, coefficients)
    volts, amps = machine_room_feed(environment_of(wish), coefficients)
    feed = volts * amps * coefficients.value("rules", "circuit_share")
    size = "server" if candidate.per_node >= 8 or card.form_factor in _MODULES else "desktop"
    return Need(
        accelerator=card,
        per_node=candidate.per_node,
        nodes=candidate.nodes,
        region=wish.region,
        ram_bytes=max(
            ram_bytes(demand, candidate, coefficients), (host.high or host.value or 0.0) if host else 0.0
        ),
        host_bytes_per_s=asked.host_bandwidth_bytes_per_s or 0.0,
        cores=int(cores),
        drive_bytes=max(
            coefficients.value(GROUP, "drive_gb", f"{size}|{_side(demand)}", size) * 1e9,
            coefficients.value(GROUP, "weight_copies") * (demand.request.model.parameters or 0) * FILE_BYTES,
        ),
        circuit_w=None if server_place and wish.mains is None else circuit_w,
        circuits=None if wish.mains is None else 1,
        volts=outlet_volts,
        server_feed_w=feed if wish.mains is None else None,
        frames=wish.noise is not Noise.OFFICE,
        desktop=wish.form is not Form.SERVER,
        server=wish.form is not Form.WORKSTATION and wish.noise is not Noise.OFFICE,
        network_bits_per_gpu=network_gbit(candidate, coefficients) * 1e9 if candidate.nodes > 1 else 0.0,
        aims=demand.request.build_weights,
    )


def _in_server_place(wish: Constraints) -> bool:
    """A machine room, where each supply has a feed of its own."""
    return wish.noise is Noise.MACHINE_ROOM or wish.form is Form.SERVER


def ram_bytes(demand: Demand, candidate: Candidate, coefficients: CoefficientSet) -> float:
    """Host memory of one machine, in steps as sold.

    The system, a process with its buffers for each card, and a share of the cards' memory for weights on the way.
    """
    cards = (candidate.accelerator.memory_bytes or 0) * candidate.per_node
    if candidate.accelerator.unified_memory:
        return float(candidate.accelerator.memory_bytes or 0)
    around = coefficients.value(GROUP, "ram_system_gib")
    around += coefficients.value(GROUP, "ram_process_gib") * candidate.per_node
    wanted = cards * coefficients.value(GROUP, "ram_per_vram", _side(demand)) + around * GIB
    # A step below the exact ratio saves a doubling: 96 GiB of cards are served by 96 GiB of memory.
    return float(min((s * GIB for s in _RAM_STEPS if s * GIB >= wanted * 0.95), default=wanted))


FILE_BYTES = 2
"""Of one parameter in a published file: 16-bit."""


def _side(demand: Demand) -> str:
    """How coefficients call what is done: a run of training holds data sets and checkpoints, the rest a model."""
    return "training" if demand.request.kind in (Kind.TRAINING, Kind.VISION_TRAINING) else "serving"


_RAM_STEPS = (16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096)


def network_gbit(candidate: Candidate, coefficients: CoefficientSet) -> float:
    """Rate between machines planned for one card."""
    card = candidate.accelerator
    if card.form_factor in _MODULES:
        return coefficients.value(GROUP, "network_gbit_per_gpu", "sxm")
    place_ = "pcie_server" if candidate.per_node >= 8 or card.cooling is Cooling.PASSIVE else "workstation"
    return coefficients.value(GROUP, "network_gbit_per_gpu", place_)


def mains(request: RecommendRequest, rules: CoefficientSet) -> tuple[float, float]:
    """Volts and amperes of the outlet: the person's, else the ordinary one of the region."""
    return outlet(environment_of(request.constraints), rules)


def _dataset_tokens(
    request: RecommendRequest, workload: TrainingWorkload, coefficients: CoefficientSet
) -> float:
    if workload.method is Method.PRETRAIN:
        return coefficients.value(GROUP, "tokens_per_parameter", "pretrain") * request.model.parameters
    return coefficients.value(GROUP, "dataset_tokens", workload.method.value)


def _patience_ttft_ms(workload: ServingWorkload, coefficients: CoefficientSet) -> tuple[float, str]:
    """Longest wait for the first token where none is named, and why: nobody expects a book to be read in seconds."""
    attention = coefficients.value(GROUP, "patience_ttft_ms", "serving")
    reading = (workload.prompt_tokens or 0) * coefficients.value(GROUP, "patience_prompt_token_ms", "serving")
    if reading > attention:
        return reading, N_("no wait was named: of so long a prompt a person waits for the reading")
    return attention, N_("no wait was named: the first word comes before attention is lost")


def _assumed(field: str, value: str, why: str) -> Assumption:
    return Assumption(field, value, Message(why))


def _inlet_c(
    build: Build, request: EstimateRequest, room_c: float | None, coefficients: CoefficientSet
) -> float | None:
    """Air at the warmest card: the room's, and warmer where an open card draws what its neighbour blows out.

    A room that is not stated is `usual_room_c` once cards crowd each other, and no question otherwise.
    """
    board = build.first(PartKind.MOTHERBOARD)
    card, count = request.accelerator, request.hardware.gpus_per_node
    crowds = card.cooling in OPEN_FANS and count > 1 and not build.of(PartKind.SERVER)
    if (
        not crowds
        or board is None
        or not isinstance(board.item, Motherboard)
        or not board.item.positions_known
    ):
        return room_c
    placement = place(board.item, [card.slots or 1.0] * count)
    if placement is None or not placement.tight():
        return room_c
    usual = coefficients.value(GROUP, "usual_room_c")
    return (usual if room_c is None else room_c) + coefficients.value("rules", "neighbour_rise_c")


def _board_pcie(machine: Machine, card: Accelerator, hardware: Hardware) -> Pcie:
    placement = machine.placement
    given = hardware.pcie
    if placement is None or not placement.seats:
        return given
    own = card.pcie_lanes or 16
    lanes = tuple(min(own, s.lanes) for s in placement.seats if s.lanes is not None)
    generations = [s.slot.generation for s in placement.seats if s.slot.generation is not None]
    generation = min([*generations, card.pcie_generation or math.inf], default=None)
    return replace(
        given,
        lanes=lanes if len(lanes) == hardware.gpus_per_node else given.lanes,
        generation=int(generation) if generation is not None and generation != math.inf else given.generation,
        topology=given.topology or PcieTopology.ROOT,
    )


def _carried_pcie(links: tuple[CardLink, ...], card: Accelerator, hardware: Hardware) -> Pcie:
    """Of cards on risers or cables: what the composer says of each link."""
    lanes = tuple(link.lanes for link in links if link.lanes is not None)
    generations = [g for g in (*(x.generation for x in links), card.pcie_generation) if g is not None]
    given = hardware.pcie
    return replace(
        given,
        lanes=lanes if len(lanes) == hardware.gpus_per_node else given.lanes,
        generation=min(generations, default=given.generation),
        topology=given.topology or PcieTopology.ROOT,
    )


def _server_pcie(server: ServerPlatform, card: Accelerator, hardware: Hardware) -> Pcie:
    text = server.pcie_topology.lower()
    topology = PcieTopology.CROSS_SOCKET if (server.cpu_sockets or 2) > 1 else PcieTopology.ROOT
    if "switch" in text or "plx" in text or "pex" in text:
        topology = PcieTopology.TWO_SWITCHES if hardware.gpus_per_node > 4 else PcieTopology.SWITCH
    generation = min(
        (g for g in (server.pcie_generation, card.pcie_generation) if g is not None), default=None
    )
    return replace(hardware.pcie, topology=hardware.pcie.topology or topology, generation=generation)


CAPTIONS: Mapping[Kind, str] = {
    Kind.TRAINING: N_("time to train"),
    Kind.SERVING: N_("time per output token, all users together"),
    Kind.IMAGE: N_("time per image"),
    Kind.VIDEO: N_("time per clip"),
    Kind.VISION_TRAINING: N_("time per sample"),
    Kind.VISION_INFERENCE: N_("time per sample"),
}
"""What the time axis of the trade-off means for a kind of workload."""
