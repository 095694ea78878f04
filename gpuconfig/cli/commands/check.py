"""`gpuconfig check`: judges a parts list as people write it, and tells what else an upgrade changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gpuconfig.cli.contract import check_contract, upgrade_contract
from gpuconfig.cli.options import Exit
from gpuconfig.cli.run import Shell, document_of, lines_of
from gpuconfig.cli.text import check_text, upgrade_text
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.compatibility.finding import CheckResult, Status
from gpuconfig.engine.compatibility.parts_list import check_parts
from gpuconfig.engine.compatibility.prices import RegionalPricers
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.selection.composer.need import NoBuild
from gpuconfig.engine.selection.composer.upgrade import Upgrade, read_wish, upgrade_of


@dataclass(frozen=True, slots=True)
class _Answer:
    check: CheckResult
    upgrade: Upgrade | NoBuild | None


def run(shell: Shell) -> Exit:
    """Print findings and what could not be checked; 1 where a rule sees a problem or forbids the upgrade."""
    if shell.options.jsonl:
        return _lines(shell)
    catalogue = shell.services.catalogue()
    answer = _answer(document_of(shell), catalogue, RegionalPricers(catalogue))
    if shell.options.json:
        shell.print_json(_contract(answer, shell))
    else:
        for line in check_text(answer.check, shell.translator):
            shell.print(line)
        for line in upgrade_text(answer.upgrade, shell.translator) if answer.upgrade is not None else ():
            shell.print(line)
    if answer.upgrade is not None:
        return Exit.ANSWER_IS_NO if isinstance(answer.upgrade, NoBuild) else Exit.DONE
    return Exit.ANSWER_IS_NO if answer.check.verdict is Status.PROBLEM else Exit.DONE


def _lines(shell: Shell) -> Exit:
    catalogue = shell.services.catalogue()
    pricers = RegionalPricers(catalogue)

    def answer(documents: Sequence[object]) -> list[_Answer | UserError]:
        return [_one(document, catalogue, pricers) for document in documents]

    return lines_of(shell, lambda data: data, answer, lambda value: _contract(value, shell))


def _one(document: object, catalogue: Catalogue, pricers: RegionalPricers) -> _Answer | UserError:
    try:
        return _answer(document, catalogue, pricers)
    except UserError as error:
        return error


def _answer(document: object, catalogue: Catalogue, pricers: RegionalPricers) -> _Answer:
    rest, wish = read_wish(document, catalogue)
    check = check_parts(rest, catalogue, pricers)
    return _Answer(check, None if wish is None else upgrade_of(rest, wish, catalogue, pricers))


def _contract(answer: _Answer, shell: Shell) -> dict[str, Any]:
    shaped = check_contract(answer.check, shell.say)
    if answer.upgrade is not None:
        shaped["upgrade"] = upgrade_contract(answer.upgrade, shell.say)
    return shaped
