"""What an option is judged by: price, time, memory, energy and risk, each with what opens behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gpuconfig.engine.builds.fits import is_open
from gpuconfig.engine.catalogue.enclosure import Chassis
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.estimation.answer import Estimate
from gpuconfig.engine.provenance.explanation import Explanation, Mark
from gpuconfig.engine.provenance.figure import UNKNOWN, Figure
from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection import performance
from gpuconfig.engine.selection.recommendation import Option, OptionKind
from gpuconfig.i18n import Translator
from gpuconfig.presentation import badges
from gpuconfig.presentation.reference import EstimateReference, PriceReference, ReadyReference
from gpuconfig.presentation.shown import Shown, Tone

MTOKEN = 1e6
GTOKEN = 1e9


@dataclass(frozen=True, slots=True)
class Speed:
    """The figure a kind of work is judged by.

    Attributes:
        title: English name.
        quantity: name in the quantity graph.
        figure: the prediction.
        seconds: the same as a time that grows when the machine is slower; None where unknown.
        time_title: what `seconds` is the time of.
    """

    title: str
    quantity: str
    figure: Figure
    seconds: float | None
    time_title: str


def option_key(option: Option) -> str:
    """How a project remembers an option: card, cards in all, machines, and whether it is rented."""
    rented = " rented" if option.kind is OptionKind.RENT else ""
    return f"{option.accelerator.id} x {option.count} x {option.nodes}{rented}"


def option_name(option: Option) -> str:
    """What it is in a few characters: 4× RTX 5090, or 2 × 8× H100 SXM."""
    each = f"{option.count // max(option.nodes, 1)}× {short_name(option.accelerator.name)}"
    return each if option.nodes <= 1 else f"{option.nodes} × {each}"


def short_name(name: str) -> str:
    """A card's name without the words that all of a family share."""
    for prefix in ("NVIDIA GeForce ", "NVIDIA ", "GeForce ", "AMD Radeon ", "AMD Instinct ", "AMD "):
        if name.startswith(prefix):
            return name[len(prefix) :]
    return name


def machine_kind(option: Option, t: Translator) -> str:
    """Workstation, open frame, server or the number of servers; a rental has no machine of its own."""
    build = option.build
    if option.kind is OptionKind.RENT:
        return t.gettext(N_("rented"))
    if build is None:
        return t.gettext(N_("no machine composed"))
    server = build.first(Kind.SERVER) is not None
    if build.nodes > 1:
        return t.ngettext("{count} server", "{count} servers", build.nodes)
    if server:
        return t.gettext(N_("rack server"))
    case = build.first(Kind.CHASSIS)
    if case is not None and isinstance(case.item, Chassis) and is_open(case.item):
        return t.gettext(N_("open frame"))
    return t.gettext(N_("workstation"))


def speed(estimate: Estimate) -> Speed:
    """The speed that counts for the estimate's kind of work."""
    if estimate.training is not None:
        return _training_speed(estimate)
    if estimate.serving is not None:
        figure = estimate.serving.output_tokens_per_s
        return Speed(
            N_("Output of all users"),
            "output_tokens_per_s",
            figure,
            _per(figure, 1000),
            N_("Time for 1,000 tokens"),
        )
    if estimate.image is not None:
        figure = estimate.image.seconds_per_image
        return Speed(
            N_("Time for a picture"), "seconds_per_image", figure, figure.value, N_("Time for a picture")
        )
    if estimate.video is not None:
        figure = estimate.video.seconds_per_clip
        return Speed(N_("Time for a clip"), "seconds_per_clip", figure, figure.value, N_("Time for a clip"))
    if estimate.vision is not None:
        figure = estimate.vision.time_to_train_s
        if figure.value is not None:
            return Speed(N_("Time to train"), "time_to_train_s", figure, figure.value, N_("Time to train"))
        figure = estimate.vision.samples_per_s
        return Speed(
            N_("Pictures a second"), "samples_per_s", figure, _per(figure, 1e6), N_("Time for a million")
        )
    return Speed(N_("Speed"), "", UNKNOWN, None, N_("Time"))


def _training_speed(estimate: Estimate) -> Speed:
    training = estimate.training
    assert training is not None
    if training.time_to_train_s.value is not None:
        figure = training.time_to_train_s
        return Speed(N_("Time to train"), "time_to_train_s", figure, figure.value, N_("Time to train"))
    if training.tokens_per_s.value is not None:
        figure = training.tokens_per_s
        return Speed(
            N_("Training speed"),
            "tokens_per_s",
            figure,
            _per(figure, GTOKEN),
            N_("Time for a billion tokens"),
        )
    figure = training.samples_per_s
    return Speed(
        N_("Training speed"), "samples_per_s", figure, _per(figure, 1e6), N_("Time for a million samples")
    )


def _per(figure: Figure, amount: float) -> float | None:
    return amount / figure.value if figure.value else None


def estimated(option: Option, quantity: str, title: str, figure: Figure, t: Translator) -> Shown:
    """A figure of the option's estimate."""
    reference = EstimateReference(
        request=option.estimate_request,
        quantity=quantity,
        title=title,
        figure=figure,
        nearest=option.estimate.nearest,
    )
    return figure_shown(figure, reference, t)


def figure_shown(
    figure: Figure, reference: EstimateReference | ReadyReference | PriceReference, t: Translator
) -> Shown:
    """A figure with its band as the note."""
    if figure.value is None:
        return Shown(text=t.unknown, tone=Tone.UNKNOWN, reference=reference)
    text = t.formats.quantity(figure.value, figure.unit)
    whole = t.formats.figure(figure)
    return Shown(text=text, note=whole.removeprefix(text).strip(), reference=reference, sort=figure.value)


def speed_shown(option: Option, t: Translator) -> Shown:
    """The option's speed."""
    found = speed(option.estimate)
    return estimated(option, found.quantity, found.title, found.figure, t)


def price_shown(option: Option, t: Translator) -> Shown:
    """Low–high of the whole machine; the share of assumed prices as the note."""
    price = option.price
    reference = PriceReference(option, "total", N_("Price of the whole machine"))
    text = t.formats.money_range(price.total)
    if price.missing:
        text = t.gettext(N_("at least {amount}")).format(amount=t.formats.money(price.total.low))
    return Shown(
        text=text,
        note=assumed_note(price.assumed_share, t),
        reference=reference,
        sort=float(price.planned().amount),
        tone=Tone.NORMAL if option.within_budget else Tone.PROBLEM,
    )


def assumed_note(share: float, t: Translator) -> str:
    """Which share of a total rests on assumed prices."""
    if share < 0.005:
        return ""
    return t.gettext(N_("{share} assumed")).format(share=t.formats.percent(round(share, 2)))


def years_energy_shown(option: Option, t: Translator) -> Shown:
    """Energy over the years with its band."""
    title = N_("Energy over the years")
    if option.tco is None:
        return Shown(text=t.unknown, tone=Tone.UNKNOWN, reference=alone("energy", title, None, "kWh"))
    reference = PriceReference(option, "energy_kwh_per_year", title)
    return figure_shown(option.tco.energy_kwh, reference, t)


def tco_shown(option: Option, t: Translator) -> Shown:
    """Cost over the years."""
    if option.tco is None:
        return Shown(
            text=t.unknown, tone=Tone.UNKNOWN, reference=alone("tco", N_("Cost over three years"), None, "1")
        )
    return Shown(
        text=t.formats.money_range(option.tco.total),
        reference=PriceReference(option, "tco", N_("Cost over the years")),
        sort=float(option.tco.planned().amount),
    )


def memory_shown(option: Option, t: Translator) -> Shown:
    """What the fullest card uses."""
    memory = option.estimate.memory
    if memory is None:
        return Shown(
            text=t.unknown, tone=Tone.UNKNOWN, reference=alone("memory", N_("Memory in use"), None, "B")
        )
    return estimated(
        option, "device_used_bytes", N_("Memory in use on the fullest card"), memory.device_used_bytes, t
    )


def headroom(option: Option) -> float | None:
    """Share of the usable memory that the work surely leaves on the fullest card."""
    return performance.headroom(option.estimate)


def headroom_shown(option: Option, t: Translator) -> Shown:
    """Free memory as a share."""
    share = headroom(option)
    memory = option.estimate.memory
    inputs: tuple[Explanation, ...] = ()
    if memory is not None:
        inputs = (
            _leaf(
                "needed_bytes",
                N_("High end of what the work needs on a card, without what an allocator only holds"),
                performance.needed_bytes(option.estimate),
                "B",
            ),
            _leaf("usable_bytes", N_("Usable memory of the card"), memory.usable_bytes, "B"),
        )
    reference = ReadyReference(
        Explanation(
            name="memory_headroom",
            title=N_("Free memory on the fullest card"),
            value=share,
            unit="1",
            mark=Mark.CALCULATED,
            formula="1 - needed_bytes / usable_bytes",
            inputs=inputs,
        )
    )
    if share is None:
        return Shown(text=t.unknown, tone=Tone.UNKNOWN, reference=reference)
    return Shown(text=t.formats.percent(round(share, 2)), reference=reference, sort=share)


def energy_shown(option: Option, t: Translator) -> Shown:
    """Power at the wall."""
    power = option.estimate.power
    figure = power.wall_w if power is not None else Figure(None, unit="W")
    return estimated(option, "wall_w", N_("Power at the wall"), figure, t)


def risk_shown(option: Option, t: Translator) -> Shown:
    """The stated sum of risks, its parts behind it."""
    parts = tuple(
        Explanation(name=name, title=RISK_PARTS.get(name, name), value=value, unit="1", mark=Mark.CALCULATED)
        for name, value in option.risk_parts.items()
    )
    explanation = Explanation(
        name="risk",
        title=N_("Risk, a stated sum of its parts (0 to 1)"),
        value=option.risk,
        unit="1",
        mark=Mark.CALCULATED,
        formula=" + ".join(option.risk_parts),
        inputs=parts,
    )
    shown = badges.risk(option.risk, t)
    worst = max(option.risk_parts, key=lambda name: option.risk_parts[name], default="")
    note = t.gettext(RISK_PARTS.get(worst, worst)) if worst and option.risk_parts[worst] > 0 else ""
    return Shown(
        text=shown.text,
        note=note,
        tone=shown.tone,
        icon=shown.icon,
        sort=option.risk,
        reference=ReadyReference(explanation),
    )


RISK_PARTS = {
    "assumed_price": N_("assumed prices"),
    "assumed_share": N_("assumed prices"),
    "condition": N_("used or modified goods"),
    "export": N_("export rules"),
    "headroom": N_("little memory to spare"),
    "memory_headroom": N_("little memory to spare"),
    "evidence": N_("thin evidence"),
    "thin_evidence": N_("thin evidence"),
    "software": N_("less common software"),
    "scale": N_("more cards together than is known to work"),
}
"""Parts of the stated sum in words."""


def alone(
    name: str, title: str, value: float | str | None, unit: str, mark: Mark = Mark.CALCULATED
) -> ReadyReference:
    """A reference to a figure without inputs."""
    return ReadyReference(_leaf(name, title, value, unit, mark))


def _leaf(
    name: str, title: str, value: float | str | None, unit: str, mark: Mark = Mark.CALCULATED
) -> Explanation:
    return Explanation(name=name, title=title, value=value, unit=unit, mark=mark)


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure that options can be drawn and sorted by."""

    key: str
    title: str
    value: Callable[[Option], float | None]
    unit: str
    lower_is_better: bool = True


def _price(option: Option) -> float | None:
    return float(option.price.planned().amount)


def _seconds(option: Option) -> float | None:
    return speed(option.estimate).seconds


def _watts(option: Option) -> float | None:
    return None if option.estimate.power is None else option.estimate.power.wall_w.value


def _risk(option: Option) -> float | None:
    return option.risk


def _tco(option: Option) -> float | None:
    return None if option.tco is None else float(option.tco.planned().amount)


def _energy(option: Option) -> float | None:
    return None if option.tco is None else option.tco.energy_kwh.value


MEASURES = (
    Measure("price", N_("Price"), _price, "money"),
    Measure("time", N_("Time"), _seconds, "s"),
    Measure("tco", N_("Cost over three years"), _tco, "money"),
    Measure("energy", N_("Energy over the years"), _energy, "kWh"),
    Measure("power", N_("Power at the wall"), _watts, "W"),
    Measure("headroom", N_("Free memory"), headroom, "share", lower_is_better=False),
    Measure("risk", N_("Risk"), _risk, "1"),
)
