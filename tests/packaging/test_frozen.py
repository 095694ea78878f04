"""The frozen program works on a stranger's computer: nothing installed, no network, no screen."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = [pytest.mark.long, pytest.mark.timeout(900), pytest.mark.xdist_group("frozen")]


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Path:
    """The frozen program, built from this checkout."""
    folder = tmp_path_factory.mktemp("frozen")
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"]
    command += ["--distpath", str(folder / "dist"), "--workpath", str(folder / "work")]
    subprocess.run([*command, "packaging/gpuconfig.spec"], cwd=ROOT, check=True, timeout=800)
    return folder / "dist" / "gpuconfig" / "gpuconfig"


def test_sample_becomes_a_pdf_without_environment_and_network(program, smoke, tmp_path):
    from pypdf import PdfReader

    done = smoke.run(program, tmp_path, "--headless-demo", str(tmp_path / "demo"), "--lang", "zh")
    assert done.returncode == 0, done.stderr
    papers = list((tmp_path / "demo").glob("*.pdf"))
    assert papers
    text = "".join(page.extract_text() for page in PdfReader(papers[0]).pages)
    assert "7B" in text
    assert sum("\u4e00" <= character <= "\u9fff" for character in text) > 500
    assert list((tmp_path / "demo").glob("*.png"))


def test_formulas_are_readable_in_the_frozen_program(program, smoke, tmp_path):
    """Formulas are shown from source, which a frozen program has only where the spec collects it."""
    request = tmp_path / "request.json"
    request.write_text(
        '{"model": "llama-2-7b", "workload": {"kind": "training", "method": "full"},'
        ' "hardware": {"gpu": "nvidia-a100-sxm4-80", "gpus_per_node": 8}}',
        encoding="utf-8",
    )
    done = smoke.run(program, tmp_path, "explain", str(request), "--json")
    assert done.returncode == 0, done.stderr
    assert '"formula"' in done.stdout
    assert "could not get source code" not in done.stdout + done.stderr


def test_licences_travel_with_the_program(program):
    folder = program.parent / "_internal" / "licences"
    names = {path.name for path in folder.iterdir()}
    assert {"LICENSE", "NOTICE", "LGPL-3.0.txt", "GPL-3.0.txt", "PySide6-Essentials"} <= names
    assert (program.parent / "_internal" / "gpuconfig/bundled/assets/fonts/OFL.txt").is_file()


def test_only_the_needed_part_of_qt_is_bundled(program):
    names = [path.name for path in (program.parent / "_internal" / "PySide6").rglob("*")]
    assert not [name for name in names if "WebEngine" in name or "Qml" in name or "eglfs" in name]
    assert [name for name in names if name == "qtbase_zh_CN.qm"]


def test_preview_and_printing_are_bundled(program):
    """Both are loaded only when a paper is looked at or printed, so a start without them proves nothing."""
    inside = program.parent / "_internal"
    names = [path.name for path in inside.rglob("*")]
    assert [name for name in names if name.startswith("QtPrintSupport.")]
    assert [name for name in names if "Qt6PrintSupport" in name]
    assert [name for name in names if "pdfium" in name and name.endswith((".so", ".dll", ".dylib"))]
    assert "pypdfium2" in (inside / "licences" / "NOTICE").read_text(encoding="utf-8")
