"""`gpuconfig tco`: what each option of a recommendation costs over the years, bought or rented."""

from __future__ import annotations

from gpuconfig.cli.contract import recommendation_contract
from gpuconfig.cli.options import Exit
from gpuconfig.cli.run import Shell, document_of
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.provenance.progress import Silent

KEPT = ("rank", "kind", "accelerator", "count", "nodes", "price", "tco")


def run(shell: Shell) -> Exit:
    """Print price and cost of ownership of every option; 1 where there is none."""
    services = shell.services
    answer = services.recommend(services.read_request(document_of(shell)), Silent())
    if shell.options.json:
        body = recommendation_contract(answer, shell.say)
        shell.print_json({"id": answer.id, "options": [{k: o[k] for k in KEPT} for o in body["options"]]})
    else:
        formats, gettext = shell.translator.formats, shell.translator.gettext
        for option in answer.options:
            price = formats.money_range(option.price.total)
            shell.print(
                f"{option.rank}. {option.count}x {option.accelerator.name} ({option.kind.value})  {price}"
            )
            if option.tco is not None:
                for name, amount in option.tco.parts.items():
                    shell.print(f"     {name:16} {formats.money_range(amount)}")
                total = formats.money_range(option.tco.total)
                shell.print(f"     {gettext(N_('Cost of ownership over the years'))}: {total}")
    return Exit.DONE if answer.options else Exit.ANSWER_IS_NO
