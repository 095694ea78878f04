"""Time of importing and searching 29,000 parts: `python tests/benchmarks/import_parts.py`.

The 300 attributed BuildCores records of the tests are multiplied under new ids and names; with a folder or archive
as argument the real database is read.
"""

import json
import sys
import tarfile
import tempfile
import time
from pathlib import Path

from gpuconfig.engine.catalogue.search import SearchIndex
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.exchange.buildcores.importer import plan_buildcores
from gpuconfig.storage.apply import write_items
from gpuconfig.storage.build import build
from gpuconfig.storage.overlay import Overlay
from gpuconfig.storage.repository import open_catalogue

RECORDS = 29_000
FIXTURE = Path(__file__).parents[1] / "exchange" / "fixtures" / "buildcores_300.tar.xz"
QUERIES = ("老黄 4090 涡轮 48G", "RTX 4090", "华硕 主板", "seasonic 1200", "no such thing")


def multiplied(folder: Path) -> Path:
    """A database of `RECORDS` records made from the 300."""
    with tarfile.open(FIXTURE) as archive:
        archive.extractall(folder / "few", filter="data")
    files = sorted((folder / "few" / "open-db").glob("*/*.json"))
    for number in range(RECORDS):
        file = files[number % len(files)]
        record = json.loads(file.read_text(encoding="utf-8"))
        record["metadata"]["name"] = f"{record['metadata'].get('name')} {number}"
        record["metadata"]["part_numbers"] = [f"PN-{number}"]
        target = folder / "many" / "open-db" / file.parent.name / f"{number}.json"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(record), encoding="utf-8")
    return folder / "many"


def main() -> None:
    """Print the seconds of each step."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        source = Path(sys.argv[1]) if len(sys.argv) > 1 else multiplied(work)
        build(work / "catalogue.sqlite")
        catalogue = open_catalogue(work / "catalogue.sqlite")
        start = time.perf_counter()
        existing = {kind: catalogue.parts(kind) for kind in Kind}
        plan = plan_buildcores(source, existing, lambda text: catalogue.find(Kind.ACCELERATOR, text))
        planned = time.perf_counter()
        overlay = Overlay(work / "overlay.sqlite")
        write_items(overlay, plan.title, plan.writes())
        overlay.close()
        written = time.perf_counter()
        merged = open_catalogue(work / "catalogue.sqlite", work / "overlay.sqlite")
        index = SearchIndex((kind, item) for kind in Kind for item in merged.parts(kind))
        ready = time.perf_counter()
        print(f"records {len(plan.rows)}, written {len(plan.writes())}")
        print(
            f"plan {planned - start:.1f} s, write {written - planned:.1f} s, read and index {ready - written:.1f} s"
        )
        for query in QUERIES:
            start = time.perf_counter()
            found = index.find(query)
            print(
                f"search {query!r}: {len(found)} of {len(index)} in {(time.perf_counter() - start) * 1000:.0f} ms"
            )
        merged.close()
        catalogue.close()


if __name__ == "__main__":
    main()
