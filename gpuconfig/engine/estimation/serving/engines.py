"""Which engine runs on which card, with which weights.

What is known stands in `db/seed/coefficients/engine_support.csv`. NVIDIA cards are told apart by their compute
capability (`least_capability`, of an engine, of a format in it, of its last release that took older cards); all
others by the target that kernels are built for, or by their software as a whole (`runs_on`: 1 or 0). What no row
speaks of is not judged.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.vocabulary import SOFTWARE_NAMES
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.number_format import number_format
from gpuconfig.engine.workloads.serving import ENGINE_NAMES, ServingEngine

GROUP = "engine_support"
LEAST, RUNS_ON = "least_capability", "runs_on"
OFFERED_FORMATS = (
    "bf16", "fp16", "fp8", "int8", "awq_int4", "gptq_int4", "nf4", "nvfp4", "mxfp4", "gguf:q8_0", "gguf:q4_k_m",
)  # fmt: skip
"""Weight formats named to a person whose own does not run on the card."""
READ_BY = {
    "gguf": frozenset({ServingEngine.LLAMA_CPP}),
    "exl2": frozenset({ServingEngine.EXLLAMAV2}),
    "exl3": frozenset({ServingEngine.EXLLAMAV2}),
    "mlx": frozenset({ServingEngine.MLX}),
}
"""Formats that are one engine's own."""
PLAIN = frozenset({"bf16", "fp16", "fp32"})
PREFERRED = (ServingEngine.VLLM, ServingEngine.LLAMA_CPP, ServingEngine.LMDEPLOY)
"""Engines taken where the request names none, the first that runs."""

Release = tuple[int, ...]


def family_of(stored: str) -> str:
    """What the formats of one kind are called in the table: `gguf` of `gguf:q4_k_m`, `awq` of `awq_int4`."""
    return stored.strip().lower().partition(":")[0].partition("_")[0]


def engine_lack(
    engine: ServingEngine, card: Accelerator, coefficients: CoefficientSet, version: str | None = None
) -> Message | None:
    """Why the engine does not run on the card; None where it does, or where nothing is known against it.

    Args:
        version: release that is used; None for a current one.
    """
    named = {"engine": ENGINE_NAMES[engine], "card": card.name}
    target = _target(card)
    row = coefficients.find(
        GROUP, RUNS_ON, f"{engine.value}|{target}", f"{engine.value}|{card.software.value}", engine.value
    )
    if row is not None and not row.value:
        if target and row.scope != engine.value:  # built for others of the same software
            text = N_("{engine} is not built for {target}, the architecture of {card}")
            return Message(text, {**named, "target": target})
        text = N_("{engine} is not made for {software}, which {card} runs")
        return Message(text, {**named, "software": Message(SOFTWARE_NAMES[card.software])})
    least, have = _least(engine, coefficients, version), card.compute_capability_number()
    if least is None or have is None or have >= least:
        return None
    text = N_("{engine} needs compute capability {least} or newer, {card} has {have}")
    release = last_release(engine, card, coefficients)
    if release:
        text = N_(
            "{engine} needs compute capability {least} or newer, {card} has {have}: "
            "{release} is the last release that took it"
        )
    return Message(text, {**named, "least": f"{least:.1f}", "have": f"{have:.1f}", "release": release})


def format_lack(
    engine: ServingEngine, stored: str, card: Accelerator, coefficients: CoefficientSet
) -> Message | None:
    """Why the engine, which runs on the card, cannot use weights of this format there; None where it can."""
    family = family_of(stored)
    named = {"engine": ENGINE_NAMES[engine], "card": card.name, "format": number_format(stored)}
    prefix, target = f"{engine.value}|{family}", _target(card)
    row = coefficients.find(GROUP, RUNS_ON, f"{prefix}|{target}", f"{prefix}|{card.software.value}")
    if row is not None and not row.value:
        text = N_("{engine} does not read {format} on {target} ({card})")
        return Message(text, {**named, "target": target or Message(SOFTWARE_NAMES[card.software])})
    needed, have = coefficients.find(GROUP, LEAST, prefix), card.compute_capability_number()
    if needed is None or needed.value is None or have is None or have >= needed.value:
        return None
    text = N_("{engine} reads {format} from compute capability {least} on, {card} has {have}")
    return Message(text, {**named, "least": f"{needed.value:.1f}", "have": f"{have:.1f}"})


def last_release(engine: ServingEngine, card: Accelerator, coefficients: CoefficientSet) -> str:
    """The last release that runs on the card, "0.19"; empty where current ones do, or none ever did."""
    have, now = card.compute_capability_number(), _least(engine, coefficients, None)
    if have is None or now is None or have >= now:
        return ""
    took = [release for release, least in _releases(engine, coefficients) if have >= least]
    return ".".join(map(str, max(took))) if took else ""


def runs(
    engine: ServingEngine, card: Accelerator, coefficients: CoefficientSet, stored: str = "",
    version: str | None = None,
) -> bool:  # fmt: skip
    """Whether nothing is known against the engine on the card, with weights of this format."""
    if engine_lack(engine, card, coefficients, version) is not None:
        return False
    return not stored or format_lack(engine, stored, card, coefficients) is None


def usual_engine(card: Accelerator, stored: str, coefficients: CoefficientSet) -> ServingEngine:
    """The engine taken where none is named: the first preferred one that runs on the card with these weights.

    Args:
        stored: weight format where it is given; else each engine's own usual one is tried by the caller.
    """
    own = READ_BY.get(family_of(stored))
    if own is not None:
        return next(iter(own))
    for engine in PREFERRED:
        if _reads(engine, stored, coefficients) and runs(engine, card, coefficients, stored):
            return engine
    return ServingEngine.VLLM


@dataclass(frozen=True, slots=True)
class Lack:
    """What does not run on a card: the field that asks for it, why not, and what is accepted there."""

    field: str
    reason: Message
    card: str
    accepted: tuple[str, ...]


def support_lack(
    engine: ServingEngine, stored: str, card: Accelerator, coefficients: CoefficientSet, stated: ServingEngine | None,
    version: str | None,
) -> Lack | None:  # fmt: skip
    """The engine or the weights that do not run on the card; None where nothing is known against them.

    An estimate may be of a machine that has stood for years: where no release is named, the last that ran will do.
    """
    taken = version or last_release(engine, card, coefficients) or None
    reason = engine_lack(engine, card, coefficients, taken)
    if reason is not None:
        names = tuple(e.value for e in ServingEngine if runs(e, card, coefficients))
        return Lack("workload.engine", reason, card.name, names)
    reason = format_lack(engine, stored, card, coefficients)
    if reason is None:
        return None
    names = tuple(name for name in OFFERED_FORMATS if _usable(name, card, coefficients, stated, version))
    return Lack("workload.weight_format", reason, card.name, names)


def _usable(
    stored: str, card: Accelerator, coefficients: CoefficientSet, stated: ServingEngine | None, version: str | None
) -> bool:  # fmt: skip
    engine = stated or usual_engine(card, stored, coefficients)
    own = READ_BY.get(family_of(stored))
    read = _reads(engine, stored, coefficients) if own is None else engine in own
    taken = version or last_release(engine, card, coefficients) or None
    return read and runs(engine, card, coefficients, stored, taken)


def _reads(engine: ServingEngine, stored: str, coefficients: CoefficientSet) -> bool:
    """Whether the engine is known to read such weights: vLLM by its wide list, others where a row says so."""
    if not stored or stored in PLAIN or engine is ServingEngine.VLLM:
        return True
    row = coefficients.find(GROUP, LEAST, f"{engine.value}|{family_of(stored)}")
    return row is not None


def _target(card: Accelerator) -> str:
    """What kernels of other makers than NVIDIA are built for: `gfx942`; empty where it is not known."""
    found = re.match(r"gfx\w+", card.compute_capability or "")
    return found[0] if found else ""


def _least(engine: ServingEngine, coefficients: CoefficientSet, version: str | None) -> float | None:
    """Compute capability that a release needs; a current one where none is named."""
    asked = _release(version)
    if asked:
        # Of the releases that took older cards, the earliest that is not before the one asked for.
        took = sorted((r, least) for r, least in _releases(engine, coefficients) if asked[: len(r)] <= r)
        if took:
            return took[0][1]
    row = coefficients.find(GROUP, LEAST, engine.value)
    return None if row is None else row.value


def _releases(engine: ServingEngine, coefficients: CoefficientSet) -> tuple[tuple[Release, float], ...]:
    """Last releases that took older cards, with the compute capability they needed."""
    start = f"{engine.value}@"
    return coefficients.once(
        (GROUP, start),
        lambda: tuple(
            (_release(row.scope.removeprefix(start)), row.value)
            for row in coefficients.rows
            if row.group == GROUP and row.scope.startswith(start) and row.value is not None
        ),
    )


def _release(text: str | None) -> Release:
    """`v0.11.2` as (0, 11, 2); empty where it is no number."""
    found = re.search(r"\d+(?:\.\d+)*", text or "")
    return tuple(int(part) for part in found[0].split(".")) if found else ()
