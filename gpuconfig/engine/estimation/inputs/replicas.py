"""Where copies of a model can be threads of one process (torch.nn.DataParallel), and where they cannot."""

from __future__ import annotations

from gpuconfig.engine.estimation.training.settings import TrainingSettings
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.hardware import Hardware, Parallelism
from gpuconfig.engine.workloads.training import Framework, Replicas

THREADED = frozenset({Framework.HF_TRAINER, Framework.OTHER})
"""Frameworks that run in one process where they are started so; the others start a process for each card."""


def check_replicas(hardware: Hardware, settings: TrainingSettings) -> None:
    """Refuse threads over several machines and under frameworks that start a process for each card.

    Raises:
        InputError: naming the field and what is accepted.
    """
    if not settings.threaded:
        return
    if hardware.nodes > 1:
        raise _refused(N_("threads of one process reach the cards of one machine only"))
    if settings.framework not in THREADED:
        raise _refused(N_("this framework starts a process for each card"))


def check_whole_replicas(parallelism: Parallelism, settings: TrainingSettings) -> None:
    """Refuse a split of the model or of its states: each thread works on a whole copy.

    Raises:
        InputError: naming the field and what is accepted.
    """
    p = parallelism
    split = p.tensor * p.pipeline * p.context * p.expert * p.expert_tensor > 1
    if settings.threaded and (split or p.zero_stage):
        raise _refused(N_("each thread works on a whole copy of the model: nothing is split or sharded"))


def _refused(reason: str) -> InputError:
    return InputError(
        "impossible", "workload.replicas", Replicas.THREADS.value, Message(reason),
        Message(N_("one of {names}"), {"names": Replicas.PROCESSES.value}),
    )  # fmt: skip
