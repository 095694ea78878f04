"""Every model takes part in the kinds of work that are said of it, and in no other."""

from __future__ import annotations

from typing import Any

import pytest

from gpuconfig.engine.estimation.estimator import Estimator
from gpuconfig.engine.estimation.inputs.work_kinds import kinds_of
from gpuconfig.engine.provenance.errors import InputError, UserError
from gpuconfig.engine.workloads.request import Kind

MODELS = ("resnet-50", "bert-large-uncased", "llama-3.1-8b", "sdxl", "wan2.2-t2v-a14b")


@pytest.mark.parametrize("name", MODELS)
def test_a_model_works_at_its_kinds_and_is_refused_at_the_others(
    name: str, read: Any, catalogue: Any, coefficients: Any
) -> None:
    model = catalogue.model(name)
    requests = [
        read({"model": name, "workload": {"kind": kind}, "hardware": {"gpu": "B300"}}) for kind in Kind
    ]
    answers = Estimator(coefficients, (), {}).estimate(requests)
    works = tuple(
        kind for kind, answer in zip(Kind, answers, strict=True) if not isinstance(answer, UserError)
    )
    assert works == kinds_of(model)
    for answer in answers:
        if isinstance(answer, InputError):
            assert answer.field in {"model", "workload.kind"}
