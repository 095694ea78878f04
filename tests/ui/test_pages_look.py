"""Each page in both languages, both schemes: nothing clipped, nothing covered, nothing untranslated, all named.

Scales other than 100 % need their own process: `test_scales.py`. With GPUCONFIG_SHOTS the pictures are kept there.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gpuconfig.i18n import Language
from gpuconfig.settings import THEME, ThemeChoice
from gpuconfig.ui.main_window import LEAST_SIZE
from gpuconfig.ui.pages.wizard.page import StepForm, WizardPage
from gpuconfig.ui.rail import PAGES
from tests.ui import inspection
from tests.ui.conftest import open_sample, pause, settle

LOOKS = [(language, scheme) for language in Language for scheme in (ThemeChoice.LIGHT, ThemeChoice.DARK)]
SIZES = ((1366, 768), (1920, 1080), LEAST_SIZE)


def problems(window, language) -> list[str]:
    """Everything wrong with the page that shows."""
    found = inspection.clipped(window) + inspection.overlapping(window)
    found += inspection.stray_english(window) if language is Language.ZH else inspection.stray_chinese(window)
    return found + inspection.nameless(window)


def keep(window, name: str) -> None:
    folder = os.environ.get("GPUCONFIG_SHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        window.grab().save(str(Path(folder) / f"{name}.png"))


@pytest.mark.parametrize(("language", "scheme"), LOOKS)
def test_every_page_of_a_project(make_window, services, language, scheme):
    services.settings.set(THEME, scheme)
    window = make_window(language)
    open_sample(window, 0)
    found = {}
    for key, _name in PAGES:
        window.show_page(key)
        settle(window)
        keep(window, f"{key}-{language}-{scheme}")
        found[key] = problems(window, language)
    assert {key: texts for key, texts in found.items() if texts} == {}


@pytest.mark.parametrize("language", list(Language))
def test_every_page_before_anything_is_answered(make_window, language):
    window = make_window(language)
    found = {}
    for key, _name in PAGES:
        window.show_page(key)
        settle(window)
        found[key] = problems(window, language)
    assert {key: texts for key, texts in found.items() if texts} == {}


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("task", ["full", "qlora", "serving", "video", "vision_training", "vision_inference"])
def test_every_step_of_the_wizard_with_all_options(make_window, language, task):
    window = make_window(language)
    window.files.new()
    page = window.pages["wizard"]
    assert isinstance(page, WizardPage)
    form = page.forms[0]
    assert isinstance(form, StepForm)
    form.fields["task"].buttons[task].setChecked(True)  # type: ignore[attr-defined]
    found = {}
    for number in range(len(page.forms)):
        page.go_to(number)
        pause(30)
        if isinstance(page.forms[number], StepForm):
            page.forms[number].more.set_open(True)  # type: ignore[union-attr]
            settle(window)
        keep(window, f"step{number}-{task}-{language}")
        found[number] = problems(window, language)
    assert {key: texts for key, texts in found.items() if texts} == {}


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_no_page_needs_more_width_than_the_window_has(make_window, size, language):
    window = make_window(language, size)
    open_sample(window, 0)
    wide = []
    for key, _name in PAGES:
        window.show_page(key)
        settle(window)
        if window.pages[key].area.horizontalScrollBar().maximum() > 0:
            wide.append(key)
    assert wide == []


def test_a_language_switch_leaves_no_text_behind(make_window):
    window = make_window(Language.EN)
    open_sample(window, 0)
    for key, _name in PAGES:
        window.show_page(key)
        settle(window)
    window.session.set_language(Language.ZH)
    found = {}
    for key, _name in PAGES:
        window.show_page(key)
        settle(window)
        found[key] = inspection.stray_english(window)
    assert {key: texts for key, texts in found.items() if texts} == {}


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_nothing_is_clipped_with_the_why_panel_open(make_window, size):
    window = make_window(Language.ZH, size)
    open_sample(window, 0)
    found = {}
    for key, _name in PAGES:
        window.show_page(key)
        settle(window)
        window.side.toggle_why() if key == "start" else None
        settle(window)
        found[key] = inspection.clipped(window.pages[key])
    assert {key: texts for key, texts in found.items() if texts} == {}


@pytest.mark.parametrize("language", list(Language))
def test_the_wizard_leads_on_in_the_smallest_window(make_window, language):
    window = make_window(language, LEAST_SIZE)
    open_sample(window, 0)
    window.show_page("wizard")
    page = window.pages["wizard"]
    for number in range(len(page.forms)):
        page.go_to(number)
        settle(window)
        corner = page.next.mapTo(window, page.next.rect().bottomRight())
        assert window.rect().contains(corner), number
        assert page.form_area.widget().width() <= page.form_area.viewport().width(), number
    keep(window, f"smallest-{language}")
