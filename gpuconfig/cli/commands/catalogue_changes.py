"""`gpuconfig catalogue add|import|diff|export|edit|...`: the user's own items, each change one undoable step."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gpuconfig.cli.options import Exit
from gpuconfig.cli.progress import TerminalProgress
from gpuconfig.cli.requests import read_document
from gpuconfig.cli.run import Shell
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import DataError, InputError
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.system_errors import refusal
from gpuconfig.engine.workloads.fields import NOT_AN_OBJECT, only_known, read_choice
from gpuconfig.exchange.formats import ImportFormat, ImportPart
from gpuconfig.exchange.item_cells import to_raw
from gpuconfig.exchange.parts_table import Candidate, plan_items
from gpuconfig.exchange.plan import ImportPlan, RowState
from gpuconfig.exchange.write_table import export_items
from gpuconfig.presentation.desk.importing import ImportTerms

CHANGES = ("edit", "revert", "hide", "unhide", "remove")
STEPS = ("history", "undo", "redo")


def export(shell: Shell, catalogue: Catalogue, kind: Kind) -> Exit:
    """Write every item of a kind; the ending of the file decides the format."""
    path = Path(shell.options.file)
    try:
        export_items(path, kind, catalogue.parts(kind))
    except OSError as error:
        values = {"file": str(path), "reason": refusal(error)}
        raise DataError("unwritable", Message(N_("{file} cannot be written: {reason}"), values)) from None
    shell.print(str(path))
    return Exit.DONE


def add(shell: Shell, catalogue: Catalogue, kind: Kind) -> Exit:
    """Add items from JSON, all or none."""
    name = shell.options.file
    plan = plan_items(Path(name).name, name, kind, _objects(read_document(name), kind), catalogue.parts(kind))
    show_plan(shell, plan)
    if plan.counts()[RowState.REJECTED]:
        return Exit.BAD_INPUT
    shell.services.desk().imports.apply(plan)
    return Exit.DONE


def take_in(shell: Shell) -> Exit:
    """`import` and `diff`: show what a file, folder or archive would change; `import` writes it whole or not at all."""
    given = shell.options.kind
    kind = None if given is None else Kind(read_choice("--kind", given, Kind))
    parts = shell.services.desk().imports.open(Path(shell.options.file), kind)
    if shell.options.format:
        wanted = ImportFormat(shell.options.format)
        parts = tuple(dataclasses.replace(part, format=wanted) for part in parts)
    return plan_and_apply(shell, parts, ImportTerms(), write=shell.options.action == "import")


def plan_and_apply(shell: Shell, parts: Sequence[ImportPart], terms: ImportTerms, *, write: bool) -> Exit:
    """Preview `parts` and, where asked, write them as one step; Ctrl+C at any moment leaves nothing."""
    progress = TerminalProgress(shell.errors, shell.say)
    imports = shell.services.desk().imports
    try:
        plan = imports.plan(parts, terms, progress)
        if write:
            imports.apply(plan, progress)
    finally:
        progress.done()
    show_plan(shell, plan)
    return Exit.DONE


def change(shell: Shell) -> Exit:
    """`edit`, `revert`, `hide`, `unhide`, `remove`."""
    options, desk = shell.options, shell.services.desk()
    kind = Kind(read_choice("--kind", options.kind, Kind))
    if options.action == "edit":
        return _edit(shell, kind)
    if options.action == "revert":
        desk.items.revert(kind, options.reference, options.field)
    elif options.action == "hide":
        desk.items.hide(kind, options.reference, options.reason)
    elif options.action == "unhide":
        desk.items.unhide(kind, options.reference)
    else:
        desk.items.remove(kind, options.reference)
    return Exit.DONE


def steps(shell: Shell) -> Exit:
    """`history`, `undo`, `redo`; 1 where there is nothing to take back."""
    history = shell.services.desk().history
    if shell.options.action == "history":
        found = history.steps()
    else:
        done = history.undo() if shell.options.action == "undo" else history.redo()
        found = [] if done is None else [done]
    if shell.options.json:
        shell.print_json({"steps": [dataclasses.asdict(step) for step in found]})
    for step in found if not shell.options.json else ():
        shell.print(f"{step.made_at}  {'(-)' if step.undone else '   '} {step.changes:6}  {step.title}")
    return Exit.DONE if found or shell.options.action == "history" else Exit.ANSWER_IS_NO


def plan_body(shell: Shell, plan: ImportPlan) -> dict[str, Any]:
    """What an import does as JSON: counts, and every row that is not left as it is."""
    counts = {state.value: number for state, number in plan.counts().items()}
    rows: list[dict[str, Any]] = [
        {
            "line": row.line,
            "state": row.state.value,
            "name": row.name,
            "reasons": [shell.say(reason) for reason in row.reasons],
            "changes": [dataclasses.asdict(change) for change in row.changes],
            "data": dict(row.data) if row.table and row.data is not None else None,
            "like": row.like,
            "likeness": row.likeness,
        }
        for row in plan.rows
        if row.state is not RowState.UNCHANGED
    ]
    return {"counts": counts, "rows": rows, "source": plan.source}


def show_plan(shell: Shell, plan: ImportPlan) -> None:
    """Print what an import does."""
    body = plan_body(shell, plan)
    if shell.options.json:
        shell.print_json(body)
        return
    say = shell.translator.gettext
    shell.print(", ".join(f"{say(name)} {number}" for name, number in body["counts"].items()))
    shell.print(plan.source)
    for row in body["rows"]:
        moved = [f"{c['field']}: {c['before'] or '?'} -> {c['after']}" for c in row["changes"]]
        shell.print(f"  {row['line']}: {say(row['state'])} {row['name']} {'; '.join(moved + row['reasons'])}")


def _edit(shell: Shell, kind: Kind) -> Exit:
    texts: dict[str, str] = {}
    for word in shell.options.values:
        name, equals, value = word.partition("=")
        if not equals:
            raise InputError(
                "wrong_type", "FIELD=VALUE", word, Message(N_("write the field, =, and its value"))
            )
        texts[name] = value
    editor = shell.services.desk().items
    known = {row.field.name for row in editor.form(kind, shell.options.reference).rows}
    only_known(texts, known)
    found = editor.check(kind, shell.options.reference, texts)
    shown = [dataclasses.asdict(c) for c in found.changes]
    doubts = [shell.say(doubt) for doubt in found.doubts]
    stopped = bool(doubts) and not shell.options.anyway
    if not stopped:
        source = shell.options.source
        day = shell.services.today().isoformat()
        editor.save(kind, shell.options.reference, texts, Evidence(source, day, EvidenceKind.VENDOR))
    if shell.options.json:
        shell.print_json({"changes": shown, "doubts": doubts, "saved": not stopped})
    else:
        for line in (*(f"{c['field']}: {c['before'] or '?'} -> {c['after'] or '?'}" for c in shown), *doubts):
            shell.print(line)
        if not shown:
            shell.print(shell.say(Message(N_("nothing changes: the values are these already"))))
    return Exit.ANSWER_IS_NO if stopped else Exit.DONE


def _objects(data: object, kind: Kind) -> list[Candidate]:
    found: list[Candidate] = []
    for number, item in enumerate(data if isinstance(data, list) else [data], 1):
        if not isinstance(item, dict):
            raise InputError("wrong_type", f"[{number}]", item, NOT_AN_OBJECT)
        try:
            cells = {str(k): "" if v is None else str(v) for k, v in item.items()}
            for name in ("id", "name"):
                if not cells.get(name):
                    raise InputError("missing", name, None, Message(N_("this field is required")))
            found.append((number, to_raw(kind, cells), ()))
        except InputError as error:
            found.append((number, None, (error.message,)))
    return found
