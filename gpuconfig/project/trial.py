"""The change of a project that a what-if leaves behind: numbers tried, and answers of the wizard, in one step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.project.commands import Command
from gpuconfig.project.document import Project


@dataclass(frozen=True, slots=True, kw_only=True)
class SetWhatIf:
    """Numbers that are tried, by name; None takes one back. `answers` of the wizard follow in the same step."""

    values: Mapping[str, str | None] = field(default_factory=dict)
    answers: Mapping[str, object] = field(default_factory=dict)
    subject: Message = field(default_factory=lambda: Message(N_("what-if")))

    def apply(self, project: Project) -> Project:
        """The project with the numbers laid over its own."""
        tried = {**project.what_if, **self.values}
        answers = {**project.answers, **self.answers}
        return replace(
            project,
            what_if={key: value for key, value in tried.items() if value is not None},
            answers={key: value for key, value in answers.items() if value is not None},
        )

    def title(self) -> Message:
        """Names the number."""
        return Message(N_("what-if: {subject}"), {"subject": self.subject})

    def merges_with(self, previous: Command) -> bool:  # noqa: ARG002
        """Never: a step is made when the person stops."""
        return False
