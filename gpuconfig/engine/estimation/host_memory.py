"""Host memory that an offload needs, against what the machine has: one warning for every kind of work."""

from __future__ import annotations

from collections.abc import Iterator

from gpuconfig.engine.estimation.answer import MemoryAnswer, Warning_
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.units import GB


def host_memory_warnings(answer: MemoryAnswer, host_memory_bytes: float | None) -> Iterator[Warning_]:
    """Whether one machine's host memory holds what is kept there; the verdict speaks of the card alone.

    Args:
        host_memory_bytes: of one machine; None where not known.
    """
    needed = answer.host_bytes.value if answer.host_bytes else None
    if needed is None:
        return
    values: dict[str, object] = {"needed": f"{needed / GB:.0f}"}
    if host_memory_bytes is None:
        text = N_("each machine needs {needed} GB of host memory for what is kept there")
        yield Warning_("host_memory_needed", Message(text, values))
    elif needed > host_memory_bytes:
        values["has"] = f"{host_memory_bytes / GB:.0f}"
        text = N_("each machine needs {needed} GB of host memory for what is kept there and has {has} GB")
        yield Warning_("host_memory_short", Message(text, values))
