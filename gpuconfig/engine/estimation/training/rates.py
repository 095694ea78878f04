"""What a person asks of a training run: rates, utilisation, time to the target.

Model FLOP utilisation counts 6 FLOP a trained weight and token (4 where the weight is frozen: no weight gradient) plus
causal attention once, without recomputation, over the dense peak of the training precision with FP32 accumulation.
"""

from __future__ import annotations

import numpy as np

from gpuconfig.engine.estimation.compute.roofline import Value
from gpuconfig.engine.estimation.graph import quantity

PALM = "https://arxiv.org/abs/2204.02311"
LLAMA_3 = "https://arxiv.org/abs/2407.21783"
YOUNG = "https://doi.org/10.1145/361147.361115"


@quantity(unit="parameter", source=PALM)
def active_parameters(parameters: Value, active_share: Value) -> Value:
    """Parameters that one token touches"""
    return parameters * active_share


@quantity(unit="FLOP/token", source=PALM)
def model_flop_per_token(
    active_parameters: Value, weight_gradient_share: Value, attended_tokens: Value, attention_core_width: Value,
    layers: Value,
) -> Value:  # fmt: skip
    """Arithmetic the model needs for one token: forward and backward, causal attention once, nothing recomputed"""
    return (
        active_parameters * (4.0 + 2.0 * weight_gradient_share)
        + 12.0 * attended_tokens * attention_core_width * layers
    )


@quantity(unit="token/s")
def tokens_per_s_per_gpu(tokens_per_s: Value, gpus: Value) -> Value:
    """Tokens trained a second by one accelerator"""
    return tokens_per_s / gpus


@quantity(unit="sample/s")
def samples_per_s(tokens_per_s: Value, sequence_length: Value, sequences_per_sample: Value) -> Value:
    """Samples trained a second by all accelerators; a preference pair is one sample"""
    return tokens_per_s / (sequence_length * sequences_per_sample)


@quantity(unit="FLOP/s", source=PALM)
def model_flops_per_gpu(tokens_per_s_per_gpu: Value, model_flop_per_token: Value) -> Value:
    """Useful arithmetic of one accelerator a second"""
    return tokens_per_s_per_gpu * model_flop_per_token


@quantity(unit="1", source=PALM)
def mfu(model_flops_per_gpu: Value, product_peak_flops: Value) -> Value:
    """Model FLOP utilisation"""
    return model_flops_per_gpu / product_peak_flops


@quantity(unit="s", source=LLAMA_3)
def seconds_between_failures(failure_gpu_seconds: Value, gpus: Value) -> Value:
    """Mean time between failures that stop the run: more accelerators fail more often"""
    return failure_gpu_seconds / gpus


@quantity(unit="1", source=YOUNG)
def goodput(seconds_between_failures: Value, checkpoint_seconds: Value, restart_seconds: Value) -> Value:
    """Share of the time that moves the run forward: less writing checkpoints, work lost and restarts

    Checkpoints come at the interval that loses least: the root of 2 x writing time x time between failures.
    """
    lost = (
        np.sqrt(2.0 * checkpoint_seconds / seconds_between_failures)
        + restart_seconds / seconds_between_failures
    )
    return np.maximum(1.0 - lost, 0.05)


@quantity(unit="s")
def time_to_train_s(target_tokens: Value, tokens_per_s: Value, goodput: Value) -> Value:
    """Time to train on the target tokens, failures and checkpoints included, evaluation not"""
    return target_tokens / (tokens_per_s * goodput)
