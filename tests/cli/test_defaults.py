"""The page on fields and defaults is what the declarations that read a request say."""

import pytest

from gpuconfig import paths
from gpuconfig.cli.field_meaning import MEANINGS
from gpuconfig.cli.field_table import OPEN, REQUIRED, sections
from gpuconfig.cli.help_tables.defaults import default_blocks
from gpuconfig.cli.help_tables.table import block, block_names
from gpuconfig.i18n import Language, load


def test_every_field_has_one_meaning_and_none_is_of_no_field():
    fields = [f"{name}:{row.path}" for name, rows in sections().items() for row in rows]
    assert len(fields) == len(set(fields))
    assert set(fields) == set(MEANINGS)


@pytest.mark.parametrize("language", list(Language))
def test_committed_page_is_what_is_declared(language):
    page = (paths.resources() / "help" / f"defaults.{language.value}.md").read_text(encoding="utf-8")
    blocks = default_blocks(load(language).gettext)
    assert block_names(page) == set(blocks)
    assert [name for name, text in blocks.items() if block(page, name) != text] == [], (
        "gpuconfig help --refresh"
    )


def test_chinese_meanings_are_chinese():
    gettext = load(Language("zh")).gettext
    same = [text for text in MEANINGS.values() if gettext(text) == text]
    assert set(same) <= {"diffusers", "PyTorch"}


def test_a_request_of_required_fields_alone_is_answered(gpuconfig):
    rows = {row.path: row for name in ("training", "hardware") for row in sections()[name]}
    required = {path for path, row in rows.items() if row.default == REQUIRED}
    assert required == {"workload.kind", "hardware.gpu"}
    assert rows["workload.optimizer"].default == OPEN
    request = {"model": "llama-3-8b", "workload": {"kind": "training"}, "hardware": {"gpu": "h100"}}
    assert gpuconfig("estimate", "-", "--json", request=request).code in (0, 1)
