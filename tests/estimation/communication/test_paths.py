"""The path between two cards: each step away from a common switch costs speed, reducing in a switch gains it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuconfig.engine.estimation.communication.groups import group_rate
from gpuconfig.engine.estimation.training.estimate import estimate_training, explain_training

H100, PRO_6000, RTX_4090 = "nvidia-h100-sxm5-80", "nvidia-rtx-pro-6000-server", "nvidia-rtx-4090-24"
NEAR_TO_FAR = ("switch", "two_switches", "cross_socket")
SPLITS = (
    {"data": 8}, {"data": 8, "zero_stage": 3}, {"tensor": 8, "data": 1}, {"pipeline": 8, "data": 1},
    {"context": 8, "data": 1},
)  # fmt: skip
FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@FEW
@given(
    gpu=st.sampled_from([PRO_6000, RTX_4090]),
    split=st.sampled_from(SPLITS),
    peer=st.booleans(),
    micro=st.integers(1, 8),
)
def test_a_farther_path_is_never_faster(
    ask: Any, coefficients: Any, gpu: str, split: Any, peer: bool, micro: int
) -> None:
    requests = [
        ask(gpu, 8, split=split, method="lora", micro_batch_size=micro,
            hardware={"pcie": {"topology": path, "peer_to_peer": peer}})
        for path in (*NEAR_TO_FAR, "root")
    ]  # fmt: skip
    *speeds, root = (a.training.tokens_per_s.value for a in estimate_training(requests, coefficients))
    assert speeds == sorted(speeds, reverse=True)
    assert root >= speeds[-1]


def test_crossing_sockets_is_felt_where_gradients_are_exchanged(ask: Any, coefficients: Any) -> None:
    requests = [
        ask(PRO_6000, 8, gradient_accumulation=1, hardware={"pcie": {"topology": path}})
        for path in ("switch", "cross_socket")
    ]
    near, far = (a.training.tokens_per_s.value for a in estimate_training(requests, coefficients))
    assert far < 0.9 * near


@given(size=st.integers(2, 8), fast=st.floats(1e10, 9e11), gain=st.floats(1.0, 2.0), least=st.integers(2, 16))
def test_reducing_in_the_switch_gains_from_its_smallest_group_on(
    size: int, fast: float, gain: float, least: int
) -> None:
    path = (float(size), 1.0, 8.0, 8.0, fast, fast)
    reduced = float(group_rate(*path, gain * fast, least, 3e10, 5e10))
    assert reduced == pytest.approx(fast * (gain if size >= least else 1.0))


def test_only_switches_that_reduce_do(ask: Any, coefficients: Any) -> None:
    def rates(gpu: str, count: int) -> tuple[Any, Any]:
        tree = explain_training(
            ask(gpu, count, split={"tensor": count, "data": 1}), coefficients, "tensor_bytes_per_s"
        )
        plain = next(node.value for node in tree.inputs if node.name == "fast_bytes_per_s")
        return tree.value, plain

    reduced, plain = rates(H100, 8)
    assert reduced > plain
    for gpu, count in ((H100, 4), ("nvidia-a100-sxm4-80", 8)):
        rate, link = rates(gpu, count)
        assert rate == pytest.approx(link)


def test_more_cards_crowd_the_root(ask: Any, coefficients: Any) -> None:
    """Published all-reduce over one root: 24.6 GB/s on two patched RTX 4090, 35 and 28 on four and eight RTX 5090."""

    def rate(gpu: str, count: int, **pcie: Any) -> float:
        request = ask(gpu, count, hardware={"intra_node": "pcie", "pcie": pcie})
        return float(explain_training(request, coefficients, "pcie_peer_bytes_per_s").value or 0.0)

    assert rate(RTX_4090, 2, peer_to_peer=True) == pytest.approx(24.6e9, rel=0.05)
    assert rate("nvidia-rtx-5090-32", 4, peer_to_peer=True) == pytest.approx(35e9, rel=0.1)
    assert rate("nvidia-rtx-5090-32", 8, peer_to_peer=True) == pytest.approx(28e9, rel=0.1)
    assert rate(RTX_4090, 8) < rate(RTX_4090, 4) < rate(RTX_4090, 8, peer_to_peer=True)
    assert rate(RTX_4090, 8, topology="switch") == rate(RTX_4090, 2, topology="switch")


@pytest.mark.parametrize(
    ("gpu", "peer"),
    [("nvidia-rtx-6000-ada-48", "true"), ("nvidia-rtx-a5000-24", "true"), (RTX_4090, "false")],
)
def test_a_host_that_is_not_described_says_what_is_taken(estimate: Any, gpu: str, peer: str) -> None:
    taken = {a.field: a.value for a in estimate(gpu, 4).assumptions}
    assert taken["hardware.pcie.topology"] == "root"
    assert taken["hardware.pcie.peer_to_peer"] == peer
    told = estimate(gpu, 4, hardware={"pcie": {"topology": "switch", "peer_to_peer": True}}).assumptions
    assert not {"hardware.pcie.topology", "hardware.pcie.peer_to_peer"} & {a.field for a in told}
    assert not any(a.field.startswith("hardware.pcie") for a in estimate(gpu).assumptions)
