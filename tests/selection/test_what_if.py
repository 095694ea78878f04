"""What-if over the composed machines: nothing changed changes nothing, and every change moves what it should."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from gpuconfig.engine.selection.ranking import cost, price
from gpuconfig.engine.selection.recommendation import Option, OptionKind, Recommendation
from gpuconfig.engine.selection.what_if import WhatIf, changed_request, found_values, tried, what_if
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import ROWS, TODAY, answer_of, estimator, request

EVERY = ("lora_8b", "full_7b", "serve_70b", "sdxl")


def judged(row: str, change: WhatIf) -> Recommendation:
    """The row's answer with `change`."""
    return what_if(answer_of(row), request(ROWS[row]), change, bundled_catalogue(), estimator(), TODAY)


def first(found: Recommendation) -> Option:
    """The best machine to buy."""
    return next(o for o in (*found.options, *found.considered) if o.kind is OptionKind.BUY)


@pytest.mark.parametrize("row", EVERY)
def test_what_was_found_is_found_again(row: str) -> None:
    """Each option's own numbers, tried as a what-if, give its own estimate."""
    found = answer_of(row)
    values = found_values(first(found), request(ROWS[row]), bundled_catalogue(), estimator())
    own = WhatIf(power_share=1.0, users=values.users)
    for option in found.considered[:6]:
        if option.build is None:
            continue
        again = tried(option, own, estimator())
        assert again is not None
        assert again.verdict is option.estimate.verdict
        assert again.memory == option.estimate.memory
    same = judged(row, WhatIf(power_share=1.0))
    bought = [o for o in found.considered if o.build is not None]
    assert [(changed_key(o), price(o), cost(o)) for o in same.considered] == [
        (changed_key(o), price(o), cost(o)) for o in bought
    ]


@pytest.mark.parametrize("row", EVERY)
def test_nothing_is_nothing(row: str) -> None:
    """Without a change the answer is the same object."""
    assert judged(row, WhatIf(card="nvidia-rtx-4090-24")) is answer_of(row)


def test_a_dearer_card_loses_its_place_at_its_flip() -> None:
    """The price at which `flips_if` says that the second takes the first place does flip it."""
    found = answer_of("lora_8b")
    best, second = found.options[0], found.options[1]
    share = float((cost(second) - cost(best)) / price(best))
    card = best.accelerator.id
    over = judged("lora_8b", WhatIf(card=card, card_price=1 + 4 * share + 1.0))
    assert over.options[0].accelerator.id != card
    cheap = judged("lora_8b", WhatIf(card=card, card_price=0.5))
    assert price(first(cheap)) < price(best)


def test_electricity_and_use_move_only_the_cost_of_ownership() -> None:
    """Twice the tariff costs more over the years and nothing more to buy."""
    row = "full_7b"
    option = first(answer_of(row))
    values = found_values(option, request(ROWS[row]), bundled_catalogue(), estimator())
    assert values.electricity is not None
    dear = judged(row, WhatIf(electricity=2 * values.electricity))
    other = next(o for o in dear.considered if changed_key(o) == changed_key(option))
    assert price(other) == price(option)
    assert cost(other) > cost(option)
    idle = judged(row, WhatIf(utilisation=0.05))
    other = next(o for o in idle.considered if changed_key(o) == changed_key(option))
    assert cost(other) < cost(option)


def test_a_dearer_dollar_makes_converted_parts_dearer() -> None:
    """In China only what was converted follows the rate."""
    row = "full_7b"
    weak = judged(row, WhatIf(exchange_rate=14.0))
    before = {changed_key(o): o for o in answer_of(row).considered}
    moved = 0
    for option in weak.considered:
        old = before[changed_key(option)]
        assert old.build is not None
        converted = any(line.converted for line, _ in old.build.all_lines())
        assert (price(option) > price(old)) is converted
        moved += converted
    assert moved


def test_a_power_limit_saves_power_and_never_wins_time() -> None:
    """Less power at the wall, no more speed."""
    option = first(answer_of("full_7b"))
    limited = tried(option, WhatIf(power_share=0.6), estimator())
    assert limited is not None
    assert limited.power is not None
    assert option.estimate.power is not None
    assert limited.power.wall_w.value < option.estimate.power.wall_w.value  # type: ignore[operator]
    assert limited.training is not None
    assert option.estimate.training is not None
    assert limited.training.step_time_s.value >= option.estimate.training.step_time_s.value  # type: ignore[operator]


def test_the_step_keeps_its_samples_when_the_micro_batch_changes() -> None:
    """Twice the micro batch takes half the accumulation."""
    option = first(answer_of("full_7b"))
    steps, micro = option.parallelism["gradient_accumulation"], option.parallelism["micro_batch_size"]
    work = changed_request(option, WhatIf(batch=2 * micro)).workload  # type: ignore[operator]
    assert work.micro_batch_size == 2 * micro  # type: ignore[union-attr,operator]
    assert abs(work.gradient_accumulation - steps / 2) <= 0.5  # type: ignore[union-attr,operator]


def test_what_is_tried_is_told() -> None:
    """No paper shows a tried number as a found one."""
    told = judged("lora_8b", WhatIf(electricity=2.5)).assumptions
    assert [a.value for a in told if a.field == "electricity"] == ["2.5"]


def test_another_count_of_cards_leaves_those_machines() -> None:
    """Only machines composed with that many cards stay."""
    counts = {o.count for o in answer_of("full_7b").considered}
    for count in counts:
        assert {o.count for o in judged("full_7b", WhatIf(cards=count)).considered} == {count}


def test_too_long_a_sample_falls_out_with_its_figures() -> None:
    """What does not fit any more is rejected with measured and required bytes."""
    found = judged("lora_8b", WhatIf(length=200_000))
    memory = [r for r in found.rejected if r.code.startswith("memory")]
    assert memory
    assert all(r.measured is not None and r.required is not None for r in memory)


def changed_key(option: Option) -> tuple[str, int, int]:
    """What tells a machine apart whatever it costs."""
    return option.accelerator.id, option.count, option.nodes


def test_prices_stay_exact() -> None:
    """Money stays Decimal to the cent."""
    found = judged("lora_8b", WhatIf(card="nvidia-rtx-3090-24", card_price=1.3333))
    for option in found.considered:
        assert isinstance(option.price.total.low.amount, Decimal)
        assert option.price.total.low == option.price.total.low.rounded()
    assert replace(found, options=()).considered == found.considered
