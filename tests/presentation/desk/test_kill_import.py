"""An import and an edit killed at any moment: nothing committed is lost, no half import stays."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from gpuconfig.storage.overlay import Overlay

FIXTURE = Path(__file__).parents[2] / "exchange" / "fixtures" / "buildcores_300.tar.xz"

WORKER = """
import sys
from pathlib import Path
from gpuconfig.app import services
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.evidence import Evidence
desk = services(Path(sys.argv[1])).desk()
parts = desk.imports.open(Path(sys.argv[2]))
if not desk.history.steps():
    print("ready", flush=True)
    plan = desk.imports.plan(parts)
    print(f"rows {desk.imports.apply(plan)}", flush=True)
else:
    print("ready", flush=True)
watts = 400
while True:
    watts += 1
    desk.items.save(Kind.ACCELERATOR, "nvidia-rtx-4090-24", {"tdp_w": f"{400 + watts % 50} W"}, Evidence("test"))
    desk.history.undo()
    desk.history.redo()
    plan = desk.imports.plan(parts)
    desk.imports.apply(plan)
    desk.history.undo()
    print("round", flush=True)
"""


def killed(path, delay):
    """Start the worker, kill it `delay` seconds after it is ready; what it said was done."""
    command = [sys.executable, "-c", WORKER, str(path), str(FIXTURE)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(delay)
    os.kill(process.pid, signal.SIGKILL)
    said = process.stdout.read().splitlines()
    process.stdout.close()
    process.wait()
    return said


@pytest.mark.parametrize("rounds", [2, pytest.param(200, marks=pytest.mark.long)])
@pytest.mark.timeout(3600)
def test_killed_imports_and_edits_leave_whole_steps(tmp_path, rounds):
    path = tmp_path / "overlay.sqlite"
    chance = random.Random(rounds)
    whole: int | None = None
    imported = False
    for _ in range(rounds):
        said = killed(path, chance.uniform(0, 1.2))
        counted = [int(line.split()[1]) for line in said if line.startswith("rows")]
        imported = imported or bool(counted)
        whole = counted[0] if counted else whole
        if not path.exists():
            assert not imported
            continue
        overlay = Overlay(path)
        steps = overlay.history()
        overlay.close()
        with closing(sqlite3.connect(path)) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            (parts,) = database.execute("SELECT count(*) FROM addition").fetchone()
        imports = [step.changes for step in steps if step.title.startswith("buildcores")]
        assert parts in ((0, whole) if whole else (0, *imports))
        assert len(set(imports)) <= 1, imports
        assert not imported or parts == whole
