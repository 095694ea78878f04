"""The closed vocabularies of the catalogue: kinds of part, price, link, cooling and precision."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from gpuconfig.engine.provenance.message import N_


class Kind(StrEnum):
    """Every kind of catalogue item; the value is the name used on the command line and in files."""

    ACCELERATOR = "accelerator"
    CPU = "cpu"
    MOTHERBOARD = "motherboard"
    PLATFORM = "platform"
    MEMORY = "memory"
    POWER_SUPPLY = "power_supply"
    CHASSIS = "chassis"
    COOLER = "cooler"
    DRIVE = "drive"
    NIC = "nic"
    RISER = "riser"
    SWITCH = "switch"
    CABLE = "cable"
    BRIDGE = "bridge"
    UPS = "ups"
    PDU = "pdu"
    RACK = "rack"
    SERVER = "server"
    MODEL = "model"


class Confidence(StrEnum):
    """How far the recorded values were cross-checked."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Origin(StrEnum):
    """Where an item or value comes from: the bundled catalogue or the user's overlay."""

    BUNDLED = "bundled"
    USER = "user"


class Vendor(StrEnum):
    """Makers of accelerators; everything else carries its brand as text."""

    NVIDIA = "NVIDIA"
    AMD = "AMD"
    INTEL = "Intel"
    HUAWEI = "Huawei"
    CAMBRICON = "Cambricon"
    HYGON = "Hygon"
    MOORE_THREADS = "Moore Threads"
    APPLE = "Apple"
    OTHER = "other"


class Software(StrEnum):
    """The compute software an accelerator is programmed with."""

    CUDA = "cuda"
    ROCM = "rocm"
    ONEAPI = "oneapi"
    HABANA = "habana"
    CANN = "cann"
    NEUWARE = "neuware"
    DTK = "dtk"
    MUSA = "musa"
    METAL = "metal"
    OTHER = "other"


SOFTWARE_NAMES: Mapping[Software, str] = {
    Software.CUDA: "CUDA",
    Software.ROCM: "ROCm",
    Software.ONEAPI: "oneAPI",
    Software.HABANA: "SynapseAI",
    Software.CANN: "CANN",
    Software.NEUWARE: "Neuware",
    Software.DTK: "DTK",
    Software.MUSA: "MUSA",
    Software.METAL: "Metal",
    Software.OTHER: N_("other"),
}
"""As its makers write it."""


class FormFactor(StrEnum):
    """How an accelerator is mounted."""

    PCIE = "pcie"
    SXM = "sxm"
    OAM = "oam"
    MXM = "mxm"
    SOCKET = "socket"
    SUPERCHIP = "superchip"
    MODULE = "module"
    SOC = "soc"
    BOX = "box"


class Cooling(StrEnum):
    """How an accelerator sheds its heat."""

    BLOWER = "blower"
    OPEN_AIR = "open_air"
    FLOW_THROUGH = "flow_through"
    PASSIVE = "passive"
    LIQUID = "liquid"
    MODULE = "module"
    INTEGRATED = "integrated"


OPEN_FANS = frozenset({Cooling.OPEN_AIR, Cooling.FLOW_THROUGH})
"""Coolers whose own fans leave the warm air in the case."""


class ConnectorKind(StrEnum):
    """Power connectors of cards and supplies."""

    PCIE_6 = "pcie_6"
    PCIE_8 = "pcie_8"
    PCIE_12 = "pcie_12"
    PCIE_16 = "pcie_16"
    EPS_8 = "eps_8"
    PROPRIETARY = "proprietary"


class LinkKind(StrEnum):
    """Fast links between accelerators besides PCIe."""

    NVLINK = "nvlink"
    NVLINK_BRIDGE = "nvlink_bridge"
    INFINITY_FABRIC = "infinity_fabric"
    ROCE = "roce"
    HCCS = "hccs"
    MLU_LINK = "mlu_link"
    NETWORK = "network"


class LinkTopology(StrEnum):
    """Whether every pair gets the full rate (switch), a share (mesh) or only pairs are joined (bridge)."""

    SWITCH = "switch"
    MESH = "mesh"
    BRIDGE = "bridge"
    NETWORK = "network"


class Precision(StrEnum):
    """Number formats of arithmetic."""

    FP64 = "fp64"
    FP64_MATRIX = "fp64_matrix"
    FP32 = "fp32"
    FP32_MATRIX = "fp32_matrix"
    TF32 = "tf32"
    BF16 = "bf16"
    FP16 = "fp16"
    FP8 = "fp8"
    FP6 = "fp6"
    FP4 = "fp4"
    INT8 = "int8"


class Accumulation(StrEnum):
    """Accumulation type of a matrix product; training uses FP32."""

    FP32 = "fp32"
    FP16 = "fp16"


class LaneSource(StrEnum):
    """What feeds the lanes of a slot."""

    CPU = "cpu"
    CHIPSET = "chipset"
    SWITCH = "switch"
    UNKNOWN = "unknown"


class Market(StrEnum):
    """Life-cycle state of a product."""

    CURRENT = "current"
    PREVIOUS = "previous"
    END_OF_LIFE = "end_of_life"
    ANNOUNCED = "announced"
    AFTERMARKET = "aftermarket"


class ExportStatus(StrEnum):
    """Whether a product may be bought for mainland China; the dated rule stands beside it as text."""

    FREE = "free"
    CHINA_VARIANT = "china_variant"
    DOMESTIC = "domestic"
    LICENCE = "licence"
    CASE_BY_CASE = "case_by_case"
    UNKNOWN = "unknown"


class Condition(StrEnum):
    """State of the goods an offer speaks of; never merged in a price."""

    NEW = "new"
    USED = "used"
    MODIFIED = "modified"
    REFURBISHED = "refurbished"
    UNKNOWN = "unknown"


class PriceKind(StrEnum):
    """What an amount is, from a seen price to an assumption."""

    STREET = "street"
    LIST = "list"
    QUOTE = "quote"
    CONVERTED = "converted"
    ASSUMED = "assumed"


class Channel(StrEnum):
    """Through whom an offer is made."""

    RETAIL = "retail"
    CHANNEL = "channel"
    GREY = "grey"
    MARKETPLACE = "marketplace"
    LIST = "list"
    UNKNOWN = "unknown"


class Region(StrEnum):
    """Where an offer, a tariff or a rule holds."""

    CN = "CN"
    US = "US"
    EU = "EU"
    WORLD = "world"


class RentalKind(StrEnum):
    """Terms of a rented accelerator hour."""

    ON_DEMAND = "on_demand"
    SPOT = "spot"
    RESERVED = "reserved"
    ESTIMATE = "estimate"


class ModelKind(StrEnum):
    """What a neural model is, for choosing the estimator."""

    DECODER = "decoder"
    ENCODER = "encoder"
    DIFFUSION = "diffusion"
    VISION = "vision"
