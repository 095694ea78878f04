"""Cards that are several devices to the software: what they compute is estimated by device and told by card."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gpuconfig.engine.catalogue.accelerator import Accelerator, Link
from gpuconfig.engine.estimation.answer import Assumption, Estimate, Fix, MemoryAnswer
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.hardware import Hardware
from gpuconfig.engine.workloads.request import EstimateRequest

CARDS = "hardware.gpus_per_node"
RATES = (
    "bandwidth_bytes_per_s", "fp64_flops", "fp64_matrix_flops", "fp32_flops", "fp32_matrix_flops", "tf32_flops",
    "bf16_fp32acc_flops", "fp16_fp32acc_flops", "fp16_fp16acc_flops", "fp8_fp32acc_flops", "fp8_fp16acc_flops",
    "fp6_flops", "fp4_flops", "int8_ops", "tpp", "tdp_w", "idle_w", "transient_w",
)  # fmt: skip
"""Columns of a card of which each of its devices has an even share."""
WHOLE_NUMBERS = (
    "memory_bytes", "usable_bytes", "bus_bits", "sm_count", "matrix_cores", "l2_bytes", "llc_bytes",
)  # fmt: skip
"""The same, of what is counted; their number of PCIe lanes never falls below one."""
PER_CARD = frozenset({"gpu_w", "tokens_per_s_per_gpu", "model_tflops_per_gpu"})
"""Figures of an answer that speak of one card."""


def on_devices(request: EstimateRequest) -> EstimateRequest:
    """The request as the software sees the machine: every device a card of its own."""
    devices = request.accelerator.devices
    if devices <= 1:
        return request
    machine = _machine_of_devices(request.hardware, devices)
    return replace(request, accelerator=_device_of(request.accelerator), hardware=machine)


def on_cards(request: EstimateRequest, answer: Estimate) -> Estimate:
    """The answer about the devices of `request`, told of its cards; memory stays that of one device."""
    card = request.accelerator
    if card.devices <= 1:
        return answer
    training, power, memory = answer.training, answer.power, answer.memory
    return replace(
        answer,
        training=training
        and replace(
            training,
            tokens_per_s_per_gpu=_times(training.tokens_per_s_per_gpu, card.devices),
            model_tflops_per_gpu=_times(training.model_tflops_per_gpu, card.devices),
        ),
        power=power and replace(power, gpu_w=_times(power.gpu_w, card.devices)),
        memory=memory and _fixed_in_cards(memory, card.devices),
        nearest=(),
        assumptions=(*answer.assumptions, _told(card, request.hardware)),
    )


def _device_of(card: Accelerator) -> Accelerator:
    count = card.devices
    shares: dict[str, Any] = {name: _over(getattr(card, name), count) for name in RATES}
    for name in WHOLE_NUMBERS:
        value = getattr(card, name)
        shares[name] = None if value is None else value // count
    return replace(
        card,
        devices=1,
        memory_gb=_over(card.memory_gb, count),
        pcie_lanes=card.pcie_lanes and max(1, card.pcie_lanes // count),
        link=card.link and _link_of_device(card.link, count),
        **shares,
    )


def _link_of_device(link: Link, count: int) -> Link:
    """The devices of a card share its links; its own twin is no further than the next card."""
    whole, most = link.per_direction_bytes_per_s, link.max_gpus
    pair = link.pair_bytes_per_s
    if pair is None and whole is not None and most is not None and most > 1:
        pair = whole / (most - 1)
    return replace(
        link,
        per_direction_bytes_per_s=_over(whole, count),
        pair_bytes_per_s=pair,
        max_gpus=most and most * count,
    )


def _machine_of_devices(hardware: Hardware, count: int) -> Hardware:
    lanes, gbit = hardware.pcie.lanes, hardware.inter_node.gbit_per_s_per_gpu
    if lanes is not None:
        lanes = tuple(max(1, width // count) for width in lanes for _ in range(count))
    return replace(
        hardware,
        gpus_per_node=hardware.gpus_per_node * count,
        devices_per_card=count,
        power_limit_w=_over(hardware.power_limit_w, count),
        pcie=replace(hardware.pcie, lanes=lanes),
        inter_node=replace(hardware.inter_node, gbit_per_s_per_gpu=_over(gbit, count)),
    )


def _fixed_in_cards(memory: MemoryAnswer, count: int) -> MemoryAnswer:
    return replace(memory, cheapest_fixes=tuple(_in_cards(fix, count) for fix in memory.cheapest_fixes))


def _in_cards(fix: Fix, count: int) -> Fix:
    devices = fix.change.get(CARDS)
    if not isinstance(devices, int):
        return fix
    return replace(fix, change={**fix.change, CARDS: devices // count})


def _told(card: Accelerator, hardware: Hardware) -> Assumption:
    text = N_(
        "the software sees each card as {count} devices, each with {memory} of memory and its share of the rates:"
        " memory is that of one device, power that of a card"
    )
    each = Figure(_over(card.memory_bytes, card.devices), unit="B")
    return Assumption(
        CARDS,
        f"{hardware.gpus_per_node} x {card.devices}",
        Message(text, {"count": card.devices, "memory": each}),
    )


def _times(figure: Figure, count: int) -> Figure:
    value, low, high = (
        None if end is None else end * count for end in (figure.value, figure.low, figure.high)
    )
    return replace(figure, value=value, low=low, high=high)


def _over(value: float | None, count: int) -> float | None:
    return None if value is None else value / count
