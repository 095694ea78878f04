"""Runs the real command line in this process, on the bundled catalogue."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from gpuconfig import app
from gpuconfig.cli.options import parse
from gpuconfig.cli.run import run


@dataclass(frozen=True)
class Run:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture(scope="session")
def services(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return app.services(tmp_path_factory.mktemp("user") / "overlay.sqlite")


@pytest.fixture
def gpuconfig(services: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Run]:
    def call(*words: str, request: Any = None, lines: list[Any] | None = None) -> Run:
        text = None
        if request is not None:
            text = request if isinstance(request, str) else json.dumps(request, ensure_ascii=False)
        if lines is not None:
            text = "".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in lines)
        if text is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        out, err = io.StringIO(), io.StringIO()
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        try:
            code = run(parse(words), services, out, err)
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        return Run(int(code), out.getvalue(), err.getvalue())

    return call
