"""A disk that is full, simulated by the limit that the system sets on the size of files."""

import subprocess
import sys
from pathlib import Path

import pytest

from gpuconfig import app
from gpuconfig.engine.catalogue.vocabulary import Kind

FIXTURE = Path(__file__).parents[2] / "exchange" / "fixtures" / "buildcores_300.tar.xz"
SCRIPT = """
import resource, signal, sys
from pathlib import Path
from gpuconfig.app import services
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.provenance.evidence import Evidence
from gpuconfig.exchange.write_table import export_items
s = services(Path(sys.argv[1]))
desk = s.desk()
desk.items.save(Kind.ACCELERATOR, "nvidia-rtx-4090-24", {"tdp_w": "440 W"}, Evidence("before"))
plan = desk.imports.plan(desk.imports.open(Path(sys.argv[2])))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
try:
    desk.imports.apply(plan)
    print("written")
except DataError as error:
    print(error.code)
try:
    export_items(Path(sys.argv[3]), Kind.ACCELERATOR, s.catalogue().accelerators())
    print("written")
except OSError:
    print("refused")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of file sizes are POSIX")
@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_nothing_half_written(tmp_path, ending):
    overlay, table = tmp_path / "overlay.sqlite", tmp_path / f"cards.{ending}"
    table.write_text("what was there")
    command = [sys.executable, "-c", SCRIPT, str(overlay), str(FIXTURE), str(table)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    said = done.stdout.split()
    assert said[0] == "unusable", done
    if ending == "csv":
        assert said[1] == "refused"
    if said[1] == "refused":
        assert table.read_text() == "what was there"
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.endswith(".part")) == []
    services = app.services(overlay)
    assert services.catalogue().accelerator("nvidia-rtx-4090-24").tdp_w == 440.0
    assert len(services.desk().history.steps()) == 1
    assert not any(item.id.startswith("bc-") for item in services.catalogue().parts(Kind.CPU))
