"""A bench on the bundled catalogue, built once."""

from collections.abc import Iterator

import pytest

from gpuconfig.storage.build import build
from gpuconfig.storage.repository import open_catalogue
from tests.estimation.memory.memory_bench import Bench


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    path = tmp_path_factory.mktemp("memory") / "catalogue.sqlite"
    build(path)
    catalogue = open_catalogue(path)
    yield Bench(catalogue)
    catalogue.close()
