"""Lines that tools print about a run, as measured quantities: what was read, and what cannot be compared and why.

Each reader takes one line. A figure that a tool counts otherwise than an answer does is left out with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.units import GIB, MIB
from gpuconfig.engine.workloads.request import Kind

MAX_LINES = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadValue:
    """One figure of a line.

    Attributes:
        line: number in the pasted text, from 1.
        tool: that printed it.
        quantity: as `Measurement.quantity` writes it; empty where the figure cannot be compared.
        value: in base units.
        problem: why it is not taken.
    """

    line: int
    tool: str
    quantity: str
    value: float
    unit: str
    text: str
    problem: Message | None = None


Found = Iterator[tuple[str, float, str]]
"""Quantity, value, unit."""

_NUMBER = r"([\d,]*\.?\d+(?:[eE][+-]?\d+)?)"
_SMI_MEMORY = re.compile(r"(\d+)\s*MiB\s*[/,]\s*(\d+)\s*MiB")
_HF = re.compile(
    r"'?(train_samples_per_second|train_steps_per_second|train_tokens_per_second)'?\s*[:=]\s*'?" + _NUMBER
)
_MEGATRON_TIME = re.compile(r"elapsed time per iteration \(ms\):\s*" + _NUMBER)
_MEGATRON_RATE = re.compile(r"throughput per GPU \(TFLOP/s/GPU\):\s*" + _NUMBER)
_MEGATRON_MEMORY = re.compile(
    r"memory \(MB\).*?max allocated:\s*" + _NUMBER + r".*?max reserved:\s*" + _NUMBER
)
_TITAN = re.compile(r"step:\s*\d+.*?memory:\s*" + _NUMBER + r"GiB.*?tps:\s*" + _NUMBER)
_TITAN_RATE = re.compile(r"tflops:\s*" + _NUMBER)
_LLAMA = re.compile(r"\|\s*(pp|tg)(\d+)(?:\s*@\s*d\d+)?\s*\|\s*" + _NUMBER + r"(?:\s*±\s*[\d.]+)?\s*\|")
_VLLM = (
    (
        re.compile(r"Output token throughput \(tok/s\):\s*" + _NUMBER),
        "serving.output_tokens_per_s",
        "token/s",
    ),
    (re.compile(r"Mean TTFT \(ms\):\s*" + _NUMBER), "serving.ttft_ms", "ms"),
    (re.compile(r"Mean TPOT \(ms\):\s*" + _NUMBER), "serving.tpot_ms", "ms"),
    (re.compile(r"Avg generation throughput:\s*" + _NUMBER), "serving.output_tokens_per_s", "token/s"),
)
_NOT_COMPARED = re.compile(
    r"(Total [Tt]oken throughput|Request throughput|P99 \w+|Median \w+)[^:]*:\s*" + _NUMBER
)
_STEPS = re.compile(_NUMBER + r"\s*(it/s|s/it)\b")


def read_log(text: str, kind: Kind) -> tuple[ReadValue, ...]:
    """Every figure in pasted `text` that a run of `kind` can be compared by, and those that it cannot.

    Of a quantity that occurs often (a log of many steps) each line is kept; `settled` takes their middle.
    """
    found: list[ReadValue] = []
    for number, line in enumerate(text.splitlines()[:MAX_LINES], start=1):
        for tool, reader in _READERS:
            for quantity, value, unit in reader(line):
                problem = _problem(quantity, value, kind)
                found.append(
                    ReadValue(
                        line=number, tool=tool, quantity=quantity, value=value, unit=unit,
                        text=line.strip()[:200], problem=problem,
                    )
                )  # fmt: skip
    return tuple(found)


def settled(values: tuple[ReadValue, ...]) -> tuple[ReadValue, ...]:
    """One value of each quantity: the most memory that was seen, and the median of a rate without its first tenth."""
    groups: dict[str, list[ReadValue]] = {}
    for value in values:
        if value.problem is None:
            groups.setdefault(value.quantity, []).append(value)
    chosen = []
    for quantity, group in groups.items():
        if quantity.startswith("memory."):
            chosen.append(max(group, key=lambda v: v.value))
            continue
        warm = sorted(group[len(group) // 10 :], key=lambda v: v.value)
        chosen.append(warm[len(warm) // 2])
    return tuple(chosen)


def _smi(line: str) -> Found:
    for used, _ in _SMI_MEMORY.findall(line):
        yield "memory.device_used_bytes", float(used) * MIB, "B"


def _hf_trainer(line: str) -> Found:
    for name, number in _HF.findall(line):
        value = _number(number)
        if name == "train_steps_per_second":
            if value:
                yield "training.step_time_s", 1 / value, "s"
        elif name == "train_tokens_per_second":
            yield "training.tokens_per_s", value, "token/s"
        else:
            yield "training.samples_per_s", value, "sample/s"


def _megatron(line: str) -> Found:
    if match := _MEGATRON_TIME.search(line):
        yield "training.step_time_s", _number(match[1]) / 1000, "s"
    if match := _MEGATRON_RATE.search(line):
        yield "training.model_tflops_per_gpu", _number(match[1]), "TFLOP/s"
    if match := _MEGATRON_MEMORY.search(line):
        yield "memory.peak_allocated_bytes", _number(match[1]) * MIB, "B"
        yield "memory.peak_reserved_bytes", _number(match[2]) * MIB, "B"


def _torchtitan(line: str) -> Found:
    match = _TITAN.search(line)
    if match is None:
        return
    yield "memory.peak_reserved_bytes", _number(match[1]) * GIB, "B"
    yield "training.tokens_per_s_per_gpu", _number(match[2]), "token/s"
    if rate := _TITAN_RATE.search(line):
        yield "training.model_tflops_per_gpu", _number(rate[1]), "TFLOP/s"


def _llama_bench(line: str) -> Found:
    if match := _LLAMA.search(line):
        reading = match[1] == "pp"
        quantity = "serving.prefill_tokens_per_s" if reading else "serving.decode_tokens_per_s_per_user"
        yield quantity, _number(match[3]), "token/s"


def _vllm(line: str) -> Found:
    for pattern, quantity, unit in _VLLM:
        if match := pattern.search(line):
            yield quantity, _number(match[1]), unit
    if match := _NOT_COMPARED.search(line):
        yield "", _number(match[2]), ""


def _progress_bar(line: str) -> Found:
    matches = _STEPS.findall(line)
    if matches and "%|" in line:
        number, unit = matches[-1]
        value = _number(number)
        if value:
            yield "image.iterations_per_s", value if unit == "it/s" else 1 / value, "1/s"


_READERS: tuple[tuple[str, Callable[[str], Found]], ...] = (
    ("nvidia-smi", _smi), ("HF Trainer", _hf_trainer), ("Megatron-LM", _megatron), ("torchtitan", _torchtitan),
    ("llama-bench", _llama_bench), ("vLLM", _vllm), ("progress bar", _progress_bar),
)  # fmt: skip
_PARTS = {
    Kind.TRAINING: ("training", "memory"), Kind.SERVING: ("serving",), Kind.IMAGE: ("image", "memory"),
    Kind.VIDEO: ("video", "memory"), Kind.VISION_TRAINING: ("vision", "memory"),
    Kind.VISION_INFERENCE: ("vision", "memory"),
}  # fmt: skip


def _problem(quantity: str, value: float, kind: Kind) -> Message | None:
    if not quantity:
        return Message(N_("no answer counts this figure in the same way"))
    if not 0 < value < 1e18:
        return Message(N_("a measured value is more than zero"))
    part = quantity.partition(".")[0]
    if part == "memory" and kind is Kind.SERVING:
        return Message(
            N_("an engine with a pool fills what it is given: its memory says nothing of the model's")
        )
    if part not in _PARTS[kind]:
        return Message(N_("the request is of another kind of work"))
    return None


def _number(text: str) -> float:
    return float(text.replace(",", ""))
