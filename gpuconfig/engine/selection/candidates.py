"""Which accelerators, how many, in how many machines: the candidates, and why some never become one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import ServerPlatform
from gpuconfig.engine.catalogue.vocabulary import (
    SOFTWARE_NAMES,
    Cooling,
    ExportStatus,
    FormFactor,
    Market,
    Region,
    Software,
)
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.serving.engines import GROUP as SUPPORT
from gpuconfig.engine.estimation.serving.engines import RUNS_ON
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.selection.recommendation import Rejected
from gpuconfig.engine.selection.request import ConditionWish, Constraints, Form, SoftwareWish
from gpuconfig.engine.workloads.request import Kind

_DESKTOP_COUNTS = (1, 2, 3, 4)
_SERVER_COUNTS = (4, 8)
_NODES = (2, 4, 8, 16)
_MOST_FANNED_NODES = 4
_MEMORY_STATED = re.compile(r"\d\s*gb?\b", re.IGNORECASE)
_FORM_STATED = re.compile(r"sxm|oam|nvl|module|pcie", re.IGNORECASE)
"""How a written name says which memory or which form is meant."""
_FROM_ABROAD = frozenset({ExportStatus.LICENCE, ExportStatus.CASE_BY_CASE})
CHUNK = 8
"""Cards estimated between two looks at the cancel button: the splits of many cards take longer to search."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """`per_node` cards in each of `nodes` machines."""

    accelerator: Accelerator
    per_node: int
    nodes: int

    @property
    def count(self) -> int:
        """Cards in all machines."""
        return self.per_node * self.nodes

    @property
    def key(self) -> str:
        """`accelerator x count x nodes`, the name of an option in a project."""
        return f"{self.accelerator.id} x {self.count} x {self.nodes}"


def screened(
    accelerators: Iterable[Accelerator],
    wish: Constraints,
    offered_here: frozenset[str],
    kind: Kind,
    coefficients: CoefficientSet,
) -> tuple[list[Accelerator], list[Rejected]]:
    """Accelerators that the constraints allow, and those they do not.

    Args:
        offered_here: ids with a price seen in the buyer's region.
    """
    named = {a.lower() for a in wish.accelerators}
    taken, rejected = [], []
    for card in accelerators:
        if named and card.id.lower() not in named:
            continue
        why = _refusal(card, wish, bool(named), card.id in offered_here)
        if why is None and not named and not _supported(card, kind, wish, coefficients):
            text = N_(
                "{software}: the usual programs for this work do not run on it, or barely; name it to see it"
            )
            why = "software", Message(text, {"software": Message(SOFTWARE_NAMES[card.software])})
        if why is None:
            taken.append(card)
        else:
            rejected.append(Rejected(card.id, card.name, why[1], why[0]))
    return taken, rejected


def candidates(
    accelerators: Sequence[Accelerator], wish: Constraints, servers: Sequence[ServerPlatform]
) -> Iterator[Candidate]:
    """Counts and machines of each accelerator within the limits of the request."""
    for card in accelerators:
        seen = set()
        for per_node, nodes in _shapes(card, wish, servers):
            if _counted(per_node * nodes, wish) and (per_node, nodes) not in seen:
                seen.add((per_node, nodes))
                yield Candidate(card, per_node, nodes)


def uncounted(
    accelerators: Sequence[Accelerator],
    found: Iterable[Candidate],
    wish: Constraints,
    servers: Sequence[ServerPlatform],
    every: Sequence[Accelerator],
) -> Iterator[Rejected]:
    """Accelerators that no machine, or number of machines, holds as many of as asked for.

    Args:
        every: the catalogue, of which those sold singly are told.
    """
    placed = {candidate.accelerator.id for candidate in found}
    asked = wish.gpu_count or wish.max_gpus
    for card in accelerators:
        if card.id in placed or asked is None:
            continue
        counts = sorted({each * nodes for each, nodes in _shapes(card, wish, servers)})
        nearest = min(counts, key=lambda count: abs(count - asked), default=None)
        singly = [other.name for other in every if other.form_factor is FormFactor.PCIE
                  and (other.vendor, other.family) == (card.vendor, card.family)]  # fmt: skip
        text = N_("machines hold {counts} of it, alone or several together; {asked} was asked for")
        if singly:
            text = N_("machines hold {counts} of it, alone or several together; {asked} was asked for; of its family "
                      "these are sold singly: {singly}")  # fmt: skip
        values: dict[str, object] = {
            "singly": ", ".join(singly),
            "counts": ", ".join(map(str, counts[:8])) + (", …" if len(counts) > 8 else ""),
            "asked": asked,
        }
        yield Rejected(card.id, card.name, Message(text, values), "gpu_count", nearest, asked)


def sold_singly(
    named: Sequence[tuple[str, Accelerator]],
    every: Sequence[Accelerator],
    wish: Constraints,
    servers: Sequence[ServerPlatform],
) -> Iterator[Accelerator]:
    """Plug-in cards that stand for what was named, where no machine holds as few of it as asked for.

    A bare name (H100) means any form of its family. What a name states is kept: its memory; and its form, so that
    only the same module on a carrier of its own stands for a named module.

    Args:
        named: what was written, and the accelerator it was read as.
    """
    own = {card.id for _, card in named}
    for written, meant in named:
        if any(_counted(each * nodes, wish) for each, nodes in _shapes(meant, wish, servers)):
            continue
        for card in every:
            if (
                card.form_factor is FormFactor.PCIE
                and card.id not in own
                and _means(written, meant, card, wish)
            ):
                own.add(card.id)
                yield card


def _means(written: str, meant: Accelerator, card: Accelerator, wish: Constraints) -> bool:
    """Whether a written name, read as `meant`, is kept by `card`."""
    if (card.vendor, card.family) != (meant.vendor, meant.family):
        return False
    exact = written.strip().lower() == meant.id
    if (exact or _MEMORY_STATED.search(written)) and card.memory_gb != meant.memory_gb:
        return False
    if not exact and not _FORM_STATED.search(written):
        return not card.modified
    carried = bool(meant.form_factor_text) and card.form_factor_text.startswith(f"{meant.form_factor_text} ")
    return carried and wish.condition is ConditionWish.USED_OK


def _counted(count: int, wish: Constraints) -> bool:
    """Whether a number of cards is one that was asked for."""
    if wish.gpu_count is not None and count != wish.gpu_count:
        return False
    return wish.max_gpus is None or count <= wish.max_gpus


def portions(candidates: Sequence[Candidate]) -> Iterator[list[Candidate]]:
    """Candidates in their order, a few at a time: as many as have `CHUNK` cards together, at least one."""
    part: list[Candidate] = []
    for candidate in candidates:
        if part and sum(c.count for c in part) + candidate.count > CHUNK:
            yield part
            part = []
        part.append(candidate)
    if part:
        yield part


def _shapes(
    card: Accelerator, wish: Constraints, servers: Sequence[ServerPlatform]
) -> Iterator[tuple[int, int]]:
    if card.complete_machine or card.form_factor in (FormFactor.BOX, FormFactor.SOC):
        yield 1, 1
        return
    if card.form_factor is FormFactor.PCIE:
        counts = _DESKTOP_COUNTS if wish.form is Form.WORKSTATION else (*_DESKTOP_COUNTS, 8)
        for count in counts:
            yield count, 1
        if wish.gpu_count is not None and wish.gpu_count <= 16:
            yield wish.gpu_count, 1
        clusters: tuple[int, ...] = _SERVER_COUNTS
    else:
        clusters = tuple(sorted({s.accelerator_count for s in servers
                                 if s.accelerator_form is card.form_factor and s.accelerator_count}))  # fmt: skip
        for count in clusters or (8,):
            yield count, 1
    if wish.form is Form.WORKSTATION:
        return
    # Large clusters are of data-centre cards: fanned cards in many machines hang on slow networks.
    fanned = card.form_factor is FormFactor.PCIE and card.cooling is not Cooling.PASSIVE
    for count in clusters:
        for nodes in _NODES:
            if not fanned or nodes <= _MOST_FANNED_NODES:
                yield count, nodes
        if wish.gpu_count is not None and wish.gpu_count % count == 0:
            yield count, wish.gpu_count // count


def _supported(card: Accelerator, kind: Kind, wish: Constraints, coefficients: CoefficientSet) -> bool:
    """Whether the usual frameworks of the work run on the card: by the card, its kernels' target, its software."""
    work = "training" if kind in (Kind.TRAINING, Kind.VISION_TRAINING) else "inference"
    asked = {v.lower() for v in wish.vendors} == {card.vendor.value.lower()}
    row = coefficients.find("selection", f"runs_{work}", card.id)
    row = row or coefficients.find(SUPPORT, RUNS_ON, f"{work}|{card.compute_capability}")
    row = row or coefficients.find("selection", f"runs_{work}", card.software.value)
    return asked or row is None or bool(row.value)


def _refusal(card: Accelerator, wish: Constraints, named: bool, offered: bool) -> tuple[str, Message] | None:
    if wish.vendors and card.vendor.value.lower() not in {v.lower() for v in wish.vendors}:
        return "vendor", Message(
            N_("made by {vendor}, not one of the makers asked for"), {"vendor": card.vendor}
        )
    if wish.av1_encode and not card.av1_encode:
        text = N_("does not encode AV1 in hardware")
        if card.av1_encode is None:
            text = N_("not known whether it encodes AV1 in hardware")
        return "video", Message(text)
    wanted = {SoftwareWish.CUDA: Software.CUDA, SoftwareWish.ROCM: Software.ROCM}.get(
        wish.software or SoftwareWish.ANY
    )
    if wanted is not None and card.software is not wanted:
        return "software", Message(
            N_("runs {have}, the team works with {want}"),
            {"have": Message(SOFTWARE_NAMES[card.software]), "want": Message(SOFTWARE_NAMES[wanted])},
        )
    if named:
        return None
    if card.market is Market.ANNOUNCED:
        return "not_sold", Message(N_("announced, not on sale"))
    if wish.region is not Region.CN and card.made_for_china():
        text = N_("made for China and sold there only: elsewhere an import; name it to see it")
        return "region", Message(text)
    if wish.region is Region.CN and card.export_status in _FROM_ABROAD and not offered:
        if not card.export_china:
            text = N_("needs a US export licence for China, and no offer in China is recorded")
            return "export_status", Message(text)
        text = N_("needs a US export licence for China, and no offer in China is recorded: {rule}")
        return "export_status", Message(text, {"rule": Message(card.export_china)})
    if card.memory_bytes is None:
        return "unknown", Message(N_("its memory is not known"))
    return None
