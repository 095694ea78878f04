"""What fills the memory of the fullest card, option by option."""

from __future__ import annotations

from collections.abc import Sequence

from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.units import GIB
from gpuconfig.engine.selection.recommendation import Option, OptionKind
from gpuconfig.i18n import Translator
from gpuconfig.presentation.charts.model import Bar, Bars
from gpuconfig.presentation.measures import option_key, option_name
from gpuconfig.presentation.reference import ReadyReference
from gpuconfig.presentation.shown import Shown
from gpuconfig.presentation.table import Column, Row, Table

MOST = 6
PARTS = {
    "weights": N_("Weights"),
    "gradients": N_("Gradients"),
    "optimizer": N_("Optimizer states"),
    "activations": N_("Activations"),
    "kv_cache": N_("KV cache"),
    "logits": N_("Logits"),
    "transient": N_("Buffers of a moment"),
    "graphs": N_("CUDA graphs"),
    "communicator": N_("Communication buffers"),
    "context": N_("Driver context"),
}
"""Names of the parts, in the order they are stacked."""


def memory_bars(options: Sequence[Option], t: Translator) -> Bars | None:
    """Stacked bars of the first options; None where no estimate tells its parts."""
    _ = t.gettext
    bought = [o for o in options if o.kind is not OptionKind.RENT]
    known = [o for o in bought if o.estimate.memory is not None and o.estimate.memory.breakdown_bytes][:MOST]
    if not known:
        return None
    sizes = [dict(o.estimate.memory.breakdown_bytes) for o in known if o.estimate.memory is not None]
    names = [name for name in PARTS if any(part.get(name) for part in sizes)]
    names += [
        name for part in sizes for name in part if name not in PARTS and part[name] and name not in names
    ]
    bars = tuple(_bar(option, part, names, t) for option, part in zip(known, sizes, strict=True))
    first = sizes[0]
    largest = max(names, key=lambda name: first.get(name, 0.0))
    share = first.get(largest, 0.0) / (sum(first.values()) or 1.0)
    title = _(N_("{part}: {share} of the memory in use of {name}")).format(
        part=_(PARTS.get(largest, largest)),
        share=t.formats.percent(round(share, 2)),
        name=t.part(option_name(known[0])),
    )
    told = t.formats.join(
        [
            f"{t.part(option_name(o))} {t.formats.quantity(sum(p.values()), 'B')}"
            for o, p in zip(known, sizes, strict=True)
        ]
    )
    return Bars(
        title=title,
        summary=_(N_("In use on the fullest card: {list}. The stroke is what the card can hold.")).format(
            list=told
        ),
        x_title="GiB",
        parts=tuple(_(PARTS.get(name, name)) for name in names),
        columns=tuple(names),
        bars=bars,
        table=_table(known, sizes, names, t),
    )


def _bar(option: Option, part: dict[str, float], names: Sequence[str], t: Translator) -> Bar:
    memory = option.estimate.memory
    usable = None if memory is None or memory.usable_bytes is None else memory.usable_bytes / GIB
    high = (
        None
        if memory is None or memory.device_used_bytes.high is None
        else memory.device_used_bytes.high / GIB
    )
    return Bar(
        key=option_key(option),
        name=t.part(option_name(option)),
        parts=tuple(part.get(n, 0.0) / GIB for n in names),
        limit=usable,
        high=high,
    )


def _table(
    known: Sequence[Option], sizes: Sequence[dict[str, float]], names: Sequence[str], t: Translator
) -> Table:
    _ = t.gettext
    columns = [Column(key="name", title=_(N_("Option")), width=170)]
    columns += [Column(key=name, title=_(PARTS.get(name, name)), numeric=True) for name in names]
    rows = tuple(
        Row(
            key=option_key(option),
            cells=(
                Shown(text=t.part(option_name(option)), sort=option.accelerator.name),
                *(_cell(name, part.get(name), t) for name in names),
            ),
        )
        for option, part in zip(known, sizes, strict=True)
    )
    return Table(columns=tuple(columns), rows=rows, name=_(N_("Card memory")), pinned=1)


def _cell(name: str, size: float | None, t: Translator) -> Shown:
    if size is None:
        return Shown(text="")
    leaf = Explanation(name=name, title=PARTS.get(name, name), value=size, unit="B", mark=Mark.CALCULATED)
    return Shown(text=t.formats.quantity(size, "B"), sort=size, reference=ReadyReference(leaf))
