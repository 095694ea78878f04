"""Undo and redo: the project before and after each command, named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpuconfig.engine.provenance.message import Message
from gpuconfig.project.document import Project

if TYPE_CHECKING:
    from gpuconfig.project.commands import Command  # the first window has no step yet

DEPTH = 500
"""Steps kept; projects are small and share what did not change."""


@dataclass(frozen=True, slots=True)
class _Step:
    command: Command
    before: Project
    after: Project


class History:
    """The current project and the way to it.

    Attributes:
        project: as it stands now.
    """

    def __init__(self, project: Project) -> None:
        self.project = project
        self._done: list[_Step] = []
        self._undone: list[_Step] = []
        self._saved: Project | None = project

    def do(self, command: Command) -> bool:
        """Apply `command`; False where it changes nothing, which leaves no step behind."""
        after = command.apply(self.project)
        if after == self.project:
            return False
        before = self.project
        if self._done and not self._undone and command.merges_with(self._done[-1].command):
            before = self._done.pop().before
        self._done.append(_Step(command, before, after))
        del self._done[:-DEPTH]
        self._undone.clear()
        self.project = after
        return True

    def undo(self) -> Message | None:
        """Take the last step back; its name, or None where there is none."""
        if not self._done:
            return None
        step = self._done.pop()
        self._undone.append(step)
        self.project = step.before
        return step.command.title()

    def redo(self) -> Message | None:
        """Do the last undone step again; its name, or None where there is none."""
        if not self._undone:
            return None
        step = self._undone.pop()
        self._done.append(step)
        self.project = step.after
        return step.command.title()

    def settle(self) -> None:
        """End a run of typing: what comes next is a step of its own."""
        if self._done:
            last = self._done[-1]
            self._done[-1] = _Step(_Settled(last.command), last.before, last.after)

    def undo_title(self) -> Message | None:
        """What undo would take back."""
        return self._done[-1].command.title() if self._done else None

    def redo_title(self) -> Message | None:
        """What redo would bring again."""
        return self._undone[-1].command.title() if self._undone else None

    def titles(self) -> tuple[Message, ...]:
        """Every step done, oldest first."""
        return tuple(step.command.title() for step in self._done)

    def mark_saved(self) -> None:
        """The file holds what stands now."""
        self._saved = self.project

    def mark_unsaved(self) -> None:
        """No file holds what stands now (a recovered project)."""
        self._saved = None

    @property
    def is_saved(self) -> bool:
        """Whether the file holds what stands now."""
        return self._saved == self.project


@dataclass(frozen=True, slots=True)
class _Settled:
    """A finished command: nothing merges with it any more."""

    command: Command

    def apply(self, project: Project) -> Project:
        return self.command.apply(project)

    def title(self) -> Message:
        return self.command.title()

    def merges_with(self, previous: Command) -> bool:
        return self.command.merges_with(previous)
