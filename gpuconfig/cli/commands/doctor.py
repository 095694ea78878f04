"""`gpuconfig doctor`: what is installed and what this machine has."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping

from gpuconfig import __version__, paths
from gpuconfig.cli.options import Exit
from gpuconfig.cli.run import Shell
from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.message import N_
from gpuconfig.machine.detect import detect


def run(shell: Shell) -> Exit:
    """Print versions and paths; 1 where the bundled catalogue cannot be opened."""
    report: dict[str, object] = {
        "application": __version__,
        "python": sys.version.split()[0],
        "system": platform.platform(),
        "catalogue": str(paths.catalogue()),
        "overlay": str(shell.options.database or paths.overlay()),
        "settings": str(shell.services.settings.path),
        "fonts": [str(p) for p in paths.fonts() if p.exists()],
    }
    healthy = True
    try:
        catalogue = shell.services.catalogue()
        version = catalogue.version()
        report.update(catalogue_version=version.catalogue, coefficients_version=version.coefficients)
        report["accelerators"] = len(catalogue.accelerators())
        report["models"] = len(catalogue.models())
    except UserError as error:
        healthy = False
        report["problem"] = shell.say(error.message)
    machine = detect()
    report["this_machine"] = shell.shape(machine)
    if shell.options.json:
        shell.print_json(report)
    else:
        none = shell.translator.gettext(N_("none"))
        for name, value in report.items():
            for line in _lines(value, none):
                shell.print(f"{name:22} {line}")
    return Exit.DONE if healthy else Exit.ANSWER_IS_NO


def _lines(value: object, none: str) -> list[object]:
    """A line for each entry of a list or field of an object; `none` where it has none."""
    if value in ([], {}):
        return [none]
    if isinstance(value, Mapping):
        return [f"{name}: {line}" for name, entry in value.items() for line in _lines(entry, none)]
    return value if isinstance(value, list) else [value]
