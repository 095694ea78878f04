"""What a person calls each kind of part, and each field of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.message import N_, Message

PART_KINDS: Mapping[Kind, str] = MappingProxyType(
    {
        Kind.ACCELERATOR: N_("Accelerator"),
        Kind.CPU: N_("Processor"),
        Kind.MOTHERBOARD: N_("Motherboard"),
        Kind.PLATFORM: N_("Platform"),
        Kind.MEMORY: N_("Memory"),
        Kind.POWER_SUPPLY: N_("Power supply"),
        Kind.CHASSIS: N_("Chassis"),
        Kind.COOLER: N_("Cooler"),
        Kind.DRIVE: N_("Drive"),
        Kind.NIC: N_("Network card"),
        Kind.RISER: N_("Riser"),
        Kind.SWITCH: N_("Network switch"),
        Kind.CABLE: N_("Cable"),
        Kind.BRIDGE: N_("Link bridge"),
        Kind.UPS: N_("UPS"),
        Kind.PDU: N_("PDU"),
        Kind.RACK: N_("Rack"),
        Kind.SERVER: N_("Server"),
        Kind.MODEL: N_("Model"),
    }
)
"""What a person calls each kind of part, as English source text."""

_OF_KIND = MappingProxyType(
    {
        (Kind.MOTHERBOARD, "slots"): N_("Slots one by one"),
        (Kind.CHASSIS, "height_mm"): N_("Height of the case"),
        (Kind.MODEL, "kind"): N_("Kind of model"),
    }
)
_TITLES = MappingProxyType(
    {
        # every part
        "name": N_("Name"), "aliases": N_("Other names"), "brand": N_("Maker"), "part_number": N_("Part number"),
        "sources": N_("Sources"), "date": N_("Checked on"), "evidence_kind": N_("Kind of evidence"),
        "confidence": N_("Confidence"), "notes": N_("Notes"), "status": N_("State of the product"),
        # accelerators
        "vendor": N_("Vendor"), "family": N_("Family"), "architecture": N_("Architecture"),
        "software": N_("Software"), "compute_capability": N_("Compute capability"),
        "form_factor": N_("Form factor"), "form_factor_text": N_("Form factor in words"),
        "devices": N_("Devices on a card"), "complete_machine": N_("Sold as a whole computer"),
        "memory_bytes": N_("Memory"), "usable_bytes": N_("Memory the driver shows"),
        "unified_memory": N_("Memory shared with the host"), "memory_type": N_("Kind of memory"), "ecc": N_("ECC"),
        "bus_bits": N_("Memory bus (bit)"), "bandwidth_bytes_per_s": N_("Memory bandwidth"),
        "fp64_flops": N_("FP64, dense"), "fp64_matrix_flops": N_("FP64 matrix, dense"),
        "fp32_flops": N_("FP32, dense"), "fp32_matrix_flops": N_("FP32 matrix, dense"),
        "tf32_flops": N_("TF32, dense"), "bf16_fp32acc_flops": N_("BF16 with FP32 accumulation, dense"),
        "fp16_fp32acc_flops": N_("FP16 with FP32 accumulation, dense"),
        "fp16_fp16acc_flops": N_("FP16 with FP16 accumulation, dense"),
        "fp8_fp32acc_flops": N_("FP8 with FP32 accumulation, dense"),
        "fp8_fp16acc_flops": N_("FP8 with FP16 accumulation, dense"), "fp6_flops": N_("FP6, dense"),
        "fp4_flops": N_("FP4, dense"), "int8_ops": N_("INT8, dense"), "sparse_2to4": N_("2:4 sparsity"),
        "sparse_headline": N_("Advertised with sparsity"), "tpp": N_("Total processing performance (TPP)"),
        "sm_count": N_("Compute units"), "matrix_cores": N_("Matrix cores"), "l2_bytes": N_("L2 cache"),
        "llc_bytes": N_("Last-level cache"), "pcie_generation": N_("PCIe generation"), "pcie_lanes": N_("PCIe lanes"),
        "link_kind": N_("Link between cards"), "link_name": N_("Name of the link"),
        "link_topology": N_("Topology of the link"),
        "link_bytes_per_s_per_direction": N_("Link bandwidth, each direction"),
        "link_pair_bytes_per_s": N_("Link bandwidth of a pair, each direction"),
        "link_max_gpus": N_("Cards on the link"), "peer_to_peer": N_("PCIe peer-to-peer"),
        "peer_to_peer_note": N_("Peer-to-peer in words"), "tdp_w": N_("Power"), "idle_w": N_("Idle power"),
        "transient_w": N_("Power of spikes"), "transient_note": N_("Spikes in words"),
        "power_connectors": N_("Power plugs"), "adapter_connectors": N_("Plugs of the adapter"),
        "power_connectors_text": N_("Power plugs in words"), "recommended_psu_w": N_("Supply the maker asks for"),
        "estimated_psu_w": N_("Supply, estimated"), "slots": N_("Slots covered"),
        "length_mm": N_("Length"), "height_mm": N_("Height"),
        "thickness_mm": N_("Thickness"), "cooling": N_("Cooling"), "cooling_text": N_("Cooling in words"),
        "max_temperature_c": N_("Highest temperature"), "video_encode": N_("Video encoders"),
        "av1_encode": N_("AV1 encoding"), "mig_instances": N_("MIG instances"), "vgpu": N_("vGPU"),
        "modified": N_("Modified after sale"), "market": N_("Market state"), "launch_date": N_("Launched"),
        "export_status": N_("Export status"), "export_china": N_("Export rule for China"),
        "restricted_cn_since": N_("Licence needed for China since"),
        # processors, boards, memory, coolers
        "socket": N_("Socket"), "sockets": N_("Sockets"), "platform": N_("Platform"), "platforms": N_("Platforms"),
        "cores": N_("Cores"), "usable_pcie_lanes": N_("Free PCIe lanes"), "max_turbo_w": N_("Largest turbo power"),
        "memory_types": N_("Kinds of memory"), "registered": N_("Registered memory"),
        "memory_channels": N_("Memory channels"), "memory_mts": N_("Memory speed (MT/s)"),
        "max_sockets": N_("Processors together"), "cpu_sockets": N_("Processor sockets"), "chipset": N_("Chipset"),
        "dimm_slots": N_("Memory slots"), "max_memory_bytes": N_("Largest memory"),
        "slots_text": N_("Slots in words"), "conflicts": N_("What shares lanes"),
        "max_dual_width_cards": N_("Two-slot cards"), "case_positions_needed": N_("Slot positions in the case"),
        "cpu_family": N_("Processor family"), "cpu_pcie_lanes": N_("PCIe lanes of the processor"),
        "cpu_pcie_lanes_text": N_("PCIe lanes in words"), "cpu_pcie_generation": N_("PCIe generation of the processor"),
        "chipset_lanes_text": N_("Lanes of the chipset in words"), "bifurcation_text": N_("Bifurcation in words"),
        "module_form": N_("Module"), "modules": N_("Modules"), "module_bytes": N_("Module size"),
        "speed_mts": N_("Speed (MT/s)"), "cooler_type": N_("Type"), "radiator_mm": N_("Radiator"),
        "cooling_w": N_("Heat carried"),
        # supplies and cases
        "rated_w": N_("Rated power"), "rated_w_low_line": N_("Rated power at 115 V"),
        "full_power_min_volts": N_("Full power from (V)"), "atx_version": N_("ATX version"),
        "efficiency": N_("Efficiency"), "eps_8": N_("EPS 8-pin plugs"), "pcie_16": N_("12V-2x6 plugs"),
        "pcie_6plus2": N_("6+2-pin plugs"), "sata": N_("SATA plugs"), "molex": N_("Molex plugs"),
        "redundant": N_("Redundant"), "rails_note": N_("Rails"), "rack_units": N_("Rack units"),
        "max_gpu_length_mm": N_("Longest card"), "max_gpu_height_mm": N_("Highest card"),
        "expansion_slots": N_("Expansion slots"), "vertical_slots": N_("Upright slots"),
        "max_cooler_mm": N_("Highest cooler"), "max_psu_mm": N_("Longest supply"),
        "psu_form_factors": N_("Supplies taken"), "board_form_factors": N_("Boards taken"), "width_mm": N_("Width"),
        "depth_mm": N_("Depth"), "weight_kg": N_("Weight (kg)"), "airflow": N_("Airflow"),
        "radiators_text": N_("Radiators taken"),
        # drives, networks, risers
        "interface": N_("Interface"), "nvme": N_("NVMe"), "capacity_bytes": N_("Capacity"),
        "read_bytes_per_s": N_("Reads at"), "write_bytes_per_s": N_("Writes at"),
        "endurance_dwpd": N_("Writes a day"), "ports": N_("Ports"), "port_bits_per_s": N_("Rate of a port"),
        "rdma": N_("RDMA"), "riser_type": N_("Type"), "lanes": N_("Lanes"), "redriver": N_("Redriver"),
        "slots_span": N_("Slots spanned"), "bridges_needed": N_("Bridges for a pair"),
        # servers, racks
        "accelerator_form": N_("Takes"), "accelerators": N_("Made for"), "accelerator_count": N_("Cards"),
        "capacity_text": N_("Cards in words"), "max_accelerator_w": N_("Largest power of a card"),
        "max_accelerator_slots": N_("Widest card (slots)"), "max_accelerator_length_mm": N_("Longest card"),
        "passive_cards": N_("Passive cards"), "pcie_topology": N_("PCIe topology"), "psu_count": N_("Supplies"),
        "psu_w": N_("Each supply"), "psu_redundant": N_("Supplies that may fail"), "psu_text": N_("Supplies in words"),
        "max_system_power_w": N_("Largest power"), "base_power_w": N_("Power without cards"),
        "max_inlet_c": N_("Highest air inlet"), "includes_accelerators": N_("Price contains cards"),
        "includes_cpu": N_("Price contains processors"), "includes_memory": N_("Price contains memory"),
        "includes_drives": N_("Price contains drives"), "includes_nic": N_("Price contains network cards"),
        "va": N_("Apparent power (VA)"), "watts": N_("Real power"), "input_text": N_("Input"),
        "outlets_text": N_("Outlets"), "max_load_kg": N_("Load (kg)"),
        "noise_dba": N_("Noise (dB(A))"), "m2_slots": N_("M.2 slots"), "sata_ports": N_("SATA ports"),
        "psu_places": N_("Places for supplies"),
        "slots_split": N_("Splits a slot of 16 lanes into two of 8"),
        "cable_type": N_("Type of cable"), "rate_bits_per_s": N_("Rate of the cable"),
        "bays_35": N_("3.5-inch bays"), "bays_25": N_("2.5-inch bays"),
        "memory_clearance_mm": N_("Room over the memory"),
        # models
        "kind": N_("Kind"), "hugging_face": N_("Name on Hugging Face"), "licence": N_("Licence"),
        "parameters": N_("Parameters"), "active_parameters": N_("Active parameters"),
        "native_precision": N_("Published precision"), "vision_parameters": N_("Parameters of the image part"),
        "image_tokens_default": N_("Tokens of an image"), "release": N_("Released"), "file_bytes": N_("File size"),
        "file_format": N_("File format"),
    }
)  # fmt: skip


def field_title(name: str, kind: Kind | None) -> str:
    """The field's title as English source text; its own name where there is none."""
    return (_OF_KIND.get((kind, name)) if kind else None) or _TITLES.get(name, name)


def missing_title(path: str, kinds: Mapping[Kind, str]) -> Message:
    """What a rule did not know, `motherboard.eps_8` or `nvidia-rtx-4090-24.slots`, in words.

    Args:
        kinds: what the reader's page calls each kind of part.
    """
    head, _, name = path.partition(".")
    kind = next((known for known in Kind if known.value == head), None)
    part: object = head if kind is None else Message(kinds[kind])
    if not name:
        return Message("{part}", {"part": part})
    title = field_title(name.partition(".")[0], kind)
    return Message(N_("{part}: {field}"), {"part": part, "field": Message(title)})
