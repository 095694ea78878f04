#!/usr/bin/env python3
"""Set up, run and test gpuconfig from a checkout: `python3 dev.py run`, `python3 dev.py test`.

Needs Python 3.11 or later with pip, and nothing else. Everything it makes lies in .venv/ and build/.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
LOCK = ROOT / "requirements.lock"
DEMO = ROOT / "build" / "demo"

# What Qt loads at run time and pip cannot bring, with the Debian package that does.
SYSTEM_LIBRARIES = {
    "libglib-2.0.so.0": "libglib2.0-0", "libGL.so.1": "libgl1", "libEGL.so.1": "libegl1",
    "libxkbcommon.so.0": "libxkbcommon0", "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libfontconfig.so.1": "libfontconfig1", "libfreetype.so.6": "libfontconfig1",
    "libdbus-1.so.3": "libdbus-1-3", "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4", "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
}  # fmt: skip


COMMANDS = {
    "setup": "make .venv, fonts, translations and catalogue",
    "run": "set up and open the window (without a display: a demonstration)",
    "test": "set up and run lint, types, import contracts and tests",
}


def main() -> int:
    """Read the command line and do what it asks; the return value is the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--system", action="store_true", help="install missing system libraries with apt-get")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in COMMANDS.items():
        command = commands.add_parser(name, help=text)
        command.add_argument("--system", action="store_true", default=argparse.SUPPRESS)
    command.add_argument("--all", action="store_true", help="the long tests too (frozen build, kill tests)")
    options = parser.parse_args()
    if sys.version_info < (3, 11):
        sys.exit(f"gpuconfig needs Python 3.11 or later; {sys.executable} is {sys.version.split()[0]}.")
    may_install = options.system or (os.environ.get("CI") in ("1", "true") and is_root())
    if not (check_system(may_install) or options.command == "setup") or not setup():
        return 1
    if options.command == "run":
        return run()
    return test(everything=options.all) if options.command == "test" else 0


def is_root() -> bool:
    """Whether this process may install system packages."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def check_system(may_install: bool) -> bool:
    """Find what Qt and venv need from the system; name the one command that brings it, or run it."""
    packages = missing_packages()
    if not packages:
        return True
    if not shutil.which("apt-get"):
        print("Qt needs libraries that were not found; Debian's packages of them are", *packages)
        return False
    sudo = [] if is_root() else ["sudo"]
    command = ["apt-get", "install", "--yes", "--no-install-recommends", *packages]
    if not may_install:
        print("System packages are missing. Install them with this command, or run dev.py with --system:")
        print(" ", *sudo, *command)
        return False
    subprocess.run([*sudo, "apt-get", "update", "-qq"], check=False)
    return subprocess.run([*sudo, *command], check=False, stdin=subprocess.DEVNULL).returncode == 0


def missing_packages() -> list[str]:
    """Names of the Debian packages whose libraries the dynamic loader does not know."""
    packages = set()
    ldconfig = shutil.which("ldconfig", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if sys.platform == "linux" and ldconfig:
        listing = subprocess.run([ldconfig, "-p"], capture_output=True, text=True, check=False).stdout
        known = {line.split()[0] for line in listing.splitlines() if line.startswith("\t")}
        packages = {package for name, package in SYSTEM_LIBRARIES.items() if name not in known}
    try:
        import ensurepip  # noqa: F401  Debian ships it apart
    except ImportError:
        packages.add("python3-venv")
    return sorted(packages)


def setup() -> bool:
    """Make .venv from the lock file, then fonts, translations and catalogue; redo only what changed."""
    start = time.monotonic()
    stamp = VENV / "gpuconfig.stamp"
    inputs = LOCK.read_bytes() + (ROOT / "pyproject.toml").read_bytes() + str(ROOT).encode()
    wanted = f"{sys.version_info[:2]} " + hashlib.sha256(inputs).hexdigest()
    found = stamp.read_text() if stamp.exists() else ""
    if found != wanted:
        print("Installing the locked packages into .venv (about a minute) ...", flush=True)
        stamp.unlink(missing_ok=True)
        pip = [PYTHON, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        steps = [
            [sys.executable, "-m", "venv", VENV] + ["--clear"] * (found[:7] != wanted[:7]),
            [*pip, "--require-hashes", "--only-binary", ":all:", "-r", LOCK],
            [*pip, "--no-deps", "--no-build-isolation", "--editable", ROOT],
        ]
        if any(subprocess.run(step, check=False).returncode for step in steps):
            return False
        stamp.write_text(wanted)
    if subprocess.run([PYTHON, ROOT / "packaging" / "assets.py"], check=False, cwd=ROOT).returncode:
        return False
    print(f"Set up in {time.monotonic() - start:.1f} s.", flush=True)
    return True


def run() -> int:
    """Open the window; without a display, work through the first sample and say where its results lie."""
    if sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return subprocess.run([PYTHON, "-m", "gpuconfig"], check=False).returncode
    print("There is no display, so no window can open; the first sample runs without one.", flush=True)
    demo = [PYTHON, "-m", "gpuconfig", "--headless-demo", DEMO]
    code = subprocess.run(demo, check=False, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}).returncode
    if code == 0:
        print(f"PDF and screenshots lie in {DEMO}:", *sorted(p.name for p in DEMO.glob("*")), sep="\n  ")
    return code


def test(*, everything: bool) -> int:
    """Lint, types, import contracts and tests; all of them run, the first failure decides the exit code."""
    tools = PYTHON.parent
    marks = [] if everything else ["-m", "not long"]
    steps = [
        [tools / "ruff", "check", "."],
        [tools / "ruff", "format", "--check", "."],
        [tools / "mypy"],
        [PYTHON, "-m", "pytest", "-n", "2", "--dist", "loadgroup", *marks],
    ]
    codes = [subprocess.run(step, check=False, cwd=ROOT).returncode for step in steps]
    return next((code for code in codes if code), 0)


if __name__ == "__main__":
    sys.exit(main())
