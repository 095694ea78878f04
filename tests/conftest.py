"""What every test shares: no screen, no user folders, no leaked thread. Warnings are errors."""

import os

# Before any import of Qt: without a display Qt would abort the whole run.
os.environ["QT_QPA_PLATFORM"] = "offscreen"

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is no fault of the code; CI tries the same examples each time, a developer new ones.
settings.register_profile("gpuconfig", deadline=None, derandomize=os.environ.get("CI") in ("1", "true"))
settings.load_profile("gpuconfig")

THREAD_PATIENCE_S = 5.0


@pytest.fixture(autouse=True)
def user_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings and data of a person who has just installed the program; the tester's own stay out."""
    folder = tmp_path / "user"
    monkeypatch.setenv("GPUCONFIG_USER_FOLDER", str(folder))
    return folder


@pytest.fixture(autouse=True)
def no_leaked_thread() -> Iterator[None]:
    """Fail a test that leaves a thread running: it would work on objects of the next test."""
    before = _threads()
    yield
    deadline = time.monotonic() + THREAD_PATIENCE_S
    while (leaked := _threads() - before) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not leaked, f"threads still running after the test: {sorted(thread.name for thread in leaked)}"


def _threads() -> set[threading.Thread]:
    """Python's threads; Qt keeps those of its pool, which Python sees as dummies, for the next job."""
    return {thread for thread in threading.enumerate() if not isinstance(thread, threading._DummyThread)}
