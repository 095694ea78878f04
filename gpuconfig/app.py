"""The composition root: the only place that wires storage, exchange and documents into the front ends."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from gpuconfig import __version__, paths
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.provenance.progress import Progress
from gpuconfig.engine.provenance.system_errors import refusal
from gpuconfig.presentation.services import Services
from gpuconfig.project.document import Project
from gpuconfig.settings import ORGANISATION, PRICE_SOURCES, SELLER, Organisation, Settings

if TYPE_CHECKING:
    from gpuconfig.documents.preview import PagePicture
    from gpuconfig.engine.builds.build import Build
    from gpuconfig.engine.catalogue.accelerator import Accelerator
    from gpuconfig.engine.catalogue.market import CloudOffer
    from gpuconfig.engine.catalogue.neural_model import NeuralModel
    from gpuconfig.engine.catalogue.repository import Catalogue
    from gpuconfig.engine.catalogue.vocabulary import Kind as PartKind
    from gpuconfig.engine.compatibility.finding import CheckResult
    from gpuconfig.engine.estimation.answer import Estimate
    from gpuconfig.engine.estimation.estimator import Estimator
    from gpuconfig.engine.pricing.study import CostStudy
    from gpuconfig.engine.provenance.errors import UserError
    from gpuconfig.engine.provenance.explanation import Explanation
    from gpuconfig.engine.selection.alternatives import Alternative
    from gpuconfig.engine.selection.composer.need import NoBuild
    from gpuconfig.engine.selection.composer.upgrade import Upgrade
    from gpuconfig.engine.selection.recommendation import Option, Recommendation
    from gpuconfig.engine.selection.request import RecommendRequest
    from gpuconfig.engine.selection.what_if import Found, WhatIf
    from gpuconfig.engine.workloads.request import EstimateRequest
    from gpuconfig.presentation.desk.desk import CatalogueDesk
    from gpuconfig.storage.repository import SqliteCatalogue


def services(overlay: Path | None = None) -> Services:
    """Everything the front ends may call; nothing is opened or imported before it is used.

    Args:
        overlay: the user's own catalogue database; None takes the usual place.
    """
    wiring = _Wiring(overlay)
    return Services(
        settings=Settings(),
        today=date.today,
        catalogue=lambda: wiring.catalogue,
        read_request=wiring.read_request,
        read_estimate=wiring.read_estimate,
        read_model=wiring.read_model,
        recommend=wiring.recommend,
        estimate=wiring.estimate,
        what_if=wiring.what_if,
        tried=wiring.tried,
        found_values=wiring.found_values,
        explain=lambda request, name: wiring.estimator.explain(request, name),
        explain_price=wiring.explain_price,
        check=wiring.check,
        exchanged=wiring.exchanged,
        alternatives=wiring.alternatives,
        upgrade=wiring.upgrade,
        export=wiring.export,
        pages=wiring.pages,
        open_project=wiring.open_project,
        save_project=wiring.save_project,
        samples=lambda: wiring.bundled("samples"),
        templates=lambda: wiring.bundled("templates"),
        desk=lambda: wiring.desk,
    )


def run_window(options: argparse.Namespace) -> int:
    """Open the window, or work through the first sample where `--headless-demo` asks for it."""
    if options.headless_demo:
        from gpuconfig.ui.demo import run_demo

        return run_demo(services(options.database), options.headless_demo, options.lang)
    from gpuconfig.ui.run import run

    return run(services(options.database), options)


def run_command(options: argparse.Namespace) -> int:
    """Run one subcommand."""
    from gpuconfig.cli.run import run

    if isinstance(sys.stdout, TextIOWrapper):
        # JSON is UTF-8 whatever the terminal speaks; half a surrogate pair is written as JSON's own escape
        machine = options.json or getattr(options, "jsonl", None)
        sys.stdout.reconfigure(encoding="utf-8" if machine else None, errors="backslashreplace")
    return run(options, services(options.database), sys.stdout, sys.stderr)


class _Wiring:
    """Adapters opened on first use and kept."""

    def __init__(self, overlay: Path | None) -> None:
        self._overlay = overlay
        self._bundled: dict[str, Mapping[str, Project]] = {}

    @cached_property
    def catalogue(self) -> SqliteCatalogue:
        from gpuconfig.storage.repository import open_catalogue

        return open_catalogue(paths.catalogue(), self._overlay or paths.overlay())

    @cached_property
    def desk(self) -> CatalogueDesk:
        from gpuconfig.presentation.desk.desk import CatalogueDesk
        from gpuconfig.presentation.desk.workplace import Workplace

        overlay = self._overlay or paths.overlay()
        place = Workplace(
            self.catalogue, overlay, date.today, self._forget, lambda: Settings().get(PRICE_SOURCES)
        )
        return CatalogueDesk(
            place, self.read_estimate, lambda requests: self.estimator.without_own().estimate(requests)
        )

    def _forget(self) -> None:
        """Drop what was computed from the catalogue as it was before the user's change."""
        self.__dict__.pop("estimator", None)
        self.__dict__.pop("_rents", None)

    @cached_property
    def estimator(self) -> Estimator:
        from gpuconfig.engine.estimation.estimator import Estimator

        return Estimator.of(self.catalogue, __version__, self.read_estimate)

    def bundled(self, folder: str) -> Mapping[str, Project]:
        """Projects that come with the program, by name of their file."""
        if folder not in self._bundled:
            from gpuconfig.project.files import read_project

            files = sorted((paths.resources() / folder).glob("*.gpuconfig"))
            self._bundled[folder] = {file.stem: read_project(file) for file in files}
        return self._bundled[folder]

    def read_model(self, data: object) -> NeuralModel:
        from gpuconfig.exchange.model_reference import read_model

        return read_model(data, self.catalogue)

    def read_estimate(self, data: object) -> EstimateRequest:
        from gpuconfig.engine.workloads.request import read_request

        return read_request(data, self.read_model, self.catalogue.accelerator)

    def estimate(self, requests: Sequence[EstimateRequest]) -> list[Estimate | UserError]:
        from gpuconfig.engine.estimation.answer import Estimate
        from gpuconfig.engine.workloads.request import Kind

        answers = self.estimator.estimate(requests)
        if all(request.kind is not Kind.TRAINING for request in requests):
            return answers
        from gpuconfig.engine.selection.run_money import with_strategies_and_rent

        offers, known = self._rents, self.estimator.coefficients
        return [
            with_strategies_and_rent(request, answer, offers, known)
            if isinstance(answer, Estimate)
            else answer
            for request, answer in zip(requests, answers, strict=True)
        ]

    @cached_property
    def _rents(self) -> Mapping[str, Sequence[CloudOffer]]:
        """Price lists of each card by its id."""
        found: dict[str, list[CloudOffer]] = {}
        for offer in self.catalogue.cloud_offers():
            found.setdefault(offer.accelerator_id or "", []).append(offer)
        return found

    def read_request(self, data: object) -> RecommendRequest:
        from gpuconfig.engine.selection.request import read_recommend_request

        return read_recommend_request(data, self.read_model)

    def recommend(self, request: RecommendRequest, progress: Progress) -> Recommendation:
        from gpuconfig.engine.selection.recommend import recommend

        started = time.perf_counter()
        answer = recommend(request, self.catalogue, self.estimator, date.today(), progress)
        return replace(answer, seconds=time.perf_counter() - started)

    def what_if(self, request: RecommendRequest, answer: Recommendation, change: WhatIf) -> Recommendation:
        from gpuconfig.engine.selection.what_if import what_if

        return what_if(answer, request, change, self.catalogue, self.estimator, date.today())

    def tried(self, option: Option, change: WhatIf) -> Estimate | None:
        from gpuconfig.engine.selection.what_if import tried

        return tried(option, change, self.estimator)

    def found_values(self, request: RecommendRequest, option: Option) -> Found:
        from gpuconfig.engine.selection.what_if import found_values

        return found_values(option, request, self.catalogue, self.estimator)

    def check(self, build: Build, request: RecommendRequest) -> CheckResult:
        from gpuconfig.engine.compatibility.check import check_build, environment_of

        return check_build(build, environment_of(request.constraints), self.catalogue)

    def exchanged(
        self, answer: Recommendation, request: RecommendRequest, changes: Mapping[str, str]
    ) -> Recommendation:
        from gpuconfig.engine.selection.exchange import exchanged

        return exchanged(answer, request, changes, self.catalogue, self.estimator)

    def alternatives(
        self, build: Build, request: RecommendRequest
    ) -> Mapping[PartKind, tuple[Alternative, ...]]:
        from gpuconfig.engine.compatibility.check import environment_of
        from gpuconfig.engine.pricing.planning import Pricer
        from gpuconfig.engine.selection.alternatives import alternatives_of
        from gpuconfig.engine.selection.recommend import buyer_of

        pricer = Pricer(self.catalogue, buyer_of(request, self.estimator.coefficients))
        return alternatives_of(build, environment_of(request.constraints), self.catalogue, pricer)

    def upgrade(
        self, build: Build, request: RecommendRequest, card: Accelerator, count: int
    ) -> Upgrade | NoBuild:
        from gpuconfig.engine.compatibility.check import environment_of
        from gpuconfig.engine.pricing.planning import Pricer
        from gpuconfig.engine.selection.composer.upgrade import upgrade
        from gpuconfig.engine.selection.recommend import buyer_of

        numbers = self.estimator.coefficients
        pricer = Pricer(self.catalogue, buyer_of(request, numbers))
        place = environment_of(request.constraints)
        return upgrade(build, card, count, place, self.catalogue, numbers, pricer)

    def explain_price(self, option: Option, name: str) -> Explanation:
        from gpuconfig.engine.selection.price_explanation import explain_price

        return explain_price(option, name)

    def export(
        self,
        kind: str,
        project: Project,
        recommendation: Recommendation,
        option: Option,
        language: str,
        path: Path,
    ) -> None:
        from gpuconfig.documents.context import DocumentContext
        from gpuconfig.documents.fields import read_paper_fields
        from gpuconfig.documents.kinds import DocumentKind
        from gpuconfig.documents.pricing import tax_wished
        from gpuconfig.documents.write import write_document
        from gpuconfig.engine.catalogue.accelerator import Accelerator
        from gpuconfig.engine.catalogue.vocabulary import Kind as PartKind
        from gpuconfig.engine.compatibility.finding import with_overrides
        from gpuconfig.engine.provenance.errors import DataError
        from gpuconfig.engine.quantities.money import Currency
        from gpuconfig.engine.workloads.fields import read_choice
        from gpuconfig.i18n import Language

        request = self.read_request(project.request)
        tax_row = self.estimator.coefficients.find("pricing", "tax_rate", request.constraints.region.value)
        named = (self.catalogue.find(PartKind.ACCELERATOR, key) for key in project.compared)
        fields = read_paper_fields(project.paper)
        chosen = replace(option, check=with_overrides(option.check, project.overrides))
        recommendation = recommendation.with_option(option, chosen)  # papers know the chosen one by identity
        first, _, second = language.partition("+")
        context = DocumentContext(
            kind=DocumentKind(read_choice("--document", kind, DocumentKind)),
            language=Language(first),
            second_language=Language(second) if second else fields.second_language,
            number=fields.number,
            revision=fields.revision,
            valid_until=fields.valid_until,
            prices_frozen=fields.prices_frozen,
            terms=fields.terms,
            study=_study(option, recommendation, request, self.catalogue),
            project=project,
            request=request,
            recommendation=recommendation,
            option=chosen,
            organisation=_organisation(project.organisation, "organisation") or Settings().get(ORGANISATION),
            seller=_organisation(project.seller, "seller") or Settings().get(SELLER),
            issued=date.today(),
            explain=self.estimator.explain,
            versions=recommendation.versions,
            rate=self.catalogue.exchange_rate(Currency.USD, Currency.CNY),
            tax=tax_wished(request.cost, tax_row, option.price.tax_included),
            cards=tuple(card for card in named if isinstance(card, Accelerator)),
        )
        try:
            write_document(context, path)
        except OSError as error:
            values = {"file": str(path), "reason": refusal(error)}
            raise DataError("unwritable", Message(N_("{file} cannot be written: {reason}"), values)) from None

    def pages(self, path: Path, dots_per_inch: float, most: int) -> tuple[tuple[PagePicture, ...], int]:
        from gpuconfig.documents.preview import page_pictures

        return page_pictures(path, dots_per_inch, most)

    def open_project(self, path: Path) -> Project:
        from gpuconfig.project.files import read_project

        return read_project(path)

    def save_project(self, project: Project, path: Path) -> None:
        from gpuconfig.project.files import write_project

        write_project(project, path)


def _study(
    option: Option, answer: Recommendation, request: RecommendRequest, catalogue: Catalogue
) -> CostStudy | None:
    """The cost study of what a paper recommends."""
    if option.tco is None or option.tco.case is None:
        return None
    from gpuconfig.engine.pricing.study import cost_study

    rivals = [o.tco.case for o in answer.options if o is not option and o.tco is not None and o.tco.case]
    growth = request.cost.growth_per_year or 0.0
    return cost_study(option.tco.case, option.accelerator, option.count, catalogue, rivals, growth)


def _organisation(given: Mapping[str, str], path: str) -> Organisation | None:
    """The organisation or seller of a project; None where nothing is given.

    Raises:
        InputError: a field that organisations do not have.
    """
    if not given:
        return None
    from gpuconfig.engine.workloads.fields import read_object

    return read_object(Organisation, dict(given), path)
