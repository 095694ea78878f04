"""A run over a set of images: what storage and host memory feed, time, energy, utilisation and parts of a step.

Model FLOP utilisation counts the forward arithmetic of an image (2 FLOP a multiply-accumulate), three times as much in
training, nothing recomputed, over the dense peak of the computed precision with FP32 accumulation.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gpuconfig.engine.estimation.answer import BoundBy
from gpuconfig.engine.estimation.graph import Input, Value, quantity
from gpuconfig.engine.estimation.single_rows import Named
from gpuconfig.engine.quantities.units import HOUR_S

PALM = "https://arxiv.org/abs/2204.02311"

RUN_INPUTS = (
    Input("dataset_images", "Images of the training set", "1"),
    Input("storage_bytes_per_s", "Reading rate of the storage of one machine", "B/s"),
    Input("host_memory_bytes", "Host memory of one machine", "B"),
    Input("epochs", "Passes over the training set"),
)
STORED: tuple[Named, ...] = (("stored_image_bytes", "Bytes of one compressed image in storage", "B", ()),)
"""Coefficients of the group `compute`."""
WAITING: tuple[Named, ...] = (
    (
        "waiting_power",
        "Share of the board power drawn while waiting for data or links",
        "1",
        ("{architecture}",),
    ),
)
"""Coefficients of the group `power`."""
CACHING: tuple[Named, ...] = (
    ("cache_share", "Share of host memory in which the system keeps files that were read", "1", ()),
)


@quantity(unit="B")
def stored_sample_bytes(stored_image_bytes: Value, size_scale: Value) -> Value:
    """Bytes of one image in storage: they grow with its pixels"""
    return stored_image_bytes * size_scale


@quantity(unit="sample/s")
def storage_samples_per_s(storage_bytes_per_s: Value, nodes: Value, stored_sample_bytes: Value) -> Value:
    """Images a second that the storage of all machines reads"""
    return storage_bytes_per_s * nodes / stored_sample_bytes


@quantity(unit="B")
def dataset_bytes(dataset_images: Value, stored_sample_bytes: Value) -> Value:
    """Bytes of the training set in storage"""
    return dataset_images * stored_sample_bytes


@quantity(unit="1")
def kept_in_host(dataset_bytes: Value, host_memory_bytes: Value, cache_share: Value) -> Value:
    """1 where host memory keeps the whole set after the first epoch; 0 where it does not or either is not known

    Images are drawn in a new order each epoch, so every machine comes to read all of them, and a set that is a little
    too large is pushed out before it is read again.
    """
    return (dataset_bytes <= host_memory_bytes * cache_share) * 1.0


@quantity(unit="sample/s")
def later_samples_per_s(
    device_samples_per_s: Value, input_samples_per_s: Value, storage_samples_per_s: Value, kept_in_host: Value
) -> Value:
    """Images a second of epochs after the first: from host memory where it keeps the set, else from storage again"""
    fed = np.where(kept_in_host > 0, np.inf, np.fmin(storage_samples_per_s, np.inf))
    return np.minimum(device_samples_per_s, np.fmin(input_samples_per_s, fed))


@quantity(unit="sample/s")
def first_epoch_samples_per_s(
    device_samples_per_s: Value, input_samples_per_s: Value, storage_samples_per_s: Value
) -> Value:
    """Images a second of the first epoch: the slowest of cards, processor and storage, where these are known"""
    return np.minimum(
        device_samples_per_s, np.fmin(input_samples_per_s, np.fmin(storage_samples_per_s, np.inf))
    )


@quantity(unit="sample/s")
def samples_per_s(first_epoch_samples_per_s: Value, later_samples_per_s: Value, epochs: Value) -> Value:
    """Images a second over all epochs"""
    return later_samples_per_s * epochs / (later_samples_per_s / first_epoch_samples_per_s + (epochs - 1))


@quantity(unit="s")
def step_time_s(batch: Value, gpu_count: Value, samples_per_s: Value) -> Value:
    """Time of one step of all cards, waiting for input included"""
    return batch * gpu_count / samples_per_s


@quantity(unit="s")
def time_to_train_s(dataset_images: Value, epochs: Value, samples_per_s: Value) -> Value:
    """Time of all epochs, evaluation not included"""
    return dataset_images * epochs / samples_per_s


@quantity(unit="FLOP/s", source=PALM)
def model_flops_per_gpu(samples_per_s: Value, sample_flop: Value, gpu_count: Value) -> Value:
    """Useful arithmetic of one card a second"""
    return samples_per_s * sample_flop / gpu_count


@quantity(unit="1", source=PALM)
def mfu(model_flops_per_gpu: Value, product_flops: Value) -> Value:
    """Model FLOP utilisation"""
    return model_flops_per_gpu / product_flops


@quantity(unit="sample/s")
def one_card_samples_per_s(
    batch: Value, batch_s: Value, input_samples_per_s: Value, storage_samples_per_s: Value, kept_in_host: Value,
    nodes: Value, epochs: Value,
) -> Value:  # fmt: skip
    """Images a second of one card alone in one of the machines, over all epochs"""
    warm = np.fmin(batch / batch_s, input_samples_per_s / nodes)
    cold = np.fmin(warm, storage_samples_per_s / nodes)
    later = np.where(kept_in_host > 0, warm, cold)
    return later * epochs / (later / cold + (epochs - 1))


@quantity(unit="1")
def scaling_efficiency(samples_per_s: Value, gpu_count: Value, one_card_samples_per_s: Value) -> Value:
    """Speed of all cards over as many times that of one card in the same machine"""
    return samples_per_s / (gpu_count * one_card_samples_per_s)


@quantity(unit="1")
def busy_share(batch_s: Value, step_time_s: Value) -> Value:
    """Share of a step in which a card computes"""
    return np.minimum(batch_s / step_time_s, 1.0)


@quantity(unit="W")
def gpu_w(
    tdp_w: Value, busy_power: Value, sustained_w: Value, waiting_power: Value, busy_share: Value
) -> Value:
    """Mean power of one card: less while it waits for links or input"""
    busy = np.fmin(tdp_w * busy_power, sustained_w)
    waiting = np.fmin(tdp_w * waiting_power, busy)
    return waiting + (busy - waiting) * np.where(np.isnan(busy_share), 1.0, busy_share)


@quantity(unit="Wh")
def energy_wh_per_msample(wall_w: Value, samples_per_s: Value) -> Value:
    """Energy at the socket for a million images"""
    return wall_w / samples_per_s * 1e6 / HOUR_S


PARTS: tuple[tuple[str, str, BoundBy], ...] = (
    ("matrix_products", "products_s", BoundBy.COMPUTE),
    ("memory_bound_kernels", "passes_s", BoundBy.MEMORY),
    ("kernel_launches", "launches_s", BoundBy.HOST),
    ("gradient_reduction", "exposed_exchange_s", BoundBy.COMMUNICATION),
    ("stragglers", "stragglers_s", BoundBy.COMMUNICATION),
    ("host", "decoding_wait_s", BoundBy.HOST),
    ("input", "storage_wait_s", BoundBy.INPUT),
)
"""Parts of a step: the name in the answer, the quantity, and what binds when the part's group is the largest."""


@quantity(unit="s")
def products_s(compute_s: Value, traffic_s: Value, overlap_share: Value) -> Value:
    """Products of a step that no memory pass hides"""
    return compute_s - np.where(compute_s < traffic_s, overlap_share * compute_s, 0.0)


@quantity(unit="s")
def passes_s(compute_s: Value, traffic_s: Value, overlap_share: Value) -> Value:
    """Memory passes of a step that no product hides"""
    return traffic_s - np.where(compute_s < traffic_s, 0.0, overlap_share * traffic_s)


@quantity(unit="s")
def launches_s(launch_seconds: Value, training: Value) -> Value:
    """Launches of a step"""
    return launch_seconds * (1 + 2 * training)


@quantity(unit="s")
def stragglers_s(batch_s: Value, straggler_share: Value, gpu_count: Value, training: Value) -> Value:
    """Waiting of a step for the slowest card"""
    return training * batch_s * straggler_share * np.log2(gpu_count)


@quantity(unit="s")
def exposed_exchange_s(step_s: Value, batch_s: Value, stragglers_s: Value) -> Value:
    """Exchange of gradients that the backward pass does not hide"""
    return step_s - batch_s - stragglers_s


@quantity(unit="s")
def decoding_wait_s(step_time_s: Value, step_s: Value, storage_wait_s: Value) -> Value:
    """Waiting for the processor to decode images"""
    return np.maximum(step_time_s - step_s - storage_wait_s, 0.0)


@quantity(unit="s")
def storage_wait_s(
    step_time_s: Value, step_s: Value, batch: Value, gpu_count: Value, input_samples_per_s: Value
) -> Value:
    """Waiting for storage, beyond that for the processor"""
    decoding = batch * gpu_count / np.fmin(input_samples_per_s, np.inf)
    return np.maximum(step_time_s - np.maximum(step_s, decoding), 0.0)


def bound_by(values: Mapping[str, float]) -> BoundBy | None:
    """What limits the step: the largest group of parts; None where the cards' speed is not known."""
    groups: dict[BoundBy, float] = {}
    for _, name, group in PARTS:
        groups[group] = groups.get(group, 0.0) + values[name]
    largest = max(groups, key=groups.__getitem__)
    return largest if groups[largest] > 0 else None
