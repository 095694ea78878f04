"""What formats of numbers are called."""

from __future__ import annotations


def number_format(name: str) -> str:
    """A format of numbers as its makers write it: AWQ INT4, GGUF Q4_K_M, BF16."""
    return name.upper().replace(":", " ").replace("_INT", " INT")
