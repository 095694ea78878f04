"""`gpuconfig tco`: what each option of a recommendation costs over the years, bought or rented."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from gpuconfig.cli.contract import recommendation_contract
from gpuconfig.cli.options import Exit
from gpuconfig.cli.run import Shell, document_of, lines_of
from gpuconfig.cli.text import kind_word, labelled, machines
from gpuconfig.engine.pricing.figures import RentFigures
from gpuconfig.engine.pricing.study import CostStudy
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.provenance.progress import Silent
from gpuconfig.engine.selection.recommendation import Option, Recommendation
from gpuconfig.engine.selection.request import RecommendRequest
from gpuconfig.presentation.cost_rent import advice, rent_table
from gpuconfig.presentation.cost_view import PART_WORDS, study_facts, study_of

KEPT = ("rank", "kind", "accelerator", "count", "nodes", "price", "tco")


def run(shell: Shell) -> Exit:
    """Print price and cost of ownership of every option; 1 where there is none."""
    services = shell.services
    if shell.options.jsonl:
        return lines_of(shell, services.read_request, lambda found: [_line(shell, r) for r in found], dict)
    answer, studies = _studied(shell, services.read_request(document_of(shell)))
    if shell.options.json:
        shell.print_json(_body(shell, answer, studies))
        return Exit.DONE if answer.options else Exit.ANSWER_IS_NO
    for option, study in zip(answer.options, studies, strict=True):
        for line in _text(option, study, answer, shell):
            shell.print(line)
    return Exit.DONE if answer.options else Exit.ANSWER_IS_NO


def _studied(shell: Shell, request: RecommendRequest) -> tuple[Recommendation, list[CostStudy | None]]:
    services, growth = shell.services, request.cost.growth_per_year
    answer = services.recommend(request, Silent())
    return answer, [study_of(option, answer, services, growth) for option in answer.options]


def _line(shell: Shell, request: RecommendRequest) -> dict[str, Any] | UserError:
    try:
        return _body(shell, *_studied(shell, request))
    except UserError as error:
        return error


def _body(shell: Shell, answer: Recommendation, studies: Sequence[CostStudy | None]) -> dict[str, Any]:
    body = recommendation_contract(answer, shell.say)
    options = [{k: o[k] for k in KEPT} for o in body["options"]]
    for made, study in zip(options, studies, strict=True):
        if study is not None:
            made["tco"] |= study_contract(study)
    return {"id": answer.id, "options": options}


def study_contract(study: CostStudy) -> dict[str, Any]:
    """The study's figures as the contract writes figures; forecasts, never payable."""
    wait = study.waiting
    return {
        "figures": {name: figure.contract() for name, figure in study.figures.single.items()},
        "cash_flow": {
            "month": list(range(len(study.figures.cash_flow[1]))),
            **{
                name: [round(value, 2) for value in column]
                for name, column in zip(("low", "value", "high"), study.figures.cash_flow, strict=True)
            },
        },
        "book_value_by_year": [round(value, 2) for value in study.figures.book_value],
        "likely": {"p10": study.spread.p10, "p50": study.spread.p50, "p90": study.spread.p90},
        "tornado": [{"input": s.name, "at_low": s.at_low, "at_high": s.at_high} for s in study.swings],
        "cheaper_than": dict(study.chances),
        "rent": [_rent(each) for each in study.rents],
        "waiting": {
            "months": 3,
            "saved": wait.saved and wait.saved[1],
            "bridging": wait.bridging,
            "value": wait.value,
        },
        "outgrown_after_months": study.outgrown,
        "replacement": None if study.replacement is None else asdict(study.replacement),
    }


def _rent(rent: RentFigures) -> Mapping[str, object]:
    terms = asdict(rent.terms)
    terms["kind"] = rent.terms.kind.value
    return {
        **terms,
        "total": rent.total.contract(),
        "per_month": rent.per_month.contract(),
        "break_even_utilisation": rent.break_even_utilisation.contract(),
        "break_even_month": rent.break_even_month,
        "own_base_rent_peak": rent.mixed.contract(),
    }


def _text(option: Option, study: CostStudy | None, answer: Recommendation, shell: Shell) -> list[str]:
    t = shell.translator
    formats, gettext = t.formats, t.gettext
    price = formats.money_range(option.price.total)
    said = [f"{option.rank}. {machines(option, t)}  {price} ({kind_word(option, t)})"]
    if option.tco is None:
        return said
    shares = {line.name: formats.money(line.middle) for line in option.tco.lines}
    shares = shares or {key: formats.money_range(part) for key, part in option.tco.parts.items()}
    said += [f"     {gettext(PART_WORDS.get(key, key)):16} {amount}" for key, amount in shares.items()]
    total = f"{formats.money(option.tco.planned())} ({formats.money_range(option.tco.total)})"
    said.append("     " + labelled(gettext(N_("Cost of ownership over the years")), total, t))
    if study is None:
        return said
    said += ["     " + labelled(title, shown.text, t) for title, shown in study_facts(option, study, t)]
    for row in rent_table(study, t).rows:
        said.append("     " + " · ".join(cell.text for cell in row.cells if cell.text))
    return said + [f"     {shown.text}" for shown in advice(answer, study, t)]
