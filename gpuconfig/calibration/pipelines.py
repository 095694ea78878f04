"""Fits the coefficients of image, video and vision models to the shipped measurements, group by group."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpuconfig.calibration.coefficient_files import FITTED, is_fitted
from gpuconfig.calibration.relative_fit import Fitted, Parameter, band_factors, fit
from gpuconfig.calibration.source_score import Comparison, SourceScore, score
from gpuconfig.engine.catalogue.record import Coefficient, Measurement
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.engine.estimation.diffusion.estimate import BAND_SCOPES as DIFFUSION_BANDS
from gpuconfig.engine.estimation.diffusion.estimate import diffusion_graph
from gpuconfig.engine.estimation.diffusion.inputs import COEFFICIENTS as DIFFUSION_COEFFICIENTS
from gpuconfig.engine.estimation.diffusion.table import diffusion_row
from gpuconfig.engine.estimation.graph import Graph, InputTable
from gpuconfig.engine.estimation.vision.estimate import BAND_SCOPES as VISION_BANDS
from gpuconfig.engine.estimation.vision.estimate import vision_graph
from gpuconfig.engine.estimation.vision.table import COEFFICIENTS as VISION_COEFFICIENTS
from gpuconfig.engine.estimation.vision.table import HALF, vision_row
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.evidence import Evidence, EvidenceKind
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.engine.workloads.serving import VisionWorkload

PRUNE = 0.03
WEIGHT_POWER = 0.4
Read = Callable[[str], EstimateRequest]


@dataclass(frozen=True, slots=True)
class Fit:
    """Scope templates, the most special first, the prior's tolerance in the logarithm, rows a parameter needs.

    Attributes:
        network: the only kind of network it is fitted for; empty for every one.
    """

    scopes: tuple[str, ...]
    tolerance: float
    least_rows: int = 3
    network: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """What is fitted of one group of coefficients.

    Attributes:
        quantities: measured quantity -> quantity of the graph.
        opened: a request with a setting left open that measurements name and most people do not: it is not fitted,
            but the band of such requests comes from it. None where nothing was named.
        band: name of the band's coefficient; `inverse` quantities are rates where the band is of times.
    """

    group: str
    tasks: tuple[str, ...]
    row: Callable[[EstimateRequest, CoefficientSet], Any]
    graph: Callable[[], Graph]
    coefficients: Sequence[tuple[str, str, str, tuple[str, ...]]]
    quantities: Mapping[str, str]
    inverse: frozenset[str]
    fits: Mapping[str, Fit]
    band: str
    band_scopes: tuple[str, ...]
    opened: Callable[[EstimateRequest], EstimateRequest | None] = lambda _: None


def without_engine(request: EstimateRequest) -> EstimateRequest | None:
    """The same training in 16 bit without the engine named, None where none was or where it changes nothing."""
    work = request.workload
    if (
        not isinstance(work, VisionWorkload)
        or not work.training
        or not work.engine
        or work.precision not in HALF
    ):
        return None
    return replace(request, workload=replace(work, engine=None))


DIFFUSION = Pipeline(
    group="diffusion", tasks=("image", "video"), row=diffusion_row, graph=diffusion_graph,
    coefficients=DIFFUSION_COEFFICIENTS,
    quantities={
        "image.seconds_per_image": "seconds_per_image", "image.iterations_per_s": "iterations_per_s",
        "video.seconds_per_clip": "seconds_per_clip",
    },
    inverse=frozenset({"image.iterations_per_s"}),
    fits={
        # A convolution's share of the peak shows on consumer cards alone, of which few sources speak: it stays assumed.
        "product_fraction": Fit(("{network}|{precision}|{compiled}", "{network}"), 0.3, network="dit"),
        "attention_fraction": Fit(("{program}|{architecture}", "{family}"), 0.3),
        "saturation_flops": Fit(("{network}|{precision}",), 0.3),
        "card_fraction": Fit(("{architecture}",), 0.15, least_rows=2),
        "flop_per_byte": Fit(("{body}|{compiled}",), 0.35),
        "launch_seconds": Fit(("{network}|{compiled}",), 0.5),
        "step_overhead_seconds": Fit(("{engine}|{precision}|{compiled}", "{engine}|{compiled}"), 1.5),
        "link_fraction": Fit(("{link}",), 0.4),
        "exchange_seconds": Fit(("{link}",), 0.7),
        "vae_flop_per_pixel": Fit(("{vae}",), 0.5),
    },
    band="band_time", band_scopes=DIFFUSION_BANDS,
)  # fmt: skip
VISION = Pipeline(
    group="vision", tasks=("vision",), row=vision_row, graph=vision_graph,
    coefficients=VISION_COEFFICIENTS, quantities={"vision.samples_per_s": "samples_per_s"}, inverse=frozenset(),
    fits={
        "product_fraction": Fit(("{mode}|{network}",), 0.3),
        "saturation_flops": Fit(("{mode}|{network}|{precision}",), 0.4),
        "traffic_fraction": Fit(("{mode}|{architecture}",), 0.25),
        "precision_traffic": Fit(("{mode}|{precision}",), 0.3),
        "inference_passes": Fit(("{network}|{launcher}",), 0.5),
        "training_passes": Fit(("{name}",), 0.4, least_rows=2),
        "launch_seconds": Fit(("{mode}|{launcher}",), 0.7),
        "channels_last_traffic": Fit(("{mode}|{network}|{precision}",), 0.3),
        "straggler_share": Fit(("*",), 0.7),
        "flop_per_joule": Fit(("{architecture}",), 0.1),
    },
    band="band_samples", band_scopes=VISION_BANDS, opened=without_engine,
)  # fmt: skip
PIPELINES = (DIFFUSION, VISION)


@dataclass(frozen=True, slots=True)
class _Data:
    """Rows of requests; `as_stated` is false for those that leave a setting open, which are not fitted."""

    measurements: tuple[Measurement, ...]
    rows: tuple[Any, ...]
    as_stated: np.ndarray
    columns: dict[str, np.ndarray]
    log_measured: np.ndarray


def calibrate_pipeline(
    pipeline: Pipeline, measurements: Sequence[Measurement], read: Read, coefficients: CoefficientSet
) -> list[Coefficient]:
    """The fitted rows of one group: parameters and bands; fitted rows of the present set are ignored."""
    priors = CoefficientSet.of(r for r in coefficients.rows if r.group != pipeline.group or not is_fitted(r))
    data = _gather(pipeline, measurements, read, priors)
    fitted, residuals = _fit(pipeline, data, data.as_stated)
    held_out = _held_out(pipeline, data)
    rows = [_coefficient(pipeline, f) for f in fitted if abs(np.log(f.value / f.parameter.prior)) > PRUNE]
    return [*rows, *_bands(pipeline, data, residuals, held_out)]


def held_out_scores(
    pipeline: Pipeline, measurements: Sequence[Measurement], read: Read, coefficients: CoefficientSet
) -> list[SourceScore]:
    """Scores where the parameters were fitted without the source they are scored on."""
    priors = CoefficientSet.of(r for r in coefficients.rows if r.group != pipeline.group or not is_fitted(r))
    data = _gather(pipeline, measurements, read, priors)
    found = zip(data.measurements, _held_out(pipeline, data), data.as_stated, strict=True)
    return score(
        [
            Comparison(m.evidence.source, m.quantity, m.value, m.value * float(np.exp(r)), None, None)
            for m, r, as_stated in found
            if as_stated
        ]
    )


def _gather(
    pipeline: Pipeline, measurements: Sequence[Measurement], read: Read, coefficients: CoefficientSet
) -> _Data:
    kept: list[Measurement] = []
    rows: list[Any] = []
    as_stated: list[bool] = []
    for measurement in measurements:
        if measurement.quantity not in pipeline.quantities:
            continue
        try:
            request = read(measurement.request)
            asked = [r for r in (request, pipeline.opened(request)) if r is not None]
            found = [pipeline.row(r, coefficients) for r in asked]
        except UserError:
            continue
        rows.extend(found)
        as_stated.extend(r is request for r in asked)
        kept.extend([measurement] * len(found))
    table = InputTable.stacked([InputTable(r.columns) for r in rows])
    return _Data(
        tuple(kept), tuple(rows), np.array(as_stated), dict(table.columns), np.log([m.value for m in kept])
    )


def _fit(pipeline: Pipeline, data: _Data, used: np.ndarray) -> tuple[list[Fitted], np.ndarray]:
    parameters = _parameters(pipeline, data, used)
    columns = {name: data.columns[name].copy() for name in {p.name for p in parameters}}

    def predict(theta: np.ndarray) -> np.ndarray:
        for parameter, own in zip(parameters, theta, strict=True):
            columns[parameter.name][parameter.rows] = parameter.prior * np.exp(own)
        return _log_predictions(pipeline, data, {**data.columns, **columns})

    fitted = fit(parameters, data.log_measured, _weights(data, used), predict, rounds=15)
    return fitted, predict(np.array([f.own for f in fitted])) - data.log_measured


def _log_predictions(pipeline: Pipeline, data: _Data, columns: Mapping[str, np.ndarray]) -> np.ndarray:
    values = pipeline.graph().evaluate(columns, tuple(dict.fromkeys(pipeline.quantities.values())))
    names = [pipeline.quantities[m.quantity] for m in data.measurements]
    return np.log([values[name][i] for i, name in enumerate(names)])


def _parameters(pipeline: Pipeline, data: _Data, used: np.ndarray) -> list[Parameter]:
    parameters = []
    for name, what in pipeline.fits.items():
        if name not in data.columns:
            continue
        taken = np.array([bool(what.network) and r.scopes["network"] != what.network for r in data.rows])
        for template in what.scopes:
            groups: dict[str, list[int]] = defaultdict(list)
            for i, row in enumerate(data.rows):
                if not taken[i]:
                    groups[template.format_map(row.scopes)].append(i)
            for scope, places in groups.items():
                rows = np.array(places)
                prior = float(np.median(data.columns[name][rows]))
                if int(used[rows].sum()) < what.least_rows or not prior > 0:
                    continue
                taken[rows] = True
                parameters.append(Parameter(name, scope, prior, what.tolerance, rows))
    return parameters


def _weights(data: _Data, used: np.ndarray) -> np.ndarray:
    keys = [
        (m.quantity, m.evidence.source, r.scopes["architecture"], r.scopes["precision"], r.scopes["compiled"])
        for m, r in zip(data.measurements, data.rows, strict=True)
    ]
    sizes = Counter(k for k, u in zip(keys, used, strict=True) if u)
    return np.array([sizes[k] ** -WEIGHT_POWER if u else 0.0 for k, u in zip(keys, used, strict=True)])


def _held_out(pipeline: Pipeline, data: _Data) -> np.ndarray:
    sources = np.array([m.evidence.source for m in data.measurements])
    residuals = np.empty(len(data.rows))
    for source in dict.fromkeys(sources):
        used = data.as_stated & (sources != source)
        residuals[sources == source] = _fit(pipeline, data, used)[1][sources == source]
    return residuals


def _coefficient(pipeline: Pipeline, fitted: Fitted) -> Coefficient:
    unit = next(u for n, _, u, _ in pipeline.coefficients if n == fitted.parameter.name)
    return Coefficient(
        group=pipeline.group, name=fitted.parameter.name, scope=fitted.parameter.scope, value=fitted.value, unit=unit,
        evidence=_evidence(pipeline), note=f"{FITTED}{fitted.row_count} rows",
    )  # fmt: skip


def _bands(pipeline: Pipeline, data: _Data, residuals: np.ndarray, held_out: np.ndarray) -> list[Coefficient]:
    sign = np.array([-1.0 if m.quantity in pipeline.inverse else 1.0 for m in data.measurements])
    groups: dict[str, list[int]] = defaultdict(list)
    for i, row in enumerate(data.rows):
        for template in pipeline.band_scopes:
            groups[template.format_map(row.scopes)].append(i)
        groups["*"].append(i)
    rows = []
    for scope, places in groups.items():
        if (len(places) < 10 and scope != "*") or _narrowed_by_one_source(scope, groups, data):
            continue
        both = np.concatenate([residuals[places], held_out[places]]) * np.tile(sign[places], 2)
        low, high = band_factors(both[np.isfinite(both)])
        low, high = min(low, 1.0), max(high, 1.0)
        rows.append(
            Coefficient(
                group=pipeline.group, name=pipeline.band, scope=scope, value=1.0, low=low, high=high,
                evidence=_evidence(pipeline), note=f"{FITTED}{len(places)} rows",
            )
        )  # fmt: skip
    return rows


def _narrowed_by_one_source(scope: str, groups: Mapping[str, Sequence[int]], data: _Data) -> bool:
    """A scope that one source alone fills, inside one that several fill: it does not show how sources differ."""
    parent = groups.get(scope.rpartition("|")[0])
    if parent is None:
        return False
    return _sources(groups[scope], data) == 1 < _sources(parent, data)


def _sources(places: Sequence[int], data: _Data) -> int:
    return len({data.measurements[i].evidence.source for i in places})


def _evidence(pipeline: Pipeline) -> Evidence:
    files = ", ".join(f"db/seed/measurements/{task}.csv" for task in pipeline.tasks)
    return Evidence(files, "2026-12", EvidenceKind.CALCULATED)
