"""What the front ends may call; the application wires it, so that windows never see storage or PDF code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # only names of types: a front end loads what it uses, when it uses it
    from datetime import date
    from pathlib import Path

    from gpuconfig.documents.preview import PagePicture
    from gpuconfig.engine.builds.build import Build
    from gpuconfig.engine.catalogue.accelerator import Accelerator
    from gpuconfig.engine.catalogue.neural_model import NeuralModel
    from gpuconfig.engine.catalogue.repository import Catalogue
    from gpuconfig.engine.catalogue.vocabulary import Kind as PartKind
    from gpuconfig.engine.compatibility.finding import CheckResult
    from gpuconfig.engine.estimation.answer import Estimate
    from gpuconfig.engine.provenance.errors import UserError
    from gpuconfig.engine.provenance.explanation import Explanation
    from gpuconfig.engine.provenance.progress import Progress
    from gpuconfig.engine.selection.alternatives import Alternative
    from gpuconfig.engine.selection.composer.need import NoBuild
    from gpuconfig.engine.selection.composer.upgrade import Upgrade
    from gpuconfig.engine.selection.recommendation import Option, Recommendation
    from gpuconfig.engine.selection.request import RecommendRequest
    from gpuconfig.engine.selection.what_if import Found, WhatIf
    from gpuconfig.engine.workloads.request import EstimateRequest
    from gpuconfig.presentation.desk.desk import CatalogueDesk
    from gpuconfig.project.document import Project
    from gpuconfig.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Callables of the application. Those marked (long) must run off the main thread.

    Attributes:
        catalogue: the catalogue, opened on first use (long the first time).
        read_request: contract JSON of `recommend` to a request; raises InputError naming the field.
        read_estimate: contract JSON of `estimate` to a request; raises InputError.
        read_model: a model by id, contract object or path of a config.json / GGUF; raises InputError.
        recommend: (long) the whole search with progress; raises Cancelled.
        estimate: (long for many) answers in order, errors in place.
        what_if: (request, answer, change) the answer over the machines it composed with other numbers.
        tried: (option, change) the estimate of one option with other numbers; None where it cannot be done so.
        found_values: (request, option) the numbers an option was found with.
        explain: (request, quantity) the tree behind a figure of an estimate.
        explain_price: the tree behind an option's total or one of its lines (`total`, `tco`, a part's id).
        check: findings of a build in the request's environment.
        exchanged: an answer with the machines as the project's `exchanges` change them, priced and checked anew.
        alternatives: (long) for each part of an option's build that can be exchanged, the priced parts that pass
            every rule in its place, each with what it changes in the price, cheapest first.
        upgrade: (long) (build, request, card, count) what changes where so many of the card go into the build as
            a machine one owns, or the rule that forbids it.
        export: (long) kind, project, recommendation, chosen option, language, path: one document, atomically; the
            language is zh, en, or both side by side: zh+en, en+zh.
        pages: (long) path of a PDF, dots per inch, how many pages at most: pictures of the first pages, page count.
        open_project, save_project: read and write project files; atomic; DataError names the file.
        samples: the bundled sample projects, id to project.
        templates: bundled usual cases to start from: scenarios, then budget classes.
        desk: the user's own catalogue: forms, imports, measurements, history; calls that write are (long), and
            what was computed before is stale after them.
    """

    settings: Settings
    today: Callable[[], date]
    catalogue: Callable[[], Catalogue]
    read_request: Callable[[object], RecommendRequest]
    read_estimate: Callable[[object], EstimateRequest]
    read_model: Callable[[object], NeuralModel]
    recommend: Callable[[RecommendRequest, Progress], Recommendation]
    estimate: Callable[[Sequence[EstimateRequest]], list[Estimate | UserError]]
    what_if: Callable[[RecommendRequest, Recommendation, WhatIf], Recommendation]
    tried: Callable[[Option, WhatIf], Estimate | None]
    found_values: Callable[[RecommendRequest, Option], Found]
    explain: Callable[[EstimateRequest, str], Explanation]
    explain_price: Callable[[Option, str], Explanation]
    check: Callable[[Build, RecommendRequest], CheckResult]
    exchanged: Callable[[Recommendation, RecommendRequest, Mapping[str, str]], Recommendation]
    alternatives: Callable[[Build, RecommendRequest], Mapping[PartKind, tuple[Alternative, ...]]]
    upgrade: Callable[[Build, RecommendRequest, Accelerator, int], Upgrade | NoBuild]
    export: Callable[[str, Project, Recommendation, Option, str, Path], None]
    pages: Callable[[Path, float, int], tuple[tuple[PagePicture, ...], int]]
    open_project: Callable[[Path], Project]
    save_project: Callable[[Project, Path], None]
    samples: Callable[[], Mapping[str, Project]]
    templates: Callable[[], Mapping[str, Project]]
    desk: Callable[[], CatalogueDesk]
