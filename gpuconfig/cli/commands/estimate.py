"""`gpuconfig estimate`: memory, speed and power of one configuration, or of many lines."""

from __future__ import annotations

from gpuconfig.cli.options import Exit
from gpuconfig.cli.run import Shell, document_of, lines_of
from gpuconfig.engine.estimation.answer import Estimate, Verdict


def run(shell: Shell) -> Exit:
    """Print one estimate, or one a line; 1 where it does not fit."""
    services = shell.services
    if shell.options.jsonl:
        return lines_of(shell, services.read_estimate, services.estimate)
    answer = services.estimate([services.read_estimate(document_of(shell))])[0]
    if not isinstance(answer, Estimate):
        raise answer
    if shell.options.json:
        shell.print_json(shell.shape(answer))
    else:
        from gpuconfig.cli.text import estimate_text  # machines read JSON and need none of its words

        for line in estimate_text(answer, shell.translator):
            shell.print(line)
    return Exit.ANSWER_IS_NO if answer.verdict is Verdict.DOES_NOT_FIT else Exit.DONE
