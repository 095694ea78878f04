"""Whether two parts go together: yes, no, or not known (None). Rules and composer share these."""

from __future__ import annotations

import re

from gpuconfig.engine.builds.forms import BoardForm, board_form, case_takes
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.enclosure import Chassis, PowerSupply, ServerPlatform
from gpuconfig.engine.catalogue.host import Cooler, Cpu, MemoryKit, Motherboard
from gpuconfig.engine.catalogue.peripheral import Nic, Switch
from gpuconfig.engine.catalogue.vocabulary import OPEN_FANS

_INFINIBAND = re.compile(r"InfiniBand|Quantum|\b(?:EDR|HDR|NDR|XDR)|\dx?NDR", re.IGNORECASE)
_ALIKE = {"strx5": "str5", "tr5": "str5", "swrx8": "swrx8", "wrx8": "swrx8", "strx4": "strx4", "sp6": "sp6"}


def socket_key(socket: str) -> str:
    """A socket's name as compared (`sTR5` and `TR5`, `LGA 4677` and `LGA4677`)."""
    text = re.sub(r"[\s\-_]+", "", socket.lower())
    return _ALIKE.get(text, text)


def same_socket(cpu: Cpu, socket: str | None) -> bool | None:
    """Whether the processor goes into `socket`."""
    if not cpu.socket or not socket:
        return None
    return socket_key(cpu.socket) == socket_key(socket)


def memory_fits(kit: MemoryKit, memory_type: str, registered: bool | None = None) -> bool | None:
    """Whether a kit is of the type (DDR4, DDR5) and kind (RDIMM, UDIMM) that `memory_type` names."""
    wanted = memory_type.upper()
    generation = re.search(r"DDR\d", wanted)
    have = re.search(r"DDR\d", kit.memory_type.upper())
    if generation is None or have is None:
        return None
    if have.group() not in re.findall(r"DDR\d", wanted):
        return False
    if "SODIMM" in kit.module_form.upper().replace("-", "").replace(
        " ", ""
    ) and "SODIMM" not in wanted.replace("-", ""):
        return False
    both = "RDIMM" in wanted and "UDIMM" in wanted
    if both:
        return True
    need = registered if registered is not None else ("RDIMM" in wanted if "DIMM" in wanted else None)
    if need is None or kit.registered is None:
        return None
    return need is kit.registered


def memory_runs_mts(cpu: Cpu, memory_type: str, ddr4_mts: float) -> float | None:
    """Speed that the processor runs memory of the type at; None where it is not known.

    Processors for both kinds state the speed of the newer one: DDR4 runs `ddr4_mts` at most.
    """
    if cpu.memory_mts is None:
        return None
    newer = "DDR4" not in memory_type.upper()
    return float(cpu.memory_mts) if newer else min(float(cpu.memory_mts), ddr4_mts)


def cooler_fits(cooler: Cooler, cpu: Cpu) -> bool | None:
    """Whether the cooler mounts on the processor's socket."""
    if not cooler.sockets or not cpu.socket:
        return None
    wanted = socket_key(cpu.socket)
    return any(socket_key(s) == wanted for s in cooler.sockets)


def cooler_in_case(cooler: Cooler, case: Chassis) -> bool | None:
    """Whether the cooler's height, or its radiator, has room."""
    if cooler.radiator_mm is not None:
        sizes = [int(n) for n in re.findall(r"\b(\d{3})\b", case.radiators_text)]
        return max(sizes) >= cooler.radiator_mm if sizes else None
    if cooler.height_mm is None or case.max_cooler_mm is None:
        return None
    return cooler.height_mm <= case.max_cooler_mm


def board_in_case(board: Motherboard, case: Chassis) -> bool | None:
    """Whether the case names the board's form."""
    form = board_form(board.form_factor)
    if form is None or form is BoardForm.PROPRIETARY:
        return None
    return case_takes(case.board_form_factors, form)


_OPEN = (
    "open frame",
    "open-frame",
    "mining frame",
    "custom",
    "rack kit",
    "矿架",
    "开放式",
    "开放架",
    "裸架",
    "矿机架",
)
"""How lists say that nothing closes around the parts."""


def is_open(case: Chassis) -> bool:
    """Whether nothing closes around the parts: lengths and heights do not bind, cards stand on rails."""
    name = f"{case.name} {case.form_factor}".lower()
    return any(word in name for word in _OPEN)


def breathes(case: Chassis) -> bool | None:
    """Whether the front lets air in over its whole width; None where it is not recorded."""
    words = case.airflow.lower()
    if is_open(case) or "mesh" in words:
        return True
    return False if "solid" in words else None


def heats_case(card: Accelerator, watts: float, hot_w: float) -> bool:
    """Whether a card blows so much heat into the case that the case must be of a class made for it."""
    return card.cooling in OPEN_FANS and watts >= hot_w


def supply_in_case(supply: PowerSupply, case: Chassis) -> bool | None:
    """Whether form and length of the supply suit; SFX goes into an ATX bay with a bracket."""
    forms = {f.upper() for f in case.psu_form_factors}
    form = supply.form_factor.upper()
    if forms and form and form not in forms and not (form.startswith("SFX") and "ATX" in forms):
        return False
    if not forms and form and not form.startswith(("ATX", "SFX", "TFX")):
        # A case sold without naming forms is made for ATX supplies; of one that nothing is known of, nothing follows.
        return False if case.expansion_slots is not None else None
    if case.max_psu_mm is not None and supply.length_mm is not None:
        return supply.length_mm <= case.max_psu_mm
    # A full tower without a stated limit takes the standard 140-200 mm lengths.
    if supply.length_mm is not None and "tower" in case.form_factor.lower():
        return True if supply.length_mm <= 200 or "full" in case.form_factor.lower() else None
    return None


def memory_slots_needed(modules: int, slots: int | None) -> bool | None:
    """Whether `modules` find room."""
    return None if slots is None else modules <= slots


def supply_count_survives(platform: ServerPlatform) -> float | None:
    """Watts that remain with the redundant supplies of a platform failed; None where not known."""
    if platform.psu_count is None or platform.psu_w is None:
        return None
    spare = platform.psu_redundant or 0
    return (platform.psu_count - spare) * platform.psu_w


def same_network(nic: Nic, switch: Switch) -> bool:
    """Whether a network card speaks what the switch does: an InfiniBand switch takes no card that is Ethernet only."""
    return not _INFINIBAND.search(f"{switch.name} {switch.notes}") or bool(_INFINIBAND.search(nic.name))


def switches_needed(switch_ports: int, ports: int) -> int | None:
    """Switches that join `ports` without blocking: one, or leaves and spines; None where two levels are too few."""
    if ports <= switch_ports:
        return 1
    if ports > switch_ports**2 // 2:
        return None
    # Half of each leaf's ports go up.
    return -(-3 * ports // switch_ports)
