"""Collects the licences of everything a frozen build carries into one folder."""

import shutil
import sysconfig
from importlib.metadata import Distribution, distribution
from pathlib import Path

RUNTIME = (
    "PySide6-Essentials", "shiboken6", "pyqtgraph", "numpy", "reportlab", "pillow", "charset-normalizer",
    "babel", "sqlite-utils", "sqlite-fts4", "click", "click-default-group", "tabulate", "python-dateutil",
    "pluggy", "platformdirs", "openpyxl", "et-xmlfile", "gguf", "tqdm", "PyYAML", "pypdfium2",
)  # fmt: skip
OWN_TEXTS = ("LICENSE", "NOTICE", "packaging/licences/LGPL-3.0.txt", "packaging/licences/GPL-3.0.txt")


def collect(root: Path, target: Path) -> Path:
    """Write `target` afresh: our texts, Qt's, and the licence files of each bundled distribution."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for name in OWN_TEXTS:
        shutil.copyfile(root / name, target / Path(name).name)
    python = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    if python.exists():
        shutil.copyfile(python, target / "Python.txt")
    for name in RUNTIME:
        _copy_texts(distribution(name), target / name)
    return target


def _copy_texts(found: Distribution, target: Path) -> None:
    texts = [file for file in found.files or () if _is_licence(Path(str(file)))]
    target.mkdir()
    for number, file in enumerate(texts):
        prefix = f"{number}-" if number else ""
        shutil.copyfile(Path(str(found.locate_file(file))), target / (prefix + Path(str(file)).name))
    stated = found.metadata.get("License-Expression") or found.metadata.get("License") or "see the files here"
    (target / "STATED.txt").write_text(
        f"{found.metadata['Name']} {found.version}\nLicence as its package states it: {stated}\n",
        encoding="utf-8",
    )


def _is_licence(path: Path) -> bool:
    """Whether a file of a distribution is one of its licence texts, in either layout of dist-info."""
    if not path.parts[0].endswith(".dist-info"):
        return False
    return path.parts[1] == "licenses" or path.name.upper().startswith(("LICEN", "COPYING", "NOTICE"))
