"""`gpuconfig check`: judges a parts list as people write it."""

from __future__ import annotations

from collections.abc import Sequence

from gpuconfig.cli.contract import check_contract
from gpuconfig.cli.options import Exit
from gpuconfig.cli.run import Shell, document_of, lines_of
from gpuconfig.cli.text import check_text
from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.engine.compatibility.finding import CheckResult, Status
from gpuconfig.engine.compatibility.parts_list import check_parts
from gpuconfig.engine.compatibility.prices import RegionalPricers
from gpuconfig.engine.provenance.errors import UserError


def run(shell: Shell) -> Exit:
    """Print findings and what could not be checked; 1 where a rule sees a problem."""
    if shell.options.jsonl:
        return _lines(shell)
    catalogue = shell.services.catalogue()
    result = check_parts(document_of(shell), catalogue, RegionalPricers(catalogue))
    if shell.options.json:
        shell.print_json(check_contract(result, shell.say))
    else:
        for line in check_text(result, shell.translator):
            shell.print(line)
    return Exit.ANSWER_IS_NO if result.verdict is Status.PROBLEM else Exit.DONE


def _lines(shell: Shell) -> Exit:
    catalogue = shell.services.catalogue()
    pricers = RegionalPricers(catalogue)

    def answer(documents: Sequence[object]) -> list[CheckResult | UserError]:
        return [_one(document, catalogue, pricers) for document in documents]

    return lines_of(shell, lambda data: data, answer, lambda value: check_contract(value, shell.say))


def _one(document: object, catalogue: Catalogue, pricers: RegionalPricers) -> CheckResult | UserError:
    try:
        return check_parts(document, catalogue, pricers)
    except UserError as error:
        return error
