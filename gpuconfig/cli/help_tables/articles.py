"""The tables of the page on the founding articles' numbers."""

from __future__ import annotations

from gpuconfig.cli.help_tables import article_cards, article_clusters
from gpuconfig.cli.help_tables.asking import asker
from gpuconfig.cli.help_tables.table import Gettext
from gpuconfig.engine.estimation.coefficients import CoefficientSet
from gpuconfig.presentation.services import Services

PAGE = "articles"


def article_blocks(services: Services, gettext: Gettext) -> dict[str, str]:
    """Each table of the page by the name of its place."""
    ask, catalogue = asker(services), services.catalogue()
    coefficients = CoefficientSet.of(
        row for group in catalogue.coefficient_groups() for row in catalogue.coefficients(group)
    )
    large = services.read_estimate(article_clusters.LARGE.request())
    return {
        "six-cards": article_cards.six_cards(ask, catalogue, gettext),
        "four-cards": article_cards.four_cards(ask, catalogue, gettext),
        "per-dollar": article_cards.per_dollar(ask, catalogue, gettext),
        "eight-cards": article_cards.eight_cards(ask, gettext),
        "shares": article_cards.communication_shares(ask, catalogue, gettext),
        "three-dimensions": article_clusters.three_dimensions(large, coefficients, gettext),
        "ways-to-split": article_clusters.ways_to_split(ask, gettext),
        "electricity": article_clusters.electricity(ask, catalogue, gettext),
    }
