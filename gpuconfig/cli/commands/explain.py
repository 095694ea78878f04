"""`gpuconfig explain`: the tree of formula, inputs, units and sources behind a figure."""

from __future__ import annotations

from gpuconfig.cli.options import Exit
from gpuconfig.cli.run import Shell, document_of, lines_of
from gpuconfig.cli.text import explanation_text
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.explanation import Explanation
from gpuconfig.engine.workloads.request import EstimateRequest


def run(shell: Shell) -> Exit:
    """Print the explanation of `--quantity`, by default of the main figure."""
    services, name = shell.services, shell.options.quantity

    def explain(requests: list[EstimateRequest]) -> list[Explanation | UserError]:
        return [_explained(shell, request) for request in requests]

    if shell.options.jsonl:
        return lines_of(shell, services.read_estimate, explain)
    tree = services.explain(services.read_estimate(document_of(shell)), name)
    if shell.options.json:
        shell.print_json(shell.shape(tree))
    else:
        for line in explanation_text(tree, shell.translator, shell.options.depth):
            shell.print(line)
    return Exit.DONE


def _explained(shell: Shell, request: EstimateRequest) -> Explanation | UserError:
    try:
        return shell.services.explain(request, shell.options.quantity)
    except UserError as error:
        return error
