"""Papers leave the window: seen before they are kept, printed sheet by sheet, written, and the folder opened."""

from __future__ import annotations

import pytest
from pypdf import PdfReader
from PySide6.QtGui import QDesktopServices, QPageSize
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import QDialog

from gpuconfig.i18n import Language
from gpuconfig.ui.pages.documents.preview import PRINT_DPI, PreviewDialog, print_pages
from gpuconfig.ui.widgets import mnemonics
from tests.ui.conftest import open_sample, pause, settle


@pytest.fixture
def page(make_window):
    window = make_window(Language.ZH)
    open_sample(window, 0)
    window.show_page("documents")
    settle(window)
    return window.pages["documents"]


def wait_for(met, seconds=60.0):
    for _ in range(int(seconds / 0.05)):
        if met():
            return
        pause(50)
    raise AssertionError("in vain")


def test_preview_shows_every_page_and_leaves_nothing(page):
    page.show_preview()
    dialog = page.findChild(PreviewDialog)
    assert isinstance(dialog, QDialog)
    wait_for(lambda: dialog.print_button.isEnabled())
    count = len(PdfReader(dialog.file).pages)
    assert str(count) in dialog.state.text()
    assert dialog._pages.count() == count + 1  # and the space below them
    page.session.set_language(Language.ZH)
    assert dialog.state.text() == f"共 {count} 页"
    assert mnemonics.letter(dialog.print_button.text())
    folder = dialog.file.parent
    assert folder.is_dir()
    dialog.close()
    settle(page.window())
    assert not folder.exists()


def test_printed_sheets_are_the_pages_as_large_as_they_are(page, tmp_path):
    session = page.session
    paper, sheets = tmp_path / "paper.pdf", tmp_path / "sheets.pdf"
    project = session.complete_project()
    session.services.export("requisition", project, session.recommendation, session.option, "zh", paper)
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setFullPage(True)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    printer.setOutputFileName(str(sheets))
    pictures, count = session.services.pages(paper, PRINT_DPI, 400)
    print_pages(pictures, printer)
    printed = PdfReader(sheets)
    assert len(printed.pages) == len(pictures) == count
    again, _ = session.services.pages(sheets, 50.0, 400)
    first, _ = session.services.pages(paper, 50.0, 400)
    assert (again[0].width, again[0].height) == pytest.approx((first[0].width, first[0].height), abs=2)
    dark = [sum(b < 128 for b in picture.pixels) for picture in (first[0], again[0])]
    assert dark[1] == pytest.approx(dark[0], rel=0.35)


def test_the_folder_opens_after_the_export(page, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    said = []
    monkeypatch.setattr(page.session, "say", lambda text, *action: said.append((text, action)))
    page.export_to(tmp_path / "预算.pdf")
    wait_for(lambda: bool(said))
    text, (word, action) = said[-1]
    assert "预算.pdf" in text
    assert word == "打开文件夹"
    assert len(PdfReader(tmp_path / "预算.pdf").pages) >= 2
    action()
    assert opened == [str(tmp_path)]


def test_a_folder_that_cannot_be_written_is_said_and_the_page_goes_on(page, tmp_path):
    page.export_to(tmp_path / "none" / "paper.pdf")
    wait_for(lambda: not page._writing)
    assert "paper.pdf" in page.state.findChild(type(page.answers)).text() or page.state.isVisibleTo(
        page.window()
    )
    page.export_to(tmp_path / "paper.pdf")
    wait_for((tmp_path / "paper.pdf").is_file)
