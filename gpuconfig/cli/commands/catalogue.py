"""`gpuconfig catalogue`: what the database holds, with sources and prices."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any

from gpuconfig.cli.options import Exit
from gpuconfig.cli.run import Shell
from gpuconfig.engine.catalogue.item import CatalogueItem
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.workloads.fields import read_choice


def run(shell: Shell) -> Exit:
    """`list`, `show`, `search`, or a change of the user's own items."""
    from gpuconfig.cli.commands import catalogue_changes as changes

    action = shell.options.action
    if action in changes.STEPS:
        return changes.steps(shell)
    if action in ("import", "diff"):
        return changes.take_in(shell)
    if action in changes.CHANGES:
        return changes.change(shell)
    if action == "changes":
        from gpuconfig.cli.commands.project_changes import run as moved

        return moved(shell)
    catalogue = shell.services.catalogue()
    if action == "search":
        return _search(shell, catalogue)
    kind = Kind(read_choice("--kind", shell.options.kind, Kind))
    if action in ("export", "add"):
        return (changes.export if action == "export" else changes.add)(shell, catalogue, kind)
    if action == "list":
        return _list(shell, items(catalogue, kind))
    return _show(shell, catalogue, kind)


def items(catalogue: Catalogue, kind: Kind) -> Sequence[CatalogueItem]:
    """Every item of a kind, accelerators and models too."""
    if kind is Kind.ACCELERATOR:
        return catalogue.accelerators()
    return catalogue.models() if kind is Kind.MODEL else catalogue.parts(kind)


def item(catalogue: Catalogue, kind: Kind, reference: str) -> CatalogueItem:
    """One item by id, name or alias; raises InputError with the nearest names."""
    if kind is Kind.ACCELERATOR:
        return catalogue.accelerator(reference, "ID")
    return catalogue.model(reference, "ID") if kind is Kind.MODEL else catalogue.part(kind, reference, "ID")


def plain(value: Any) -> Any:
    """A catalogue value as JSON; unknown stays null."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Decimal | date):
        return str(value)
    if isinstance(value, frozenset | set):
        return sorted(plain(v) for v in value)
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    return value


def _search(shell: Shell, catalogue: Catalogue) -> Exit:
    given = shell.options.kind
    kind = None if given is None else Kind(read_choice("--kind", given, Kind))
    found = catalogue.search(" ".join(shell.options.words), kind)
    _list(shell, found)
    return Exit.DONE if found else Exit.ANSWER_IS_NO


def _list(shell: Shell, found: Sequence[CatalogueItem]) -> Exit:
    if shell.options.json:
        shell.print_json({"items": [plain(i) for i in found]})
        return Exit.DONE
    width = max((len(i.id) for i in found), default=0)
    for entry in found:
        shell.print(f"{entry.id:{width}}  {entry.name}")
    return Exit.DONE


def _show(shell: Shell, catalogue: Catalogue, kind: Kind) -> Exit:
    entry = item(catalogue, kind, shell.options.reference)
    body = plain(entry)
    body["offers"] = [plain(o) for o in catalogue.offers(kind, entry.id)]
    if shell.options.json:
        shell.print_json(body)
        return Exit.DONE
    for name, value in body.items():
        if name != "offers":
            shown = "; ".join(map(str, value)) if isinstance(value, list) else value
            shell.print(f"{name:28} {shell.translator.unknown if shown is None else shown}")
    for offer in body["offers"]:
        shell.print("offer  " + ", ".join(f"{k}={v}" for k, v in offer.items() if v not in (None, "")))
    return Exit.DONE
