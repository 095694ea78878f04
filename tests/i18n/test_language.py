"""Which language `system` means."""

import pytest

from gpuconfig.i18n import Language, resolve
from gpuconfig.settings import LanguageChoice


@pytest.mark.parametrize(
    ("lang", "language"),
    [
        ("zh_CN.UTF-8", Language.ZH),
        ("zh_TW", Language.ZH),
        ("en_GB.UTF-8", Language.EN),
        ("de_DE", Language.EN),
    ],
)
def test_system_follows_the_environment(monkeypatch, lang, language):
    for variable in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("LANG", lang)
    assert resolve(LanguageChoice.SYSTEM) is language


def test_a_choice_beats_the_environment(monkeypatch):
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert resolve(LanguageChoice.EN) is Language.EN
