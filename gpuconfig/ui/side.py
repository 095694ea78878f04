"""What stands right of the pages: the why panel, the what-if panel; one at a time, docked where there is room."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QWidget

from gpuconfig.settings import WHY_PANEL
from gpuconfig.ui import theme
from gpuconfig.ui.reading_order import bring_into_sight
from gpuconfig.ui.session import Session

if TYPE_CHECKING:
    from gpuconfig.presentation.reference import Reference
    from gpuconfig.ui.what_if_panel import WhatIfPanel
    from gpuconfig.ui.why_panel import WhyPanel

REFLOWED_MS = 40
"""After that a page has laid itself out in its new width."""


class Side:
    """The panels, made when they are first asked for.

    The why panel covers what-if while it is open, and gives its place back when it closes.
    """

    def __init__(
        self, session: Session, middle: QWidget, row: QHBoxLayout, leave: Callable[[], object]
    ) -> None:
        self._session = session
        self._middle = middle
        self._row = row
        self._leave = leave
        self.why: WhyPanel | None = None
        self.what_if: WhatIfPanel | None = None
        self._asked_why = session.services.settings.get(WHY_PANEL)
        self._asked_what_if = False
        self._from: QWidget | None = None

    def open_why(self, reference: Reference, by_key: bool = False) -> None:
        """Open what is behind a figure; by a key the keyboard goes along, and back when the panel closes."""
        panel = self._make_why()
        panel.open(reference)
        self._asked_why = True
        self.place()
        before = QApplication.focusWidget()
        if by_key and before is not None and not panel.isAncestorOf(before):
            self._from = before
            panel.focus_first()
        if before is not None:
            self._keep_in_sight(before)

    def toggle_why(self) -> None:
        """Show or hide the why panel."""
        self._asked_why = self.why is None or not self.why.isVisible()
        self._keep_why()
        self.place()

    def toggle_what_if(self) -> None:
        """Show or hide the what-if panel; an open why panel gives way."""
        shown = self.what_if is not None and self.what_if.isVisible()
        self._asked_what_if = not shown
        self._asked_why = False
        if self._asked_what_if:
            self._make_what_if()
        self.place()
        if self._asked_what_if and self.what_if is not None:
            self.what_if.focus_first()
        else:
            self._leave()

    def place(self) -> None:
        """Docked where the window is wide enough, else over the content; only what was asked for shows."""
        shown: QFrame | None = None
        if self._asked_why:
            shown = self._make_why()
        elif self._asked_what_if:
            shown = self.what_if
        for panel in (self.why, self.what_if):
            if panel is not None and panel is not shown:
                self._row.removeWidget(panel)
                panel.hide()
        if shown is None:
            return
        if self._middle.window().width() >= theme.WHY_DOCKS_FROM:
            if self._row.indexOf(shown) < 0:
                self._row.addWidget(shown)
        else:
            self._row.removeWidget(shown)
            shown.setParent(self._middle)
            width = shown.maximumWidth()
            shown.setGeometry(self._middle.width() - width, 0, width, self._middle.height())
        shown.show()
        shown.raise_()

    def _make_why(self) -> WhyPanel:
        if self.why is None:
            from gpuconfig.ui.why_panel import WhyPanel

            self.why = WhyPanel(self._session)
            self.why.setParent(self._middle)
            self._session.wardrobe.add(self.why)
            self.why.closed.connect(self._close_why)
        return self.why

    def _make_what_if(self) -> WhatIfPanel:
        if self.what_if is None:
            from gpuconfig.ui.what_if_panel import WhatIfPanel

            self.what_if = WhatIfPanel(self._session)
            self.what_if.setParent(self._middle)
            self._session.wardrobe.add(self.what_if)
            self.what_if.closed.connect(self.toggle_what_if)
        return self.what_if

    def _close_why(self) -> None:
        panel, now = self.why, QApplication.focusWidget()
        inside = panel is not None and now is not None and panel.isAncestorOf(now)
        self._asked_why = False
        self._keep_why()
        self.place()
        if inside:
            self._give_back()

    def _give_back(self) -> None:
        """The keyboard goes where it came from, or to the page where that is no more."""
        before, self._from = self._from, None
        if before is not None and shiboken6.isValid(before) and before.isVisible() and before.isEnabled():
            before.setFocus()
            self._keep_in_sight(before)
        else:
            self._leave()

    def _keep_in_sight(self, figure: QWidget) -> None:
        """Beside a panel, and without it, the page has another width: the figure is elsewhere then."""

        def look() -> None:
            if shiboken6.isValid(figure) and figure.isVisible():
                bring_into_sight(figure)

        QTimer.singleShot(REFLOWED_MS, self._middle, look)

    def _keep_why(self) -> None:
        with suppress(OSError):  # a full disk must not keep the panel from opening
            self._session.services.settings.set(WHY_PANEL, self._asked_why)
