"""The catalogue that imports are compared with."""

from pathlib import Path

import pytest

from gpuconfig.storage.build import build
from gpuconfig.storage.repository import open_catalogue

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.fixture(scope="session")
def catalogue(tmp_path_factory):
    """The bundled catalogue."""
    path = tmp_path_factory.mktemp("bundle") / "catalogue.sqlite"
    build(path)
    opened = open_catalogue(path)
    yield opened
    opened.close()


@pytest.fixture
def buildcores():
    """300 attributed records of the BuildCores Open Database, its known errors among them."""
    return FIXTURES / "buildcores_300.tar.xz"
