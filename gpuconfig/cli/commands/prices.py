"""`gpuconfig prices`: how old prices are, and a supplier's quotation taken in."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gpuconfig.cli.commands.catalogue import items
from gpuconfig.cli.commands.catalogue_changes import plan_and_apply, plan_body, show_plan
from gpuconfig.cli.commands.project_changes import print_outcomes
from gpuconfig.cli.options import Exit
from gpuconfig.cli.progress import TerminalProgress
from gpuconfig.cli.requests import read_document
from gpuconfig.cli.run import Shell
from gpuconfig.engine.catalogue.vocabulary import Kind, Region
from gpuconfig.engine.pricing.wishes import PERIODS
from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.fields import read_choice
from gpuconfig.exchange.formats import ImportFormat, ImportPart
from gpuconfig.presentation.desk.importing import ImportTerms
from gpuconfig.presentation.desk.tariffs import TariffEntry

TABLES = (".csv", ".tsv", ".txt", ".xlsx", ".xlsm")


def run(shell: Shell) -> Exit:
    """`age`, `refresh FILE` (shows), `import FILE` (writes as one undoable step), `rate`, `tariff` or `online`."""
    actions = {"age": _age, "rate": _rate, "tariff": _tariff, "online": _online}
    return actions.get(shell.options.action, _take_in)(shell)


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


def _take_in(shell: Shell) -> Exit:
    options = shell.options
    terms = ImportTerms(region=Region(options.region), date=options.date, provider=options.provider)
    path = Path(options.file)
    imports = shell.services.desk().imports
    files = sorted(p for p in path.iterdir() if p.suffix.lower() in TABLES) if path.is_dir() else [path]
    parts = [part for file in files for part in imports.open(file)]
    priced = [part for part in parts if part.format in (ImportFormat.QUOTATION, ImportFormat.CLOUD_PRICES)]
    if not priced:
        text = N_("{file}: no table with prices was found")
        raise DataError("no_price", Message(text, {"file": str(path)}))
    asked = getattr(options, "request", None)
    if asked is None:
        return plan_and_apply(shell, priced, terms, write=options.action == "import")
    return _flips(shell, priced, terms, asked)


def _flips(shell: Shell, parts: Sequence[ImportPart], terms: ImportTerms, asked: str) -> Exit:
    """Take the prices in and show each option of a requirement before and after."""
    services = shell.services
    request = services.read_request(read_document(asked))
    progress = TerminalProgress(shell.errors, shell.say)
    keeper = services.desk().decisions
    before = keeper.frozen(services.recommend(request, progress))
    imports = services.desk().imports
    plan = imports.plan(parts, terms, progress)
    imports.apply(plan, progress)
    outcomes = keeper.outcomes(before, services.recommend(request, progress))
    progress.done()
    if shell.options.json:
        shell.print_json({**plan_body(shell, plan), "outcomes": [dataclasses.asdict(o) for o in outcomes]})
        return Exit.DONE
    show_plan(shell, plan)
    print_outcomes(shell, outcomes)
    return Exit.DONE


def _rate(shell: Shell) -> Exit:
    plan = shell.services.desk().rates.typed(shell.options.value, shell.options.date, shell.options.source)
    shell.services.desk().imports.apply(plan)
    show_plan(shell, plan)
    return Exit.DONE


def _tariff(shell: Shell) -> Exit:
    """Keep the electricity of one's bill."""
    options = shell.options
    entry = TariffEntry(
        id=options.tariff,
        price=options.price,
        periods={name: getattr(options, name) for name in PERIODS},
        region=Region(options.region),
        date=options.date,
        source=options.source,
    )
    plan = shell.services.desk().tariffs.typed(entry)
    shell.services.desk().imports.apply(plan)
    show_plan(shell, plan)
    return Exit.DONE


def _online(shell: Shell) -> Exit:
    """Ask, show, and write only where `--apply` says so; a source that does not answer changes nothing."""
    desk = shell.services.desk()
    found = desk.rates.ask(shell.options.source, shell.options.timeout)
    for problem in found.problems:
        shell.errors.write(shell.say(problem) + "\n")
    if shell.options.apply:
        desk.imports.apply(found.plan)
    show_plan(shell, found.plan)
    return Exit.DONE if found.plan.rows else Exit.ANSWER_IS_NO
