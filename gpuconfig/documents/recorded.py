"""Words recorded with the data, in the reader's language: how a price came about, what an export rule says."""

from __future__ import annotations

import re
from types import MappingProxyType

from gpuconfig.documents.writer import Writer
from gpuconfig.engine.provenance.message import N_
from gpuconfig.i18n.recorded import recorded_words

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


def recorded(words: str, writer: Writer) -> str:
    """`words` of a data row as the paper says them; what has no translation stays as it was recorded."""
    said = writer.word(words)
    return said if said != words else recorded_words(words, writer.translator)


def described(words: str, writer: Writer) -> str:
    """What a measurement was of, as its row says it."""
    if run := _RUN.fullmatch(words):
        return writer.say(_RUN_WORDS, **run.groupdict())
    name = words.removesuffix(_INFERRED)
    what = writer.word(_MEASURED.get(name, name))
    return what if name == words else writer.say(N_("{what}, a setting inferred"), what=what)
