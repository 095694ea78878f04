"""`gpuconfig validate`: errors of a model on the shipped measurements, per source."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Callable, Sequence

from gpuconfig.calibration.source_score import SourceScore
from gpuconfig.calibration.validate import TASKS, validate
from gpuconfig.cli.options import ALL_KINDS, KINDS_TO_FIT, Exit
from gpuconfig.cli.run import Shell
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.workloads.request import EstimateRequest

SHARES = ("median", "p90", "inside", "width")


def run(shell: Shell) -> Exit:
    """Print one line a quantity and source, then the mean over sources of each quantity."""
    kinds = KINDS_TO_FIT if shell.options.kind == ALL_KINDS else (shell.options.kind,)
    found = {kind: chosen_scores(shell, kind) for kind in kinds}
    if shell.options.json:
        shell.print_json({"scores": [_plain(s) for scores in found.values() for s in scores]})
    elif shell.options.markdown:
        gettext = shell.translator.gettext
        shell.print("\n\n".join(markdown(shell, scores, gettext) for scores in found.values()))
    else:
        for scores in found.values():
            _print(shell, scores)
    return Exit.DONE


def chosen_scores(shell: Shell, kind: str) -> Sequence[SourceScore]:
    """Scores with the shipped coefficients, or with `--held-out` of each source by a fit on all others."""
    if shell.options.held_out:
        from gpuconfig.cli.held_out import held_out_scores

        return held_out_scores(shell, kind)
    return scores_of(shell, kind)


def markdown(shell: Shell, scores: Sequence[SourceScore], gettext: Callable[[str], str]) -> str:
    """The table of one kind of model, with words by `gettext`."""
    from gpuconfig.cli.help_tables.accuracy import accuracy_table, licences_of

    licences = licences_of(shell.services.catalogue().measurements())
    with_bands = any(not math.isnan(s.inside) for s in scores)
    return accuracy_table(scores, licences, gettext, with_bands)


def _print(shell: Shell, scores: Sequence[SourceScore]) -> None:
    for score in scores:
        shares = (score.median, score.p90, score.inside, score.width)
        shell.print(_line(score.quantity, score.source, score.rows, shares))
    for quantity in dict.fromkeys(s.quantity for s in scores):
        each = [s for s in scores if s.quantity == quantity]
        rows = sum(s.rows for s in each)
        means = [_mean([getattr(s, name) for s in each]) for name in SHARES]
        shell.print(_line(quantity, f"= mean over {len(each)} sources", rows, means))


def scores_of(shell: Shell, kind: str) -> Sequence[SourceScore]:
    """Scores of one kind of model."""
    catalogue = shell.services.catalogue()
    if kind == "scaling":
        from gpuconfig.calibration.scaling import validate_scaling

        def read(text: str) -> EstimateRequest:
            return shell.services.read_estimate(json.loads(text))

        groups = catalogue.coefficient_groups()
        coefficients = CoefficientSet.of(r for group in groups for r in catalogue.coefficients(group))
        return validate_scaling(catalogue.measurements(), read, coefficients)
    rows = [m for task in TASKS[kind] for m in catalogue.measurements(task)]
    return validate(rows, shell.services.read_estimate, shell.services.estimate)


def _mean(values: Sequence[float]) -> float:
    known = [v for v in values if not math.isnan(v)]
    return statistics.mean(known) if known else math.nan


def _plain(score: SourceScore) -> dict[str, object]:
    names = ("source", "quantity", "rows", "refused", "median", "p90", "inside", "width")
    body = {name: getattr(score, name) for name in names}
    return {k: None if isinstance(v, float) and math.isnan(v) else v for k, v in body.items()}


def _line(quantity: str, source: str, rows: int, shares: Sequence[float]) -> str:
    shown = "  ".join(f"{name} {value:6.1%}" for name, value in zip(SHARES, shares, strict=True))
    return f"{quantity:40} {source[-56:]:56} n {rows:5}  {shown}"
