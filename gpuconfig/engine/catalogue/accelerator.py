"""Accelerators: GPUs and NPUs as sold, each form factor its own row.

Peak rates are dense. Consumer NVIDIA cards run FP16 and FP8 matrix products at half rate when they
accumulate in FP32, therefore the accumulation type is part of the field's name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.vocabulary import (
    Accumulation,
    ConnectorKind,
    Cooling,
    ExportStatus,
    FormFactor,
    LinkKind,
    LinkTopology,
    Market,
    Precision,
    Software,
    Vendor,
)


@dataclass(frozen=True, slots=True)
class PowerConnector:
    """`count` plugs of one kind; `max_w` where the maker names the rating of each."""

    kind: ConnectorKind
    count: int
    max_w: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """The fast link between accelerators besides PCIe.

    Attributes:
        per_direction_bytes_per_s: all links of one accelerator together, one way.
        pair_bytes_per_s: one way between two neighbours; less than the above in a mesh.
        max_gpus: how many accelerators the link joins.
    """

    kind: LinkKind
    name: str
    topology: LinkTopology | None = None
    per_direction_bytes_per_s: float | None = None
    pair_bytes_per_s: float | None = None
    max_gpus: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Accelerator(CatalogueItem):
    """One accelerator as it is bought. None means not known.

    Attributes:
        memory_gb: as sold, of the whole card.
        memory_bytes: nominal capacity. A card sold as "24 GB" carries 24 GiB, so this is `memory_gb` x 2**30.
        devices: how many devices the software sees on one card (MI250: 2); memory and rates are of the card.
        usable_bytes: what the driver shows as total; less than nominal where ECC or firmware takes a share.
        complete_machine: sold only inside a whole computer (Apple, DGX Spark): its price is the computer's.
        unified_memory: shared with the host: weights, system and display share it.
        fp16_fp16acc: peak with FP16 accumulation; `fp16_fp32acc` is what training uses.
        tpp: total processing performance of the US export rule (dense rate in TOPS x bit width).
        link: None where it has none or where that is not known; `link_known` tells which.
        peer_to_peer: direct PCIe transfers between two cards with the stock driver.
        power_connectors: () is slot power, None is not known.
        adapter_connectors: what feeds the card through the adapter in the box.
        slots: positions it covers, rounded up by the fit rule, not here.
        modified: altered after it left its maker (more memory, another board): no maker's warranty.
        restricted_cn_since: ISO day from which a US licence is needed for China.
    """

    vendor: Vendor
    family: str
    architecture: str = ""
    software: Software
    compute_capability: str | None = None
    form_factor: FormFactor
    form_factor_text: str = ""
    devices: int = 1
    complete_machine: bool = False

    memory_gb: float | None = None
    memory_bytes: int | None = None
    usable_bytes: int | None = None
    unified_memory: bool = False
    memory_type: str | None = None
    ecc: bool | None = None
    bus_bits: int | None = None
    bandwidth_bytes_per_s: float | None = None

    fp64_flops: float | None = None
    fp64_matrix_flops: float | None = None
    fp32_flops: float | None = None
    fp32_matrix_flops: float | None = None
    tf32_flops: float | None = None
    bf16_fp32acc_flops: float | None = None
    fp16_fp32acc_flops: float | None = None
    fp16_fp16acc_flops: float | None = None
    fp8_fp32acc_flops: float | None = None
    fp8_fp16acc_flops: float | None = None
    fp6_flops: float | None = None
    fp4_flops: float | None = None
    int8_ops: float | None = None
    sparse_2to4: bool | None = None
    sparse_headline: str = ""
    tpp: float | None = None

    sm_count: int | None = None
    matrix_cores: int | None = None
    l2_bytes: int | None = None
    llc_bytes: int | None = None

    pcie_generation: int | None = None
    pcie_lanes: int | None = None
    link: Link | None = None
    link_known: bool = False
    peer_to_peer: bool | None = None
    peer_to_peer_note: str = ""

    tdp_w: float | None = None
    idle_w: float | None = None
    transient_w: float | None = None
    transient_note: str = ""
    power_connectors: tuple[PowerConnector, ...] | None = None
    adapter_connectors: tuple[PowerConnector, ...] = ()
    power_connectors_text: str = ""
    recommended_psu_w: float | None = None
    estimated_psu_w: float | None = None

    length_mm: float | None = None
    height_mm: float | None = None
    thickness_mm: float | None = None
    slots: float | None = None
    cooling: Cooling | None = None
    cooling_text: str = ""
    max_temperature_c: float | None = None
    weight_kg: float | None = None
    noise_dba: float | None = None

    video_encode: str = ""
    av1_encode: bool | None = None
    mig_instances: int | None = None
    vgpu: bool | None = None
    modified: bool = False
    market: Market | None = None
    status: str = ""
    launch_date: str | None = None
    export_status: ExportStatus = ExportStatus.UNKNOWN
    export_china: str = ""
    restricted_cn_since: str | None = None

    def peak_flops(
        self, precision: Precision, accumulation: Accumulation = Accumulation.FP32
    ) -> float | None:
        """Dense peak of a matrix product in FLOP/s (operations/s for INT8); None where not known or without.

        With FP16 accumulation the rate falls back to that of FP32 accumulation where no faster one is
        recorded; FP32_MATRIX falls back to the vector rate.
        """
        fast = {Precision.FP16: self.fp16_fp16acc_flops, Precision.FP8: self.fp8_fp16acc_flops}
        if accumulation is Accumulation.FP16 and fast.get(precision) is not None:
            return fast[precision]
        return {
            Precision.FP64: self.fp64_flops,
            Precision.FP64_MATRIX: self.fp64_matrix_flops,
            Precision.FP32: self.fp32_flops,
            Precision.FP32_MATRIX: self.fp32_matrix_flops or self.fp32_flops,
            Precision.TF32: self.tf32_flops,
            Precision.BF16: self.bf16_fp32acc_flops,
            Precision.FP16: self.fp16_fp32acc_flops,
            Precision.FP8: self.fp8_fp32acc_flops,
            Precision.FP6: self.fp6_flops,
            Precision.FP4: self.fp4_flops,
            Precision.INT8: self.int8_ops,
        }[precision]

    def compute_capability_number(self) -> float | None:
        """NVIDIA's compute capability as a number (8.9), None for other makers."""
        text = self.compute_capability or ""
        return float(text) if re.fullmatch(r"\d+\.\d+", text) else None

    def made_for_china(self) -> bool:
        """A variant under export rules, or a Chinese maker's: its maker sells it nowhere else."""
        return self.export_status in (ExportStatus.CHINA_VARIANT, ExportStatus.DOMESTIC)

    def capacity_bytes(self) -> int | None:
        """What the driver shows where known, else the nominal capacity."""
        return self.memory_bytes if self.usable_bytes is None else self.usable_bytes
