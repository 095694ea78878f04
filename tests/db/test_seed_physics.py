"""The seed against physics: what one column says must agree with what others say, exceptions listed with a reason."""

import math
import re

import pytest

from gpuconfig.engine.catalogue.plausibility import doubts
from gpuconfig.engine.catalogue.vocabulary import (
    Condition,
    Kind,
    LaneSource,
    ModelKind,
)
from gpuconfig.engine.quantities.units import GIB
from gpuconfig.engine.workloads.parameter_count import count_parameters

DOUBTED = {
    "nvidia-rtx-a5000-24": "230 W on one 8-pin plug and the slot, as the maker sells it",
    "nvidia-cmp-170hx-8": "fused multiply-add is held back to a thirty-second on this mining card",
}
"""Items that contradict a rule and are right; the reason beside each."""

GENERATIONS = {
    "Volta": {3}, "Turing": {3}, "Pascal": {3}, "Ampere": {3, 4}, "Ada Lovelace": {4}, "Hopper": {5},
    "Blackwell": {5}, "RDNA 3": {4}, "RDNA 4": {5}, "CDNA 2": {4}, "CDNA 3": {5}, "CDNA 4": {5},
}  # fmt: skip


def cards(catalogue):
    return catalogue.accelerators()


def test_no_item_contradicts_itself(catalogue):
    """Bandwidth = bus x rate, plugs >= power, PCIe generation by chipset, plugs of supplies."""
    found = {
        item.id: [str(doubt) for doubt in doubts(item)]
        for kind in Kind
        for item in catalogue.parts(kind)
        if any(True for _ in doubts(item))
    }
    assert set(found) == set(DOUBTED), found


def test_consumer_tensor_rates_keep_their_ratios(catalogue):
    """GeForce 30, 40, 50: FP16 accumulation doubles the rate, FP8 doubles FP16, INT8 is four times."""
    seen = 0
    for card in cards(catalogue):
        if card.family not in ("GeForce 30", "GeForce 40", "GeForce 50") or not card.bf16_fp32acc_flops:
            continue
        seen += 1
        assert card.fp16_fp16acc_flops == pytest.approx(2 * card.fp16_fp32acc_flops, rel=0.01), card.id
        assert card.bf16_fp32acc_flops == card.fp16_fp32acc_flops, card.id
        if card.fp8_fp32acc_flops:
            assert card.fp8_fp32acc_flops == pytest.approx(2 * card.fp16_fp32acc_flops, rel=0.01), card.id
        if "bf16_fp32acc_flops" not in card.inferred_fields:
            assert card.bf16_fp32acc_flops == pytest.approx(2 * card.fp32_flops, rel=0.01), card.id
            assert card.int8_ops == pytest.approx(4 * card.fp16_fp32acc_flops, rel=0.01), card.id
    assert seen > 20


def test_professional_cards_run_at_full_rate(catalogue):
    seen = 0
    for card in cards(catalogue):
        if (
            card.family.startswith(("RTX Ada", "RTX A", "RTX PRO", "RTX Blackwell"))
            and card.bf16_fp32acc_flops
        ):
            if "bf16_fp32acc_flops" in card.inferred_fields:
                continue
            seen += 1
            assert card.bf16_fp32acc_flops == pytest.approx(4 * card.fp32_flops, rel=0.02), card.id
    assert seen >= 5


def test_peak_is_dense(catalogue):
    """A sparse rate in a dense column would be twice the total processing performance."""
    for card in cards(catalogue):
        if not card.tpp:
            continue
        rates = [
            (card.fp8_fp16acc_flops or card.fp8_fp32acc_flops, 8), (card.int8_ops, 8), (card.fp4_flops, 4),
            (card.bf16_fp32acc_flops, 16), (card.fp16_fp16acc_flops or card.fp16_fp32acc_flops, 16),
        ]  # fmt: skip
        highest = max((rate * bits / 1e12 for rate, bits in rates if rate), default=0)
        assert highest <= card.tpp * 1.03, (card.id, highest, card.tpp)


def test_pcie_generation_follows_the_architecture(catalogue):
    for card in cards(catalogue):
        expected = GENERATIONS.get(card.architecture)
        if card.family == "CMP HX":
            assert (card.pcie_generation, card.pcie_lanes) == (1, 4), (
                card.id
            )  # a mining card's bus is held back
        elif expected and card.pcie_generation:
            assert card.pcie_generation in expected, (card.id, card.architecture, card.pcie_generation)


def test_no_nvlink_where_there_is_none(catalogue):
    for card in cards(catalogue):
        if card.family in ("GeForce 40", "GeForce 50", "RTX Ada", "RTX PRO Blackwell") or "l40" in card.id:
            assert card.link is None, card.id
            assert card.link_known, card.id


def test_usable_memory_is_a_little_below_nominal(catalogue):
    for card in cards(catalogue):
        if card.usable_bytes and card.memory_bytes:
            assert 0.90 * card.memory_bytes <= card.usable_bytes <= 1.03 * card.memory_bytes, card.id


def test_slots_fit_their_chipset(catalogue):
    """Older chipsets have no generation 4; shared lanes are fewer than the slot has alone."""
    old = ("X99", "X299", "C422", "X399", "Z77", "H110")
    for board in catalogue.motherboards():
        for slot in board.slots:
            assert slot.electrical_lanes is None or slot.electrical_lanes <= slot.physical_lanes, board.id
            if board.chipset in old and slot.generation:
                assert slot.generation <= 3, board.id
            if slot.shared_lanes is not None:
                assert slot.electrical_lanes > slot.shared_lanes >= 0, board.id
                assert set(slot.shares_with) <= {other.position for other in board.slots}, board.id


def test_consumer_boards_do_not_invent_lanes(catalogue):
    """AM5 and LGA1700/1851 feed 16 lanes to the card slots, however many long slots a board has."""
    for board in catalogue.motherboards():
        if board.socket in ("AM4", "AM5", "LGA1700", "LGA1851"):
            fed = [s for s in board.slots if s.source is LaneSource.CPU]
            assert sum((s.shared_lanes or s.electrical_lanes or 0) for s in fed) <= 16, board.id


def test_transformers_have_the_parameters_their_shape_counts(catalogue):
    """Hybrid models hold layers the shape cannot tell; all others agree within two percent."""
    seen = 0
    for model in catalogue.models():
        shape = model.architecture
        if (
            shape is None
            or (shape.attention_layers and shape.attention_layers.linear)
            or shape.extra_parameters
        ):
            continue
        seen += 1
        assert count_parameters(shape).total == pytest.approx(shape.parameters, rel=0.02), model.id
    assert seen > 150


def test_models_are_complete_for_their_kind(catalogue):
    for model in catalogue.models():
        if model.kind in (ModelKind.DECODER, ModelKind.ENCODER):
            assert model.architecture is not None, model.id
            assert model.active_parameters is None or model.active_parameters < model.parameters, model.id
            assert model.architecture.is_moe <= (model.active_parameters is not None), model.id
        if model.kind is ModelKind.DIFFUSION:
            assert model.diffusion.component("denoiser") is not None, model.id
            assert model.parameters == sum(part.parameters for part in model.diffusion.components)
        if model.kind is ModelKind.VISION:
            assert model.vision.forward_flop > 1e9, model.id


def test_llama_2_7b_states_and_cache(catalogue):
    model = catalogue.model("llama-2-7b")
    assert model.parameters * 16 / 1e9 == pytest.approx(107.8, abs=0.05)
    llama3 = catalogue.model("llama-3-8b").architecture
    assert 2 * llama3.layers * llama3.kv_heads * llama3.head_dim * 2 == 131_072
    v3 = catalogue.model("deepseek-v3").architecture
    assert v3.layers * (v3.mla.kv_rank + v3.mla.rope_dim) * 2 == 70_272


def test_every_purchasable_card_has_a_price_in_both_currencies(catalogue):
    without = {
        "huawei-310p-24", "hygon-k100-64", "moore-threads-s5000-80", "nvidia-rtx-pro-4000-sff-24",
        "metax-c500-64", "metax-c550-64", "iluvatar-bi-v150-64", "iluvatar-bi-v100-32", "iluvatar-mr-v100-32",
        "biren-106m", "biren-106b", "biren-166m", "biren-166c", "nvidia-cmp-170hx-8",
        "nvidia-jetson-agx-orin-64", "nvidia-jetson-agx-thor-128",
        "nvidia-rtx-5090-laptop-24", "nvidia-rtx-5080-laptop-16",
    }  # fmt: skip
    for card in cards(catalogue):
        offers = catalogue.offers(Kind.ACCELERATOR, card.id)
        assert card.id in without or {offer.currency for offer in offers} == {"USD", "CNY"}, card.id


def test_a_machine_of_every_tier_has_prices(catalogue):
    """Desktop, workstation, 4U 8-card server and 8-GPU baseboard server can be priced from the seed."""
    for kind, item in (
        (Kind.MOTHERBOARD, "board-asus-proart-x870e-creator-wifi"), (Kind.MOTHERBOARD, "board-asrock-rack-romed8-2t"),
        (Kind.SERVER, "server-cn-4u8-epyc"), (Kind.SERVER, "server-hgx-h200-141-8"),
        (Kind.SERVER, "server-hgx-h20-96-8"), (Kind.SERVER, "server-hgx-a100-80-8-used"),
    ):  # fmt: skip
        assert catalogue.offers(kind, item), item
    used = catalogue.offers(Kind.SERVER, "server-hgx-a100-80-8-used")
    assert {offer.condition for offer in used} == {Condition.USED}


def test_every_item_sold_alone_has_an_offer(catalogue):
    for kind in (
        Kind.CPU,
        Kind.MOTHERBOARD,
        Kind.MEMORY,
        Kind.POWER_SUPPLY,
        Kind.CHASSIS,
        Kind.COOLER,
        Kind.SERVER,
    ):
        missing = [item.id for item in catalogue.parts(kind) if not catalogue.offers(kind, item.id)]
        assert missing == [], kind


def test_a_whole_computer_is_priced_with_the_memory_that_it_is_listed_with(catalogue):
    """The same computer is sold with four sizes of memory at up to three times the price."""
    stated = 0
    for card in catalogue.accelerators():
        if not card.complete_machine:
            continue
        for offer in catalogue.offers(Kind.ACCELERATOR, card.id):
            found = re.search(r"\b(\d+) GB\b", offer.basis)
            stated += found is not None
            assert found is None or int(found[1]) * GIB == card.memory_bytes, offer.id
    assert stated >= 10


def test_offers_are_ordered_and_positive(catalogue):
    for offer in catalogue.all_offers():
        assert offer.low > 0
        assert offer.high >= offer.low
        assert math.isfinite(float(offer.high))


def test_dense_rates_of_the_hopper_family(catalogue):
    """A published table once mixed dense and sparse rates for these four."""
    cards = ("nvidia-h100-sxm5-80", "nvidia-h100-nvl-94", "nvidia-h200-sxm-141", "nvidia-h100-pcie-80")
    rates = [catalogue.accelerator(card).bf16_fp32acc_flops / 1e12 for card in cards]
    assert rates == pytest.approx([989.5, 835.5, 989.5, 756.5], rel=0.01)
