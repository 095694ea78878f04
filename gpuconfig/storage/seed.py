"""Reading seed files: CSV with vendors' units in the column names, turned into base units.

A column is named as in the database, or ends in a unit that says how to get there:
`bandwidth_gb_per_s` fills `bandwidth_bytes_per_s`. An empty cell is unknown.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.engine.provenance.message import N_, Message

Value = str | int | float
"""What a cell becomes in the database; an unknown cell is left out."""

UNIT_SUFFIXES = (
    ("_gb_per_s_per_direction", "_bytes_per_s_per_direction", Decimal(10**9)),
    ("_gb_per_s", "_bytes_per_s", Decimal(10**9)),
    ("_gbit_per_s", "_bits_per_s", Decimal(10**9)),
    ("_tflops", "_flops", Decimal(10**12)),
    ("_tops", "_ops", Decimal(10**12)),
    ("_gflop", "_flop", Decimal(10**9)),
    ("_mib", "_bytes", Decimal(2**20)),
    ("_gib", "_bytes", Decimal(2**30)),
    ("_gb", "_bytes", Decimal(10**9)),
)
"""Unit at the end of a seed column, the same in the database, and the factor between them."""

WORDS = {"yes": 1, "no": 0}


@dataclass(frozen=True, slots=True)
class SeedRow:
    """One line of a seed file, with the place it came from for error messages."""

    path: Path
    line: int
    cells: Mapping[str, str]

    def error(self, column: str, reason: str) -> DataError:
        """An error that names file, line and column."""
        values = {"file": self.path.name, "line": self.line, "column": column, "reason": reason}
        return DataError("bad_seed", Message(N_("{file}, line {line}, column {column}: {reason}"), values))


def read_seed(path: Path) -> Iterator[SeedRow]:
    """The rows of one CSV file in UTF-8; cells are stripped.

    Raises:
        DataError: a line with more or fewer cells than the header.
    """
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        header = next(reader)
        for cells in reader:
            row = SeedRow(path, reader.line_num, dict(zip(header, (c.strip() for c in cells), strict=False)))
            if len(cells) != len(header):
                raise row.error("", f"{len(cells)} cells under {len(header)} columns")
            yield row


def base_units(row: SeedRow, columns: Mapping[str, str]) -> dict[str, Value]:
    """The known cells of `row` whose column the table has, in base units.

    Args:
        row: one line of a seed file.
        columns: name and type (TEXT, INTEGER, REAL) of the columns wanted.

    Raises:
        DataError: a cell that is no number where one is wanted.
    """
    values: dict[str, Value] = {}
    for name, cell in row.cells.items():
        if not cell:
            continue
        column, factor = target(name, columns)
        if column is not None:
            values[column] = _value(row, name, cell, columns[column], factor)
    return values


def target(name: str, columns: Mapping[str, str]) -> tuple[str | None, Decimal]:
    """The database column a seed column fills and the factor to it; None where the table has none."""
    if name in columns:
        return name, Decimal(1)
    for suffix, base, factor in UNIT_SUFFIXES:
        if name.endswith(suffix):
            column = name.removesuffix(suffix) + base
            if column in columns:
                return column, factor
    return None, Decimal(1)


def _value(row: SeedRow, name: str, cell: str, sql_type: str, factor: Decimal) -> Value:
    if sql_type == "TEXT":
        return cell
    if cell in WORDS and factor == 1:
        return WORDS[cell]
    try:
        number = Decimal(cell) * factor
    except InvalidOperation:
        raise row.error(name, f"{cell!r} is no number") from None
    if sql_type == "REAL":
        return float(number)
    if number != number.to_integral_value():
        raise row.error(name, f"{cell} is not a whole number of the base unit")
    return int(number)
