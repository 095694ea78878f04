"""The named steps of an overlay, as writer and reader list them."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of the history; `made_at` in ISO form, UTC."""

    id: int
    title: str
    made_at: str
    undone: bool
    changes: int


def read_steps(database: sqlite3.Connection) -> list[Step]:
    """Every step, oldest first; those undone are at the end. The connection gives rows by name."""
    text = (
        "SELECT step.*, count(change.id) AS changes FROM step "
        "LEFT JOIN change ON change.step_id = step.id GROUP BY step.id ORDER BY step.id"
    )
    rows = database.execute(text)
    return [Step(r["id"], r["title"], r["made_at"], bool(r["undone"]), r["changes"]) for r in rows]
