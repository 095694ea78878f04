"""`gpuconfig catalogue add|import|diff|export`: the user's own items, written as one undoable step."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gpuconfig import paths
from gpuconfig.cli.options import Exit
from gpuconfig.cli.requests import read_document
from gpuconfig.cli.run import Shell
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import DataError, InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.fields import NOT_AN_OBJECT
from gpuconfig.exchange.columns import guess_mapping
from gpuconfig.exchange.item_cells import to_raw
from gpuconfig.exchange.parts_table import (
    Candidate,
    is_own_table,
    own_candidates,
    plan_items,
    supplier_candidates,
)
from gpuconfig.exchange.plan import ImportPlan, RowState
from gpuconfig.exchange.sheet import Sheet
from gpuconfig.exchange.tables import read_tables
from gpuconfig.exchange.write_table import export_items
from gpuconfig.storage.apply import write_items
from gpuconfig.storage.overlay import Overlay


def export(shell: Shell, catalogue: Catalogue, kind: Kind) -> Exit:
    """Write every item of a kind; the ending of the file decides the format."""
    path = Path(shell.options.file)
    try:
        export_items(path, kind, catalogue.parts(kind))
    except OSError as error:
        values = {"file": str(path), "reason": error.strerror or str(error)}
        raise DataError("unwritable", Message(N_("{file} cannot be written: {reason}"), values)) from None
    shell.print(str(path))
    return Exit.DONE


def change(shell: Shell, catalogue: Catalogue, kind: Kind) -> Exit:
    """Show what the file would add, change, leave and reject; `add` and `import` then write it whole or not at all."""
    action, name = shell.options.action, shell.options.file
    added = action == "add"
    candidates = _objects(read_document(name), kind) if added else _rows(read_tables(Path(name)), kind, name)
    plan = plan_items(Path(name).name, name, kind, candidates, catalogue.parts(kind))
    _show(shell, plan)
    if plan.counts()[RowState.REJECTED] and action == "add":
        return Exit.BAD_INPUT
    if action != "diff" and plan.writes():
        path = shell.options.database or paths.overlay()
        path.parent.mkdir(parents=True, exist_ok=True)
        overlay = Overlay(path)
        try:
            write_items(overlay, plan.title, list(plan.writes()))
        finally:
            overlay.close()
    return Exit.DONE


def _objects(data: object, kind: Kind) -> list[Candidate]:
    found: list[Candidate] = []
    for number, item in enumerate(data if isinstance(data, list) else [data], 1):
        if not isinstance(item, dict):
            raise InputError("wrong_type", f"[{number}]", item, NOT_AN_OBJECT)
        try:
            cells = {str(k): "" if v is None else str(v) for k, v in item.items()}
            found.append((number, to_raw(kind, cells), ()))
        except InputError as error:
            found.append((number, None, (error.message,)))
    return found


def _rows(sheets: Iterable[Sheet], kind: Kind, source: str) -> list[Candidate]:
    found: list[Candidate] = []
    for sheet in sheets:
        if is_own_table(sheet, kind):
            found.extend(own_candidates(sheet, kind))
        elif (mapping := guess_mapping(sheet)) is not None:
            found.extend(supplier_candidates(sheet, kind, mapping, source))
    return found


def _show(shell: Shell, plan: ImportPlan) -> None:
    counts = {state.value: number for state, number in plan.counts().items()}
    rows: list[dict[str, Any]] = [
        {
            "line": row.line,
            "state": row.state.value,
            "name": row.name,
            "reasons": [shell.say(reason) for reason in row.reasons],
            "like": row.like,
        }
        for row in plan.rows
        if row.state is not RowState.UNCHANGED
    ]
    if shell.options.json:
        shell.print_json({"counts": counts, "rows": rows})
        return
    shell.print(", ".join(f"{name} {number}" for name, number in counts.items()))
    for row in rows:
        shell.print(f"  {row['line']}: {row['state']} {row['name']} {'; '.join(row['reasons'])}")
