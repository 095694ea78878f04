"""Reading requests: one JSON document, a project file, or JSON lines."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.system_errors import refusal

LARGEST_BYTES = 64 * 2**20
LONGEST_LINE = 16 * 2**20

JSON_REASONS = frozenset(
    {
        N_("Expecting value"),
        N_("Expecting property name enclosed in double quotes"),
        N_("Expecting ':' delimiter"),
        N_("Expecting ',' delimiter"),
        N_("Illegal trailing comma before end of object"),
        N_("Illegal trailing comma before end of array"),
        N_("Unterminated string starting at"),
        N_("Invalid control character at"),
        N_("Extra data"),
    }
)
"""What Python's JSON reader says of the mistakes that people make."""


def read_document(source: str) -> object:
    """The JSON of a file or of standard input (`-`); a project file gives its request.

    Raises:
        InputError: no such file, not UTF-8, not JSON; names file, line and column.
    """
    data = parse(read_text(source), source)
    if isinstance(data, dict) and "schema" in data and isinstance(data.get("request"), dict):
        return {**_paper_fields(data), **data["request"]}
    return data


def _paper_fields(project: dict[str, Any]) -> dict[str, Any]:
    """What a project file says for its papers, under the names that a request has for it."""
    named = {"project": "title", "organisation": "organisation", "seller": "seller", "paper": "paper"}
    return {name: project[field] for name, field in named.items() if project.get(field)}


def read_text(source: str) -> str:
    """The text of a file or of standard input."""
    try:
        return _bytes(source).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_utf8(error, source) from None
    except OSError as error:
        reason = Message(N_("the file cannot be read: {why}"), {"why": refusal(error)})
        raise InputError("missing", source, None, reason) from None


def parse(text: str, source: str) -> object:
    """`text` as JSON.

    Raises:
        InputError: names line and column, or a field that an object names twice.
    """
    data, twice = _parsed(text, source)
    if twice is not None:
        raise twice
    return data


def parse_line(raw: bytes, source: str) -> tuple[object, InputError | None]:
    """A line as JSON, and what is wrong with it all the same; whose line it is can still be read from the data."""
    try:
        return _parsed(raw.decode(), source)
    except UnicodeDecodeError as error:
        return _parsed(raw.decode(errors="replace"), source)[0], _not_utf8(error, source)


def _parsed(text: str, source: str) -> tuple[object, InputError | None]:
    """The JSON, and the error of a field named twice: JSON readers keep one of the two, each another one."""
    twice: list[str] = []

    def keep(pairs: list[tuple[str, object]]) -> dict[str, object]:
        read = dict(pairs)
        if len(read) < len(pairs) and not twice:
            names = [name for name, _ in pairs]
            twice.append(next(name for name in names if names.count(name) > 1))
        return read

    try:
        data = json.loads(text, object_pairs_hook=keep)
    except json.JSONDecodeError as error:
        if not text.strip():
            raise InputError("not_json", source, None, Message(N_("the file is empty"))) from None
        why = Message(error.msg) if error.msg in JSON_REASONS else error.msg
        values = {"line": error.lineno, "column": error.colno, "why": why}
        reason = Message(N_("not JSON: line {line}, column {column}: {why}"), values)
        raise InputError("not_json", source, None, reason) from None
    except RecursionError:
        raise InputError("not_json", source, None, Message(N_("not JSON: nested too deeply"))) from None
    except ValueError as error:  # an integer of more digits than Python reads
        reason = Message(N_("not JSON: {why}"), {"why": str(error)})
        raise InputError("not_json", source, None, reason) from None
    if not twice:
        return data, None
    return data, InputError("duplicate_field", twice[0], None, Message(N_("this field is named twice")))


def read_lines(source: str) -> Iterator[tuple[int, bytes]]:
    """Numbered lines of a file or of standard input, without empty ones.

    Raises:
        InputError: the file cannot be read, or a line is longer than any request.
    """
    try:
        stream = sys.stdin.buffer if source == "-" else Path(source).open("rb")  # noqa: SIM115 - closed below
    except OSError as error:
        reason = Message(N_("the file cannot be read: {why}"), {"why": refusal(error)})
        raise InputError("missing", source, None, reason) from None
    with stream:
        number = 0
        while raw := stream.readline(LONGEST_LINE):
            number += 1
            if len(raw) == LONGEST_LINE:
                reason = Message(N_("a line is longer than {limit} MiB"), {"limit": LONGEST_LINE // 2**20})
                raise InputError("out_of_range", f"{source}:{number}", None, reason)
            line = raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw
            if line.strip():
                yield number, line


def _not_utf8(error: UnicodeDecodeError, source: str) -> InputError:
    reason = Message(N_("the text is not UTF-8 (byte {at}); save it as UTF-8"), {"at": error.start})
    return InputError("encoding", source, None, reason)


def _bytes(source: str) -> bytes:
    if source == "-":
        raw = sys.stdin.buffer.read(LARGEST_BYTES + 1)
    else:
        with Path(source).open("rb") as stream:
            raw = stream.read(LARGEST_BYTES + 1)
    if len(raw) > LARGEST_BYTES:
        raise OSError(27, f"larger than {LARGEST_BYTES // 2**20} MiB")
    return raw
