"""The header of a GGUF file: metadata and the list of tensors. The data behind it is never touched."""

from __future__ import annotations

import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType, GGUFValueType

from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.system_errors import refusal

MAGIC = b"GGUF"
VERSIONS = (2, 3)
COUNT_MAX = 10_000_000
KEPT_ARRAY = 4096
"""Longer arrays (the tokenizer) are skipped; only their length is kept."""

MetadataValue = str | int | float | bool | list[int | float | bool]

_FORMATS = {
    GGUFValueType.UINT8: "<B", GGUFValueType.INT8: "<b", GGUFValueType.UINT16: "<H",
    GGUFValueType.INT16: "<h",
    GGUFValueType.UINT32: "<I", GGUFValueType.INT32: "<i", GGUFValueType.FLOAT32: "<f",
    GGUFValueType.BOOL: "<?",
    GGUFValueType.UINT64: "<Q", GGUFValueType.INT64: "<q", GGUFValueType.FLOAT64: "<d",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class GgufTensor:
    """One tensor: its element count and the bytes it takes in the file."""

    name: str
    shape: tuple[int, ...]
    type: str
    elements: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """Metadata and tensors; `array_lengths` has the lengths of arrays that were skipped."""

    metadata: Mapping[str, MetadataValue]
    array_lengths: Mapping[str, int]
    tensors: tuple[GgufTensor, ...]

    @property
    def tensor_bytes(self) -> int:
        """Exact bytes of all tensors."""
        return sum(t.size_bytes for t in self.tensors)

    @property
    def elements(self) -> int:
        """Parameters of all tensors."""
        return sum(t.elements for t in self.tensors)


def read_gguf_header(path: Path) -> GgufHeader:
    """The header of one GGUF file.

    Raises:
        DataError: the file cannot be opened, is no GGUF file, or ends inside its header; names the file.
    """
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _Reader(data, path).header()
    except (OSError, ValueError) as error:
        raise _broken(path, Message(N_("cannot be read: {error}"), {"error": refusal(error)})) from error


def _broken(path: Path, reason: Message) -> DataError:
    return DataError("bad_file", Message(N_("{file}: {reason}"), {"file": path.name, "reason": reason}))


class _Reader:
    """Walks the bytes of a header once, from the start."""

    def __init__(self, data: mmap.mmap, path: Path) -> None:
        self._data, self._path, self._at = data, path, 0

    def header(self) -> GgufHeader:
        if self._data[:4] != MAGIC:
            raise _broken(self._path, Message(N_("is not a GGUF file")))
        self._at = 4
        try:
            version = self._number("<I")
            if version not in VERSIONS:
                raise _broken(
                    self._path, Message(N_("GGUF version {version} is not known"), {"version": version})
                )
            tensor_count, key_count = self._count(), self._count()
            metadata: dict[str, MetadataValue] = {}
            lengths: dict[str, int] = {}
            for _ in range(key_count):
                self._pair(metadata, lengths)
            tensors = tuple(self._tensor() for _ in range(tensor_count))
        except (struct.error, UnicodeDecodeError) as error:
            raise _broken(self._path, Message(N_("ends or breaks inside its header"))) from error
        return GgufHeader(metadata, lengths, tensors)

    def _number(self, form: str) -> int:
        value: int = struct.unpack_from(form, self._data, self._at)[0]
        self._at += struct.calcsize(form)
        return value

    def _count(self) -> int:
        count = self._number("<Q")
        if count > COUNT_MAX:
            raise _broken(self._path, Message(N_("ends or breaks inside its header")))
        return count

    def _text(self) -> str:
        length = self._number("<Q")
        if length > len(self._data) - self._at:
            raise _broken(self._path, Message(N_("ends or breaks inside its header")))
        text = self._data[self._at : self._at + length].decode("utf-8")
        self._at += length
        return text

    def _pair(self, metadata: dict[str, MetadataValue], lengths: dict[str, int]) -> None:
        key, kind = self._text(), self._kind()
        if kind is GGUFValueType.STRING:
            metadata[key] = self._text()
        elif kind is GGUFValueType.ARRAY:
            item, count = self._kind(), self._count()
            lengths[key] = count
            if item is GGUFValueType.ARRAY:
                raise _broken(self._path, Message(N_("ends or breaks inside its header")))
            if item is GGUFValueType.STRING:
                for _ in range(count):
                    length = self._number("<Q")
                    self._at += length
            elif count <= KEPT_ARRAY:
                metadata[key] = [self._number(_FORMATS[item]) for _ in range(count)]
            else:
                self._at += count * struct.calcsize(_FORMATS[item])
        else:
            metadata[key] = self._number(_FORMATS[kind])

    def _kind(self) -> GGUFValueType:
        number = self._number("<I")
        try:
            return GGUFValueType(number)
        except ValueError:
            raise _broken(self._path, Message(N_("ends or breaks inside its header"))) from None

    def _tensor(self) -> GgufTensor:
        name, dimensions = self._text(), self._number("<I")
        shape = tuple(self._number("<Q") for _ in range(min(dimensions, 8)))
        number, _offset = self._number("<I"), self._number("<Q")
        try:
            kind = GGMLQuantizationType(number)
        except ValueError:
            reason = Message(
                N_("tensor {tensor} has the unknown type {type}"), {"tensor": name, "type": number}
            )
            raise _broken(self._path, reason) from None
        elements = 1
        for size in shape:
            elements *= size
        block, block_bytes = GGML_QUANT_SIZES[kind]
        return GgufTensor(name, shape, kind.name, elements, elements // block * block_bytes)
