"""English names of closed vocabularies as papers print them, marked for translation."""

from __future__ import annotations

from gpuconfig.engine.catalogue.vocabulary import (
    Condition,
    Cooling,
    ExportStatus,
    LaneSource,
    PriceKind,
    Region,
)
from gpuconfig.engine.compatibility.environment import Noise
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.estimation.answer import BoundBy, Verdict
from gpuconfig.engine.provenance.explanation import Mark
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.recommendation import OptionKind
from gpuconfig.engine.selection.request import ConditionWish, Form
from gpuconfig.engine.workloads.training import Checkpointing, Method, Offload, Optimizer

PRICE_KINDS: dict[PriceKind, str] = {
    PriceKind.STREET: N_("street price"),
    PriceKind.LIST: N_("list price"),
    PriceKind.QUOTE: N_("quoted"),
    PriceKind.CONVERTED: N_("converted"),
    PriceKind.ASSUMED: N_("assumed"),
}
CONDITIONS: dict[Condition, str] = {
    Condition.NEW: N_("new"),
    Condition.USED: N_("used"),
    Condition.MODIFIED: N_("modified"),
    Condition.REFURBISHED: N_("refurbished"),
    Condition.UNKNOWN: N_("condition unknown"),
}
OPTION_KINDS: dict[OptionKind, str] = {
    OptionKind.BUY: N_("Buy"),
    OptionKind.RENT: N_("Rent"),
    OptionKind.KEEP: N_("Keep what there is"),
}
STATUSES: dict[Status, str] = {
    Status.OK: N_("✓\u00a0OK"),
    Status.WARNING: N_("▲\u00a0Attention"),
    Status.PROBLEM: N_("■\u00a0Problem"),
    Status.UNKNOWN: N_("?\u00a0Unknown"),
}
VERDICTS: dict[Verdict, str] = {
    Verdict.FITS: N_("fits"),
    Verdict.TOO_CLOSE: N_("too close to tell"),
    Verdict.DOES_NOT_FIT: N_("does not fit"),
    Verdict.UNKNOWN: N_("cannot be judged"),
}
BOUNDS: dict[BoundBy, str] = {
    BoundBy.COMPUTE: N_("arithmetic of the cards"),
    BoundBy.MEMORY: N_("memory bandwidth"),
    BoundBy.COMMUNICATION: N_("communication between cards"),
    BoundBy.PIPELINE: N_("pipeline bubble"),
    BoundBy.INPUT: N_("data loading"),
    BoundBy.HOST: N_("host processor"),
}
MARKS: dict[Mark, str] = {
    Mark.MEASURED: N_("measured"),
    Mark.VENDOR: N_("vendor"),
    Mark.SECONDARY: N_("third party"),
    Mark.CALCULATED: N_("calculated"),
    Mark.ASSUMED: N_("assumed"),
    Mark.GIVEN: N_("given"),
}
METHODS: dict[Method, str] = {
    Method.FULL: N_("full fine-tuning"),
    Method.LORA: N_("LoRA fine-tuning"),
    Method.QLORA: N_("QLoRA fine-tuning"),
    Method.PRETRAIN: N_("pre-training"),
}
OPTIMIZERS: dict[Optimizer, str] = {
    Optimizer.ADAMW: "AdamW",
    Optimizer.ADAMW_8BIT: N_("8-bit AdamW"),
    Optimizer.PAGED_ADAMW: N_("paged AdamW"),
    Optimizer.PAGED_ADAMW_8BIT: N_("paged 8-bit AdamW"),
    Optimizer.ADAFACTOR: "Adafactor",
    Optimizer.SGD: "SGD",
    Optimizer.LION: "Lion",
    Optimizer.MUON: "Muon",
}
CHECKPOINTING: dict[Checkpointing, str] = {
    Checkpointing.NONE: N_("no activation recomputation"),
    Checkpointing.SELECTIVE: N_("selective activation recomputation"),
    Checkpointing.FULL: N_("full activation recomputation"),
}
OFFLOADS: dict[Offload, str] = {
    Offload.NONE: N_("no offload"),
    Offload.OPTIMIZER: N_("optimizer states in host memory"),
    Offload.PARAMETERS: N_("parameters in host memory"),
    Offload.OPTIMIZER_AND_PARAMETERS: N_("parameters and optimizer states in host memory"),
    Offload.ACTIVATIONS: N_("activations in host memory"),
    Offload.NVME: N_("states on NVMe"),
}
FORMS: dict[Form, str] = {
    Form.WORKSTATION: N_("workstation"),
    Form.SERVER: N_("server"),
    Form.ANY: N_("workstation or server"),
}
CONDITION_WISHES: dict[ConditionWish, str] = {
    ConditionWish.NEW: N_("new parts only"),
    ConditionWish.USED_OK: N_("used parts allowed"),
}
NOISES: dict[Noise, str] = {
    Noise.OFFICE: N_("office"),
    Noise.LAB: N_("laboratory"),
    Noise.MACHINE_ROOM: N_("machine room"),
}
LANE_SOURCES: dict[LaneSource, str] = {
    LaneSource.CPU: N_("processor"),
    LaneSource.CHIPSET: N_("chipset"),
    LaneSource.SWITCH: N_("PCIe switch"),
    LaneSource.UNKNOWN: N_("not recorded"),
}
REGIONS: dict[Region, str] = {
    Region.CN: N_("mainland China"),
    Region.US: N_("United States"),
    Region.EU: N_("European Union"),
    Region.WORLD: N_("worldwide"),
}
EXPORTS: dict[ExportStatus, str] = {
    ExportStatus.FREE: N_("free"),
    ExportStatus.CHINA_VARIANT: N_("version for China"),
    ExportStatus.DOMESTIC: N_("domestic product"),
    ExportStatus.LICENCE: N_("export licence needed"),
    ExportStatus.CASE_BY_CASE: N_("licence case by case"),
    ExportStatus.UNKNOWN: N_("export status unknown"),
}
COOLINGS: dict[Cooling, str] = {
    Cooling.BLOWER: N_("blower"),
    Cooling.OPEN_AIR: N_("open fans"),
    Cooling.FLOW_THROUGH: N_("flow-through"),
    Cooling.PASSIVE: N_("passive, needs the server's airflow"),
    Cooling.LIQUID: N_("liquid"),
    Cooling.MODULE: N_("module, cooled by the server"),
    Cooling.INTEGRATED: N_("integrated"),
}
MEMORY_PARTS: dict[str, str] = {
    "weights": N_("weights"),
    "gradients": N_("gradients"),
    "optimizer": N_("optimizer states"),
    "activations": N_("activations"),
    "logits": N_("logits"),
    "transient": N_("transient buffers"),
    "context": N_("CUDA context and libraries"),
    "kv_cache": N_("KV cache"),
    "graphs": N_("captured CUDA graphs"),
    "communicator": N_("communication buffers"),
}
RISK_PARTS: dict[str, str] = {
    "assumed_price": N_("assumed prices"),
    "condition": N_("condition of the goods"),
    "export": N_("export status"),
    "export_status": N_("export status"),
    "headroom": N_("memory headroom"),
    "memory_headroom": N_("memory headroom"),
    "evidence": N_("thin evidence"),
    "thin_evidence": N_("thin evidence"),
    "software": N_("less common software"),
    "scale": N_("more cards together than is known to work"),
}
