"""`gpuconfig measurements`: the user's own runs, which shift the estimate of their card."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from gpuconfig.cli.options import Exit
from gpuconfig.cli.requests import read_document, read_text
from gpuconfig.cli.run import Shell
from gpuconfig.engine.catalogue.record import Measurement
from gpuconfig.engine.provenance.message import N_
from gpuconfig.exchange.run_logs import ReadValue


def run(shell: Shell) -> Exit:
    """`list`, `paste`, `add`, `remove`."""
    actions = {"list": _list, "paste": _paste, "add": _add, "remove": _remove}
    return actions[shell.options.action](shell)


def _list(shell: Shell) -> Exit:
    runs = shell.services.desk().measurements.all()
    rows = [
        {
            "id": r.measurement.id, "quantity": r.measurement.quantity, "measured": r.measurement.value,
            "unit": r.measurement.unit, "estimated": r.estimated, "off": r.off(),
            "source": r.measurement.evidence.source, "date": r.measurement.evidence.date,
        }
        for r in runs
    ]  # fmt: skip
    if shell.options.json:
        shell.print_json({"measurements": rows})
        return Exit.DONE
    for row, one in zip(rows, runs, strict=True):
        off = shell.translator.unknown if one.off() is None else f"{one.off():+.1%}"
        shell.print(
            f"{row['id']}  {row['date']}  {row['quantity']:36} {row['measured']:.6g} {row['unit']}  {off}  "
            f"{row['source']}"
        )
    return Exit.DONE


def _paste(shell: Shell) -> Exit:
    """Show what the lines say; `--store` keeps it. 1 where nothing can be compared."""
    book = shell.services.desk().measurements
    request = read_document(shell.options.request)
    values = book.read(read_text(shell.options.file), request)
    taken = [value for value in values if value.problem is None]
    kept: Sequence[Measurement] = ()
    if shell.options.store and taken:
        kept = book.keep(values, request, shell.options.source, shell.options.date)
    if shell.options.json:
        shown = [{**dataclasses.asdict(v), "problem": v.problem and shell.say(v.problem)} for v in values]
        shell.print_json({"values": shown, "kept": [m.id for m in kept]})
    else:
        for value in values:
            shell.print(_shown(shell, value))
        if not values:
            shell.print(shell.translator.gettext(N_("nothing in this text is a measurement")))
        for item in kept:
            shell.print(f"+ {item.id}  {item.quantity}  {item.value:.6g} {item.unit}")
    return Exit.DONE if taken else Exit.ANSWER_IS_NO


def _add(shell: Shell) -> Exit:
    options = shell.options
    book = shell.services.desk().measurements
    made = book.add(
        options.quantity, options.value, read_document(options.request), options.source, options.date
    )
    if options.json:
        shell.print_json({"kept": [made.id]})
    else:
        shell.print(f"+ {made.id}  {made.quantity}  {made.value:.6g} {made.unit}")
    return Exit.DONE


def _remove(shell: Shell) -> Exit:
    shell.services.desk().measurements.remove(shell.options.reference)
    return Exit.DONE


def _shown(shell: Shell, value: ReadValue) -> str:
    name = value.quantity or shell.translator.unknown
    why = "" if value.problem is None else f"  ({shell.say(value.problem)})"
    return f"{value.line:5}  {value.tool:12} {name:36} {value.value:.6g} {value.unit}{why}"
