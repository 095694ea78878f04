"""The real input of the founding requirement, from request to ranked machines."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

import pytest

from gpuconfig.engine.catalogue.vocabulary import FormFactor, Kind
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.estimation.answer import Verdict
from gpuconfig.engine.provenance.errors import Cancelled, InputError
from gpuconfig.engine.provenance.message import Message
from gpuconfig.engine.selection.ranking import counted_cost, price
from gpuconfig.engine.selection.recommendation import Option, OptionKind, Recommendation
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import ROWS, answer, answer_of, request

EVERY = sorted(ROWS)


def bought(found: Recommendation) -> list[Option]:
    """Options that are machines to buy."""
    return [o for o in found.options if o.kind is OptionKind.BUY]


@pytest.mark.parametrize("row", EVERY)
def test_every_option_is_sound(row: str) -> None:
    """Fits its memory, passes every rule, is within the budget, has no part without a price."""
    for option in bought(answer_of(row)):
        assert option.estimate.verdict is Verdict.FITS
        assert option.check is not None
        assert option.check.verdict in (Status.OK, Status.WARNING)
        assert option.within_budget
        assert not option.price.missing
        assert option.meets_target is not False
        assert option.why


@pytest.mark.parametrize("row", EVERY)
def test_order_and_difference(row: str) -> None:
    """Ranks count up, the counted cost never falls, no two options are the same card and count."""
    options = bought(answer_of(row))
    assert [o.rank for o in answer_of(row).options] == list(range(1, len(answer_of(row).options) + 1))
    assert [counted_cost(o) for o in options] == sorted(counted_cost(o) for o in options)
    assert len({(o.accelerator.id, o.count) for o in options}) == len(options)


@pytest.mark.parametrize("row", EVERY)
def test_smallest_budget(row: str) -> None:
    """The smallest budget is that of the cheapest machine that works, and it is always told."""
    found = answer_of(row)
    assert found.smallest_budget_that_works is not None
    least = min(price(o) for o in found.considered if o.kind is OptionKind.BUY)
    assert found.smallest_budget_that_works.amount.amount == least.quantize(Decimal("0.01"), ROUND_HALF_UP)


def test_lora_8b_in_a_workstation() -> None:
    """One 16-32 GB card in a workstation for 20,000 RMB."""
    options = bought(answer_of("lora_8b"))
    assert options
    first = options[0]
    assert first.count == 1
    assert 16 <= (first.accelerator.memory_gb or 0) <= 32
    assert first.build is not None
    assert first.build.of(Kind.CHASSIS)
    assert price(first) <= 20_000


def test_full_7b_is_never_a_single_80_gb_card() -> None:
    """122 GB of states: no single card of 80 GB or less, and the answer says why."""
    found = answer_of("full_7b")
    assert bought(found)
    for option in found.considered:
        assert option.count > 1 or (option.accelerator.memory_gb or 0) > 122
    assert any("16" in str(note) and "122" in str(note) for note in found.notes)


def test_two_4090_are_joined_by_pcie_only() -> None:
    """PCIe without peer-to-peer is named as the limit; NVLink is only ever denied."""
    found = answer_of("lora_7b_two_4090")
    first = bought(found)[0]
    assert (first.accelerator.id, first.count) == ("nvidia-rtx-4090-24", 2)
    said = [str(m) for m in first.why]
    assert any("no NVLink" in s and "PCIe" in s and "limit" in s for s in said)
    assert not any("NVLink" in s and "no NVLink" not in s for s in said)


def test_pretrain_30b_is_over_the_budget() -> None:
    """Both systems are rejected with price against budget; the smallest budget that works is told."""
    found = answer_of("pretrain_30b")
    assert not found.options
    told = {r.accelerator: r for r in found.rejected}
    for card in ("nvidia-h100-sxm5-80", "nvidia-h200-sxm-141"):
        assert told[card].code == "over_budget"
        assert told[card].required == 1_000_000
        assert (told[card].measured or 0) > 1_000_000
        assert told[card].unit == "CNY"


def test_serving_meets_reading_speed() -> None:
    """Twenty users read at their own pace: 100 ms a token, assumed and told."""
    found = answer_of("serve_70b")
    assert any(a.field == "target.tpot_ms" for a in found.assumptions)
    for option in bought(found):
        assert option.estimate.serving is not None
        assert (option.estimate.serving.tpot_ms.value or 0) <= 100
        assert (option.estimate.serving.max_concurrency.value or 0) >= 20


def test_serving_begins_before_attention_is_lost() -> None:
    """Nobody named a wait: ten seconds to the first token, assumed and told; a named wait is kept."""
    found = answer_of("serve_70b")
    (assumed,) = [a for a in found.assumptions if a.field == "target.ttft_ms"]
    assert assumed.value == "10000"
    for option in bought(found):
        assert option.estimate.serving is not None
        assert (option.estimate.serving.ttft_ms.value or 0) <= 10_000
    patient = answer({**ROWS["serve_70b"], "target": {**ROWS["serve_70b"]["target"], "ttft_ms": 60_000}})
    assert not [a for a in patient.assumptions if a.field == "target.ttft_ms"]


def test_sdxl_within_6000_or_the_smallest_budget() -> None:
    """Either a machine for 6,000 RMB, or none and what it takes."""
    found = answer_of("sdxl")
    if not bought(found):
        assert found.smallest_budget_that_works is not None
        assert found.smallest_budget_that_works.amount.amount > 6000
        assert found.rejected


def test_defaults_are_told() -> None:
    """A newcomer who names no data set and no deadline reads what was taken."""
    fields = {a.field for a in answer_of("lora_8b").assumptions}
    assert {"workload.dataset_tokens", "target.deadline_s"} <= fields


def test_tight_deadline_asks_for_more() -> None:
    """A deadline that the cheapest machine misses brings another one first, or none."""
    relaxed = bought(answer_of("lora_7b_two_4090"))
    assert relaxed
    took = relaxed[0].estimate.training
    assert took is not None
    body = {**ROWS["lora_7b_two_4090"], "target": {"deadline_s": (took.time_to_train_s.value or 0) / 2}}
    tight = answer(body)
    assert not bought(tight)
    assert tight.rejected[0].code == "target_deadline_s"


def test_weights_choose_on_the_pareto_front() -> None:
    """With all weight on time the fastest of the front comes first."""
    found = answer({**ROWS["full_7b"], "weights": {"time": 1}, "options": 5})
    first = bought(found)[0]
    assert first.pareto
    times = [o.estimate.training.time_to_train_s.value for o in bought(found) if o.estimate.training]
    assert times[0] == min(t for t in times if t is not None)


@pytest.mark.parametrize("amount", ["0", "-1", "10000000000001", "abc", "1,5", 0, True, None])
def test_impossible_budgets_name_the_field(amount: object) -> None:
    """A message that names the field and what is accepted; nothing is guessed."""
    with pytest.raises(InputError) as error:
        request({**ROWS["sdxl"], "budget": {"amount": amount, "currency": "CNY"}})
    assert error.value.field == "budget.amount"


def test_unknown_accelerator_is_an_error() -> None:
    """A card that is in no catalogue is refused by name, with the nearest."""
    with pytest.raises(InputError) as error:
        answer({**ROWS["sdxl"], "constraints": {"accelerators": ["rtx-9090"]}})
    assert error.value.field == "constraints.accelerators"


class _Impatient:
    def __init__(self, looks: int) -> None:
        self.left = looks

    def report(self, fraction: float, what: Message) -> None:
        assert 0 <= fraction <= 1
        assert what.text
        self.left -= 1
        if self.left < 0:
            raise Cancelled


@pytest.mark.parametrize("looks", [0, 1, 3])
def test_cancel(looks: int) -> None:
    """A cancel stops the search at its next look."""
    with pytest.raises(Cancelled):
        answer(ROWS["full_7b"], _Impatient(looks))


def test_same_request_same_answer() -> None:
    """Nothing of the answer depends on the order of anything but the request."""
    again = answer(ROWS["lora_7b_two_4090"])
    first = answer_of("lora_7b_two_4090")
    assert [(o.accelerator.id, o.count, price(o)) for o in again.options] == [
        (o.accelerator.id, o.count, price(o)) for o in first.options
    ]


@pytest.mark.parametrize("vendor", ["AMD", "NVIDIA"])
def test_vendor_wish(vendor: str) -> None:
    """Only the maker that was asked for is offered."""
    body = {
        **ROWS["lora_8b"],
        "budget": {"amount": "60000", "currency": "CNY"},
        "constraints": {"vendors": [vendor]},
    }
    options = bought(answer(body))
    assert options
    assert {o.accelerator.vendor.value for o in options} == {vendor}


def test_unknown_never_wins() -> None:
    """No option rests on a card whose memory, power or price is not known."""
    for row in EVERY:
        for option in answer_of(row).considered:
            if option.kind is OptionKind.BUY:
                assert option.accelerator.memory_bytes is not None
                assert option.estimate.verdict is Verdict.FITS
                assert not option.price.missing


def test_co08_two_3090_hold_what_one_4090_cannot() -> None:
    """LoRA of a 13B model in bf16: one 4090 is too small, two 3090 share it, and the answer says how."""
    found = answer(
        {
            "model": "llama-2-13b",
            "workload": {"kind": "training", "method": "lora", "sequence_length": 2048},
            "constraints": {
                "accelerators": ["nvidia-rtx-3090-24", "nvidia-rtx-4090-24"], "max_gpus": 2, "condition": "used_ok",
            },
            "target": {"deadline_s": 1e9},
        }
    )  # fmt: skip
    shapes = {(o.accelerator.id, o.count) for o in found.considered}
    assert ("nvidia-rtx-4090-24", 1) not in shapes
    assert ("nvidia-rtx-3090-24", 2) in shapes
    first = next(o for o in bought(found) if o.accelerator.id == "nvidia-rtx-3090-24")
    assert any("memories of all cards" in str(m) for m in first.why)


@pytest.mark.parametrize("asked", [1, 2, 3, 5])
def test_the_rental_stands_beside_the_machines_asked_for(asked: int) -> None:
    """A rental that wins nothing takes no machine's place; who asks for one answer gets one."""
    found = answer({**ROWS["full_7b"], "options": asked})
    rented = [o for o in found.options if o.kind is OptionKind.RENT]
    assert len(rented) == (1 if asked > 1 else 0)
    assert not rented or rented[0] is found.options[-1]
    affordable = {(o.accelerator.id, o.count) for o in found.considered if o.within_budget}
    assert len(found.options) - len(rented) == min(asked, len(affordable))


def test_a_rental_that_wins_takes_a_place_among_those_asked_for() -> None:
    found = answer({**ROWS["full_7b"], "cost": {"need": "one_run"}, "options": 3})
    assert found.options[0].kind is OptionKind.RENT
    assert len(found.options) == 3


@pytest.mark.parametrize("named", ["H100", "a100"])
def test_a_card_sold_by_eight_gives_way_to_its_family_where_one_is_asked_for(named: str) -> None:
    found = answer(
        {
            "model": "llama-3.1-8b",
            "workload": {"kind": "serving"},
            "constraints": {"accelerators": [named], "max_gpus": 1, "region": "US", "condition": "used_ok"},
        }
    )
    options = bought(found)
    assert options
    assert all(o.count == 1 and o.accelerator.form_factor is FormFactor.PCIE for o in options)
    assert len({o.accelerator.family for o in options}) == 1
    assert any(a.field == "constraints.accelerators" for a in found.assumptions)
    assert any(r.code == "gpu_count" for r in found.rejected)


def asked_by_name(named: str, condition: str = "used_ok") -> Recommendation:
    return answer(
        {
            "model": "qwen2.5-32b",
            "workload": {"kind": "serving"},
            "target": {"users": 4},
            "constraints": {"accelerators": [named], "gpu_count": 4, "condition": condition},
        }
    )


@pytest.mark.parametrize(
    ("named", "kept"),
    [
        ("V100 SXM2 32GB", {"nvidia-v100-sxm2-32-adapter"}),
        ("nvidia-v100-sxm2-32", {"nvidia-v100-sxm2-32-adapter"}),
        ("V100 32GB", {"nvidia-v100-pcie-32"}),
        ("V100", {"nvidia-v100-pcie-16", "nvidia-v100-pcie-32"}),
    ],
)
def test_what_a_name_states_is_kept(named: str, kept: set[str]) -> None:
    """The memory, and the module on a carrier; only a bare name may be any card of its family."""
    found = asked_by_name(named)
    assert {o.accelerator.id for o in bought(found)} <= kept
    (added,) = [a.value for a in found.assumptions if a.field == "constraints.accelerators"]
    names = {card.id: card.name for card in bundled_catalogue().accelerators()}
    assert added == ", ".join(names[k] for k in sorted(kept))


@pytest.mark.parametrize(
    ("named", "condition"),
    [("nvidia-h100-sxm5-80", "used_ok"), ("V100 SXM2 32GB", "new"), ("A100 SXM4 80GB", "new")],
)
def test_what_cannot_be_kept_is_refused_with_the_reason(named: str, condition: str) -> None:
    found = asked_by_name(named, condition)
    assert not bought(found)
    (told,) = [r for r in found.rejected if r.code == "gpu_count"]
    assert "sold singly" in str(told.reason)


def test_a_card_that_is_sold_in_the_number_asked_for_stays_alone() -> None:
    found = answer_of("lora_7b_two_4090")
    assert not any(a.field == "constraints.accelerators" for a in found.assumptions)
