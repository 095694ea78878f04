"""Model files: folders, indexes and GGUF headers, read without touching the weights; broken files name themselves."""

from __future__ import annotations

import json
from pathlib import Path

import gguf
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuconfig.engine.provenance.errors import DataError, InputError
from gpuconfig.exchange.model_files import read_model_file

CONFIG = {
    "model_type": "llama", "num_hidden_layers": 2, "hidden_size": 256, "num_attention_heads": 4,
    "num_key_value_heads": 2, "intermediate_size": 512, "vocab_size": 1000, "torch_dtype": "bfloat16",
}  # fmt: skip


@pytest.fixture
def gguf_file(tmp_path: Path) -> Path:
    path = tmp_path / "tiny-Q8_0.gguf"
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_block_count(2)
    writer.add_embedding_length(256)
    writer.add_head_count(4)
    writer.add_head_count_kv(2)
    writer.add_feed_forward_length(512)
    writer.add_context_length(4096)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    writer.add_token_list([f"t{i}" for i in range(1000)])
    writer.add_tensor("token_embd.weight", np.zeros((1000, 256), dtype=np.float16))
    for layer in range(2):
        writer.add_tensor(f"blk.{layer}.attn_q.weight", np.zeros((256, 256), dtype=np.float16))
        quantised = np.zeros((512, 256 // 32 * 34), dtype=np.uint8)
        writer.add_tensor(f"blk.{layer}.ffn_gate.weight", quantised, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def test_gguf_gives_exact_bytes_and_format(gguf_file):
    model = read_model_file(gguf_file)
    elements = 1000 * 256 + 2 * (256 * 256 + 512 * 256)
    assert model.parameters == elements
    assert model.file_bytes == 1000 * 256 * 2 + 2 * (256 * 256 * 2 + 512 * 256 // 32 * 34)
    assert model.file_format == "gguf:q8_0"
    assert model.architecture is not None
    assert (model.architecture.layers, model.architecture.kv_heads, model.architecture.vocab) == (2, 2, 1000)
    assert model.architecture.tied_embeddings


def test_only_the_header_is_needed(gguf_file):
    header = gguf_file.read_bytes()
    short = gguf_file.with_name("short.gguf")
    short.write_bytes(header[: len(header) - 600_000])  # the data is cut off, as in a file still being copied
    assert read_model_file(short).parameters == read_model_file(gguf_file).parameters


@settings(max_examples=60, deadline=None)
@given(cut=st.integers(0, 4000), flip=st.integers(0, 4000), value=st.integers(0, 255))
def test_damaged_gguf_is_refused_politely(tmp_path_factory, cut, flip, value):
    path = tmp_path_factory.mktemp("gguf") / "damaged.gguf"
    data = bytearray(b"GGUF" + (3).to_bytes(4, "little") + bytes(4000))
    data[min(flip, len(data) - 1)] = value
    path.write_bytes(bytes(data[: max(cut, 1)]))
    with pytest.raises((DataError, InputError)):
        read_model_file(path)


def test_part_of_a_split_file_names_the_missing_part(gguf_file):
    part = gguf_file.rename(gguf_file.with_name("tiny-00001-of-00002.gguf"))
    with pytest.raises(InputError, match="tiny-00002-of-00002"):
        read_model_file(part)


def test_index_gives_exact_bytes(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    index = {"metadata": {"total_size": 3_000_000}, "weight_map": {"a": "model-00001.safetensors"}}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    for path in (tmp_path, tmp_path / "config.json", tmp_path / "model.safetensors.index.json"):
        model = read_model_file(path)
        assert model.file_bytes == 3_000_000
        assert model.parameters == 1_500_000


def test_index_without_config_says_so(tmp_path):
    path = tmp_path / "model.safetensors.index.json"
    path.write_text('{"metadata": {"total_size": 1}, "weight_map": {}}', encoding="utf-8")
    with pytest.raises(InputError, match=r"config\.json"):
        read_model_file(path)


@pytest.mark.parametrize(("text", "words"), [("{", "line 1"), ("[1]", "object"), ("\ufeff{}", "model_type")])
def test_bad_json_names_file_or_field(tmp_path, text, words):
    path = tmp_path / "config.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises((DataError, InputError), match=words):
        read_model_file(path)


def test_missing_file(tmp_path):
    with pytest.raises(DataError, match="nowhere"):
        read_model_file(tmp_path / "nowhere.json")


def gguf_header(path: Path, arch: str, layers: int, keys: dict[str, object]) -> Path:
    """A file of one attention matrix with the keys of `arch`."""
    writer = gguf.GGUFWriter(str(path), arch)
    writer.add_block_count(layers)
    writer.add_embedding_length(256)
    writer.add_head_count(8)
    writer.add_token_list([f"t{i}" for i in range(100)])
    for key, value in keys.items():
        name = f"{arch}.{key}"
        writer.add_array(name, value) if isinstance(value, list) else writer.add_uint32(name, value)
    writer.add_tensor("blk.0.attn_q.weight", np.zeros((256, 256), dtype=np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def test_gguf_whose_full_layers_have_other_heads(tmp_path):
    path = gguf_header(tmp_path / "g.gguf", "gemma4", 6, {
        "attention.head_count_kv": [4, 4, 4, 4, 4, 1], "attention.key_length": 512, "feed_forward_length": 512,
        "attention.key_length_swa": 256, "attention.sliding_window": 1024,
        "attention.sliding_window_pattern": [True] * 5 + [False],
    })  # fmt: skip
    shape = read_model_file(path).architecture
    assert (shape.kv_heads, shape.head_dim) == (4, 256)
    assert (shape.full_kv_heads, shape.full_head_dim) == (1, 512)
    assert (shape.attention_layers.full, shape.attention_layers.sliding) == (1, 5)


def test_gguf_whose_blocks_have_one_purpose(tmp_path):
    """State space, feed-forward and attention take turns; only the first keep a state."""
    path = gguf_header(tmp_path / "n.gguf", "nemotron_h", 6, {
        "attention.head_count_kv": [0, 0, 0, 2, 0, 0], "feed_forward_length": [0, 512, 0, 0, 512, 0],
        "ssm.inner_size": 512, "ssm.state_size": 128, "ssm.conv_kernel": 4, "ssm.group_count": 8,
    })  # fmt: skip
    kinds = read_model_file(path).architecture.attention_layers
    assert (kinds.full, kinds.linear) == (1, 3)
    assert kinds.linear_state_bytes == 4 * (512 * 128 + 3 * (512 + 2 * 8 * 128))


def test_gguf_of_short_convolutions(tmp_path):
    path = gguf_header(tmp_path / "l.gguf", "lfm2", 4, {
        "attention.head_count_kv": [0, 0, 2, 0], "feed_forward_length": 512, "shortconv.l_cache": 3,
    })  # fmt: skip
    kinds = read_model_file(path).architecture.attention_layers
    assert (kinds.full, kinds.linear, kinds.linear_state_bytes) == (1, 3, 4 * 3 * 256)


def test_quantiser_tells_the_format_beside_the_configuration(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    quantised = {"quantization": {"quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8"}}
    (tmp_path / "hf_quant_config.json").write_text(json.dumps(quantised))
    assert read_model_file(tmp_path).native_precision == "nvfp4"
