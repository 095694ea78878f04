"""Facts of an accelerator as figures, each with its source: for comparison and catalogue."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.market import Offer
from gpuconfig.engine.catalogue.vocabulary import SOFTWARE_NAMES, Condition, ExportStatus, Kind
from gpuconfig.engine.provenance.evidence import Evidence
from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.units import GIB
from gpuconfig.i18n import Translator
from gpuconfig.presentation import badges
from gpuconfig.presentation.reference import ReadyReference
from gpuconfig.presentation.services import Services
from gpuconfig.presentation.shown import Shown, Tone

Better = str
HIGHER, LOWER, NEITHER = "higher", "lower", ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One fact.

    Attributes:
        axis: one of the six axes it belongs to.
        field: catalogue field its evidence stands on.
        shown: text of the value with its unit.
        better: which way is better; empty where neither is.
    """

    key: str
    axis: str
    title: str
    help: str
    field: str
    value: Callable[[Accelerator], float | str | bool | None]
    unit: str = "1"
    better: Better = NEITHER


MEMORY, BANDWIDTH, COMPUTE = N_("Card memory"), N_("Bandwidth"), N_("Compute")
LINK, SOFTWARE, COST = N_("Interconnect"), N_("Software"), N_("Power and cost")
AXES = (MEMORY, BANDWIDTH, COMPUTE, LINK, SOFTWARE, COST)


def _field(name: str) -> Callable[[Accelerator], float | str | bool | None]:
    def read(card: Accelerator) -> float | str | bool | None:
        value: float | str | bool | None = getattr(card, name)
        return value.value if isinstance(value, StrEnum) else value

    return read


def _link(card: Accelerator) -> float | None:
    return card.link.per_direction_bytes_per_s if card.link else (0.0 if card.link_known else None)


def _link_name(card: Accelerator) -> str | None:
    return card.link.name if card.link else (N_("none") if card.link_known else None)


def _pcie(card: Accelerator) -> str | None:
    if card.pcie_generation is None or card.pcie_lanes is None:
        return None
    return f"{card.pcie_generation}.0 x{card.pcie_lanes}"


def _export(card: Accelerator) -> str | None:
    return EXPORT_WORDS[card.export_status] if card.export_status is not ExportStatus.UNKNOWN else None


EXPORT_WORDS = {
    ExportStatus.FREE: N_("free"),
    ExportStatus.CHINA_VARIANT: N_("variant made for China"),
    ExportStatus.DOMESTIC: N_("made in China"),
    ExportStatus.LICENCE: N_("US licence needed for China"),
    ExportStatus.CASE_BY_CASE: N_("decided case by case"),
    ExportStatus.UNKNOWN: N_("unknown"),
}


_BRACKETS = re.compile(r"\s?[(（][^)）]*[)）]")


def _fact(key: str, axis: str, title: str, help_: str, unit: str, better: Better) -> Fact:
    return Fact(
        key=key, axis=axis, title=title, help=help_, field=key, value=_field(key), unit=unit, better=better
    )


FACTS: tuple[Fact, ...] = (
    Fact(
        key="memory_bytes",
        axis=MEMORY,
        title=N_("Card memory"),
        help=N_("Weights, states, activations and cache must fit: the first gate."),
        field="memory_bytes",
        value=_field("memory_bytes"),
        unit="B",
        better=HIGHER,
    ),
    _fact("memory_type", MEMORY, N_("Memory type"), "", "", NEITHER),
    _fact("ecc", MEMORY, N_("ECC"), N_("Detects flipped bits in runs of weeks."), "", NEITHER),
    _fact(
        "bandwidth_bytes_per_s",
        BANDWIDTH,
        N_("Memory bandwidth"),
        N_("Sets the speed of decoding and of everything element-wise."),
        "B/s",
        HIGHER,
    ),
    _fact("l2_bytes", BANDWIDTH, N_("L2 cache"), "", "B", HIGHER),
    _fact(
        "bf16_fp32acc_flops",
        COMPUTE,
        N_("BF16, FP32 accumulation"),
        N_("Dense; what training uses. Advertised figures are often with sparsity or FP16 accumulation."),
        "FLOP/s",
        HIGHER,
    ),
    _fact("fp16_fp16acc_flops", COMPUTE, N_("FP16, FP16 accumulation"), "", "FLOP/s", HIGHER),
    _fact("fp8_fp32acc_flops", COMPUTE, N_("FP8, FP32 accumulation"), "", "FLOP/s", HIGHER),
    _fact("tf32_flops", COMPUTE, N_("TF32"), "", "FLOP/s", HIGHER),
    _fact("fp4_flops", COMPUTE, N_("FP4"), "", "FLOP/s", HIGHER),
    _fact("int8_ops", COMPUTE, N_("INT8"), "", "OP/s", HIGHER),
    Fact(
        key="link_name",
        axis=LINK,
        title=N_("Link between cards"),
        help=N_("NVLink or Infinity Fabric; without one, cards talk over PCIe."),
        field="link",
        value=_link_name,
        unit="",
    ),
    Fact(
        key="link_rate",
        axis=LINK,
        title=N_("Link rate, one way"),
        help=N_("All links of one card together. Makers print both directions added."),
        field="link",
        value=_link,
        unit="B/s",
        better=HIGHER,
    ),
    Fact(key="pcie", axis=LINK, title=N_("PCIe"), help="", field="pcie_generation", value=_pcie, unit=""),
    _fact(
        "peer_to_peer",
        LINK,
        N_("PCIe peer-to-peer"),
        N_("Without it, data between cards goes through host memory."),
        "",
        NEITHER,
    ),
    _fact(
        "av1_encode",
        SOFTWARE,
        N_("AV1 encoding"),
        N_("In hardware, beside the work; AV1 stores a clip in less space than HEVC or H.264."),
        "",
        NEITHER,
    ),
    _fact("video_encode", SOFTWARE, N_("Video encoders"), "", "", NEITHER),
    Fact(
        key="software",
        axis=SOFTWARE,
        title=N_("Software stack"),
        help="",
        field="software",
        value=lambda card: SOFTWARE_NAMES[card.software],
        unit="",
    ),
    _fact("architecture", SOFTWARE, N_("Architecture"), "", "", NEITHER),
    Fact(
        key="export_status",
        axis=SOFTWARE,
        title=N_("Export to China"),
        help=N_("Rules change; the date stands behind the value."),
        field="export_status",
        value=_export,
        unit="",
    ),
    _fact("tdp_w", COST, N_("Board power"), N_("What the maker allows it to draw for long."), "W", LOWER),
    _fact("slots", COST, N_("Slots covered"), "", "1", LOWER),
    _fact("length_mm", COST, N_("Length"), "", "mm", LOWER),
)


def evidence_mark(evidence: Evidence) -> Mark:
    """The mark of a catalogue value."""
    return Mark(evidence.kind.value)


def fact_shown(card: Accelerator, fact: Fact, t: Translator) -> Shown:
    """A fact of one card, with its source behind it."""
    value = fact.value(card)
    evidence = card.evidence(fact.field)
    assumed = card.is_assumed(fact.field)
    plain = t.gettext(N_("yes") if value else N_("no")) if isinstance(value, bool) else value
    explanation = Explanation(
        name=f"{card.id}.{fact.field}",
        title=fact.title,
        value=plain if not isinstance(plain, bool) else str(plain),
        unit=fact.unit or "1",
        mark=evidence_mark(evidence),
        evidence=evidence,
        source=evidence.source,
    )
    reference = ReadyReference(explanation)
    if value is None:
        return Shown(text=t.unknown, tone=Tone.UNKNOWN, reference=reference)
    if isinstance(value, bool | str):
        words = t.part(t.gettext(str(plain)))
        if fact.key == "video_encode":  # generation and codecs stand behind it; AV1 has a row of its own
            words = _BRACKETS.sub("", words)
        return Shown(text=words, reference=reference, sort=str(plain), assumed=assumed)
    text, note = t.formats.quantity(value, fact.unit), ""
    if fact.key == "memory_bytes":
        text = t.formats.number(value / GIB) + " GiB"
        note = "" if card.memory_gb is None else f"({t.formats.number(card.memory_gb)} GB)"
    if fact.key == "link_rate" and value == 0:
        text = t.gettext(N_("none"))
    return Shown(text=text, note=note, reference=reference, sort=float(value), assumed=assumed)


def newest_offer(item: CatalogueItem, kind: Kind, services: Services) -> Offer | None:
    """The offer a list shows: seen prices first, new goods first, newest first."""
    offers = services.catalogue().offers(kind, item.id)
    new = [offer for offer in offers if offer.condition is Condition.NEW]
    return next(iter(new or offers), None)


def offer_shown(offer: Offer | None, title: str, today: date, t: Translator) -> Shown:
    """A price with its age; what nobody was seen to ask says "assumed"."""
    if offer is None:
        explanation = Explanation(name="price", title=title, value=None, unit="1", mark=Mark.ASSUMED)
        return Shown(text=t.unknown, tone=Tone.UNKNOWN, reference=ReadyReference(explanation))
    evidence = offer.evidence()
    middle = offer.price().middle()
    explanation = Explanation(
        name=f"{offer.subject_id}.price",
        title=title,
        value=float(middle.amount),
        low=float(offer.low),
        high=float(offer.high),
        unit=offer.currency.value,
        mark=evidence_mark(evidence),
        evidence=evidence,
        source=evidence.source,
    )
    return Shown(
        text=t.formats.money_range(offer.price()),
        note=badges.days_in_words(offer.age_days(today), t),
        reference=ReadyReference(explanation),
        sort=float(middle.amount),
        assumed=offer.is_assumed(),
    )
