"""The written reason of an override reaches the paper."""

from __future__ import annotations

import json
from pathlib import Path

from gpuconfig import app as wiring
from gpuconfig.engine.provenance.progress import Silent
from gpuconfig.project.commands import Override
from gpuconfig.project.document import Project
from gpuconfig.project.files import dumps, loads

REASON = "A second circuit is laid on 1 March."
REQUEST = {
    "model": "llama-3.1-8b",
    "workload": {"kind": "training", "method": "lora"},
    "constraints": {"accelerators": ["nvidia-rtx-4090-24"], "gpu_count": 1},
    "options": 1,
}


def test_reason_is_printed(tmp_path: Path) -> None:
    """Given in the window, kept in the file, printed under its finding."""
    services = wiring.services()
    answer = services.recommend(services.read_request(REQUEST), Silent())
    option = answer.options[0]
    assert option.check is not None
    project = Override(option.check.findings[0].rule, REASON).apply(Project(title="x", request=REQUEST))
    kept = loads(dumps(project), "x.gpuconfig")
    assert json.loads(dumps(kept))["overrides"] == project.overrides
    path = tmp_path / "sheet.md"
    services.export("build-sheet", kept, answer, option, "en", path)
    text = path.read_text(encoding="utf-8")
    assert "Overridden" in text
    assert REASON.rstrip(".") in text.replace("\\", "")
