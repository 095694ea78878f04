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
DALY = "https://doi.org/10.1016/j.future.2004.11.016"


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


@quantity(unit="B", source=LLAMA_3)
def machine_checkpoint_bytes(
    optimizer_state_bytes: Value, stepped_parameters: Value, trained_weight_bytes: Value, zero_stage: Value,
    tensor_parallel: Value, pipeline_parallel: Value, expert_parallel: Value, gpus: Value, gpus_per_node: Value,
) -> Value:  # fmt: skip
    """Bytes of a checkpoint that the busiest machine writes: trained weights, master copies and optimizer states

    Every machine writes what its accelerators alone hold; of replicas that are not sharded one writes.
    """
    holders = np.where(zero_stage > 0, gpus, tensor_parallel * pipeline_parallel * expert_parallel)
    each = optimizer_state_bytes + stepped_parameters * trained_weight_bytes
    return each * np.minimum(holders, gpus_per_node)


@quantity(unit="B/s")
def machine_storage_bytes_per_s(storage_bytes_per_s: Value, usual_storage_bytes_per_s: Value) -> Value:
    """Rate at which one machine reads and writes its storage; that of a usual drive where none is stated"""
    return np.where(np.isnan(storage_bytes_per_s), usual_storage_bytes_per_s, storage_bytes_per_s)


@quantity(unit="s")
def writing_seconds(
    machine_checkpoint_bytes: Value, machine_storage_bytes_per_s: Value, checkpoint_seconds: Value
) -> Value:
    """Time the run waits for one checkpoint: machines write at once, each to its storage"""
    return checkpoint_seconds + machine_checkpoint_bytes / machine_storage_bytes_per_s


@quantity(unit="s")
def recovery_seconds(
    machine_checkpoint_bytes: Value, machine_storage_bytes_per_s: Value, restart_seconds: Value
) -> Value:
    """Time from a failure until the run goes on: finding the fault, starting again, reading the checkpoint"""
    return restart_seconds + machine_checkpoint_bytes / machine_storage_bytes_per_s


@quantity(unit="s", source=DALY)
def checkpoint_interval_seconds(seconds_between_failures: Value, writing_seconds: Value) -> Value:
    """Working time between checkpoints that loses least (Young's interval with Daly's correction)

    Where writing takes twice the time between failures or more, the time between failures.
    """
    ratio = writing_seconds / (2.0 * seconds_between_failures)
    young = np.sqrt(2.0 * writing_seconds * seconds_between_failures)
    best = young * (1.0 + np.sqrt(ratio) / 3.0 + ratio / 9.0) - writing_seconds
    return np.where(ratio < 1.0, best, seconds_between_failures)


@quantity(unit="1", source=DALY)
def goodput(
    seconds_between_failures: Value, checkpoint_interval_seconds: Value, writing_seconds: Value,
    recovery_seconds: Value,
) -> Value:  # fmt: skip
    """Share of the time that moves the run forward: less writing checkpoints, work lost and restarts

    Failures come at random; one may strike while a checkpoint is written or during a restart.
    """
    between = seconds_between_failures
    segment = np.expm1((checkpoint_interval_seconds + writing_seconds) / between)
    return checkpoint_interval_seconds / (between * np.exp(recovery_seconds / between) * segment)


@quantity(unit="s")
def time_to_train_s(target_tokens: Value, tokens_per_s: Value, goodput: Value) -> Value:
    """Time to train on the target tokens, failures and checkpoints included, evaluation not"""
    return target_tokens / (tokens_per_s * goodput)
