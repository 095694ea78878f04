"""The catalogue of the seed, built once a test process."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from gpuconfig.engine.catalogue.repository import Catalogue
from gpuconfig.storage.build import build
from gpuconfig.storage.repository import open_catalogue


@cache
def bundled_catalogue() -> Catalogue:
    """The catalogue as it is shipped."""
    folder = Path(tempfile.mkdtemp(prefix="gpuconfig-catalogue-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = folder / "catalogue.sqlite"
    build(path)
    return open_catalogue(path)
