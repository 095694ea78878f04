"""Makes the scripts beside the package importable as they are run."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def translations() -> ModuleType:
    """packaging/translations.py."""
    return _load(ROOT / "packaging" / "translations.py")


@pytest.fixture(scope="session")
def fonts() -> ModuleType:
    """packaging/fonts.py."""
    return _load(ROOT / "packaging" / "fonts.py")


@pytest.fixture(scope="session")
def smoke() -> ModuleType:
    """packaging/smoke.py."""
    return _load(ROOT / "packaging" / "smoke.py")


@pytest.fixture
def dev() -> ModuleType:
    """dev.py."""
    return _load(ROOT / "dev.py")
