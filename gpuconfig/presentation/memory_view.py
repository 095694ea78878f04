"""Memory of the chosen option: three counters, what would save some, and what the old rules of thumb say."""

from __future__ import annotations

from collections.abc import Iterator

from gpuconfig.engine.estimation.answer import Fix, MemoryAnswer
from gpuconfig.engine.estimation.memory.rules_of_thumb import RuleOfThumb, rules_of_thumb
from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.recommendation import Option
from gpuconfig.engine.workloads.training import Checkpointing, TrainingWorkload
from gpuconfig.i18n import Translator, render
from gpuconfig.presentation.measures import estimated
from gpuconfig.presentation.option_view import amount_text
from gpuconfig.presentation.reference import ReadyReference
from gpuconfig.presentation.shown import BLANK, Shown, Tone
from gpuconfig.presentation.table import Column, Row, Table

BYTES = "B"
COUNTERS = (
    (
        "peak_allocated_bytes",
        N_("Taken by tensors on the fullest card"),
        N_("as torch.cuda.max_memory_allocated counts"),
    ),
    (
        "peak_reserved_bytes",
        N_("Reserved by the allocator"),
        N_("as torch.cuda.max_memory_reserved counts"),
    ),
    (
        "device_used_bytes",
        N_("Memory in use on the fullest card"),
        N_("as the driver's own tool shows; this one decides whether the run fits"),
    ),
)


def memory_table(option: Option | None, t: Translator) -> Table | None:
    """What the fullest card holds, fixes where it does not surely fit, and the old rules; None where none of it is."""
    if option is None or option.estimate.memory is None:
        return None
    if not isinstance(option.estimate_request.workload, TrainingWorkload):
        return None
    memory = option.estimate.memory
    rows = [
        _heading("counters", N_("What this estimate counts"), t),
        *_counters(option, memory, t),
        *_fixes(memory.cheapest_fixes, t),
        _heading("rules", N_("What the old rules of thumb say, all cards together"), t),
        *_rules(option, option.estimate_request.workload, t),
    ]
    columns = (
        Column(key="name", title=t.gettext(N_("Card memory")), width=260),
        Column(key="amount", title=t.gettext(N_("Memory taken or saved")), numeric=True, width=110),
        Column(key="reason", title=t.gettext(N_("Why, and at what cost")), wide=True),
    )
    return Table(columns=columns, rows=tuple(rows), name=t.gettext(N_("Memory of the chosen option")))


def _heading(key: str, text: str, t: Translator) -> Row:
    return Row(key=key, cells=(), heading=t.gettext(text))


def _counters(option: Option, memory: MemoryAnswer, t: Translator) -> Iterator[Row]:
    for name, title, meaning in COUNTERS:
        amount = estimated(option, name, title, getattr(memory, name), t)
        words = Shown(text=t.gettext(meaning), tone=Tone.SECONDARY)
        yield Row(key=name, cells=(Shown(text=t.gettext(title)), amount, words))


def _fixes(fixes: tuple[Fix, ...], t: Translator) -> Iterator[Row]:
    if not fixes:
        return
    yield _heading("fixes", N_("The cheapest ways to make it fit"), t)
    for number, fix in enumerate(fixes):
        what = ", ".join(f"{name.split('.')[-1]} = {value}" for name, value in fix.change.items())
        why = render(fix.cost, t)
        saved = BLANK
        if fix.saves_bytes > 0:
            saved = _ready("saves_bytes", N_("Memory saved on the fullest card"), fix.saves_bytes, t)
        yield Row(key=f"fix {number}", cells=(Shown(text=what), saved, Shown(text=why)))


def _rules(option: Option, work: TrainingWorkload, t: Translator) -> Iterator[Row]:
    checkpointing = work.checkpointing is not Checkpointing.NONE
    rules = rules_of_thumb(float(option.estimate_request.model.parameters or 0), checkpointing)
    for number, rule in enumerate(rules):
        text = Shown(text=render(rule.name, t))
        why = Shown(text=render(rule.difference, t), tone=Tone.SECONDARY)
        yield Row(key=f"rule {number}", cells=(text, _rule_amount(rule, t), why))


def _rule_amount(rule: RuleOfThumb, t: Translator) -> Shown:
    low, high = rule.low_bytes, rule.high_bytes
    shown = _ready("rule_of_thumb_bytes", N_("Memory by this rule"), high, t, low)
    if low == high:
        return shown
    text = f"{amount_text(low, BYTES, t)} – {amount_text(high, BYTES, t)}"
    return Shown(text=text, reference=shown.reference, sort=high)


def _ready(name: str, title: str, value: float, t: Translator, low: float | None = None) -> Shown:
    tree = Explanation(
        name=name, title=title, value=value, low=low, high=None if low is None else value, unit=BYTES,
        mark=Mark.CALCULATED,
    )  # fmt: skip
    return Shown(text=amount_text(value, BYTES, t), reference=ReadyReference(tree), sort=value)
