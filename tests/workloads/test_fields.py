"""Reading requests: every error names the field, the value and what is accepted."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.workloads.fields import read_object
from gpuconfig.engine.workloads.hardware import Hardware, Parallelism, read_hardware
from gpuconfig.engine.workloads.request import Kind, read_workload
from gpuconfig.engine.workloads.serving import DiffusionWorkload
from gpuconfig.engine.workloads.training import Checkpointing, Method, TrainingWorkload


def test_a_training_workload_keeps_open_what_is_left_open() -> None:
    kind, workload = read_workload({"kind": "training", "method": "LoRA", "checkpointing": "full"})
    assert kind is Kind.TRAINING
    assert isinstance(workload, TrainingWorkload)
    assert (workload.method, workload.checkpointing) == (Method.LORA, Checkpointing.FULL)
    assert workload.sequence_length is None
    assert workload.optimizer is None


def test_video_is_a_diffusion_workload() -> None:
    _, workload = read_workload({"kind": "video", "frames": 81, "steps": 50})
    assert isinstance(workload, DiffusionWorkload)
    assert workload.video
    assert workload.frames == 81


@pytest.mark.parametrize(
    ("data", "code", "field"),
    [
        ({"kind": "training", "sequence_lenght": 4096}, "unknown_field", "workload.sequence_lenght"),
        ({"kind": "training", "sequence_length": 0}, "out_of_range", "workload.sequence_length"),
        ({"kind": "training", "sequence_length": -1}, "out_of_range", "workload.sequence_length"),
        ({"kind": "training", "sequence_length": 10**12}, "out_of_range", "workload.sequence_length"),
        ({"kind": "training", "sequence_length": math.nan}, "out_of_range", "workload.sequence_length"),
        ({"kind": "training", "sequence_length": math.inf}, "out_of_range", "workload.sequence_length"),
        ({"kind": "training", "sequence_length": 1.5}, "wrong_type", "workload.sequence_length"),
        ({"kind": "training", "sequence_length": "4096"}, "wrong_type", "workload.sequence_length"),
        ({"kind": "training", "sequence_length": True}, "wrong_type", "workload.sequence_length"),
        ({"kind": "training", "optimizer": "adam"}, "unknown_value", "workload.optimizer"),
        ({"kind": "training", "packed": "yes"}, "wrong_type", "workload.packed"),
        ({"kind": "training", "lora": {"rank": 0}}, "out_of_range", "workload.lora.rank"),
        ({"kind": "training", "lora": {"ranks": 8}}, "unknown_field", "workload.lora.ranks"),
        ({"kind": "training", "lora": {"targets": "q_proj"}}, "wrong_type", "workload.lora.targets"),
        ({"kind": "training", "lora": {"targets": [1]}}, "wrong_type", "workload.lora.targets[0]"),
        ({"kind": "cooking"}, "unknown_value", "workload.kind"),
        ({}, "missing", "workload.kind"),
        ([], "wrong_type", "workload"),
    ],
)
def test_bad_workloads_name_the_field(data: object, code: str, field: str) -> None:
    with pytest.raises(InputError) as caught:
        read_workload(data)
    assert (caught.value.code, caught.value.field) == (code, field)
    assert field in str(caught.value)


def test_a_near_name_is_offered() -> None:
    with pytest.raises(InputError, match="sequence_length"):
        read_workload({"kind": "training", "sequence_lenght": 4096})


def test_lanes_may_be_one_number_or_one_a_card() -> None:
    assert read_hardware({"gpu": "x", "pcie": {"lanes": 8}}).pcie.lanes == (8,)
    assert read_hardware({"gpu": "x", "gpus_per_node": 2, "pcie": {"lanes": [16, 4]}}).pcie.lanes == (16, 4)
    with pytest.raises(InputError, match=r"hardware\.pcie\.lanes"):
        read_hardware({"gpu": "x", "pcie": {"lanes": 12}})


def test_cards_are_counted_over_nodes() -> None:
    assert read_object(Hardware, {"gpu": "x", "gpus_per_node": 8, "nodes": 4}, "").gpu_count == 32


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists, max_leaves=5))
def test_no_value_of_a_field_escapes_as_anything_but_an_input_error(value: object) -> None:
    for field in ("zero_stage", "tensor", "sequence", "data"):
        try:
            read = read_object(Parallelism, {field: value}, "parallelism")
        except InputError as error:
            assert error.field.startswith(f"parallelism.{field}")  # noqa: PT017 - either outcome is right
        else:
            given_value = getattr(read, field)
            assert value is None or given_value == value
