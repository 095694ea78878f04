"""What stacks keep the frozen weights of adapters in."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.engine.estimation.training.estimate import estimate_training

B200 = "nvidia-b200-sxm-180"
LLAMA_3_8B_MATRICES = 32 * 4096 * (2 * 4096 + 2 * 1024 + 3 * 14336)


def _answer(ask: Any, coefficients: Any, **work: Any) -> Any:
    (answer,) = estimate_training([ask(B200, method="lora", **work)], coefficients)
    return answer


def _storage(answer: Any) -> str:
    return next((a.value for a in answer.assumptions if a.field == "workload.weight_storage"), "")


def test_own_stacks_keep_frozen_weights_as_their_products_read_them(ask: Any, coefficients: Any) -> None:
    eight, sixteen = (_answer(ask, coefficients, framework="other", precision=p) for p in ("fp8", "bf16"))
    saved = sixteen.memory.breakdown_bytes["weights"] - eight.memory.breakdown_bytes["weights"]
    assert saved == pytest.approx(LLAMA_3_8B_MATRICES, rel=0.01)
    assert (_storage(eight), _storage(sixteen)) == ("fp8", "bf16")


@pytest.mark.parametrize(
    "work",
    [
        {"framework": "other", "weight_storage": "bf16"},
        {"framework": "megatron"},
        {"framework": "torchtitan"},
    ],
)
def test_a_stated_storage_and_other_stacks_keep_their_own(
    ask: Any, coefficients: Any, work: dict[str, Any]
) -> None:
    answer = _answer(ask, coefficients, precision="fp8", **work)
    assert _storage(answer) in ("", "bf16")
    assert answer.memory.breakdown_bytes["weights"] > 2 * LLAMA_3_8B_MATRICES
