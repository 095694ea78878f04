"""`gpuconfig prices`: how old prices are, and a supplier's quotation taken in."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from gpuconfig import paths
from gpuconfig.cli.commands.catalogue import items
from gpuconfig.cli.options import Exit
from gpuconfig.cli.run import Shell
from gpuconfig.engine.catalogue.vocabulary import Kind, Region
from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.fields import read_choice
from gpuconfig.exchange.columns import guess_mapping
from gpuconfig.exchange.quotation import Matcher, QuoteLine, quote_offers, read_quotation
from gpuconfig.exchange.tables import read_tables
from gpuconfig.storage.apply import write_rows
from gpuconfig.storage.overlay import Overlay


def run(shell: Shell) -> Exit:
    """`age`, `refresh FILE` (shows) or `import FILE` (writes as one undoable step)."""
    return _age(shell) if shell.options.action == "age" else _quotation(shell)


def _age(shell: Shell) -> Exit:
    kind = Kind(read_choice("--kind", shell.options.kind, Kind))
    catalogue, today = shell.services.catalogue(), shell.services.today()
    rows: list[dict[str, Any]] = []
    for item in items(catalogue, kind):
        offers = catalogue.offers(kind, item.id)
        seen = [o for o in offers if not o.is_assumed()]
        newest = min(seen or offers, key=lambda o: o.age_days(today) or 10**6, default=None)
        days = None if newest is None else newest.age_days(today)
        source = "" if newest is None else newest.source
        rows.append({"id": item.id, "days": days, "kind": newest and newest.kind.value, "source": source})
    rows.sort(key=lambda row: (row["days"] is None, -(row["days"] or 0)))
    if shell.options.json:
        shell.print_json({"prices": rows})
        return Exit.DONE
    for row in rows:
        shown = shell.translator.unknown if row["days"] is None else f"{row['days']} d"
        shell.print(f"{row['id']:34} {shown:>9}  {row['kind'] or '':10} {row['source'][:60]}")
    return Exit.DONE


def _quotation(shell: Shell) -> Exit:
    name = shell.options.file
    catalogue = shell.services.catalogue()
    matcher = Matcher([(kind, item) for kind in Kind for item in items(catalogue, kind)])
    lines: list[QuoteLine] = []
    for sheet in read_tables(Path(name)):
        mapping = guess_mapping(sheet)
        if mapping is not None:
            lines.extend(read_quotation(sheet, mapping, matcher))
    if not lines:
        raise DataError("no_price", Message(N_("{file}: no table with prices was found"), {"file": name}))
    _show(shell, lines)
    if shell.options.action == "import":
        region = Region(shell.options.region)
        offers = quote_offers(lines, Path(name).name, date.today().isoformat(), region)
        path = shell.options.database or paths.overlay()
        path.parent.mkdir(parents=True, exist_ok=True)
        overlay = Overlay(path)
        try:
            write_rows(overlay, Path(name).name, "offer", offers)
        finally:
            overlay.close()
    return Exit.DONE


def _show(shell: Shell, lines: list[QuoteLine]) -> None:
    rows: list[dict[str, Any]] = [
        {
            "line": line.line,
            "name": line.name,
            "quantity": line.quantity,
            "price": None if line.unit_price is None else str(line.unit_price.amount),
            "currency": None if line.unit_price is None else line.unit_price.currency.value,
            "tax": line.tax.value,
            "match": None if line.match is None else line.match[1],
            "confidence": None if line.match is None else line.match[2],
            "problems": [shell.say(problem) for problem in line.problems],
        }
        for line in lines
    ]
    if shell.options.json:
        shell.print_json({"lines": rows})
        return
    for row in rows:
        found = (
            shell.translator.unknown if row["match"] is None else f"{row['match']} ({row['confidence']:.2f})"
        )
        shell.print(
            f"{row['line']:4} {row['name']}  {row['quantity']} x {row['price']} {row['currency']} -> {found}"
        )
