"""What this computer has: cards, processor, memory. What cannot be read is unknown, and why is said."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gpuconfig.engine.provenance.message import N_, Message

TIMEOUT_S = 10
NVIDIA_QUERY = "name,memory.total,power.limit,pcie.link.gen.max,pcie.link.width.max,driver_version"


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectedCard:
    """One card as its driver, or the bus, reports it."""

    name: str
    memory_bytes: int | None = None
    power_limit_w: float | None = None
    pcie_generation: int | None = None
    pcie_lanes: int | None = None
    driver: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """This computer. `notes` tell what could not be read."""

    system: str
    cpu: str | None
    cpu_cores: int | None
    memory_bytes: int | None
    cards: tuple[DetectedCard, ...]
    notes: tuple[Message, ...]


_WINDOWS_SYSTEM = [
    "powershell",
    "-NoProfile",
    "-Command",
    "@{cpu=(Get-CimInstance Win32_Processor)[0].Name;"
    "memory=[int64](Get-CimInstance Win32_ComputerSystem).TotalPhysicalMemory;"
    "cards=@((Get-CimInstance Win32_VideoController).Name)} | ConvertTo-Json",
]

Run = Callable[[list[str]], str | None]


def run_tool(command: list[str]) -> str | None:
    """Output of a tool, None where it is absent, fails or hangs."""
    if shutil.which(command[0]) is None:
        return None
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def detect(run: Run = run_tool, proc: Path = Path("/proc")) -> Machine:
    """Look at this computer; never fails.

    Args:
        run: runs a tool; tests give recorded output of real tools.
        proc: where the kernel tells of processor and memory.
    """
    notes: list[Message] = []
    output = run(["nvidia-smi", f"--query-gpu={NVIDIA_QUERY}", "--format=csv,noheader,nounits"])
    cards = parse_nvidia_smi(output) if output else ()
    amd = run(["rocm-smi", "--showproductname", "--showmeminfo", "vram", "--json"])
    cards = (*cards, *parse_rocm_smi(amd or ""))
    if output is None:
        notes.append(
            Message(N_("nvidia-smi is not there or does not answer: NVIDIA cards are read from the bus"))
        )
    if not cards:
        cards = _from_bus(run, notes)
    system = parse_windows(run(_WINDOWS_SYSTEM) or "")
    cpu = parse_cpu(_read(proc / "cpuinfo")) or system.cpu or platform.processor() or None
    memory = parse_memory(_read(proc / "meminfo")) or system.memory_bytes
    if memory is None:
        notes.append(Message(N_("the size of the memory cannot be read on this system")))
    return Machine(
        system=platform.platform(),
        cpu=cpu,
        cpu_cores=os.cpu_count(),
        memory_bytes=memory,
        cards=cards,
        notes=tuple(notes),
    )


@dataclass(frozen=True, slots=True)
class WindowsSystem:
    """Processor, memory and cards as Windows lists them; what it does not tell is None."""

    cpu: str | None = None
    memory_bytes: int | None = None
    cards: tuple[DetectedCard, ...] = ()


def _from_bus(run: Run, notes: list[Message]) -> tuple[DetectedCard, ...]:
    """Cards by name alone: from lspci, or from Windows."""
    listing = run(["lspci", "-mm"])
    if listing is not None:
        return parse_lspci(listing)
    found = parse_windows(run(_WINDOWS_SYSTEM) or "").cards
    if not found:
        notes.append(Message(N_("lspci is not there: cards cannot be listed")))
    return found


def parse_rocm_smi(text: str) -> tuple[DetectedCard, ...]:
    """Cards of `rocm-smi --showproductname --showmeminfo vram --json`."""
    data = _json(text)
    cards = []
    for card in data.values() if isinstance(data, dict) else ():
        if not isinstance(card, dict):
            continue
        name = next((str(card[k]) for k in ("Card Series", "Card series", "Card Model") if card.get(k)), "")
        size = _number(str(card.get("VRAM Total Memory (B)", "")))
        if name:
            cards.append(DetectedCard(name=name, memory_bytes=None if size is None else int(size)))
    return tuple(cards)


def parse_windows(text: str) -> WindowsSystem:
    """What the PowerShell command of this module prints; its memory of cards stops at 4 GB and is left out."""
    data = _json(text)
    if not isinstance(data, dict):
        return WindowsSystem()
    names = data.get("cards")
    listed = [names] if isinstance(names, str) else names if isinstance(names, list) else []
    memory = data.get("memory")
    return WindowsSystem(
        cpu=str(data["cpu"]).strip() if data.get("cpu") else None,
        memory_bytes=memory if isinstance(memory, int) and memory > 0 else None,
        cards=tuple(DetectedCard(name=str(name)) for name in listed if name),
    )


def parse_nvidia_smi(text: str) -> tuple[DetectedCard, ...]:
    """Cards of `nvidia-smi --query-gpu=... --format=csv,noheader,nounits`; `[N/A]` is unknown."""
    cards = []
    for line in text.splitlines():
        cells = [c.strip() for c in line.split(",")]
        if len(cells) != NVIDIA_QUERY.count(",") + 1:
            continue
        name, memory, power, generation, lanes, driver = cells
        mib, watts, gen, width = (_number(c) for c in (memory, power, generation, lanes))
        cards.append(
            DetectedCard(
                name=name,
                memory_bytes=None if mib is None else int(mib * 2**20),
                power_limit_w=watts,
                pcie_generation=None if gen is None else int(gen),
                pcie_lanes=None if width is None else int(width),
                driver=driver,
            )
        )
    return tuple(cards)


def parse_lspci(text: str) -> tuple[DetectedCard, ...]:
    """Graphics and compute cards of `lspci -mm`; memory and power are not told there."""
    cards = []
    for line in text.splitlines():
        cells = re.findall(r'"([^"]*)"', line)
        if len(cells) >= 3 and re.search(r"VGA|3D|Display|Processing accelerators", cells[0]):
            product = re.search(r"\[([^\]]+)\]", cells[2])
            cards.append(DetectedCard(name=f"{cells[1]} {product[1] if product else cells[2]}"))
    return tuple(cards)


def parse_cpu(text: str) -> str | None:
    """Model name of /proc/cpuinfo."""
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.M)
    return found[1].strip() if found else None


def parse_memory(text: str) -> int | None:
    """Total memory in bytes of /proc/meminfo."""
    found = re.search(r"^MemTotal:\s*(\d+)\s*kB", text, re.M)
    return int(found[1]) * 1024 if found else None


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
