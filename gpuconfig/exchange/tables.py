"""One door to the tables of a file: CSV and text by content, XLSX by its ending."""

from __future__ import annotations

from pathlib import Path

from gpuconfig.exchange.sheet import Sheet


def read_tables(path: Path) -> tuple[Sheet, ...]:
    """Every table of a file.

    Raises:
        DataError: unreadable, of an unknown encoding, broken, or beyond the limits.
    """
    from gpuconfig.engine.provenance.errors import DataError
    from gpuconfig.engine.provenance.message import N_, Message
    from gpuconfig.engine.provenance.system_errors import refusal

    try:
        if path.suffix.lower() in (".xlsx", ".xlsm"):
            from gpuconfig.exchange.xlsx_table import read_workbook

            return read_workbook(path)
        from gpuconfig.exchange.text_table import read_text_table

        return (read_text_table(path),)
    except OSError as error:
        values = {"file": str(path), "reason": refusal(error)}
        raise DataError("unreadable", Message(N_("{file} cannot be read: {reason}"), values)) from None
