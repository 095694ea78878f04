"""Numbers of a Hugging Face configuration, whose fields may hold anything."""

from __future__ import annotations


def positive(value: object) -> int | None:
    """A whole number over zero; None for all else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def first(value: object) -> object:
    """The first of a list, which is that of the text where a model has one for text and one for images."""
    return value[0] if isinstance(value, list) and value else value
