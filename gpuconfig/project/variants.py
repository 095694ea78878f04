"""Changes of a project's variants: an option duplicated, renamed, noted, taken over again, deleted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gpuconfig.engine.provenance.message import N_, Message, Verbatim
from gpuconfig.project.commands import Command
from gpuconfig.project.document import Project, Variant


@dataclass(frozen=True, slots=True)
class AddVariant:
    """An option duplicated into the project as it stands."""

    variant: Variant

    def apply(self, project: Project) -> Project:
        """The project with the variant last."""
        key = str(1 + max((int(key) for key in project.variants if key.isdecimal()), default=0))
        return replace(project, variants={**project.variants, key: self.variant})

    def title(self) -> Message:
        """Names the variant."""
        return Message(N_("duplicate: {name}"), {"name": Verbatim(self.variant.name)})

    def merges_with(self, previous: Command) -> bool:  # noqa: ARG002
        """Never."""
        return False


@dataclass(frozen=True, slots=True)
class DescribeVariant:
    """Another name or remark on a variant, as typed; None leaves it as it is."""

    key: str
    name: str | None = None
    note: str | None = None

    def apply(self, project: Project) -> Project:
        """The project with the variant described anew."""
        old = project.variants.get(self.key)
        if old is None:
            return project
        name = old.name if self.name is None else self.name
        note = old.note if self.note is None else self.note
        return replace(project, variants={**project.variants, self.key: replace(old, name=name, note=note)})

    def title(self) -> Message:
        """Names what was written."""
        return Message(N_("name of a variant") if self.note is None else N_("remark on a variant"))

    def merges_with(self, previous: Command) -> bool:
        """Typing goes on in the same field."""
        return (
            isinstance(previous, DescribeVariant)
            and previous.key == self.key
            and (previous.note is None) == (self.note is None)
        )


@dataclass(frozen=True, slots=True)
class DeleteVariant:
    """A variant that is not wanted any more."""

    key: str
    name: str

    def apply(self, project: Project) -> Project:
        """The project without it."""
        return replace(project, variants={k: v for k, v in project.variants.items() if k != self.key})

    def title(self) -> Message:
        """Names the variant."""
        return Message(N_("deletion of {name}"), {"name": Verbatim(self.name)})

    def merges_with(self, previous: Command) -> bool:  # noqa: ARG002
        """Never."""
        return False


@dataclass(frozen=True, slots=True)
class TakeVariant:
    """The project speaks of a variant: its option is chosen, with its parts and its numbers.

    Attributes:
        exchanges: of all options of the project, the variant's in place of those its option had.
    """

    variant: Variant
    exchanges: Mapping[str, str]

    def apply(self, project: Project) -> Project:
        """The project with the variant in place of its option as it stood."""
        return replace(
            project,
            chosen=self.variant.option,
            exchanges=dict(self.exchanges),
            what_if=dict(self.variant.what_if),
        )

    def title(self) -> Message:
        """Names the variant."""
        return Message(N_("use of {name}"), {"name": Verbatim(self.variant.name)})

    def merges_with(self, previous: Command) -> bool:  # noqa: ARG002
        """Never."""
        return False
