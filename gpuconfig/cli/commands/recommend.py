"""`gpuconfig recommend`: from a requirement to machines, and to their papers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from gpuconfig.cli.contract import recommendation_contract
from gpuconfig.cli.options import Exit
from gpuconfig.cli.run import Shell, document_of, lines_of
from gpuconfig.cli.text import recommendation_text
from gpuconfig.engine.provenance.errors import InputError, UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.progress import Silent
from gpuconfig.engine.selection.recommendation import Recommendation
from gpuconfig.engine.selection.request import RecommendRequest
from gpuconfig.engine.workloads.fields import NOT_AN_OBJECT
from gpuconfig.project.document import Project


def run(shell: Shell) -> Exit:
    """Print ranked options; 1 where there is none. `--pdf` and `--document` write a paper."""
    services = shell.services
    if shell.options.jsonl:
        return _lines(shell)
    data = document_of(shell)
    request = services.read_request(data)
    answer = services.recommend(request, Silent())
    if shell.options.pdf:
        write_paper(shell, data, answer, shell.options.document or "proposal", shell.options.pdf, "--pdf")
    if shell.options.json:
        shell.print_json(recommendation_contract(answer, shell.say))
    else:
        for line in recommendation_text(answer, shell.translator):
            shell.print(line)
    return Exit.DONE if answer.options else Exit.ANSWER_IS_NO


def _lines(shell: Shell) -> Exit:
    def answer(requests: Sequence[RecommendRequest]) -> list[Recommendation | UserError]:
        return [_one(shell, request) for request in requests]

    def shape(value: Recommendation) -> dict[str, object]:
        return recommendation_contract(value, shell.say)

    return lines_of(shell, shell.services.read_request, answer, shape)


def _one(shell: Shell, request: RecommendRequest) -> Recommendation | UserError:
    try:
        return shell.services.recommend(request, Silent())
    except UserError as error:
        return error


def write_paper(
    shell: Shell, data: object, answer: Recommendation, kind: str, path: Path, option_name: str
) -> None:
    """Write one paper about the best option, or about the smallest budget that works.

    Args:
        option_name: what the person wrote the path behind.

    Raises:
        UserError: there is nothing to write about, a field is missing, or the file cannot be written.
    """
    if not answer.options:
        smallest = answer.smallest_budget_that_works
        if smallest is None:
            raise InputError(
                "impossible", option_name, None, Message(N_("there is no option to write about"))
            )
    option = answer.options[0] if answer.options else answer.smallest_budget_that_works.option  # type: ignore[union-attr]
    body = data if isinstance(data, Mapping) else {}
    project = Project(
        title=str(body.get("project") or ""),
        request=body,
        organisation=_texts(body, "organisation"),
        seller=_texts(body, "seller"),
        paper=_texts(body, "paper"),
        versions=answer.versions,
    )
    try:
        shell.services.export(kind, project, answer, option, shell.translator.language.value, path)
    except InputError as error:
        if error.field != "path":
            raise
        raise InputError(error.code, option_name, str(path), error.reason, error.accepted) from None


def _texts(body: Mapping[str, object], name: str) -> dict[str, str]:
    """Fields that papers print as they are; null is "not given"."""
    data = body.get(name) or {}
    if not isinstance(data, Mapping):
        raise InputError("wrong_type", name, data, NOT_AN_OBJECT)
    given = {str(key): value for key, value in data.items() if value is not None}
    for key, value in given.items():
        if not isinstance(value, str | int) and not (isinstance(value, float) and math.isfinite(value)):
            raise InputError("wrong_type", f"{name}.{key}", value, Message(N_("a text is needed")))
    return {key: str(value) for key, value in given.items()}
