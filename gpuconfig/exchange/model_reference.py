"""The contract's `model` field: a preset's id or name, a size, a shape, a Hugging Face config, or a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

from gpuconfig.engine.catalogue.model_names import model_spellings
from gpuconfig.engine.catalogue.neural_model import NeuralModel
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import DataError, InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.model_spec import model_from_object

WAYS = Message(N_('a preset\'s id, or an object with "config", "file", "parameters_b" or "architecture"'))


def read_model(data: object, catalogue: Catalogue, path: str = "model") -> NeuralModel:
    """The model that a request names or describes.

    Raises:
        InputError: unknown preset (with the nearest names), unreadable file, shape that contradicts itself.
    """
    if isinstance(data, str):
        return _by_name(data, catalogue, path)
    if not isinstance(data, Mapping):
        raise InputError("wrong_type", path, data, Message(N_("no model is named")), WAYS)
    if "config" in data or "file" in data:
        name = "config" if "config" in data else "file"
        if len(data) > 1:
            other = next(str(k) for k in data if k != name)
            raise InputError(
                "unknown_field",
                f"{path}.{other}",
                None,
                Message(N_("one way to name a model is enough")),
                WAYS,
            )
        if name == "config":
            from gpuconfig.exchange.model_config import model_from_config

            return model_from_config(data["config"], f"{path}.config")
        return _from_file(data["file"], f"{path}.file")
    found = model_from_object(data, path)
    if found is None:
        raise InputError("missing", path, None, Message(N_("no model is named")), WAYS)
    return found


def _by_name(name: str, catalogue: Catalogue, path: str) -> NeuralModel:
    """The preset called `name`; what a repository's name tells of its stored format stays with the model."""
    found = catalogue.find(Kind.MODEL, name)
    if found is not None:
        return cast("NeuralModel", found)
    for spelling, stored in model_spellings(name):
        found = catalogue.find(Kind.MODEL, spelling)
        if isinstance(found, NeuralModel):
            return replace(found, file_format=stored) if stored else found
    return catalogue.model(name, path)


def _from_file(name: object, path: str) -> NeuralModel:
    from gpuconfig.exchange.model_files import read_model_file

    if not isinstance(name, str) or not name or "\0" in name:
        raise InputError("wrong_type", path, name, Message(N_("the path of a file is needed")))
    try:
        return read_model_file(Path(name), path)
    except DataError as error:
        raise InputError(error.code, path, None, error.message) from error
