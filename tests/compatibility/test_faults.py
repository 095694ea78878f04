"""Sound builds with one injected fault each: every fault is found, and nothing else is called a problem.

The table of faults (`tests/data/faults.csv`) edits parts; it was written from the research, not from the rules.
"""

from __future__ import annotations

import copy
import csv
import itertools
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.catalogue.accelerator import Accelerator
from gpuconfig.engine.catalogue.vocabulary import ConnectorKind, Cooling, FormFactor, Kind, Region
from gpuconfig.engine.compatibility.finding import CheckResult, Status
from gpuconfig.engine.compatibility.parts_list import check_parts
from gpuconfig.engine.pricing.planning import Buyer, Pricer
from gpuconfig.engine.quantities.money import Currency
from gpuconfig.engine.selection.composer.compose import compose
from gpuconfig.engine.selection.composer.need import Need
from gpuconfig.engine.selection.composer.shelf import Shelf
from tests.bundled_catalogue import bundled_catalogue
from tests.selection.requests import estimator

FAULTS = list(csv.DictReader((Path(__file__).parent.parent / "data" / "faults.csv").read_text().splitlines()))
NAMES = {Kind.ACCELERATOR: "gpu"}


@cache
def bases() -> tuple[tuple[Accelerator, int, dict[str, Any]], ...]:
    """Sound builds of every card that can be composed, as parts lists."""
    buyer = Buyer(region=Region.CN, currency=Currency.CNY, tax_rate=Decimal("0.13"), used_ok=True)
    shelf = Shelf(bundled_catalogue(), Pricer(bundled_catalogue(), buyer), estimator().coefficients)
    found = []
    for card in bundled_catalogue().accelerators():
        if card.form_factor is not FormFactor.PCIE:
            continue
        for count in (1, 2, 4):
            need = Need(accelerator=card, per_node=count, cores=max(6, 4 * count), circuit_w=2816.0,
                        frames=False)  # fmt: skip
            build = compose(need, shelf)
            if isinstance(build, Build):
                document = as_list(build)
                if check_parts(document, bundled_catalogue()).verdict is not Status.PROBLEM:
                    found.append((card, count, document))
    return tuple(found)


def as_list(build: Build) -> dict[str, Any]:
    """A parts list of a build."""
    parts: dict[str, list[dict[str, Any]]] = {}
    for line in build.lines:
        entry = {"ref": line.item.id, "quantity": line.quantity}
        parts.setdefault(NAMES.get(line.kind, line.kind.value), []).append(entry)
    return {"parts": parts, "region": "CN", "mains": {"volts": 220, "amps": 32}}


def applies(fault: dict[str, str], card: Accelerator, count: int, document: dict[str, Any]) -> bool:
    """Whether the fault can be put into this build."""
    server = "server" in document["parts"]
    if (fault["cards"] == "server") is not server:
        return False
    if fault["edit"].startswith("toggle") and not server:
        board = bundled_catalogue().part(Kind.MOTHERBOARD, document["parts"]["motherboard"][0]["ref"])
        if "/" in board.memory_type:  # type: ignore[attr-defined]
            return False  # the board takes both kinds
    if "eps_8" in fault["edit"] and any(c.kind is ConnectorKind.EPS_8 for c in card.power_connectors or ()):
        return False  # such a plug feeds the card too: the fault would be two
    plugs = any(c.kind.value.startswith("pcie") for c in card.power_connectors or ())
    return {
        "any": True,
        "fanned": card.cooling is not Cooling.PASSIVE,
        "blown": card.cooling is Cooling.PASSIVE and not server,
        "server": not card.cooling or card.cooling.value == "passive",
        "several": count > 1,
        "plugs": plugs,
        "strong": (card.tdp_w or 0) > 230,
        "unlinked": count > 1 and card.link_known and card.link is None,
    }[fault["cards"]]


def injected(  # noqa: C901 - one branch an edit of the table
    fault: dict[str, str], document: dict[str, Any], count: int
) -> dict[str, Any]:
    """The parts list with the fault."""
    bad = copy.deepcopy(document)
    for edit in fault["edit"].split("|"):
        what, _, how = edit.partition(":")
        entries = _entries(bad, fault["part"])
        entry = entries[0]
        if what == "set":
            # Of several supplies every one has the fault: else the others would do its work.
            for part, pair in itertools.product(entries, how.split(";")):
                name, _, value = pair.partition("=")
                part[name] = (value == "yes") if value in ("yes", "no") else _number(value)
        elif what == "toggle":
            kit = bundled_catalogue().part(Kind.MEMORY, entry["ref"])
            entry[how] = not kit.registered  # type: ignore[attr-defined]
        elif what == "overfill":
            kit = bundled_catalogue().part(Kind.MEMORY, entry["ref"])
            board = bundled_catalogue().part(Kind.MOTHERBOARD, bad["parts"]["motherboard"][0]["ref"])
            entry["quantity"] = board.dimm_slots // kit.modules + 1  # type: ignore[attr-defined]
        elif what == "quantity":
            entry["quantity"] = int(how)
        elif what == "remove":
            bad["parts"]["cooler"].remove(entry)
        elif what == "note":
            entry["note"] = how
        elif what == "load":
            load = check_parts(document, bundled_catalogue()).power["known_load_w"]
            for part in entries:
                part["rated_w"] = float(load) * float(how) / sum(e["quantity"] for e in entries)  # type: ignore[arg-type]
        elif what == "mains":
            volts, _, amps = how.partition("x")
            bad["mains"] = {"volts": float(volts), "amps": float(amps)}
        elif what == "ambient":
            bad["ambient_c"] = float(how)
        elif what == "lanes":
            bad["links"] = [{"generation": 3, "lanes": int(how), "via": "riser"}]
        elif what == "mixed":
            fast = {"generation": 5, "lanes": 16, "via": "cpu"}
            bad["links"] = [{"gpu": i, **fast} for i in range(count - 1)]
            bad["links"].append({"gpu": count - 1, "generation": 4, "lanes": 2, "via": "cpu"})
        elif how == "bridge":
            bad["parts"]["bridge"] = [{"ref": bundled_catalogue().bridges()[0].id}]
        else:
            name, _, value = how.partition("=")
            bad["parts"][fault["part"]] = [{"name": "added by hand", name: _number(value)}]
    return bad


def _entries(document: dict[str, Any], part: str) -> list[dict[str, Any]]:
    """Entries of a part; the list names blowers of cards and the processor's cooler under one word."""
    if part not in ("cooler", "blower"):
        return document["parts"].get(part, [{}])
    blowers = {c.id for c in bundled_catalogue().coolers() if c.is_for_cards()}
    return [e for e in document["parts"]["cooler"] if (e["ref"] in blowers) is (part == "blower")]


def _number(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return [text] if text.startswith(("LGA", "Mini")) and text != "LGA9999" else text


def problems(result: CheckResult) -> set[str]:
    """Rules that see a problem."""
    return {f.rule for f in result.findings if f.status is Status.PROBLEM}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f["fault"])
def test_found_and_nothing_else(fault: dict[str, str]) -> None:
    """The fault is found in every build it can be put into, and no other rule sees a problem."""
    rules = set(fault["rule"].split("|"))
    tried = 0
    for card, count, document in bases():
        if not applies(fault, card, count, document):
            continue
        tried += 1
        seen = problems(check_parts(injected(fault, document, count), bundled_catalogue()))
        assert seen & rules, (card.id, count, "not found", seen)
        assert seen <= rules, (card.id, count, "others", seen - rules)
    assert tried


def test_enough_cases() -> None:
    """A thousand faulty builds and three faults a family."""
    cases = sum(applies(f, card, n, document) for f in FAULTS for card, n, document in bases())
    assert cases >= 1000, cases
    families = {f["family"] for f in FAULTS}
    assert all(sum(f["family"] == family for f in FAULTS) >= 3 for family in families)
