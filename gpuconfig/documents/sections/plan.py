"""What the machine needs where it will stand, and the steps to it; approvals."""

from __future__ import annotations

from gpuconfig.documents.content import Block, Bullets, Fact, Facts, Heading, Signatures, Text, text
from gpuconfig.documents.context import DocumentContext
from gpuconfig.documents.sections.summary import delivery
from gpuconfig.documents.writer import Writer
from gpuconfig.engine.builds.build import Build
from gpuconfig.engine.catalogue.enclosure import Chassis, ServerPlatform
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.recommendation import Option

HEAT_BTU_PER_WH = 3.412142


def plan_section(context: DocumentContext, writer: Writer) -> list[Block]:
    """Power, cooling, place, delivery; then steps in order."""
    option = context.option
    if option is None or option.build is None:
        return []
    say = writer.say
    facts = [Fact(say(label), content) for label, content in _site(option, writer)]
    facts += enclosure_facts(option.build, writer)
    facts.append(Fact(say(N_("Delivery")), text(delivery(context, option, writer))))
    steps = (
        N_("Have the parts list quoted by at least three sellers; compare with the planning prices."),
        N_("Confirm circuit, cooling and floor load of the place with the building's management."),
        N_("Order; pay the balance only after acceptance."),
        N_("Accept: memory test, 24 hours under full load, throughput against the prediction of this paper."),
    )
    return [
        Heading(say(N_("Plan: power, cooling, delivery"))),
        Facts(tuple(facts)),
        Bullets(tuple(text(say(step)) for step in steps), ordered=True),
    ]


def wall_power(option: Option) -> Figure | None:
    """Predicted at the work's load, else the sum of ratings that the power check went by."""
    power = option.estimate.power
    if power is not None and power.wall_w.value is not None:
        return power.wall_w
    rated = option.check.power.get("wall_w") if option.check else None
    return Figure(float(rated), unit="W") if isinstance(rated, int | float) else None


def _site(option: Option, writer: Writer) -> list[tuple[str, Text]]:
    made: list[tuple[str, Text]] = []
    wall = wall_power(option)
    made.append((N_("Power at the wall"), writer.figure(wall)))
    if wall is not None and wall.value is not None:
        heat = writer.formats.number(wall.value * HEAT_BTU_PER_WH)
        shown = writer.formats.quantity(wall.value, "W")
        made.append(
            (N_("Heat to be removed"), text(writer.say(N_("{watts} ({btu} BTU/h)"), watts=shown, btu=heat)))
        )
    return made


def enclosure_facts(build: Build, writer: Writer) -> tuple[Fact, ...]:
    """Size and weight of what the machine stands in."""
    box = build.first(Kind.SERVER) or build.first(Kind.CHASSIS)
    if box is None or not isinstance(box.item, Chassis | ServerPlatform):
        return ()
    return (Fact(writer.say(N_("Enclosure")), text(_enclosure(box.item, build.nodes, writer))),)


def _enclosure(item: Chassis | ServerPlatform, nodes: int, writer: Writer) -> str:
    name = writer.part(item.name)
    parts = [name if nodes == 1 else f"{nodes} × {name}"]
    if item.rack_units is not None:
        parts.append(f"{item.rack_units}U")
    sizes = (item.width_mm, item.height_mm, item.depth_mm)
    if all(size is not None for size in sizes):
        parts.append(" × ".join(writer.formats.number(size) for size in sizes) + " mm")
    if item.weight_kg is not None:
        parts.append(writer.formats.number(item.weight_kg) + " kg")
    return " · ".join(parts)


def approvals(writer: Writer, roles: tuple[str, ...] = ()) -> list[Block]:
    """Signature blocks of those who decide."""
    names = roles or (N_("Prepared by"), N_("Technical review"), N_("Finance"), N_("Approved by"))
    lines = (writer.say(N_("Name")), writer.say(N_("Signature")), writer.say(N_("Date")))
    return [
        Heading(writer.say(N_("Approvals"))),
        Signatures(tuple((writer.say(name), lines) for name in names)),
    ]
