"""Everything a paper is written from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date

from gpuconfig.documents.bill import TaxRule
from gpuconfig.documents.kinds import DocumentKind
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.pricing.study import CostStudy
from gpuconfig.engine.provenance.explanation import Explanation
from gpuconfig.engine.quantities.money import ExchangeRate
from gpuconfig.engine.selection.recommendation import Option, Recommendation
from gpuconfig.engine.selection.request import RecommendRequest
from gpuconfig.engine.workloads.request import EstimateRequest
from gpuconfig.i18n import Language
from gpuconfig.project.document import Project
from gpuconfig.settings import Organisation


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What only the buyer or the seller can say; the empty text prints a line to be filled in by hand."""

    applicant: str = ""
    needed_by: str = ""
    urgency: str = ""
    purpose: str = ""
    existing: str = ""
    budget_item: str = ""
    funding: str = ""
    payment: str = ""
    delivery: str = ""
    lead_time: str = ""
    warranty: str = ""
    acceptance: str = ""
    service: str = ""
    invoice: str = ""
    remarks: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentContext:
    """One paper to be written.

    Attributes:
        second_language: laid beside the first, text by text; None for one language.
        option: the chosen option; None where nothing fits: only then a paper says so and offers no machine.
        organisation: who buys and for whom the paper is written.
        seller: who offers; None or nameless where not given.
        number: document number; empty: made of the kind and the day of issue.
        explain: the tree behind a figure of an estimate, by the quantity's name.
        oldest_price: ISO day of the oldest price in the total; None: taken from the option.
        tax: None: the rate is not stated and tax neither added nor split off.
        rate: the exchange rate that converted prices were made with, if any were.
        cards: accelerators of the card comparison; none: those of the options.
        prices_frozen: the prices are agreed: no draft watermark.
        study: what the chosen option costs over the years, against renting; None: only its total is known.
    """

    kind: DocumentKind
    language: Language
    second_language: Language | None = None
    project: Project
    request: RecommendRequest
    recommendation: Recommendation
    option: Option | None
    organisation: Organisation
    seller: Organisation | None = None
    number: str = ""
    revision: int = 1
    issued: date
    valid_until: date | None = None
    explain: Callable[[EstimateRequest, str], Explanation]
    versions: Mapping[str, str] = field(default_factory=dict)
    oldest_price: str | None = None
    tax: TaxRule | None = None
    rate: ExchangeRate | None = None
    terms: Terms = Terms()
    cards: tuple[Accelerator, ...] = ()
    prices_frozen: bool = False
    study: CostStudy | None = None

    @property
    def document_number(self) -> str:
        """The number given, or one of the kind and the day."""
        return self.number or f"{self.kind.abbreviation}-{self.issued:%Y%m%d}"

    @property
    def price_date(self) -> str | None:
        """Day of the oldest price, None where not known."""
        return self.oldest_price or (self.option.price.oldest_date if self.option else None)

    @property
    def options(self) -> tuple[Option, ...]:
        """The options compared, the chosen one among them."""
        shown = self.recommendation.options
        if self.option is not None and self.option not in shown:
            return (self.option, *shown)
        return shown
