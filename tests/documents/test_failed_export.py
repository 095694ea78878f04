"""An export that fails leaves the old file and no part of a new one: a full disk, and a process that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pypdf import PdfReader

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits and signals are POSIX")

ROOT = Path(__file__).parents[2]
FULL = """
import resource, signal, sys
from pathlib import Path
from gpuconfig.documents.kinds import DocumentKind
from gpuconfig.documents.write import write_document
from tests.documents import factory
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, 4_000))
try:
    write_document(factory.context(DocumentKind.PROPOSAL), Path(sys.argv[1]))
    print("written")
except OSError as error:
    print(error.errno)
"""
AGAIN = """
import sys
from pathlib import Path
from gpuconfig.documents.kinds import DocumentKind
from gpuconfig.documents.write import _replace, render, write_document
from tests.documents import factory
content = render(factory.context(DocumentKind.BUDGET_ESTIMATE), ".pdf")
print("ready", flush=True)
while True:
    _replace(Path(sys.argv[1]), content)
"""


def run(script: str, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script, *words]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("suffix", [".pdf", ".xlsx", ".md"])
def test_a_full_disk_leaves_the_old_file(tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"paper{suffix}"
    target.write_bytes(b"what was there")
    said, _ = run(FULL, str(target)).communicate(timeout=120)
    assert int(said) > 0
    assert target.read_bytes() == b"what was there"
    assert list(tmp_path.iterdir()) == [target]


def test_a_killed_export_leaves_a_whole_file(tmp_path: Path) -> None:
    target = tmp_path / "paper.pdf"
    whole: set[bytes] = set()
    for turn in range(12):
        with run(AGAIN, str(target)) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline().strip() == "ready"
            time.sleep(0.02 + 0.003 * turn)
            os.kill(writer.pid, signal.SIGKILL)
        if target.exists():
            whole.add(target.read_bytes())
    (content,) = whole  # always the same bytes, never a part of them
    assert content.endswith(b"%%EOF\n")
    assert len(PdfReader(target).pages) >= 1
