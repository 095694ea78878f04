"""Closed vocabularies in words: every value of every form has some, in both languages."""

import pytest

from gpuconfig import app as wiring
from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.i18n import Language, load
from gpuconfig.presentation.choice_words import CHOICES, choice_in_words

PROPER_NAMES = {"vendor"}


@pytest.fixture(scope="module")
def choices(tmp_path_factory):
    items = wiring.services(tmp_path_factory.mktemp("overlay") / "own.sqlite").desk().items
    fields = [row.field for kind in Kind for row in items.form(kind).rows]
    return {f.name: f.choices for f in fields if f.kind.value == "choice"}


def test_every_value_of_every_form_has_words_that_differ(choices):
    assert {name for name in choices if name not in CHOICES} == PROPER_NAMES
    for name in choices.keys() - PROPER_NAMES:
        for language in Language:
            words = [choice_in_words(name, value, load(language)) for value in choices[name]]
            assert set(choices[name]) <= CHOICES[name].keys()
            assert len(set(words)) == len(words), (name, words)


def test_a_proper_name_stays():
    assert choice_in_words("vendor", "NVIDIA", load(Language.ZH)) == "NVIDIA"
    assert choice_in_words("software", "rocm", load(Language.ZH)) == "ROCm"
