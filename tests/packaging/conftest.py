"""Makes the build scripts of packaging/ importable as `dev.py setup` runs them."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

PACKAGING = Path(__file__).parents[2] / "packaging"


@pytest.fixture(scope="session")
def translations() -> ModuleType:
    """packaging/translations.py."""
    spec = importlib.util.spec_from_file_location("translations", PACKAGING / "translations.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
