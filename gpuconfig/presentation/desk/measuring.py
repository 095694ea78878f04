"""A person's own measurements: pasted or typed, kept as one undoable step, and what they make of the estimate."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gpuconfig.engine.catalogue.record import Measurement
from gpuconfig.engine.estimation.answer import Estimate
from gpuconfig.engine.estimation.own import MOVES
from gpuconfig.engine.provenance.errors import InputError, UserError
from gpuconfig.engine.provenance.figure import Figure
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.engine.workloads.request import EstimateRequest, Kind
from gpuconfig.exchange.dates import read_days
from gpuconfig.exchange.numbers import NumberStyle, read_number
from gpuconfig.exchange.quantities import Dimension, read_quantity
from gpuconfig.exchange.run_logs import ReadValue as ReadValue
from gpuconfig.exchange.run_logs import read_log, settled
from gpuconfig.presentation.desk.workplace import Workplace

Estimates = Callable[[Sequence[EstimateRequest]], list[Estimate | UserError]]


@dataclass(frozen=True, slots=True)
class OwnRun:
    """One own measurement beside the estimate as the bundle alone makes it; None where that cannot be read."""

    measurement: Measurement
    estimated: float | None

    def off(self) -> float | None:
        """Measured over estimated less one."""
        return None if not self.estimated else self.measurement.value / self.estimated - 1


class MeasurementBook:
    """The user's measurements.

    Args:
        place: catalogue and overlay.
        read: contract JSON of `estimate` to a request.
        estimate: estimates as the bundle alone makes them.
    """

    def __init__(
        self, place: Workplace, read: Callable[[object], EstimateRequest], estimate: Estimates
    ) -> None:
        self._place = place
        self._read = read
        self._estimate = estimate

    @staticmethod
    def quantities(kind: Kind) -> tuple[str, ...]:
        """What can be typed for a kind of work, for example `training.tokens_per_s`."""
        parts = {
            Kind.TRAINING: ("training", "memory"), Kind.SERVING: ("serving",), Kind.IMAGE: ("image", "memory"),
            Kind.VIDEO: ("video", "memory"),
        }.get(kind, ("vision", "memory"))  # fmt: skip
        return tuple(name for name in MOVES if name.partition(".")[0] in parts)

    def read(self, text: str, request: object) -> tuple[ReadValue, ...]:
        """Every figure of pasted lines, those not taken with the reason; raises InputError for the request."""
        return read_log(text, self._read(request).kind)

    def keep(
        self, values: Sequence[ReadValue], request: object, source: str = "", date: str = ""
    ) -> Sequence[Measurement]:
        """Store what `read` found, one value a quantity, as one undoable step.

        Args:
            values: as read; those with a problem are left out.
            request: contract JSON of what ran.
            source: which machine and run; by default the tool.
            date: day of the run; today by default.

        Raises:
            InputError: the request or the day cannot be read, or there is no value to keep.
            DataError: the database cannot be written.
        """
        chosen = settled(tuple(values))
        if not chosen:
            raise InputError(
                "missing", "values", None, Message(N_("no figure that can be compared was found"))
            )
        rows = [(v.quantity, v.value, v.unit, source.strip() or v.tool, v.text) for v in chosen]
        return self._store(rows, request, date)

    def add(
        self, quantity: str, value: str, request: object, source: str = "", date: str = "",
        style: NumberStyle = NumberStyle.POINT,
    ) -> Measurement:  # fmt: skip
        """Type in one value, with its unit where it has one ("21.4 GiB").

        Raises:
            InputError: no such quantity for this kind of work, no such value, or a request that cannot be read.
        """
        known = self.quantities(self._read(request).kind)
        if quantity not in known:
            accepted = Message("{names}", {"names": ", ".join(known)})
            raise InputError("unknown_value", "quantity", quantity, Message(N_("no such quantity")), accepted)
        number, unit = _typed(quantity, value, style)
        return self._store([(quantity, number, unit, source.strip(), "")], request, date)[0]

    def all(self) -> Sequence[OwnRun]:
        """Every own measurement beside what the bundle alone estimates. (long the first time)"""
        own = [m for m in self._place.catalogue.measurements() if m.own]
        found = []
        for item in own:
            try:
                (answer,) = self._estimate([self._read(json.loads(item.request))])
            except (UserError, ValueError):
                found.append(OwnRun(item, None))
                continue
            part, _, name = item.quantity.partition(".")
            figure = getattr(getattr(answer, part, None), name, None)
            found.append(OwnRun(item, figure.value if isinstance(figure, Figure) else None))
        return found

    def remove(self, measurement_id: str) -> None:
        """Delete an own measurement, as one undoable step; raises InputError where there is none."""
        if not any(m.own and m.id == measurement_id for m in self._place.catalogue.measurements()):
            raise InputError(
                "unknown_value", "ID", measurement_id, Message(N_("there is no such measurement"))
            )
        with self._place.step(f"{measurement_id} ✕") as step:
            step.delete("measurement", {"id": measurement_id})

    def _store(
        self, rows: Sequence[tuple[str, float, str, str, str]], request: object, date: str
    ) -> Sequence[Measurement]:
        read = self._read(request)
        day = read_days([date]).values[0] if date.strip() else self._place.today().isoformat()
        if day is None:
            raise InputError("wrong_type", "date", date, Message(N_("this is no day")), Message("2026-12-02"))
        body = json.dumps(_plain(request), ensure_ascii=False, sort_keys=True)
        made = [self._row(row, read, body, day) for row in rows]
        with self._place.step(
            f"{read.accelerator.name}: {', '.join(str(row['quantity']) for row in made)}"
        ) as step:
            step.put("measurement", made)
        ids = {row["id"] for row in made}
        return [m for m in self._place.catalogue.measurements() if m.own and m.id in ids]

    def _row(
        self, row: tuple[str, float, str, str, str], read: EstimateRequest, body: str, day: str
    ) -> dict[str, str | float]:
        quantity, value, unit, source, note = row
        mark = hashlib.sha256(f"{quantity}|{value}|{body}|{day}|{source}".encode()).hexdigest()[:8]
        return {
            "task": _TASKS[read.kind], "id": f"own-{mark}", "quantity": quantity, "value": value,
            "unit": unit, "request": body, "source": source or read.accelerator.name, "date": day,
            "evidence_kind": "measured", "note": note,
        }  # fmt: skip


_TASKS: Mapping[Kind, str] = {
    Kind.TRAINING: "training_throughput", Kind.SERVING: "serving", Kind.IMAGE: "image", Kind.VIDEO: "video",
    Kind.VISION_TRAINING: "vision", Kind.VISION_INFERENCE: "vision",
}  # fmt: skip


def _typed(quantity: str, value: str, style: NumberStyle) -> tuple[float, str]:
    if quantity.endswith("_bytes"):
        size = read_quantity(value, Dimension.MEMORY, "value", style).value
        if size <= 0:
            raise InputError(
                "out_of_range", "value", value, Message(N_("a measured value is more than zero"))
            )
        return float(size), "B"
    match = re.fullmatch(r"\s*([\d.,'\s]*\d)\s*(\D*)", value)
    number = read_number(match[1]).alone(style) if match else None
    if number is None or number <= 0:
        reason = Message(N_("a measured value is more than zero"))
        raise InputError("wrong_type", "value", value, reason)
    unit = (
        "s"
        if quantity.endswith("_s") and "_per_" not in quantity
        else "ms"
        if quantity.endswith("_ms")
        else "1"
    )
    return float(number), unit


def _plain(request: object) -> object:
    return {k: v for k, v in request.items() if k != "id"} if isinstance(request, Mapping) else request
