"""Options that a person duplicated: each as it was kept, beside the option it came from as it stands now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gpuconfig.engine.provenance.message import N_
from gpuconfig.engine.selection.recommendation import Option, Recommendation
from gpuconfig.engine.selection.request import RecommendRequest
from gpuconfig.i18n import Translator
from gpuconfig.presentation.comparison import delta
from gpuconfig.presentation.exchange_view import exchanged_keys
from gpuconfig.presentation.measures import (
    energy_shown,
    headroom_shown,
    option_key,
    option_name,
    price_shown,
    speed,
    speed_shown,
    tco_shown,
)
from gpuconfig.presentation.option_view import all_options
from gpuconfig.presentation.services import Services
from gpuconfig.presentation.shown import Shown, Tone
from gpuconfig.presentation.table import Column, Row, Table
from gpuconfig.presentation.what_if import CARD, change_of, kept
from gpuconfig.project.document import Project, Variant
from gpuconfig.project.variants import AddVariant, TakeVariant

FIGURES = (price_shown, speed_shown, headroom_shown, tco_shown, energy_shown)


def duplicate(project: Project, option: Option, t: Translator) -> AddVariant:
    """The step that keeps `option` as it stands in the project, under a name that no other variant has."""
    own = {key: project.exchanges[key] for key in exchanged_keys(project.exchanges, option)}
    name, taken = t.part(option_name(option)), {variant.name for variant in project.variants.values()}
    number = 1
    while (numbered := t.gettext(N_("{name}, variant {number}")).format(name=name, number=number)) in taken:
        number += 1
    return AddVariant(
        Variant(name=numbered, option=option_key(option), exchanges=own, what_if=dict(project.what_if))
    )


def take(project: Project, variant: Variant, composed: Recommendation) -> TakeVariant | None:
    """The step that puts a variant in place of its option; None where the answer has no such option any more."""
    option = _option(composed, variant.option)
    if option is None:
        return None
    replaced = exchanged_keys(project.exchanges, option)
    others = {key: value for key, value in project.exchanges.items() if key not in replaced}
    return TakeVariant(variant, {**others, **variant.exchanges})


def variant_options(
    variants: Mapping[str, Variant], composed: Recommendation, request: RecommendRequest, services: Services
) -> dict[str, Option]:
    """The machine of each variant, by its key, priced and estimated as it was kept; none where it is gone."""
    found = {}
    for key, variant in variants.items():
        answer = services.exchanged(composed, request, variant.exchanges)
        if variant.what_if:
            answer = services.what_if(
                request, answer, change_of(kept(variant.what_if), variant.what_if.get(CARD, ""))
            )
        option = _option(answer, variant.option)
        if option is not None:
            found[key] = option
    return found


def variants_table(
    variants: Mapping[str, Variant], options: Mapping[str, Option], now: Recommendation, t: Translator
) -> Table:
    """A row a variant, with what differs from its original, and the original of each option below its variants."""
    _ = t.gettext
    first = next(iter(options.values()), None)
    columns = (
        Column(key="name", title=_(N_("Variant")), width=150),
        Column(key="price", title=_(N_("Price")), numeric=True),
        Column(
            key="speed", title=_(N_("Speed") if first is None else speed(first.estimate).title), numeric=True
        ),
        Column(key="headroom", title=_(N_("Free memory")), numeric=True),
        Column(key="tco", title=_(N_("Three-year cost")), numeric=True),
        Column(key="energy", title=_(N_("Power at the wall")), numeric=True),
        Column(key="note", title=_(N_("Remark"))),
    )
    rows: list[Row] = []
    for option in dict.fromkeys(variant.option for variant in variants.values()):
        original = _option(now, option)
        for key, variant in variants.items():
            if variant.option == option:
                rows.append(_row(key, variant, options.get(key), original, t))
        if original is not None:
            name = _(N_("{name}, as it stands")).format(name=t.part(option_name(original)))
            cells = (Shown(text=name, sort=name), *(shown(original, t) for shown in FIGURES), Shown(text=""))
            rows.append(Row(key=option, cells=cells, muted=True))
    return Table(columns=columns, rows=tuple(rows), name=_(N_("Variants")), pinned=1)


def _row(key: str, variant: Variant, option: Option | None, original: Option | None, t: Translator) -> Row:
    name, note = Shown(text=variant.name, sort=variant.name), Shown(text=variant.note, sort=variant.note)
    if option is None:
        gone = Shown(text=t.gettext(N_("no option of the present answer")), tone=Tone.UNKNOWN)
        return Row(key=key, cells=(name, gone, *[Shown(text="")] * (len(FIGURES) - 1), note))
    figures = (
        _against(shown(option, t), None if original is None else shown(original, t), t) for shown in FIGURES
    )
    return Row(key=key, cells=(name, *figures, note))


def _against(figure: Shown, original: Shown | None, t: Translator) -> Shown:
    """The figure with its distance from the original's; as it was found where they are the same."""
    if original is None or not isinstance(figure.sort, float) or not isinstance(original.sort, float):
        return figure
    if figure.sort == original.sort or not original.sort:
        return replace(figure, note="")
    return replace(figure, note=delta(figure.sort / original.sort - 1, t))


def _option(answer: Recommendation, key: str) -> Option | None:
    return next((option for option in all_options(answer) if option_key(option) == key), None)
