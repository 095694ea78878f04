"""`gpuconfig catalogue changes PROJECT`: what moved since a project was decided, and what that changes."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from gpuconfig.cli.options import Exit
from gpuconfig.cli.progress import TerminalProgress
from gpuconfig.cli.run import Shell
from gpuconfig.engine.provenance.errors import InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.desk.freezing import Outcome, ProjectChanges


def run(shell: Shell) -> Exit:
    """Print the changes; 1 where something moved, 0 where the project stands as decided."""
    services = shell.services
    project = services.open_project(Path(shell.options.file))
    if not project.frozen:
        reason = Message(N_("this project keeps no decision yet: open it, let it answer, and save it"))
        raise InputError("missing", "frozen", project.title or None, reason)
    desk = services.desk()
    found = desk.decisions.changes(project.frozen)
    if found.any():
        progress = TerminalProgress(shell.errors, shell.say)
        answer = services.recommend(services.read_request(project.request), progress)
        progress.done()
        found = dataclasses.replace(found, outcomes=desk.decisions.outcomes(project.frozen, answer))
    if shell.options.json:
        shell.print_json(dataclasses.asdict(found))
    else:
        _print(shell, found)
    return Exit.ANSWER_IS_NO if found.any() else Exit.DONE


def _print(shell: Shell, found: ProjectChanges) -> None:
    unknown = shell.translator.unknown
    shell.print(
        shell.say(
            Message(
                N_("Decided on {day}; {count} changes since"),
                {"day": found.decided or unknown, "count": len(found.movements)},
            )
        )
    )
    for name, (before, after) in found.versions.items():
        shell.print(f"{name}: {before} -> {after}")
    for one in found.movements:
        share = "" if one.share is None else f"  {one.share:+.1%}"
        shell.print(
            f"{one.what.value:12} {one.subject}  {one.field}: {one.before or unknown} -> {one.after or unknown}{share}"
        )
    print_outcomes(shell, found.outcomes)


def print_outcomes(shell: Shell, outcomes: Sequence[Outcome]) -> None:
    """Each option of the decision, its place and its price before and now."""
    for outcome in outcomes:
        after = outcome.price_after or shell.say(Message(N_("not offered any more")))
        shell.print(
            f"#{outcome.rank_before} -> #{outcome.rank_after or shell.translator.unknown}  {outcome.name}: "
            f"{outcome.price_before} -> {after}"
        )
