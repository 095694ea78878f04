"""A model by shape or size: counts of published models, and errors that name field and range."""

from __future__ import annotations

import pytest

from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.workloads.model_spec import model_from_architecture, model_from_object, model_from_size
from gpuconfig.engine.workloads.parameter_count import count_parameters

LLAMA_3_8B = {
    "layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 8, "head_dim": 128, "ffn": 14336, "vocab": 128256,
}  # fmt: skip
MIXTRAL = {**LLAMA_3_8B, "vocab": 32000, "experts": 8, "experts_per_token": 2, "expert_ffn": 14336}


def test_count_matches_published_model():
    model = model_from_architecture(LLAMA_3_8B)
    assert model.parameters == pytest.approx(8_030_261_248, rel=1e-4)
    assert model.active_parameters is None


def test_mixture_of_experts_counts_what_a_token_passes():
    model = model_from_architecture(MIXTRAL)
    assert model.parameters == pytest.approx(46.70e9, rel=2e-3)
    assert model.active_parameters == pytest.approx(12.88e9, rel=5e-3)


def test_stated_count_is_the_truth_and_scales():
    model = model_from_architecture({**LLAMA_3_8B, "parameters_b": 8.5})
    assert model.parameters == 8_500_000_000
    assert model.architecture is not None
    assert model.architecture.parameters == model.parameters


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"layers": None}, "layers", "missing"),
        ({"vocab": None}, "vocab", "missing"),
        ({"layers": 0}, "layers", "out_of_range"),
        ({"hidden": "wide"}, "hidden", "wrong_type"),
        ({"kv_heads": 7}, "kv_heads", "impossible"),
        ({"experts": 8}, "experts_per_token", "missing"),
        ({"experts": 8, "experts_per_token": 9}, "experts_per_token", "impossible"),
        ({"attention_layers": {"full": 20, "sliding": 20}}, "attention_layers", "impossible"),
        ({"attention_layers": {"full": 12, "sliding": 20}}, "attention_layers.window", "missing"),
        ({"parameters_b": 70}, "parameters_b", "impossible"),
        ({"colour": 1}, "colour", "unknown_field"),
    ],
)
def test_bad_shapes_name_the_field(change, field, code):
    with pytest.raises(InputError) as error:
        model_from_architecture({**LLAMA_3_8B, **change})
    assert error.value.code == code
    assert error.value.field == f"model.architecture.{field}"


@pytest.mark.parametrize("billions", [0.05, 0.5, 1, 3, 7, 8, 14, 32, 70, 123, 405, 1000])
def test_typical_decoder_of_a_size(billions):
    model = model_from_size(billions)
    shape = model.architecture
    assert shape is not None
    assert model.is_assumed("architecture")
    assert model.parameters == round(billions * 1e9)
    assert count_parameters(shape).total == pytest.approx(billions * 1e9, rel=0.15)
    assert shape.heads % shape.kv_heads == 0
    if billions >= 4:
        assert shape.heads % 8 == 0


def test_only_one_way_to_name_a_model():
    with pytest.raises(InputError) as error:
        model_from_object({"parameters_b": 7, "architecture": {}})
    assert error.value.code == "unknown_field"
    assert model_from_object({"config": {}}) is None
