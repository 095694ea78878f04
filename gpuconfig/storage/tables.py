"""How seed files and tables write items."""

from __future__ import annotations

ITEM_COLUMNS = (
    "id",
    "name",
    "aliases",
    "brand",
    "part_number",
    "sources",
    "date",
    "evidence_kind",
    "confidence",
    "notes",
    "inferred_fields",
    "derived_fields",
)
"""Columns of the table `item` that a seed file fills, together with those of the kind's own table."""
