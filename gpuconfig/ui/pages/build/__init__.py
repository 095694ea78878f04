"""Parts, findings, slots and power."""
