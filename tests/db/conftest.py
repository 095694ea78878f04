"""A catalogue built once from the seed."""

import pytest

from gpuconfig.storage.build import build
from gpuconfig.storage.repository import open_catalogue


@pytest.fixture(scope="session")
def bundle(tmp_path_factory):
    """The built catalogue."""
    path = tmp_path_factory.mktemp("bundle") / "catalogue.sqlite"
    build(path)
    return path


@pytest.fixture(scope="session")
def catalogue(bundle):
    """The catalogue without an overlay."""
    opened = open_catalogue(bundle)
    yield opened
    opened.close()
