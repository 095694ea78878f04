"""JSON lines in, JSON lines out: answered in chunks as arrays, in order; a bad line does not end the run."""

from __future__ import annotations

import json
import math
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol, TextIO

from gpuconfig.cli.requests import parse_line, read_lines
from gpuconfig.engine.provenance.errors import InputError, UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.fields import NOT_AN_OBJECT

CHUNK = 2000
OURS = Message(N_("this line met a fault of the program; its report stands on the error output"))

Say = Callable[[Message], str]
Answers = Callable[[Sequence[Any]], Sequence[object]]


class Writer(Protocol):
    """Where the answers go."""

    def write(self, text: str, /) -> object:
        """Write `text`."""

    def flush(self) -> None:
        """Hand on what was written."""


@dataclass(frozen=True)
class Lines:
    """How one command answers lines.

    Attributes:
        read: JSON to request, raising UserError.
        answer: requests to answers or errors, in order.
        shape: an answer as JSON.
        say: a message in the reader's language.
    """

    read: Callable[[object], Any]
    answer: Answers
    shape: Callable[[object], dict[str, object]]
    say: Say


def error_object(error: UserError, say: Say) -> dict[str, object]:
    """The contract's `{"code", "field", "message"}`."""
    field = error.field if isinstance(error, InputError) else ""
    return {"code": error.code, "field": field, "message": say(error.message)}


def answer_lines(source: str, lines: Lines, out: Writer, errors: TextIO) -> int:
    """Answer every line of `source`; returns how many met a fault of ours, each reported on `errors`."""
    numbered, faults = read_lines(source), 0
    while chunk := list(islice(numbered, CHUNK)):
        for item, report in _answer_chunk(chunk, source, lines):
            out.write(json.dumps(item, ensure_ascii=False, allow_nan=False) + "\n")
            if report:
                errors.write(report)
                faults += 1
        out.flush()
    return faults


@dataclass(frozen=True)
class _Fault:
    """A line that met a fault of ours, with its traceback."""

    report: str


def _answer_chunk(
    chunk: Sequence[tuple[int, bytes]], source: str, lines: Lines
) -> Iterator[tuple[dict[str, object], str]]:
    rows: list[tuple[object, object]] = []
    for number, raw in chunk:
        identity: object = None
        try:
            data, wrong = parse_line(raw, f"{source}:{number}")
            identity = _identity(data)
            if wrong:
                raise wrong
            if not isinstance(data, dict):
                raise InputError("wrong_type", f"{source}:{number}", data, NOT_AN_OBJECT)
            rows.append((identity, lines.read(data)))
        except UserError as error:
            rows.append((identity, error))
        except Exception:  # our bug in one line is no reason to leave the others unanswered
            rows.append((identity, _Fault(traceback.format_exc())))
    requests = [row for _, row in rows if not isinstance(row, UserError | _Fault)]
    answers = iter(_answers(requests, lines.answer))
    for identity, row in rows:
        found = row if isinstance(row, UserError | _Fault) else next(answers)
        yield _shaped(identity, found, lines)


def _answers(requests: Sequence[Any], answer: Answers) -> Sequence[object]:
    """All at once; where that meets a fault of ours, one by one, so that only its own line goes without."""
    try:
        return answer(requests)
    except Exception:
        if len(requests) == 1:
            return [_Fault(traceback.format_exc())]
    return [found for request in requests for found in _answers([request], answer)]


def _shaped(identity: object, found: object, lines: Lines) -> tuple[dict[str, object], str]:
    if isinstance(found, UserError):
        return {"id": identity, "error": error_object(found, lines.say)}, ""
    if not isinstance(found, _Fault):
        return {**lines.shape(found), "id": identity}, ""
    fault = {"code": "internal", "field": "", "message": lines.say(OURS)}
    return {"id": identity, "error": fault}, found.report


def _identity(data: object) -> object:
    """The line's `id`; one that JSON cannot carry back (NaN, an infinity) is None."""
    identity = data.get("id") if isinstance(data, dict) else None
    if isinstance(identity, str | int | None):
        return identity
    if isinstance(identity, float):
        return identity if math.isfinite(identity) else None
    try:
        json.dumps(identity, allow_nan=False)
    except (ValueError, RecursionError):
        return None
    return identity
