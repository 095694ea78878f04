"""Errors that name the field, the value and what is accepted."""

from __future__ import annotations

from gpuconfig.engine.provenance.message import N_, Message


class UserError(Exception):
    """Something the person can mend; carries a translatable message and a stable code."""

    def __init__(self, code: str, message: Message) -> None:
        super().__init__(message.english())
        self.code = code
        self.message = message.verbatim()


class InputError(UserError):
    """A field of a request, a form or a file that cannot be accepted.

    Args:
        code: `unknown_field`, `wrong_type`, `out_of_range`, `unknown_value`, `missing`, `impossible`.
        field: dotted path of the field, for example `workload.sequence_length`.
        value: what was given.
        reason: why it is refused.
        accepted: what would be accepted, as a message.
    """

    def __init__(
        self, code: str, field: str, value: object, reason: Message, accepted: Message | None = None
    ) -> None:
        shown = "" if value is None else repr(value)[:80]
        values: dict[str, object] = {"field": field, "value": shown, "reason": reason}
        if accepted is not None:
            values["accepted"] = accepted
        text = _TEXTS[bool(field), bool(shown), accepted is not None]
        super().__init__(code, Message(text, values))
        self.field = field
        self.value = value
        self.reason = reason
        self.accepted = accepted


_TEXTS = {
    (True, True, True): N_("{field}: {reason} (given: {value}; accepted: {accepted})"),
    (True, True, False): N_("{field}: {reason} (given: {value})"),
    (True, False, True): N_("{field}: {reason} (accepted: {accepted})"),
    (True, False, False): N_("{field}: {reason}"),
    (False, True, True): N_("{reason} (given: {value}; accepted: {accepted})"),
    (False, True, False): N_("{reason} (given: {value})"),
    (False, False, True): N_("{reason} (accepted: {accepted})"),
    (False, False, False): N_("{reason}"),
}
"""Texts by whether field, value and accepted are told; the whole request has no field's name."""


class DataError(UserError):
    """A catalogue, project or import file that cannot be read; names the file and the line."""


class Cancelled(Exception):  # noqa: N818 - nothing went wrong
    """The person cancelled a long operation; nothing was changed."""
