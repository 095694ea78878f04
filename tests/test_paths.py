"""Files are found in a checkout, and in the layout that a wheel and a frozen build share."""

from pathlib import Path

from gpuconfig import paths

ROOT = Path(__file__).parents[1]


def test_checkout():
    assert paths.resources() == ROOT / "resources"
    assert paths.database_sources() == ROOT / "db"
    assert paths.assets() == ROOT / "build" / "assets"
    assert all(font.is_file() for font in paths.fonts())
    assert (paths.translations() / "zh_CN" / "LC_MESSAGES" / "gpuconfig.mo").is_file()


def test_bundled_folder_wins(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "_BUNDLED", tmp_path)
    assert paths.resources() == tmp_path / "resources"
    assert paths.database_sources() == tmp_path / "db"
    assert paths.catalogue() == tmp_path / "assets" / "catalogue.sqlite"


def test_one_folder_for_a_portable_install(user_folder):
    assert paths.user_config() == user_folder / "config"
    assert paths.overlay() == user_folder / "data" / "overlay.sqlite"


def test_the_systems_own_folders(monkeypatch):
    monkeypatch.delenv(paths.USER_FOLDER_VARIABLE)
    assert paths.user_config().name == paths.user_data().name == "gpuconfig"
    assert paths.user_config() != paths.user_data()


def test_only_paths_locates_bundled_files():
    """No other module climbs from __file__ to the data folders."""
    sources = [path for path in (ROOT / "gpuconfig").rglob("*.py") if path.name != "paths.py"]
    assert not [path for path in sources if "__file__" in path.read_text(encoding="utf-8")]
