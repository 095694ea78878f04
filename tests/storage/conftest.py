"""A catalogue built once from the seed, and an empty overlay."""

from pathlib import Path

import pytest

from gpuconfig.storage.build import build
from gpuconfig.storage.overlay import Overlay
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


@pytest.fixture
def overlay_path(tmp_path) -> Path:
    """Where the user's database will be."""
    return tmp_path / "overlay.sqlite"


@pytest.fixture
def overlay(overlay_path):
    """An empty overlay open for writing."""
    opened = Overlay(overlay_path)
    yield opened
    opened.close()


@pytest.fixture
def merged(bundle, overlay_path):
    """Opens bundle and overlay as a reader does; called again after a change."""
    opened = []

    def read():
        opened.append(open_catalogue(bundle, overlay_path))
        return opened[-1]

    yield read
    for one in opened:
        one.close()
