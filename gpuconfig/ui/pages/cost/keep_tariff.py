"""The prices of electricity typed on the cost page, kept as the tariff of one's own bill."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QWidget

from gpuconfig.engine.provenance.errors import InputError, UserError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.cost_wishes import COST_FIELDS, kept_tariff, shown_value, typed_tariff
from gpuconfig.project.commands import SetAnswers
from gpuconfig.ui.jobs import Job
from gpuconfig.ui.session import Session
from gpuconfig.ui.widgets.text import button, column, label, row

SOURCE_WIDTH = 260


class KeepTariff(QWidget):
    """Who says so, and a button; shown once a price of a kilowatt-hour is typed."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.source = QLineEdit()
        self.source.setMaximumWidth(SOURCE_WIDTH)
        self.button = button()
        self.button.clicked.connect(self.keep)
        self.state = label("problem", wrap=True)
        self.state.hide()
        self.setLayout(column(row(self.source, self.button, -1), self.state, spacing=4))

    def retranslate(self) -> None:
        """Name field and button."""
        _ = self._session.gettext
        self.source.setPlaceholderText(_(N_("who says so: bill, contract")))
        self.source.setAccessibleName(_(N_("who says so: bill, contract")))
        self.button.setText(_(N_("Keep as my tariff")))
        self.button.setAccessibleName(_(N_("Keep as my tariff")))

    def refresh(self) -> None:
        """Show where there is something to keep."""
        answers = self._session.answers
        prices = (f for f in COST_FIELDS if f.key.startswith("per_kwh"))
        self.setVisible(any(shown_value(field, answers) for field in prices))

    def keep(self) -> None:
        """Write the tariff into the user's catalogue, then choose it."""
        session = self._session
        region = "CN" if session.request is None else session.request.constraints.region.value
        self.state.hide()
        try:
            entry = typed_tariff(session.answers, region, self.source.text())
        except InputError as error:
            self._failed(error)
            return
        desk = session.services.desk()

        def work(job: Job) -> str:
            plan = desk.tariffs.typed(entry)
            desk.imports.apply(plan, job)
            data = plan.rows[0].data
            return str(data["id"]) if data is not None else ""

        session.jobs.write(Message(N_("Writing the catalogue")), work, self._kept, self._failed)

    def _kept(self, name: str) -> None:
        session, _ = self._session, self._session.gettext
        session.do(SetAnswers(kept_tariff(session.answers, name), Message(N_("Electricity tariff"))))
        session.say(_(N_("Kept as a tariff: {name}")).format(name=name))

    def _failed(self, fault: Exception) -> None:
        session = self._session
        reason = session.render(fault.message) if isinstance(fault, UserError) else str(fault)
        self.state.setText(reason)
        self.state.show()
