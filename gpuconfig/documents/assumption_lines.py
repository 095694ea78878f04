"""What was assumed where nothing was said, in a reader's words: the field's name, its value, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gpuconfig.documents.field_titles import FIELD_TITLES
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.catalogue.vocabulary import SOFTWARE_NAMES, Software
from gpuconfig.engine.estimation.answer import Assumption
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.workloads.number_format import number_format
from gpuconfig.engine.workloads.serving import ENGINE_NAMES

FORMATS_OF_NUMBERS = ("dtype", "precision", "weight_format", "weight_storage")
_NAMES = {
    **{software.value: name for software, name in SOFTWARE_NAMES.items() if software is not Software.OTHER},
    **{engine.value: name for engine, name in ENGINE_NAMES.items()},
    "flash": "FlashAttention", "sdpa": "SDPA", "megatron": "Megatron-LM", "deepspeed": "DeepSpeed",
}  # fmt: skip
"""How their makers write what a request names in lower case."""
_UNITS = (("_bytes_per_s", "B/s"), ("_bytes", "B"), ("_ms", "ms"), ("_s", "s"), ("_w", "W"))


@dataclass(frozen=True, slots=True)
class AssumptionLine:
    """One assumption in words."""

    title: str
    value: str
    why: str


def assumption_lines(made: Iterable[Assumption], split: str, writer: Writer) -> list[AssumptionLine]:
    """Every assumption in words.

    Args:
        split: the split of the work in its short form, in place of its raw value; empty: none is known.
    """
    return [
        AssumptionLine(
            title=writer.say(FIELD_TITLES.get(item.field, item.field)),
            value=split if split and item.field == "parallelism" else _value(item.field, item.value, writer),
            why=writer.message(item.why),
        )
        for item in made
    ]


def _value(name: str, value: str, writer: Writer) -> str:
    """Seconds and bytes in readable units, yes and no in words; everything else as it is written."""
    unit = next((unit for suffix, unit in _UNITS if name.endswith(suffix)), None)
    if value in ("true", "false"):
        return writer.say(N_("yes") if value == "true" else N_("no"))
    if name.endswith(FORMATS_OF_NUMBERS):
        return number_format(value)
    if unit is None and not name.endswith("_tokens"):
        return _NAMES.get(value, value)
    try:
        if unit is None:
            return writer.tokens(float(value))
        return writer.formats.quantity(float(value), unit)
    except ValueError:
        return value
