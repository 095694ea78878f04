"""What the catalogue calls its models and parts, read beside the window's work."""

from __future__ import annotations

from collections.abc import Mapping

from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.presentation.wizard.constraint_step import OWNED_KINDS
from gpuconfig.ui.jobs import Job
from gpuconfig.ui.session import Session


def read_names(session: Session) -> None:
    """Tell the session the names; again after the catalogue was edited."""

    def work(_job: Job) -> Mapping[str, str]:
        catalogue = session.services.catalogue()
        names = {item.id: item.name for item in (*catalogue.models(), *catalogue.accelerators())}
        for kind in OWNED_KINDS:
            names |= {f"{kind.value}:{item.id}": item.name for item in catalogue.parts(kind)}
        return names

    session.jobs.read(Message(N_("Reading the catalogue")), work, session.take_names, quiet=True)
