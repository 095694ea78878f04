"""What the host must be set to and show: whole computers, firmware, BIOS, picture, two processors, offload."""

from __future__ import annotations

from collections.abc import Iterable

from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.vocabulary import FormFactor, Kind, Software
from gpuconfig.engine.compatibility.finding import Status
from gpuconfig.engine.compatibility.machine import Machine
from gpuconfig.engine.compatibility.picture import has_graphics, is_managed, shows_none
from gpuconfig.engine.compatibility.remedies import more_memory, screen_card
from gpuconfig.engine.compatibility.rule import Judgement, compared, missing, rule, stated
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.quantities.units import GIB

BIG_GB = 12
"""From this memory on a card's window lies above 4 GiB when it is mapped whole."""


@rule("host.whole", N_("Whole computer"), source="makers' data sheets")
def whole(machine: Machine) -> Iterable[Judgement]:
    """A computer sold with its accelerator inside: the maker answers for its parts."""
    if not machine.cards or not all(card.complete_machine for card, _ in machine.cards):
        return ()
    name = machine.cards[0][0].name
    return stated(
        Status.OK, N_("{name} is sold as a whole computer: its parts fit by the maker"), {"name": name}
    )


@rule(
    "host.firmware",
    N_("Firmware"),
    advice=True,
    source="https://github.com/open-mmlab/mmdetection/issues/1207",
)
def firmware(machine: Machine) -> Iterable[Judgement]:
    """Faults that no parts list shows: BIOS, AGESA and driver versions."""
    if not machine.cards or (machine.board is None and machine.case is None):
        return ()
    text = N_(
        "cards that fall off the bus or train at generation 1 are often firmware: "
        "newest BIOS and driver first, then the supply"
    )
    return stated(Status.OK, text)


@rule(
    "host.bios_settings",
    N_("BIOS settings"),
    advice=True,
    source="https://github.com/ai-infos/guidances-setup-16-mi50-deepseek-v32; NCCL documentation (ACS)",
)
def bios_settings(machine: Machine) -> Iterable[Judgement]:
    """Large cards need their windows above 4 GiB; several of them legacy boot off, and direct transfers ACS off."""
    big = [card for card, _ in machine.cards if (card.memory_gb or 0) >= BIG_GB and _is_card(card)]
    if not big or machine.board is None:
        return ()
    if len(machine.cards) == 1:
        return stated(Status.OK, N_("in the BIOS: above 4G decoding on, resizable BAR on"))
    if all(card.peer_to_peer for card, _ in machine.cards):
        text = N_("in the BIOS: above 4G decoding on, legacy boot (CSM) off; ACS and IOMMU off for direct transfers "
                  "between the {count} cards")  # fmt: skip
        return stated(Status.OK, text, {"count": len(machine.cards)})
    text = N_("in the BIOS: above 4G decoding on, legacy boot (CSM) off; the driver moves data between these cards "
              "through host memory")  # fmt: skip
    return stated(Status.OK, text)


@rule("host.display", N_("Display output"), source="makers' data sheets")
def display(machine: Machine) -> Iterable[Judgement]:
    """Cards without an output: the board's management, a processor with graphics or a small card shows a picture."""
    cards = [card for card, _ in machine.cards if _is_card(card)]
    board, cpu = machine.board, machine.cpu
    if not cards or machine.server is not None or board is None:
        return ()
    if not all(shows_none(card, machine.numbers) for card in cards):
        return ()
    if is_managed(board, machine.numbers):
        return stated(
            Status.OK, N_("compute cards show no picture: the board's management shows it"), {}, [board.id]
        )
    if cpu is None:
        return missing("cpu")
    graphics = has_graphics(cpu, machine.numbers)
    if graphics is None:
        return missing("cpu.socket")
    if graphics:
        text = N_("compute cards show no picture: the graphics of {cpu} show it at the board's own output")
        return stated(Status.OK, text, {"cpu": cpu.name}, [cpu.id])
    text = N_("no picture: the cards have no output, the board has no management and {cpu} has no graphics; "
              "a card for the screen is missing in the list")  # fmt: skip
    parts = [cpu.id, board.id, *dict.fromkeys(card.id for card in cards)]
    return stated(Status.WARNING, text, {"cpu": cpu.name}, parts, screen_card(machine))


@rule(
    "host.mixed_makers", N_("Cards of several makers"), source="frameworks' build matrices: one back end each"
)
def mixed_makers(machine: Machine) -> Iterable[Judgement]:
    """One build of a framework drives the cards of one maker: work is not shared over both."""
    makers = {card.software: card for card, _ in machine.cards if card.software is not Software.OTHER}
    if len(makers) < 2:
        return ()
    text = N_(
        "{names} in one machine need different drivers and builds of the framework: no work is shared over them"
    )
    names = ", ".join(card.name for card in makers.values())
    return stated(Status.WARNING, text, {"names": names}, [card.id for card in makers.values()])


@rule(
    "pcie.numa",
    N_("Two processors"),
    source="https://github.com/voipmonitor/rtx6kpro; https://github.com/ypwhs/dl-engineer-guidebook/issues/50",
)
def numa(machine: Machine) -> Iterable[Judgement]:
    """Cards below two processors meet over the link between them."""
    if machine.cpus < 2 or len(machine.cards) < 2 or machine.is_linked:
        return ()
    half = len(machine.cards) // 2
    if half < 2:
        text = N_("put both cards below the same processor: between two processors transfers take their link")
        return stated(Status.OK, text)
    text = N_(
        "{required:.0f} cards below {cpus} processors: {measured:.0f} on each; traffic between the groups takes "
        "the processors' link; keep tensor parallel within one group and bind each process to its processor"
    )
    return compared(Status.OK, text, {"cpus": machine.cpus}, half, len(machine.cards), "1")


@rule("memory.offload", N_("Host memory for the work"), source="the estimate of the work")
def offload(machine: Machine) -> Iterable[Judgement]:
    """What the work keeps in host memory (offloaded states, loading) against what there is."""
    needed = machine.host_bytes
    if needed is None or machine.is_whole_computer or (machine.server and machine.server.includes_memory):
        return ()
    have = sum(kit.module_bytes * (kit.modules or 1) * n for kit, n in machine.kits)
    if not have:
        return missing("memory")
    values: dict[str, object] = {}
    ids = [line.item.id for line in machine.build.of(Kind.MEMORY)]
    if have >= needed:
        text = N_("the work holds {required:.0f} GiB in host memory, {measured:.0f} GiB are there")
        return compared(Status.OK, text, values, have / GIB, needed / GIB, "GiB", ids)
    text = N_("the work holds {required:.0f} GiB in host memory (offloaded states, buffers), only {measured:.0f} GiB "
              "are there: it stops or swaps")  # fmt: skip
    return compared(
        Status.PROBLEM, text, values, have / GIB, needed / GIB, "GiB", ids, more_memory(machine, needed)
    )


def _is_card(card: Accelerator) -> bool:
    return card.form_factor is FormFactor.PCIE
