"""Words recorded with the data, in the reader's language: how a price came about, what an export rule says."""

from __future__ import annotations

import re
from types import MappingProxyType

from gpuconfig.documents.writer import Writer
from gpuconfig.engine.provenance.message import N_

_CONVERTED = re.compile(
    r"USD x (?P<rate>[\d.]+) x [\d.]+ "
    r"\((?:rate of )?(?P<date>\d{4}-\d{2})(?: rate)?, (?P<vat>\d+) ?% VAT\): conversion, not a street price"
)
_CONVERTED_USED = re.compile(
    r"USD x (?P<rate>[\d.]+) \(rate of (?P<date>\d{4}-\d{2}), used goods without VAT\): "
    r"conversion, not a street price"
)
_RUN = re.compile(r"(?P<method>\w+), (?P<precision>\w+), (?P<tokens>\d+) tokens, (?P<cards>\d+) cards")
_RUN_WORDS = N_("{method}, {precision}, {tokens} tokens, {cards} cards")
_MEASURED = MappingProxyType(
    {
        "tpot": N_("time per output token"), "ttft": N_("time to the first token"),
        "end_to_end": N_("from request to the last token"), "saturated": N_("output at full load"),
        "aggregate": N_("output of all users"), "vision:training": N_("training of vision"),
        "vision:inference": N_("inference of vision"),
    }
)  # fmt: skip
_INFERRED = ", a setting inferred"
_PATTERNS = (
    (_CONVERTED, N_("US price × {rate} ({date}) with {vat} % VAT: a conversion, nobody asks this amount")),
    (
        _CONVERTED_USED,
        N_("US price × {rate} ({date}), used goods without VAT: a conversion, nobody asks this amount"),
    ),
)


def recorded(words: str, writer: Writer) -> str:
    """`words` of a data row as the paper says them; what has no translation stays as it was recorded."""
    for pattern, template in _PATTERNS:
        found = pattern.match(words)
        if found is not None:
            return writer.say(template, **found.groupdict())
    return writer.word(words)


def described(words: str, writer: Writer) -> str:
    """What a measurement was of, as its row says it."""
    if run := _RUN.fullmatch(words):
        return writer.say(_RUN_WORDS, **run.groupdict())
    name = words.removesuffix(_INFERRED)
    what = writer.word(_MEASURED.get(name, name))
    return what if name == words else writer.say(N_("{what}, a setting inferred"), what=what)
