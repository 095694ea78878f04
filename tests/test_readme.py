"""The README speaks of commands and requests that exist."""

import json
import re
import shlex
from pathlib import Path

import pytest

from gpuconfig.cli.options import parser

TEXT = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\.venv/bin/gpuconfig (.*?)(?:\s+#.*)?$", TEXT, re.MULTILINE)


@pytest.mark.parametrize("line", COMMANDS)
def test_each_command_is_accepted(line):
    assert parser().parse_args(shlex.split(line)).command == line.split()[0]


def test_each_command_is_described():
    usage = re.search(
        r"^positional arguments:(.*?)^options:", parser().format_help(), re.MULTILINE | re.DOTALL
    )
    commands = set(re.findall(r"^    (\w+) ", usage.group(1), re.MULTILINE))
    assert len(commands) > 4
    assert commands == {line.split()[0] for line in COMMANDS}


def test_the_requests_are_accepted():
    from gpuconfig import app
    from gpuconfig.engine.compatibility.parts_list import check_parts

    request, run, parts = map(json.loads, re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL))
    services = app.services()
    assert services.read_request(request)
    assert services.read_estimate(run)
    assert check_parts(parts, services.catalogue()).findings
