"""Fits the serving coefficients to the shipped measurements and scores the model on them, source by source.

Parameters are declared below as templates of scopes: a fraction for each engine and format, a factor for each engine
and architecture, fixed costs by engine. Rows weigh less the more their regime has, so that no source decides alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gpuconfig.calibration.coefficient_files import FITTED, is_fitted
from gpuconfig.calibration.relative_fit import Fitted, Parameter, Predict, fit, shortest_band_factors
from gpuconfig.calibration.source_score import Comparison, SourceScore, score
from gpuconfig.engine.catalogue.record import Coefficient, Measurement
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.graph import InputTable
from gpuconfig.engine.estimation.serving.bands import band_scopes
from gpuconfig.engine.estimation.serving.graph import serving_graph
from gpuconfig.engine.estimation.serving.inputs import COEFFICIENT_INPUTS
from gpuconfig.engine.estimation.serving.settings import GROUP
from gpuconfig.engine.estimation.serving.table import ServingRow, serving_row, stacked
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind
from gpuconfig.engine.workloads.request import EstimateRequest

SEED = "db/seed/measurements/serving.csv"
PRUNE, PRUNE_TIMES = 0.055, 0.12
"""A scope whose value is this near to what a wider scope says is not written; times are a part of a step only."""
WEIGHT_POWER = 0.6
INFERRED, INFERRED_WEIGHT = "inferred", 0.15
"""Word in the note of a measurement whose request is partly inferred, and how much such a row counts."""

BAND_SHARE = 0.9
LEAST_BAND_ROWS, LEAST_CROWD_ROWS = 12, 60
"""Rows that a band needs; more where a single run with a limit it does not state would decide the band of waiting."""
MARGINS = {
    "{engine}|{architecture}": 0.15, "{engine}|{crowd}": 0.15, "{engine}|{family}": 0.2, "{engine}": 0.3,
    "{crowd}": 0.3, "*": 0.4,
}  # fmt: skip
"""Least half-width of a band: what sources of one regime differ by, more where the scope covers unseen cards."""
SPREAD = {"decode": 1.0, "output": 1.2, "tpot": 1.3, "prefill": 1.3, "ttft": 2.5}
"""How much more one quantity scatters between sources than decode does."""

QUANTITIES: Mapping[str, tuple[str, float, str]] = {
    "serving.decode_tokens_per_s_per_user": ("decode_tokens_per_s_per_user", 1.0, "decode"),
    "serving.prefill_tokens_per_s": ("prefill_tokens_per_s", 1.0, "prefill"),
    "serving.output_tokens_per_s": ("output_tokens_per_s", 1.0, "output"),
    "serving.tpot_ms": ("tpot_s", 1e3, "tpot"),
    "serving.ttft_ms": ("ttft_s", 1e3, "ttft"),
}
"""Measured quantity -> the graph's quantity, its factor, and the band that its residuals make."""


@dataclass(frozen=True, slots=True)
class Fit:
    """What is fitted: scope templates, the widest first, each with the tolerance of its factor in the logarithm.

    A scope's factor is the product of its own and those of the wider scopes, so that a card with few rows, or none,
    takes what the engine's other cards say.
    """

    levels: tuple[tuple[str, float], ...]


ENGINE, FORMAT = "{engine}", "{engine}|{format}"
STACK, STACK_FORMAT, STACK_LINK = "{stack}", "{stack}|{format}", "{link}|{stack}"
ENGINE_ARCHITECTURE, ENGINE_CARD, STACK_CARD = "{engine}|{architecture}", "{engine}|{card}", "{stack}|{card}"
FITS: Mapping[str, Fit] = {
    "weight_stream_fraction": Fit(((STACK_FORMAT, 0.15),)),
    "card_stream_factor": Fit(((STACK_CARD, 0.3), (ENGINE_CARD, 0.4))),
    "cache_stream_fraction": Fit(((STACK, 0.2),)),
    "product_fraction": Fit(((STACK, 0.15), (STACK_FORMAT, 0.15))),
    "card_product_factor": Fit(((STACK_CARD, 0.2),)),
    "expert_product_factor": Fit(((STACK, 0.3),)),
    "expert_half_tokens": Fit(((STACK, 0.4),)),
    "expert_stream_factor": Fit(((STACK, 0.15), (ENGINE, 0.1))),
    "attention_fraction": Fit(((STACK, 0.25),)),
    "layer_seconds": Fit(((STACK, 0.12), (ENGINE_ARCHITECTURE, 0.6))),
    "format_layer_seconds": Fit(((FORMAT, 1.0),)),
    "moe_layer_seconds": Fit(((STACK, 0.15), (ENGINE, 0.15), (FORMAT, 0.7))),
    "latent_layer_seconds": Fit(((STACK, 0.3),)),
    "step_seconds": Fit(((STACK, 0.4),)),
    "sequence_seconds": Fit(((STACK, 0.4), (ENGINE, 0.2))),
    "reduce_seconds": Fit(((STACK_LINK, 0.2),)),
    "link_fraction": Fit(((STACK_LINK, 0.2),)),
    "prefill_layer_seconds": Fit(((STACK, 0.3), (ENGINE, 0.4))),
    "prefill_moe_layer_seconds": Fit(((STACK, 0.6),)),
    "prefill_latent_layer_seconds": Fit(((STACK, 0.6),)),
    "copied_cache_passes": Fit(((ENGINE, 0.7),)),
    "mixing_fraction": Fit(((STACK, 0.1),)),
    "burst_share": Fit(((STACK, 0.6), (ENGINE, 0.3))),
    "burst_power": Fit(((STACK, 0.1),)),
    "delivery_steps": Fit(((ENGINE, 0.7),)),
}
"""What engines share gets a small tolerance, what one source alone shows (a card under an engine) a large one: a quirk
of one source stays where it was seen and does not move what unseen cards and engines read. Chosen by leaving whole
sources out."""
LEAST_ROWS = 6
"""Rows that a scope needs before it gets a factor of its own."""

Read = Callable[[str], EstimateRequest]
"""A request from the JSON text of a measurement; raises UserError."""


@dataclass(frozen=True, slots=True)
class Data:
    """Measurements with the columns of their requests."""

    measurements: tuple[Measurement, ...]
    rows: tuple[ServingRow, ...]
    table: InputTable
    log_measured: np.ndarray

    @property
    def sources(self) -> list[str]:
        """The source of each row."""
        return [m.evidence.source for m in self.measurements]

    @property
    def regimes(self) -> list[tuple[str, str, str]]:
        """Source, engine and architecture of each row: what another source of a known engine may not share."""
        pairs = zip(self.sources, self.rows, strict=True)
        return [(source, row.scopes["engine"], row.scopes["architecture"]) for source, row in pairs]


def calibrate_serving(
    measurements: Sequence[Measurement], read: Read, coefficients: CoefficientSet
) -> list[Coefficient]:
    """The fitted rows of the group `serving`: parameters and bands.

    Args:
        coefficients: the present set; fitted rows in it are ignored, all others are priors.
    """
    priors = CoefficientSet.of(r for r in coefficients.rows if r.group != GROUP or not is_fitted(r))
    data = gather(measurements, read, priors)
    fitted, residuals = fit_parameters(data, np.ones(len(data.rows), dtype=bool))
    held_out = _held_out_residuals(data, fitted, data.regimes)
    rows = _told(data, fitted, priors)
    return [*rows, *_bands(data, residuals, held_out)]


def held_out_scores(
    measurements: Sequence[Measurement], read: Read, coefficients: CoefficientSet
) -> list[SourceScore]:
    """Scores where the parameters were fitted without the source they are scored on."""
    priors = CoefficientSet.of(r for r in coefficients.rows if r.group != GROUP or not is_fitted(r))
    data = gather(measurements, read, priors)
    fitted, _ = fit_parameters(data, np.ones(len(data.rows), dtype=bool))
    comparisons = []
    for m, residual in zip(data.measurements, _held_out_residuals(data, fitted, data.sources), strict=True):
        predicted = m.value * float(np.exp(residual))
        comparisons.append(Comparison(m.evidence.source, m.quantity, m.value, predicted, None, None))
    return score(comparisons)


def gather(measurements: Sequence[Measurement], read: Read, coefficients: CoefficientSet) -> Data:
    """The measurements a fit can use, with the columns of their requests."""
    kept, rows = [], []
    for measurement in measurements:
        if measurement.quantity not in QUANTITIES:
            continue
        try:
            rows.append(serving_row(read(measurement.request), coefficients))
        except UserError:
            continue
        kept.append(measurement)
    return Data(tuple(kept), tuple(rows), stacked(rows), np.log([m.value for m in kept]))


def fit_parameters(
    data: Data, used: np.ndarray, near: Sequence[Fitted] = ()
) -> tuple[list[Fitted], np.ndarray]:
    """Fitted parameters over the `used` rows, and the log residuals of all rows with them.

    Args:
        near: the parameters of a fit over other rows, to start from.
    """
    parameters = _parameters(data, used)
    known = {(f.parameter.name, f.parameter.scope): f.own for f in near}
    start = np.array([known.get((p.name, p.scope), 0.0) for p in parameters])
    predict = _predictor(data, parameters)
    weights = _weights(data, used)
    fitted = fit(parameters, data.log_measured, weights, predict, rounds=5 if near else 12, start=start)
    return fitted, predict(np.array([f.own for f in fitted])) - data.log_measured


def _predictor(data: Data, parameters: Sequence[Parameter]) -> Predict:
    """Log predictions of all rows: each row's coefficients are priors times the factors of its scopes."""
    count = len(data.rows)
    columns = {
        n: np.broadcast_to(np.asarray(c, dtype=float), (count,)) for n, c in data.table.columns.items()
    }
    priors = {p.name: columns[p.name].copy() for p in parameters}
    wanted = tuple(dict.fromkeys(q[0] for q in QUANTITIES.values()))
    asked = [QUANTITIES[m.quantity] for m in data.measurements]
    places = np.array([wanted.index(q[0]) for q in asked])
    factors = np.array([q[1] for q in asked])

    def predict(theta: np.ndarray) -> np.ndarray:
        changed = {n: c.copy() for n, c in priors.items()}
        for parameter, own in zip(parameters, np.exp(theta), strict=True):
            changed[parameter.name][parameter.rows] *= own
        values = serving_graph().evaluate({**columns, **changed}, wanted)
        table = np.stack([np.broadcast_to(values[name], (count,)) for name in wanted])
        logs: np.ndarray = np.log(factors * table[places, np.arange(count)])
        return logs

    return predict


def _parameters(data: Data, used: np.ndarray) -> list[Parameter]:
    """A factor for each scope with enough rows that are not the rows of a wider scope of the same coefficient."""
    parameters: list[Parameter] = []
    for name in FITS:
        first = len(parameters)
        for scope, tolerance, rows in _scopes(data, name):
            wider = _wider(parameters, first, rows)
            known = any(parameters[i].rows.size == rows.size for i in wider)
            if not known and int(used[rows].sum()) >= LEAST_ROWS:
                prior = float(np.median(_column(data, name)[rows]))
                parameters.append(Parameter(name, scope, prior, tolerance, rows, wider))
    return parameters


def _scopes(data: Data, name: str) -> Iterator[tuple[str, float, np.ndarray]]:
    """The scopes of one coefficient with the tolerance of their factor and their rows, the widest first."""
    seen: set[str] = set()
    for template, tolerance in FITS[name].levels:
        groups: dict[str, list[int]] = defaultdict(list)
        for i, row in enumerate(data.rows):
            groups[template.format_map(row.scopes)].append(i)
        positive = _column(data, name) > 0
        for scope, places in groups.items():
            rows = np.array(places)
            if positive[rows].all() and scope not in seen:
                seen.add(scope)
                yield scope, tolerance, rows


def _wider(parameters: Sequence[Parameter], first: int, rows: np.ndarray) -> tuple[int, ...]:
    """Places of the parameters from `first` on that all of these rows carry."""
    return tuple(i for i in range(first, len(parameters)) if np.isin(rows, parameters[i].rows).all())


def _column(data: Data, name: str) -> np.ndarray:
    return np.broadcast_to(np.asarray(data.table.columns[name], dtype=float), (len(data.rows),))


def _weights(data: Data, used: np.ndarray) -> np.ndarray:
    """Rows of a crowded regime weigh less: a regime of n rows counts as n to the power of 1 - `WEIGHT_POWER`."""
    keys = [
        (m.quantity, m.evidence.source, r.scopes["engine"], r.scopes["architecture"], r.scopes["format"])
        for m, r in zip(data.measurements, data.rows, strict=True)
    ]
    sizes = Counter(k for k, u in zip(keys, used, strict=True) if u)
    grades = [INFERRED_WEIGHT if INFERRED in m.note else 1.0 for m in data.measurements]
    return np.array(
        [g * sizes[k] ** -WEIGHT_POWER if u else 0.0 for k, u, g in zip(keys, used, grades, strict=True)]
    )


def _held_out_residuals(data: Data, fitted: Sequence[Fitted], groups: Sequence[object]) -> np.ndarray:
    """Log residuals of every group of rows with parameters fitted on the others."""
    residuals = np.empty(len(data.rows))
    places = {group: i for i, group in enumerate(dict.fromkeys(groups))}
    members = np.array([places[group] for group in groups])
    for place in places.values():
        mine = members == place
        residuals[mine] = fit_parameters(data, ~mine, fitted)[1][mine]
    return residuals


def _told(data: Data, fitted: Sequence[Fitted], priors: CoefficientSet) -> list[Coefficient]:
    """Rows of the scopes that say something else than what their requests would read without them."""
    templates = {item.name: item.scopes for item in COEFFICIENT_INPUTS}
    told: list[Coefficient] = []
    read = priors
    for name in FITS:
        mine = [f for f in fitted if f.parameter.name == name]
        least = PRUNE_TIMES if name.endswith("_seconds") else PRUNE
        for scope, _, rows in _scopes(data, name):
            factors = [f.own for f in mine if np.isin(rows, f.parameter.rows).all()]
            value = float(np.median(_column(data, name)[rows]) * np.exp(sum(factors)))
            words = {tuple(t.format_map(data.rows[i].scopes) for t in templates[name]) for i in rows}
            row = _coefficient(name, scope, value, rows.size)
            with_it = read.with_rows([row])
            moved = [np.log(with_it.value(GROUP, name, *w) / read.value(GROUP, name, *w)) for w in words]
            if np.abs(moved).max() > least:
                told.append(row)
                read = with_it
    return told


def _coefficient(name: str, scope: str, value: float, row_count: int) -> Coefficient:
    unit = next(c.input.unit for c in COEFFICIENT_INPUTS if c.name == name)
    return Coefficient(
        group=GROUP, name=name, scope=scope, value=value, unit=unit,
        evidence=Evidence(SEED, "2026-12", EvidenceKind.CALCULATED), note=f"{FITTED}{row_count} rows",
    )  # fmt: skip


def _bands(data: Data, residuals: np.ndarray, held_out: np.ndarray) -> list[Coefficient]:
    """Bands by regime, half from the residuals of the fit, half from fits without the regime.

    A new source of a known regime lies between the two. A band is never narrower than `MARGINS`: what another source
    of the same regime differs by.
    """
    rows = []
    for name in dict.fromkeys(q[2] for q in QUANTITIES.values()):
        mine = np.array([QUANTITIES[m.quantity][2] == name for m in data.measurements])
        groups: dict[tuple[str, str], list[int]] = defaultdict(list)
        for i in np.flatnonzero(mine):
            for template in (*band_scopes(name), "*"):
                groups[template, template.format_map(data.rows[i].scopes)].append(int(i))
        for (template, scope), places in groups.items():
            least = LEAST_CROWD_ROWS if "{crowd}" in template else LEAST_BAND_ROWS
            if len(places) < least and scope != "*":
                continue
            both = (residuals, held_out) if template != "*" else (held_out,)
            chosen = np.concatenate([r[places] for r in both])
            low, high = shortest_band_factors(chosen[np.isfinite(chosen)], BAND_SHARE)
            margin = MARGINS[template] * SPREAD[name]
            rows.append(
                Coefficient(
                    group=GROUP, name=f"band_{name}", scope=scope, value=1.0,
                    low=min(low, 1 / (1 + margin)), high=max(high, 1 + margin),
                    evidence=Evidence(SEED, "2026-12", EvidenceKind.CALCULATED),
                    note=f"{FITTED}{len(places)} rows",
                )
            )  # fmt: skip
    return rows
