"""What the operating system says of a file is said in the reader's language."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

import pytest

from gpuconfig.engine.provenance.errors import UserError
from gpuconfig.engine.provenance.message import Message
from gpuconfig.engine.provenance.system_errors import refusal
from gpuconfig.exchange.tables import read_tables
from gpuconfig.i18n import Language, load, render


@pytest.mark.parametrize("number", [errno.ENOENT, errno.EACCES, errno.ENOSPC, errno.EROFS, errno.EISDIR])
def test_common_refusals_are_translated(number: int) -> None:
    reason = refusal(OSError(number, os.strerror(number)))
    assert isinstance(reason, Message)
    assert os.strerror(number) not in render(reason, load(Language.ZH))


def test_rare_ones_keep_the_systems_words() -> None:
    assert refusal(OSError(errno.EXDEV, "Invalid cross-device link")) == "Invalid cross-device link"


@pytest.mark.parametrize("name", ["table.csv", "table.xlsx"])
def test_a_file_that_is_not_there_is_told_in_chinese(name: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as refused:
        read_tables(tmp_path / name)
    assert "文件或文件夹不存在" in render(refused.value.message, load(Language.ZH))


def test_what_is_no_workbook_is_told_in_chinese(tmp_path: Path) -> None:
    (tmp_path / "table.xlsx").write_bytes(b"PK\x03\x04 no archive")
    with pytest.raises(UserError) as refused:
        read_tables(tmp_path / "table.xlsx")
    assert "已损坏" in render(refused.value.message, load(Language.ZH))


@pytest.mark.parametrize("text", ["database or disk is full", "database is locked", "file is not a database"])
def test_what_sqlite_says_is_translated(text: str) -> None:
    assert text not in render(refusal(sqlite3.OperationalError(text)), load(Language.ZH))
