"""Keeping a machine: what stays, what must change, and what it costs."""

from __future__ import annotations

from typing import Any

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.compatibility.prices import RegionalPricers
from gpuconfig.engine.selection.composer.upgrade import Upgrade, Wish, upgrade_of
from gpuconfig.engine.selection.ranking import price
from gpuconfig.engine.selection.recommendation import Option, OptionKind
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import answer

HOST: dict[str, Any] = {
    "cpu": [{"ref": "cpu-amd-ryzen-9-9950x"}],
    "motherboard": [{"ref": "board-asus-proart-x870e-creator-wifi"}],
    "memory": [{"ref": "mem-ddr5-dimm-2x48-6000-cmk96gx5m2b6000z30"}],
    "power_supply": [{"name": "NZXT C1200"}],
    "chassis": [{"name": "Fractal Design Define 7 XL"}],
    "cooler": [{"name": "Thermalright Peerless Assassin 120 SE"}],
    "drive": [{"name": "ZhiTai TiPlus7100 2 TB"}],
    "gpu": [{"ref": "nvidia-rtx-4090-24"}],
}
US_15_A = {"mains": {"volts": 120, "amps": 15}}


def lora(count: int, card: str, reuse: dict[str, Any]) -> Option:
    """The first option of an 8B adapter run on given cards in the machine."""
    found = answer(
        {
            "model": "llama-3.1-8b",
            "workload": {"kind": "training", "method": "lora"},
            "constraints": {"accelerators": [card], "gpu_count": count, "reuse": reuse},
        }
    )
    assert found.options, [str(r.reason) for r in found.rejected]
    return found.options[0]


def bought(option: Option) -> set[Kind]:
    """Kinds of the parts that must be bought."""
    assert option.build is not None
    return {line.kind for line, _ in option.build.all_lines() if not line.reused}


def test_nothing_to_buy_is_keep() -> None:
    """The card that is there does the work: keep, for nothing."""
    option = lora(1, "nvidia-rtx-4090-24", HOST)
    assert option.kind is OptionKind.KEEP
    assert price(option) == 0
    assert bought(option) == set()


def test_a_supply_that_the_check_passes_is_kept() -> None:
    """82 % of 850 W is no warning of the check, so no reason to buy another supply."""
    own = HOST | {
        "power_supply": [{"ref": "psu-deepcool-px850g-black-atx-850w-fully-modular-80-gold-certifi"}]
    }
    option = lora(1, "nvidia-rtx-4090-24", own)
    assert option.build is not None
    assert option.check is not None
    assert Kind.POWER_SUPPLY not in bought(option)
    (told,) = (f for f in option.check.findings if f.rule == "power.continuous")
    assert told.measured is not None
    assert (told.status.value, told.measured / 850 > 0.8) == ("ok", True)


def test_one_more_card_pays_one_card_and_what_it_needs() -> None:
    """A second 4090: one card is bought, one is kept; processor, board and case stay."""
    option = lora(2, "nvidia-rtx-4090-24", HOST)
    assert option.kind is OptionKind.BUY
    assert option.build is not None
    lines = option.build.of(Kind.ACCELERATOR)
    assert sorted((line.quantity, line.reused) for line in lines) == [(1, False), (1, True)]
    assert not {Kind.CPU, Kind.MOTHERBOARD, Kind.DRIVE} & bought(option)


def test_two_5090_need_a_stronger_supply() -> None:
    """Two cards of 575 W on a 1,200 W supply: the supply must change, the rest of the host may stay."""
    option = lora(2, "nvidia-rtx-5090-32", HOST)
    assert {Kind.ACCELERATOR, Kind.POWER_SUPPLY} <= bought(option)
    assert not {Kind.CPU, Kind.MOTHERBOARD} & bought(option)
    whole = lora(2, "nvidia-rtx-5090-32", {})
    assert price(option) < price(whole)


def test_cards_are_seated() -> None:
    """The bill says in which slots the cards sit, where the board's positions are recorded."""
    option = lora(2, "nvidia-rtx-4090-24", HOST)
    assert option.build is not None
    seats = [p for line in option.build.of(Kind.ACCELERATOR) for p in line.slot]
    assert len(set(seats)) == 2


def _unstated(option: Option) -> dict[str, str]:
    """Owned parts that are replaced for want of a figure, with what is said of each."""
    assert option.check is not None
    found = [f for f in option.check.findings if f.rule == "reuse.unstated"]
    return {f.parts[0]: f.message.english() for f in found}


def test_an_owned_part_that_lacks_a_figure_is_not_replaced_without_a_word() -> None:
    supply = {"name": "My supply", "rated_w": 1200}
    named = {**HOST, "power_supply": [supply], "chassis": [{"name": "my case"}], "cooler": [{"name": "old cooler"}],
             "memory": [{"name": "my memory 96 GB"}]}  # fmt: skip
    option = lora(1, "nvidia-rtx-4090-24", named)
    assert {Kind.POWER_SUPPLY, Kind.CHASSIS, Kind.COOLER, Kind.MEMORY} <= bought(option)
    said = _unstated(option)
    assert set(said) == {"my-supply", "my-case", "old-cooler", "my-memory-96-gb"}
    assert "6+2-pin plugs" in said["my-supply"]
    assert "Expansion slots" in said["my-case"]
    assert "Heat carried" in said["old-cooler"]
    assert "Modules" in said["my-memory-96-gb"]


def test_a_part_whose_figures_are_stated_stays_and_nothing_is_said() -> None:
    supply = {"name": "My supply", "rated_w": 1200, "pcie_16": 1, "pcie_6plus2": 4, "eps_8": 2, "length_mm": 150,
              "form_factor": "ATX"}  # fmt: skip
    option = lora(1, "nvidia-rtx-4090-24", {**HOST, "power_supply": [supply]})
    assert Kind.POWER_SUPPLY not in bought(option)
    assert not _unstated(option)


def test_an_outlet_caps_the_cards_before_it_costs_an_owned_part() -> None:
    """Two 5090 at 15 A and 120 V: 9950X, case and board stay, the cards are held to the most that then goes."""
    upgraded = _upgraded(2, US_15_A)
    build, check = upgraded.build, upgraded.check
    (cards,) = build.of(Kind.ACCELERATOR)
    assert {line.kind for line in build.lines if not line.reused} == {Kind.ACCELERATOR, Kind.POWER_SUPPLY}
    assert cards.power_limit_w is not None
    assert 0.7 * 575 <= cards.power_limit_w < 575
    assert check.verdict is not Status.PROBLEM
    (mains,) = (f for f in check.findings if f.rule == "power.mains_circuit")
    assert mains.measured is not None
    assert mains.required is not None
    # Two steps of 10 W on both cards would not go any more.
    assert mains.measured <= mains.required < mains.measured + 2 * 20 / 0.85


def test_cards_that_the_outlet_carries_are_not_capped() -> None:
    (cards,) = _upgraded(1, US_15_A).build.of(Kind.ACCELERATOR)
    assert cards.power_limit_w is None


def test_an_owned_supply_is_free_only_once() -> None:
    """A second one beside it is bought, whatever its model."""
    build = _upgraded(2, {}).build
    kept = [line for line in build.of(Kind.POWER_SUPPLY) if line.reused]
    assert sum(line.quantity for line in kept) == 1
    assert any(not line.reused for line in build.of(Kind.POWER_SUPPLY))


def _upgraded(count: int, mains: dict[str, Any]) -> Upgrade:
    """The machine with so many 5090, in the United States."""
    found = upgrade_of(
        {"parts": HOST, "region": "US", **mains},
        Wish(bundled_catalogue().accelerator("nvidia-rtx-5090-32"), count),
        bundled_catalogue(), RegionalPricers(bundled_catalogue()),
    )  # fmt: skip
    assert isinstance(found, Upgrade)
    return found
