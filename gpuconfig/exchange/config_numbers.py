"""Numbers of a Hugging Face configuration, whose fields may hold anything."""

from __future__ import annotations


def positive(value: object) -> int | None:
    """A whole number over zero; None for all else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
