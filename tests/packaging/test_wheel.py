"""The wheel carries data, fonts, translations and catalogue, and its entry point works."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """A wheel built from this checkout with the tools of the environment."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=500, stdout=subprocess.DEVNULL)
    return next(folder.glob("*.whl"))


def test_data_lands_inside(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "gpuconfig/bundled/assets/catalogue.sqlite" in names
    assert "gpuconfig/bundled/assets/locale/zh_CN/LC_MESSAGES/gpuconfig.mo" in names
    assert "gpuconfig/bundled/assets/fonts/NotoSansSC-Regular.ttf" in names
    for folder in ("resources", "db"):
        assert any(name.startswith(f"gpuconfig/bundled/{folder}/") for name in names)
    assert not any(name.startswith(("tests/", "packaging/")) for name in names)


def test_unpacked_wheel_finds_its_data(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = (
        "from gpuconfig import paths; from gpuconfig.i18n import Language, load;"
        "assert paths.catalogue().is_file() and paths.resources().is_dir();"
        "assert paths.database_sources().is_dir();"
        "assert all(font.is_file() for font in paths.fonts());"
        "assert load(Language.ZH).gettext('unknown') == '未知'; print(paths.assets())"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == str(tmp_path / "gpuconfig" / "bundled" / "assets")
