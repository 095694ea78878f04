"""BERT and its like: published speeds, cards without fused attention, and the square of scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gpuconfig.engine.estimation.training.estimate import estimate_training, explain_training

BERT_LARGE = {
    "layers": 24, "hidden": 1024, "heads": 16, "kv_heads": 16, "head_dim": 64, "ffn": 4096, "vocab": 30522,
    "gated_mlp": False, "tied_embeddings": True, "parameters_b": 0.336,
}  # fmt: skip
Ask = Callable[..., Any]


@pytest.fixture(scope="session")
def bert(read: Any) -> Ask:
    def ask(gpu: str, count: int = 1, architecture: Any = None, **work: Any) -> Any:
        return read(
            {
                "id": "b", "model": {"architecture": {**BERT_LARGE, **(architecture or {})}},
                "workload": {"kind": "training", "method": "full", "framework": "other", "sequence_length": 384} | work,
                "hardware": {"gpu": gpu, "gpus_per_node": count}, "parallelism": {"data": count, "zero_stage": 0},
            }
        )  # fmt: skip

    return ask


@pytest.mark.parametrize(
    ("gpu", "count", "batch", "precision", "sequences"),
    [
        ("nvidia-a100-sxm4-80", 1, 112, "fp16", 152),
        ("nvidia-h100-sxm5-80", 8, 112, "fp16", 2412),
        ("nvidia-h100-pcie-80", 1, 64, "tf32", 97),
        ("nvidia-rtx-6000-ada-48", 1, 32, "tf32", 44),
        ("nvidia-v100-sxm2-16", 1, 16, "fp16", 57),
        ("nvidia-quadro-rtx-8000-48", 1, 64, "fp16", 50),
        ("nvidia-rtx-a6000-48", 1, 64, "fp16", 68),
    ],
)
def test_question_answering(
    bert: Ask, coefficients: Any, gpu: str, count: int, batch: int, precision: str, sequences: float
) -> None:
    """BERT-Large on SQuAD, sequences a second (lambdal/deeplearning-benchmark)."""
    answer: Any
    (answer,) = estimate_training(
        [bert(gpu, count, micro_batch_size=batch, precision=precision)], coefficients
    )
    assert answer.training.tokens_per_s.value / 384 == pytest.approx(sequences, rel=0.2)


def test_volta_has_no_fused_attention(bert: Ask, coefficients: Any) -> None:
    """Pre-training at 512 tokens on V100: 31 sequences a second (DeepLearningExamples), a third of fused kernels."""
    work = {
        "method": "pretrain",
        "sequence_length": 512,
        "micro_batch_size": 8,
        "gradient_accumulation": 4096,
    }
    request = bert("nvidia-v100-sxm2-32", precision="fp16", **work)
    answer: Any
    (answer,) = estimate_training([request], coefficients)
    assert 31.23 * 0.8 < answer.training.tokens_per_s.value / 512 < 31.23 * 1.5
    passes: list[Any] = [
        explain_training(bert(gpu, attention_kernel="flash", **work), coefficients, "square_passes").value
        for gpu in ("nvidia-v100-sxm2-32", "nvidia-a100-sxm4-80")
    ]
    assert passes[0] > 0
    assert passes[1] == 0


def test_an_encoder_scores_each_pair_once(bert: Ask, coefficients: Any) -> None:
    """A kernel that does not skip the causal half scores a decoder against the whole sequence, as an encoder."""
    plain = {"precision": "fp16", "micro_batch_size": 8, "attention_kernel": "eager"}
    encoder = bert("nvidia-v100-sxm2-32", **plain)
    decoder = bert("nvidia-v100-sxm2-32", architecture={"vocab": 50257}, **plain)
    scored = [explain_training(r, coefficients, "scored_tokens").value for r in (encoder, decoder)]
    assert scored == [384, 384]
