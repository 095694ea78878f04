"""Build what is not committed: fonts, compiled translations and the catalogue, into build/assets/.

`python packaging/assets.py` is a part of `dev.py setup`; the wheel hook calls `build_all`. Each asset is
built again only when something it is made of has changed.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import fonts
import translations

ROOT = Path(__file__).resolve().parent.parent
ASSETS = ROOT / "build" / "assets"

CATALOGUE_BUILDER = ROOT / "gpuconfig" / "storage" / "build.py"
CATALOGUE_SOURCES = ("db", "gpuconfig/storage", "gpuconfig/engine/catalogue")


def main() -> int:
    """Build what is out of date; the return value is the exit code."""
    try:
        build_all()
    except (translations.CatalogueError, subprocess.CalledProcessError, OSError) as error:
        print(f"Assets could not be built: {error}", file=sys.stderr)
        return 1
    return 0


def build_all() -> Path:
    """Bring fonts, translations and catalogue up to date; returns the folder that holds them."""
    po_files = sorted((ROOT / "resources" / "locale").glob("*/*.po"))
    _refresh("fonts", fonts.key(), lambda: fonts.build(ASSETS / "fonts"))
    _refresh(
        "locale",
        _digest([*po_files, Path(translations.__file__)]),
        lambda: translations.compile_all(ROOT / "resources" / "locale", ASSETS / "locale"),
    )
    if CATALOGUE_BUILDER.exists():
        sources = (path for folder in CATALOGUE_SOURCES for path in (ROOT / folder).rglob("*"))
        _refresh("catalogue.sqlite", _digest(sources), _build_catalogue)
    return ASSETS


def _build_catalogue() -> None:
    target = ASSETS / "catalogue.sqlite"
    part = target.with_suffix(f".{os.getpid()}.part")
    part.unlink(missing_ok=True)
    subprocess.run([sys.executable, "-m", "gpuconfig.storage.build", str(part)], check=True, cwd=ROOT)
    part.replace(target)


def _refresh(name: str, key: str, build: Callable[[], None]) -> None:
    """Run `build` unless `name` stands and was built from the same `key`."""
    stamp = ASSETS / f"{name}.key"
    if (ASSETS / name).exists() and stamp.exists() and stamp.read_text(encoding="ascii") == key:
        return
    print(f"Building {name} ...", flush=True)
    ASSETS.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    build()
    stamp.write_text(key, encoding="ascii")


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(files):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    sys.exit(main())
