"""Step 5: where it stands and what it may be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.request import Constraints, Mains
from gpuconfig.presentation.wizard.question import (
    NO,
    YES,
    Choice,
    Question,
    QuestionKind,
    Step,
    grouped,
    is_diffusion,
)

MAINS = {
    "220x10": {"volts": 220.0, "amps": 10.0},
    "220x16": {"volts": 220.0, "amps": 16.0},
    "220x32": {"volts": 220.0, "amps": 32.0},
    "380x63": {"volts": 380.0, "amps": 63.0},
    "120x15": {"volts": 120.0, "amps": 15.0},
    "120x20": {"volts": 120.0, "amps": 20.0},
    "208x30": {"volts": 208.0, "amps": 30.0},
    "230x16": {"volts": 230.0, "amps": 16.0},
    "400x32": {"volts": 400.0, "amps": 32.0},
}
"""Answer to the contract's `mains`."""

WEIGHTS = {
    "cost": {"cost": 3.0, "time": 1.0, "energy": 1.0, "risk": 1.0},
    "time": {"cost": 1.0, "time": 3.0, "energy": 0.5, "risk": 1.0},
    "energy": {"cost": 1.0, "time": 1.0, "energy": 3.0, "risk": 1.0},
    "risk": {"cost": 1.0, "time": 1.0, "energy": 0.5, "risk": 3.0},
}

BUILD_WEIGHTS = {
    "quiet": {"cost": 1.0, "quiet": 1.0},
    "cool": {"cost": 1.0, "cool": 1.0},
    "upgradable": {"cost": 1.0, "upgradable": 1.0},
}
"""Answer to the contract's `build_weights`."""

OWNED_KINDS = (
    Kind.SERVER,
    Kind.MOTHERBOARD,
    Kind.CPU,
    Kind.MEMORY,
    Kind.POWER_SUPPLY,
    Kind.CHASSIS,
    Kind.COOLER,
    Kind.DRIVE,
    Kind.NIC,
    Kind.ACCELERATOR,
)
"""Parts that a machine in use may bring along; an answer is the kind and the part's id, `cpu:epyc-7302p`."""


def owned_parts(chosen: Iterable[object]) -> dict[str, Any]:
    """The contract's `reuse` of the ticked parts."""
    parts: dict[str, list[dict[str, str]]] = {}
    for part in chosen:
        kind, _colon, name = str(part).partition(":")
        parts.setdefault(kind, []).append({"ref": name})
    return {"parts": parts}


def owned_answer(reuse: Mapping[str, Any]) -> list[str] | None:
    """The ticks that lead to `reuse`; None where it says more than they can."""
    parts = reuse.get("parts")
    if not isinstance(parts, Mapping):
        return None
    ticks = [
        f"{kind}:{entry['ref']}"
        for kind, entries in parts.items()
        if isinstance(entries, list)
        for entry in entries
        if isinstance(entry, Mapping) and set(entry) == {"ref"}
    ]
    return ticks if owned_parts(ticks) == reuse else None


NAMED: Mapping[str, Mapping[str, Mapping[str, float]]] = {
    "mains": MAINS,
    "priority": WEIGHTS,
    "machine": BUILD_WEIGHTS,
}
"""Questions whose answers are names of whole objects of the contract."""

STEP = Step(
    key="constraints",
    title=N_("Constraints"),
    heading=N_("Where will it stand, and what may it be?"),
    questions=(
        Question(
            key="form",
            path="constraints.form",
            kind=QuestionKind.CHOICE,
            title=N_("Kind of machine"),
            choices=(
                Choice("any", N_("Any"), N_("Workstations and servers are both composed.")),
                Choice(
                    "workstation", N_("Workstation"), N_("Tower under a desk; up to four cards, as a rule.")
                ),
                Choice("server", N_("Rack server"), N_("Needs a rack, a cold aisle and ears out of reach.")),
            ),
            default="any",
            unsure=N_("workstations and servers are both composed"),
        ),
        Question(
            key="noise",
            path="constraints.noise",
            kind=QuestionKind.CHOICE,
            title=N_("Place"),
            choices=(
                Choice(
                    "office", N_("Office"), N_("People work beside it: no passively cooled server cards.")
                ),
                Choice("lab", N_("Laboratory"), N_("Some noise is accepted.")),
                Choice("machine_room", N_("Machine room"), N_("Noise does not matter; air comes cold.")),
            ),
            unsure=N_("noise is not judged"),
        ),
        Question(
            key="mains",
            path="constraints.mains",
            kind=QuestionKind.PICK,
            title=N_("Mains circuit"),
            help=N_("What one circuit carries; long loads may take 80 % of it."),
            choices=(
                Choice("220x10", N_("220 V, 10 A socket"), N_("1,760 W of continuous load.")),
                Choice("220x16", N_("220 V, 16 A socket"), N_("2,816 W of continuous load.")),
                Choice("220x32", N_("220 V, 32 A circuit"), N_("5,632 W of continuous load.")),
                Choice("380x63", N_("380 V three-phase, 63 A"), N_("About 33 kW of continuous load.")),
                Choice("120x15", N_("120 V, 15 A socket (US)"), N_("1,440 W of continuous load.")),
                Choice("120x20", N_("120 V, 20 A socket (US)"), N_("1,920 W of continuous load.")),
                Choice("208x30", N_("208 V, 30 A circuit (US)"), N_("4,992 W of continuous load.")),
                Choice("230x16", N_("230 V, 16 A socket (Europe)"), N_("2,944 W of continuous load.")),
                Choice(
                    "400x32", N_("400 V three-phase, 32 A (Europe)"), N_("About 18 kW of continuous load.")
                ),
            ),
            unsure=N_("the region's ordinary socket is assumed: 220 V, 10 A in China"),
        ),
        Question(
            key="software",
            path="constraints.software",
            kind=QuestionKind.CHOICE,
            title=N_("Software"),
            choices=(
                Choice("any", N_("Any"), N_("Whatever runs the work.")),
                Choice("cuda", N_("CUDA"), N_("NVIDIA cards only: everything runs, at their prices.")),
                Choice("rocm", N_("ROCm"), N_("AMD cards only: check your frameworks before you order.")),
            ),
            default="cuda",
            unsure=N_("CUDA, which most programs run on without porting; any stack for serving"),
        ),
        Question(
            key="condition",
            path="constraints.condition",
            kind=QuestionKind.CHOICE,
            title=N_("Condition"),
            choices=(
                Choice("new", N_("New only"), N_("With invoice and the maker's warranty.")),
                Choice(
                    "used_ok",
                    N_("Used accepted"),
                    N_("Cheaper; no maker's warranty, often no special VAT invoice."),
                ),
            ),
            default="new",
            unsure=N_("new only, as most finance offices demand"),
        ),
        *grouped(
            N_("Which cards"),
            Question(
                key="accelerators",
                path="constraints.accelerators",
                kind=QuestionKind.CARDS,
                title=N_("Only these cards"),
                help=N_("Leave empty to search all."),
                placeholder=N_("Search cards, for example 5090"),
                advanced=True,
            ),
            Question(
                key="vendors",
                path="constraints.vendors",
                kind=QuestionKind.PICK,
                title=N_("Only this maker"),
                choices=(
                    Choice("NVIDIA", "NVIDIA"),
                    Choice("AMD", "AMD"),
                    Choice("Intel", "Intel"),
                    Choice("Huawei", N_("Huawei")),
                    Choice("Cambricon", N_("Cambricon")),
                    Choice("Hygon", N_("Hygon")),
                    Choice("Moore Threads", N_("Moore Threads")),
                    Choice("Apple", "Apple"),
                ),
                listed=True,
                unsure=N_("every maker whose cards run the chosen software"),
                advanced=True,
            ),
            Question(
                key="gpu_count",
                path="constraints.gpu_count",
                kind=QuestionKind.WHOLE,
                title=N_("Exactly this many cards"),
                unit=N_("cards"),
                placeholder="4",
                limits=(Constraints, "gpu_count"),
                unsure=N_("the search decides"),
                advanced=True,
            ),
            Question(
                key="max_gpus",
                path="constraints.max_gpus",
                kind=QuestionKind.WHOLE,
                title=N_("At most this many cards"),
                unit=N_("cards"),
                placeholder="8",
                limits=(Constraints, "max_gpus"),
                unsure=N_("the search decides"),
                advanced=True,
            ),
            Question(
                key="av1_encode",
                path="constraints.av1_encode",
                kind=QuestionKind.PICK,
                title=N_("AV1 encoding in hardware"),
                help=N_(
                    "For clips that are delivered in AV1: the card encodes them while it goes on working."
                ),
                choices=(
                    Choice(
                        YES,
                        N_("Needed"),
                        N_("Only cards from RTX 40, RX 7000 and Arc on; no A100 or H100."),
                    ),
                    Choice(
                        NO,
                        N_("Not needed"),
                        N_("Clips are stored as H.264 or HEVC, or encoded by the processor."),
                    ),
                ),
                unsure=N_("not needed: the processor can encode, slower"),
                advanced=True,
                shown=is_diffusion,
            ),
        ),
        *grouped(
            N_("Place and power"),
            Question(
                key="region",
                path="constraints.region",
                kind=QuestionKind.PICK,
                title=N_("Bought and run in"),
                choices=(
                    Choice("CN", N_("Mainland China")),
                    Choice("US", N_("United States")),
                    Choice("EU", N_("Europe")),
                ),
                default="CN",
                unsure=N_("mainland China: its prices, tax, sockets and export rules"),
                advanced=True,
            ),
            Question(
                key="ambient",
                path="constraints.ambient_c",
                kind=QuestionKind.REAL,
                title=N_("Hottest room air"),
                unit="°C",
                placeholder="28",
                limits=(Constraints, "ambient_c"),
                unsure=N_("25 °C is assumed"),
                advanced=True,
            ),
            Question(
                key="mains_volts",
                path="constraints.mains.volts",
                kind=QuestionKind.REAL,
                title=N_("Another circuit: volts"),
                unit="V",
                placeholder="230",
                limits=(Mains, "volts"),
                help=N_("Where none of the circuits above is yours; 380 V and more is three-phase."),
                unsure=N_("as chosen above"),
                advanced=True,
            ),
            Question(
                key="mains_amps",
                path="constraints.mains.amps",
                kind=QuestionKind.REAL,
                title=N_("Another circuit: amperes"),
                unit="A",
                placeholder="16",
                limits=(Mains, "amps"),
                unsure=N_("as chosen above"),
                advanced=True,
            ),
        ),
        *grouped(
            N_("What is there already"),
            Question(
                key="owned",
                path="constraints.reuse",
                kind=QuestionKind.CARDS,
                title=N_("Parts to be kept in use"),
                help=N_("Tick the parts of the machine that you own: they are built on and cost nothing."),
                placeholder=N_("Search parts, for example EPYC or a board"),
                advanced=True,
            ),
        ),
        *grouped(
            N_("What is preferred"),
            Question(
                key="priority",
                path="weights",
                kind=QuestionKind.PICK,
                title=N_("What matters most"),
                choices=(
                    Choice("cost", N_("Cost"), N_("Cost counts three times as much as time.")),
                    Choice("time", N_("Time"), N_("Time counts three times as much as cost.")),
                    Choice("energy", N_("Electricity"), N_("Energy counts three times as much as cost.")),
                    Choice("risk", N_("Low risk"), N_("Few assumed prices, warranty, headroom.")),
                ),
                unsure=N_("three-year cost first, then time"),
                advanced=True,
            ),
            Question(
                key="machine",
                path="build_weights",
                kind=QuestionKind.PICK,
                title=N_("Parts around the cards"),
                help=N_("Each machine passes every rule; this chooses among those that do."),
                choices=(
                    Choice("quiet", N_("Quiet"), N_("A quieter cooler or server where the price allows.")),
                    Choice("cool", N_("Cool"), N_("Less heat from processor, memory and supply.")),
                    Choice(
                        "upgradable",
                        N_("Room for more cards"),
                        N_("More slots, brackets and watts than today's cards need."),
                    ),
                ),
                unsure=N_("the cheapest that passes"),
                advanced=True,
            ),
            Question(
                key="available_within",
                path="constraints.available_within_days",
                kind=QuestionKind.REAL,
                title=N_("Deliverable within"),
                unit=N_("days"),
                placeholder="30",
                limits=(Constraints, "available_within_days"),
                unsure=N_("lead time is shown, not limited"),
                advanced=True,
            ),
        ),
    ),
)
