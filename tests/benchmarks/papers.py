"""Time and memory of papers: `python tests/benchmarks/papers.py`.

Targets: a proposal of 40 pages under 2 s and 200 MB, a quotation of 300 lines under 1 s.
"""

from __future__ import annotations

import resource
import sys
import time
from dataclasses import replace
from io import BytesIO
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from pypdf import PdfReader

from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.kinds import DocumentKind
from gpuconfig.documents.write import render
from tests.documents import factory


def long_proposal() -> DocumentContext:
    """A proposal whose parts, findings and options fill about 40 pages."""
    base = factory.context()
    option = base.option
    assert option is not None
    assert option.build is not None
    assert option.check is not None
    chosen = replace(
        option,
        build=replace(option.build, lines=option.build.lines * 42),
        check=replace(option.check, findings=option.check.findings * 40),
    )
    return replace(base, option=chosen)


def long_quotation() -> DocumentContext:
    """A quotation of 300 lines."""
    base = factory.context(DocumentKind.QUOTATION, seller=factory.SELLER)
    option = base.option
    assert option is not None
    assert option.build is not None
    lines = (option.build.lines * 38)[:300]
    return replace(base, option=replace(option, build=replace(option.build, lines=lines)))


def main() -> None:
    """Print pages, seconds and peak memory; the first paper pays for fonts and imports."""
    for name, context in (("proposal", long_proposal()), ("quotation", long_quotation())):
        for suffix in (".pdf", ".xlsx", ".md"):
            start, busy = time.perf_counter(), time.process_time()
            content = render(context, suffix)
            seconds, busy = time.perf_counter() - start, time.process_time() - busy
            pages = f"{len(PdfReader(BytesIO(content)).pages)} pages, " if suffix == ".pdf" else ""
            print(
                f"{name}{suffix}: {pages}{len(content) // 1024} KiB, {seconds:.2f} s ({busy:.2f} s of processor)"
            )
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main()
