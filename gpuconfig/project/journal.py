"""Autosave: a journal in the user's data folder survives a killed process; the next start offers it."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.project.document import Project
from gpuconfig.project.files import dumps, loads, write_atomically

FOLDER = "autosave"


@dataclass(frozen=True, slots=True)
class Recovered:
    """A journal whose window is gone: the unsaved project, the file it belongs to and when it was written."""

    journal: Path
    project: Project
    file: Path | None
    written: datetime


class Journal:
    """The journal of one window, in `folder`/autosave; the process number keeps two windows apart."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FOLDER / f"{os.getpid()}-{id(self):x}.json"

    def write(self, project: Project, file: Path | None) -> None:
        """Keep the project as it stands; raises OSError where the folder cannot be written."""
        body = {"pid": os.getpid(), "file": str(file) if file else "", "project": dumps(project)}
        write_atomically(self.path, json.dumps(body, ensure_ascii=False).encode())

    def clear(self) -> None:
        """The work is in its file, or was given up on purpose."""
        self.path.unlink(missing_ok=True)


def recoverable(folder: Path) -> list[Recovered]:
    """Journals left by windows that no longer run, newest first; unreadable ones are left alone."""
    found = []
    for path in (folder / FOLDER).glob("*.json"):
        try:
            body = json.loads(path.read_text(encoding="utf-8"))
            if is_running(int(body["pid"])):
                continue
            project = loads(body["project"], path.name)
            written = datetime.fromtimestamp(path.stat().st_mtime)
            found.append(Recovered(path, project, Path(body["file"]) if body["file"] else None, written))
        except (OSError, ValueError, KeyError, TypeError, DataError):
            continue
    return sorted(found, key=lambda item: item.written, reverse=True)


def is_running(pid: int) -> bool:
    """Whether a process of that number exists."""
    if sys.platform == "win32":
        import ctypes

        synchronize = 0x00100000
        handle = ctypes.windll.kernel32.OpenProcess(synchronize, False, pid)
        if handle:
            ctypes.windll.kernel32.CloseHandle(handle)
        return bool(handle)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
