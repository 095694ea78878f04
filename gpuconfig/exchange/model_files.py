"""Model files: config.json, model.safetensors.index.json, GGUF; descriptions are read, never weights."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path

from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.provenance.errors import DataError, InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.system_errors import refusal
from gpuconfig.exchange.model_config import model_from_config

JSON_BYTES_MAX = 64 * 2**20
INDEX = "model.safetensors.index.json"
QUANTISER = "hf_quant_config.json"
"""Where NVIDIA's quantiser tells the stored format, beside a configuration that may not."""
STORED_BYTES = {"fp32": 4.0, "bf16": 2.0, "fp16": 2.0}


def read_model_file(path: Path, field: str = "model.file") -> NeuralModel:
    """The model a file describes; its exact weight bytes too, where an index or a GGUF header tells them.

    Args:
        path: a config.json, a model.safetensors.index.json (config.json beside it), a .gguf file, or a folder
            that holds one of them.
        field: dotted name of the request's field, used in errors.

    Raises:
        DataError: the file cannot be read; names file and line.
        InputError: what it describes is not known or lacks a size.
    """
    if path.is_dir():
        path = _inside(path)
    if path.exists() and not path.is_file():  # a device or a pipe may have no end
        raise _unreadable(path, Message(N_("is not a file")))
    if path.suffix.lower() == ".gguf":
        from gpuconfig.exchange.model_gguf import model_from_gguf  # gguf imports numpy

        return model_from_gguf(path, field)
    data = read_json(path)
    if isinstance(data, Mapping) and "weight_map" in data:
        return _from_index(path, data, field)
    model = model_from_config(_with_quantisation(path, data), field)
    index = path.with_name(INDEX)
    return _with_bytes(model, read_json(index)) if index.exists() else model


def read_json(path: Path) -> object:
    """The JSON of a small file.

    Raises:
        DataError: not there, too large, not UTF-8 or not JSON; names the line.
    """
    try:
        if path.stat().st_size > JSON_BYTES_MAX:
            raise _unreadable(path, Message(N_("larger than a description can be")))
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise _unreadable(path, Message(N_("cannot be read: {error}"), {"error": refusal(error)})) from error
    except UnicodeDecodeError as error:
        raise _unreadable(path, Message(N_("is not UTF-8 text"))) from error
    except (json.JSONDecodeError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise _unreadable(path, Message(N_("is not valid JSON at line {line}"), {"line": line})) from error


def _unreadable(path: Path, reason: Message) -> DataError:
    return DataError("bad_file", Message(N_("{file}: {reason}"), {"file": path.name, "reason": reason}))


def _inside(folder: Path) -> Path:
    for name in ("config.json", INDEX):
        if (folder / name).exists():
            return folder / name
    found = sorted(folder.glob("*.gguf"))
    if found:
        return found[0]
    raise _unreadable(folder, Message(N_("holds no config.json, no index and no .gguf file")))


def _from_index(path: Path, index: Mapping[str, object], field: str) -> NeuralModel:
    config = path.with_name("config.json")
    if not config.exists():
        reason = Message(N_("the index gives only sizes; config.json must lie beside it"))
        raise InputError("missing", field, path.name, reason)
    return _with_bytes(model_from_config(_with_quantisation(config, read_json(config)), field), index)


def _with_quantisation(path: Path, config: object) -> object:
    """The configuration with what its quantiser wrote beside it, where it says nothing itself."""
    beside = path.with_name(QUANTISER)
    if not isinstance(config, Mapping) or config.get("quantization_config") or not beside.exists():
        return config
    written = read_json(beside)
    quantised = written.get("quantization") if isinstance(written, Mapping) else None
    return {**config, "quantization_config": quantised} if isinstance(quantised, Mapping) else config


def _with_bytes(model: NeuralModel, index: object) -> NeuralModel:
    """`model` with the exact bytes of `index`; unquantised bytes also give the exact parameter count."""
    metadata = index.get("metadata") if isinstance(index, Mapping) else None
    size = metadata.get("total_size") if isinstance(metadata, Mapping) else None
    if not isinstance(size, int | float) or size <= 0:
        return model
    changed = dataclasses.replace(model, file_bytes=int(size), file_format=model.native_precision)
    each = STORED_BYTES.get(model.native_precision)
    if each is None or model.architecture is None:
        return changed
    parameters = round(size / each)
    share = parameters / model.parameters
    active = None if model.active_parameters is None else round(model.active_parameters * share)
    shape = dataclasses.replace(model.architecture, parameters=parameters, active_parameters=active)
    return dataclasses.replace(changed, parameters=parameters, active_parameters=active, architecture=shape)
