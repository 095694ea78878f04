"""Host memory that an offload needs, against what the machine has: one verdict and warning for every kind of work."""

from __future__ import annotations

from collections.abc import Iterator

from gpuconfig.engine.estimation.answer import MemoryAnswer, Verdict, Warning_
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.quantities.units import GB


def with_host_memory(card: Verdict, answer: MemoryAnswer, host_memory_bytes: float | None) -> Verdict:
    """The verdict of the cards' memory, worse where one machine's host memory surely or perhaps is too small.

    Args:
        card: whether the work fits the cards.
        host_memory_bytes: of one machine; None where not known: then the cards alone are judged.
    """
    needed = answer.host_bytes
    if host_memory_bytes is None or needed is None:
        return card
    low, high = _ends(needed)
    if low > host_memory_bytes:
        return Verdict.DOES_NOT_FIT
    return Verdict.TOO_CLOSE if high > host_memory_bytes and card is Verdict.FITS else card


def _ends(needed: Figure) -> tuple[float, float]:
    value = needed.value or 0.0
    return (
        value if needed.low is None else needed.low,
        value if needed.high is None else needed.high,
    )


def host_memory_warnings(answer: MemoryAnswer, host_memory_bytes: float | None) -> Iterator[Warning_]:
    """Whether one machine's host memory holds what is kept there: the reason behind `with_host_memory`.

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
    elif answer.host_bytes and (most := _ends(answer.host_bytes)[1]) > host_memory_bytes:
        values |= {"needed": f"{most / GB:.0f}", "has": f"{host_memory_bytes / GB:.0f}"}
        text = N_("each machine may need {needed} GB of host memory for what is kept there and has {has} GB")
        yield Warning_("host_memory_close", Message(text, values))
