"""JSON lines in, JSON lines out: answered in chunks as arrays, in order; a bad line does not end the run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TextIO, TypeVar

from gpuconfig.cli.requests import parse, read_lines
from gpuconfig.engine.provenance.errors import InputError, UserError
from gpuconfig.engine.provenance.message import Message

T = TypeVar("T")
CHUNK = 2000

Say = Callable[[Message], str]


def error_object(error: UserError, say: Say) -> dict[str, object]:
    """The contract's `{"code", "field", "message"}`."""
    field = error.field if isinstance(error, InputError) else ""
    return {"code": error.code, "field": field, "message": say(error.message)}


def answer_lines(
    source: str,
    read: Callable[[object], T],
    answer: Callable[[Sequence[T]], Sequence[object]],
    shape: Callable[[object], dict[str, object]],
    say: Say,
    out: TextIO,
) -> None:
    """Answer every line of `source`.

    Args:
        read: JSON to request, raising UserError.
        answer: requests to answers or errors, in order.
        shape: an answer as JSON.
    """
    lines = read_lines(source)
    while chunk := list(islice(lines, CHUNK)):
        for item in _answer_chunk(chunk, source, read, answer, shape, say):
            out.write(json.dumps(item, ensure_ascii=False, allow_nan=False) + "\n")
        out.flush()


def _answer_chunk(
    chunk: Sequence[tuple[int, str]],
    source: str,
    read: Callable[[object], T],
    answer: Callable[[Sequence[T]], Sequence[object]],
    shape: Callable[[object], dict[str, object]],
    say: Say,
) -> Iterator[dict[str, object]]:
    read_rows: list[tuple[object, T | UserError]] = []
    for number, line in chunk:
        identity: object = None
        try:
            data = parse(line, f"{source}:{number}")
            identity = data.get("id") if isinstance(data, dict) else None
            read_rows.append((identity, read(data)))
        except UserError as error:
            read_rows.append((identity, error))
    answers = iter(answer([row for _, row in read_rows if not isinstance(row, UserError)]))
    for identity, row in read_rows:
        result = row if isinstance(row, UserError) else next(answers)
        if isinstance(result, UserError):
            yield {"id": identity, "error": error_object(result, say)}
        else:
            yield {**shape(result), "id": identity}
