"""NOTICE names whom the bundled data comes from."""

import csv
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOTICE = (ROOT / "NOTICE").read_text(encoding="utf-8")
MEASUREMENTS = ROOT / "db" / "seed" / "measurements"


def _origin(source: str) -> str:
    repository = re.search(r"github\.com/([^/]+/[^/]+)", source)
    return repository.group(1) if repository else source.split("/")[2]


def test_every_source_of_measurements_is_named():
    texts = [path.read_text(encoding="utf-8") for path in MEASUREMENTS.glob("*.csv")]
    rows = [row for text in texts for row in csv.DictReader(text.splitlines())]
    assert rows
    assert all(row["licence"] for row in rows)
    assert not sorted({_origin(row["source"]) for row in rows} - set(re.findall(r"[\w./-]*\w", NOTICE)))


def test_data_under_an_attribution_licence_is_attributed():
    seed = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "db" / "seed").glob("*.csv"))
    assert "buildcores" not in seed.lower() or "ODC-By 1.0" in NOTICE


def test_fonts_and_qt_are_named():
    assert "SIL Open Font License" in NOTICE
    assert "Lesser" in NOTICE
    assert "LGPL-3.0" in NOTICE
