"""Values of the catalogue's closed vocabularies as a person reads them; files and commands keep the values."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from gpuconfig.documents.labels import COOLINGS
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.catalogue.vocabulary import (
    SOFTWARE_NAMES,
    Confidence,
    FormFactor,
    LinkKind,
    LinkTopology,
    Market,
    ModelKind,
)
from gpuconfig.engine.provenance.message import N_
from gpuconfig.i18n import Translator
from gpuconfig.presentation.badges import MARK_WORDS
from gpuconfig.presentation.card_facts import EXPORT_WORDS

Value = TypeVar("Value", bound=StrEnum)


def _by_value(words: Mapping[Value, str]) -> Mapping[str, str]:
    return {value.value: text for value, text in words.items()}


_FORM_FACTORS: Mapping[str, str] = {
    FormFactor.PCIE: N_("PCIe card"),
    FormFactor.SXM: N_("SXM module"),
    FormFactor.OAM: N_("OAM module"),
    FormFactor.MXM: N_("MXM module"),
    FormFactor.SOCKET: N_("in a processor socket"),
    FormFactor.SUPERCHIP: N_("superchip: processor and accelerator on one board"),
    FormFactor.MODULE: N_("module of the maker's own"),
    FormFactor.SOC: N_("part of a system on a chip"),
    FormFactor.BOX: N_("complete small machine"),
}
CHOICES: Mapping[str, Mapping[str, str]] = {
    "software": _by_value(SOFTWARE_NAMES),
    "form_factor": _FORM_FACTORS,
    "accelerator_form": _FORM_FACTORS,
    "cooling": _by_value(COOLINGS),
    "export_status": _by_value(EXPORT_WORDS),
    "evidence_kind": _by_value(MARK_WORDS),
    "confidence": {
        Confidence.HIGH: N_("high confidence"),
        Confidence.MEDIUM: N_("medium confidence"),
        Confidence.LOW: N_("low confidence"),
    },
    "link_kind": {
        LinkKind.NVLINK: "NVLink",
        LinkKind.NVLINK_BRIDGE: N_("NVLink bridge"),
        LinkKind.INFINITY_FABRIC: "Infinity Fabric",
        LinkKind.ROCE: "RoCE",
        LinkKind.HCCS: "HCCS",
        LinkKind.MLU_LINK: "MLU-Link",
        LinkKind.NETWORK: N_("network on the card"),
    },
    "link_topology": {
        LinkTopology.SWITCH: N_("all through a switch"),
        LinkTopology.MESH: N_("each card to each other"),
        LinkTopology.BRIDGE: N_("bridge between neighbours"),
        LinkTopology.NETWORK: N_("network on the card"),
    },
    "market": {
        Market.CURRENT: N_("on sale"),
        Market.PREVIOUS: N_("generation before, still sold"),
        Market.END_OF_LIFE: N_("no longer made"),
        Market.ANNOUNCED: N_("announced, not on sale"),
        Market.AFTERMARKET: N_("rebuilt by others"),
    },
    "kind": {
        ModelKind.DECODER: N_("language model (decoder)"),
        ModelKind.ENCODER: N_("text encoder"),
        ModelKind.DIFFUSION: N_("diffusion model"),
        ModelKind.VISION: N_("vision model"),
    },
}
"""Words by field and value; a field that is not listed holds proper names."""


def choice_in_words(field: str, value: str, t: Translator) -> str:
    """A field's value in the reader's language; a proper name as it is."""
    words = CHOICES.get(field, {}).get(value)
    return value if words is None else Writer(t).word(words)
