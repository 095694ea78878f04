"""Changes of a project, each named for undo and redo."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.project.document import Project


class Command(Protocol):
    """One change; applying it never fails and never touches anything else."""

    def apply(self, project: Project) -> Project:
        """The project after the change."""

    def title(self) -> Message:
        """What a person did, in a few words: "change of Budget"."""

    def merges_with(self, previous: Command) -> bool:
        """Whether this continues `previous` (typing in one field), so that undo takes both back at once."""


@dataclass(frozen=True, slots=True)
class SetAnswers:
    """Answers of the wizard; None removes one. `subject` names what was changed."""

    changes: Mapping[str, object]
    subject: Message = field(default_factory=lambda: Message(N_("answer")))
    typing: bool = False

    def apply(self, project: Project) -> Project:
        """The project with the answers laid over its own."""
        merged = {**project.answers, **self.changes}
        return replace(project, answers={key: value for key, value in merged.items() if value is not None})

    def title(self) -> Message:
        """Names the question."""
        return Message(N_("change of {subject}"), {"subject": self.subject})

    def merges_with(self, previous: Command) -> bool:
        """Typing goes on in the same field."""
        same = isinstance(previous, SetAnswers) and previous.changes.keys() == self.changes.keys()
        return self.typing and same


@dataclass(frozen=True, slots=True)
class ReplaceAnswers:
    """All answers of the wizard at once: a template. `subject` names where they come from."""

    answers: Mapping[str, object]
    subject: Message

    def apply(self, project: Project) -> Project:
        """The project with these answers and none of its own; what was chosen among the old options is open."""
        return replace(project, answers=dict(self.answers), chosen="")

    def title(self) -> Message:
        """Names the template."""
        return self.subject

    def merges_with(self, previous: Command) -> bool:  # noqa: ARG002
        """Never."""
        return False


@dataclass(frozen=True, slots=True)
class SetTitle:
    """The project's name."""

    text: str

    def apply(self, project: Project) -> Project:
        """The project under its new name."""
        return replace(project, title=self.text)

    def title(self) -> Message:
        """Names the field."""
        return Message(N_("change of the project's name"))

    def merges_with(self, previous: Command) -> bool:
        """Typing goes on."""
        return isinstance(previous, SetTitle)


@dataclass(frozen=True, slots=True)
class SetNotes:
    """Free text."""

    text: str

    def apply(self, project: Project) -> Project:
        """The project with its new notes."""
        return replace(project, notes=self.text)

    def title(self) -> Message:
        """Names the field."""
        return Message(N_("change of the notes"))

    def merges_with(self, previous: Command) -> bool:
        """Typing goes on."""
        return isinstance(previous, SetNotes)


@dataclass(frozen=True, slots=True)
class ChooseOption:
    """The option that pages and papers speak of."""

    key: str
    name: str

    def apply(self, project: Project) -> Project:
        """The project with the option chosen."""
        return replace(project, chosen=self.key)

    def title(self) -> Message:
        """Names the option."""
        return Message(N_("choice of {name}"), {"name": self.name})

    def merges_with(self, previous: Command) -> bool:  # noqa: ARG002
        """Never."""
        return False


@dataclass(frozen=True, slots=True)
class SetCompared:
    """What lies side by side."""

    items: tuple[str, ...]

    def apply(self, project: Project) -> Project:
        """The project with another selection."""
        return replace(project, compared=self.items)

    def title(self) -> Message:
        """Names the page."""
        return Message(N_("selection for comparison"))

    def merges_with(self, previous: Command) -> bool:  # noqa: ARG002
        """Never."""
        return False


@dataclass(frozen=True, slots=True)
class Override:
    """A finding accepted with a written reason; an empty reason takes it back."""

    finding: str
    reason: str

    def apply(self, project: Project) -> Project:
        """The project with the override."""
        others = {key: value for key, value in project.overrides.items() if key != self.finding}
        return replace(project, overrides={**others, self.finding: self.reason} if self.reason else others)

    def title(self) -> Message:
        """Names the rule."""
        return Message(N_("override of {rule}"), {"rule": self.finding})

    def merges_with(self, previous: Command) -> bool:  # noqa: ARG002
        """Never."""
        return False


@dataclass(frozen=True, slots=True)
class SetPaperFields:
    """Fields of the papers: the organisation's, the seller's or the paper's own."""

    whose: str  # `organisation`, `seller` or `paper`
    changes: Mapping[str, str]

    def apply(self, project: Project) -> Project:
        """The project with the fields laid over its own."""
        if self.whose == "seller":
            return replace(project, seller={**project.seller, **self.changes})
        if self.whose == "paper":
            return replace(project, paper={**project.paper, **self.changes})
        return replace(project, organisation={**project.organisation, **self.changes})

    def title(self) -> Message:
        """Names whose fields they are."""
        titles = {"seller": N_("change of the seller"), "paper": N_("change of the paper")}
        return Message(titles.get(self.whose, N_("change of the organisation")))

    def merges_with(self, previous: Command) -> bool:
        """Typing goes on in the same field."""
        return isinstance(previous, SetPaperFields) and (previous.whose, previous.changes.keys()) == (
            self.whose,
            self.changes.keys(),
        )


@dataclass(frozen=True, slots=True)
class Exchange:
    """Other parts in a machine, or what was composed again where a value is empty; one step for all of them."""

    changes: Mapping[str, str]
    name: str

    def apply(self, project: Project) -> Project:
        """The project with the machine as the person wants it."""
        merged = {**project.exchanges, **self.changes}
        return replace(project, exchanges={key: value for key, value in merged.items() if value})

    def title(self) -> Message:
        """Names the part."""
        return Message(N_("exchange: {name}"), {"name": self.name})

    def merges_with(self, previous: Command) -> bool:  # noqa: ARG002
        """Never."""
        return False
