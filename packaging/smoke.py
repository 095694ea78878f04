"""Starts a frozen build as a stranger's computer would: empty environment, no network, no screen.

    python packaging/smoke.py [build/dist/gpuconfig/gpuconfig]

The program works through the first sample to a PDF and must exit 0; any wait ends after a time limit, since a
windowed program with an unhandled error would stay open for ever.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "dist" / "gpuconfig" / "gpuconfig"
TIMEOUT_S = 180


def main() -> int:
    """Run the smoke test and print what came out; the return value is the exit code."""
    program = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else PROGRAM
    with tempfile.TemporaryDirectory() as folder:
        result = run(program, Path(folder), "--headless-demo", str(Path(folder) / "demo"))
        sys.stdout.write(result.stdout + result.stderr)
        papers = sorted((Path(folder) / "demo").glob("*.pdf"))
        for paper in papers:
            print(f"{paper.name}: {paper.stat().st_size} bytes")
    return result.returncode or (0 if papers else 1)


def run(program: Path, user_folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `program` with nothing in its environment but a folder for the user's files, without a network."""
    command = [*_without_network(), str(program), *arguments]
    environment = {"GPUCONFIG_USER_FOLDER": str(user_folder), "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(
        command,
        env=environment,
        cwd=user_folder,
        timeout=TIMEOUT_S,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def _without_network() -> list[str]:
    """The prefix that takes the network away, where the system permits it."""
    unshare = shutil.which("unshare")
    for prefix in ([unshare, "-n"], [unshare, "-rn"]) if unshare else ():
        if subprocess.run([*prefix, "true"], check=False, capture_output=True).returncode == 0:
            return prefix
    print("The network cannot be taken away here; the program runs with it.")
    return []


if __name__ == "__main__":
    sys.exit(main())
