"""150, 200 and 250 %: each scale in its own process, since Qt reads the factor once."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROBE = """
import sys
from PySide6.QtWidgets import QApplication
from gpuconfig import app as wiring
from gpuconfig.i18n import Language
from gpuconfig.ui import theme
from gpuconfig.ui.main_window import MainWindow
from gpuconfig.ui.rail import PAGES
from tests.ui import inspection
from tests.ui.conftest import open_sample, settle

app = QApplication(sys.argv[:1])
theme.load_fonts(app)
found = []
window = MainWindow(wiring.services(), Language.ZH)
window.resize(1366, 768)
window.show()
open_sample(window, 0)
for language in Language:
    window.session.set_language(language)
    for key, _name in PAGES:
        window.show_page(key)
        settle(window)
        found += [f"{language} {key}: {text}" for text in inspection.clipped(window) + inspection.overlapping(window)]
        shot = window.grab()
        assert shot.width() == round(1366 * shot.devicePixelRatio()), (shot.width(), shot.devicePixelRatio())
window.close()
print("\\n".join(found))
sys.exit(1 if found else 0)
"""


@pytest.mark.parametrize("factor", ["1.5", "2", "2.5"])
def test_every_page_in_both_languages(factor, tmp_path):
    environment = {**os.environ, "QT_SCALE_FACTOR": factor, "GPUCONFIG_USER_FOLDER": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROBE], capture_output=True, text=True, env=environment, timeout=240
    )
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
