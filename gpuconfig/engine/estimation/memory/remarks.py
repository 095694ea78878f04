"""What a person should know about a run's memory, beyond the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gpuconfig.engine.estimation.answer import MemoryAnswer, Verdict, Warning_
from gpuconfig.engine.estimation.host_memory import host_memory_warnings
from gpuconfig.engine.estimation.memory.answer import memory_verdict
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.units import GB


def memory_warnings(
    answer: MemoryAnswer, columns: Mapping[str, float], host_memory_bytes: float | None
) -> tuple[Warning_, ...]:
    """Warnings about host memory, memory that does not pool, and experts.

    Args:
        columns: the run's columns of `names.TRAINING_INPUTS`.
        host_memory_bytes: of one machine; None where not known.
    """
    return (
        *host_memory_warnings(answer, host_memory_bytes),
        *_drives(answer),
        *_pooling(answer, columns),
        *_experts(answer, columns),
    )


def _drives(answer: MemoryAnswer) -> Iterator[Warning_]:
    if answer.drive_bytes is not None and answer.drive_bytes.value is not None:
        text = N_("each machine needs {needed} GB of room on its NVMe drives for what is kept there")
        yield Warning_("drive_room_needed", Message(text, {"needed": f"{answer.drive_bytes.value / GB:.0f}"}))


def _pooling(answer: MemoryAnswer, columns: Mapping[str, float]) -> Iterator[Warning_]:
    replicated = columns["data_parallel"] > 1 and columns["zero_stage"] < 3
    if replicated and memory_verdict(answer) is Verdict.DOES_NOT_FIT:
        text = N_("memory of the cards does not add up: under data parallelism each holds the whole model")
        yield Warning_("memory_does_not_pool", Message(text))


def _experts(answer: MemoryAnswer, columns: Mapping[str, float]) -> Iterator[Warning_]:
    if columns["experts"] > 0 and memory_verdict(answer) is Verdict.DOES_NOT_FIT:
        text = N_("memory follows all experts, not only those that one token passes")
        yield Warning_("experts_all_resident", Message(text))
