"""`gpuconfig document`: a paper of a recommendation, as PDF, XLSX or Markdown."""

from __future__ import annotations

from gpuconfig.cli.commands.recommend import write_paper
from gpuconfig.cli.options import Exit
from gpuconfig.cli.run import Shell, document_of
from gpuconfig.engine.provenance.progress import Silent


def run(shell: Shell) -> Exit:
    """Write the paper; 1 where no option meets the requirement (the paper then says so)."""
    services = shell.services
    data = document_of(shell)
    answer = services.recommend(services.read_request(data), Silent())
    write_paper(shell, data, answer, shell.options.document, shell.options.output, "--output")
    shell.print(str(shell.options.output))
    return Exit.DONE if answer.options else Exit.ANSWER_IS_NO
