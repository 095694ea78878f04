"""Papers and the why panel print the titles of quantities and inputs: each has its Chinese."""

from __future__ import annotations

import pytest

from gpuconfig.engine.estimation.diffusion import estimate as diffusion
from gpuconfig.engine.estimation.graph import Graph
from gpuconfig.engine.estimation.memory import graph as memory
from gpuconfig.engine.estimation.serving import graph as serving
from gpuconfig.engine.estimation.training import graph as training
from gpuconfig.engine.estimation.vision import estimate as vision
from gpuconfig.engine.pricing import case
from gpuconfig.i18n import Language, load
from gpuconfig.i18n.sources import source_parts, source_words

ZH = load(Language.ZH)
GRAPHS = {
    "memory": memory.memory_graph,
    "training": training.training_graph,
    "serving": serving.serving_graph,
    "diffusion": diffusion.diffusion_graph,
    "vision": vision.vision_graph,
    "cost": case.cost_graph,
}


@pytest.mark.parametrize("name", GRAPHS)
def test_titles_of_quantities_and_inputs_are_translated(name: str) -> None:
    graph: Graph = GRAPHS[name]()
    titles = [item.title for item in graph.quantities.values()]
    titles += [item.title for item in graph.inputs.values()]
    assert len(titles) > 10
    assert [title for title in titles if ZH.gettext(title) == title] == []


def test_addresses_stay_and_recorded_words_are_translated() -> None:
    assert source_words("https://arxiv.org/abs/2302.05543; prior of the fit", ZH) == (
        "https://arxiv.org/abs/2302.05543; 拟合时的先验值"
    )
    assert source_parts(" convention ;; assumed", load(Language.EN)) == [
        ("convention", "convention"),
        ("assumed", "assumed"),
    ]
