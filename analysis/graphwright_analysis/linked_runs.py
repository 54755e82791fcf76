"""The exports of a project's files, and what runs have looked up in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from .queries import Answers
from .syntax import Module
from .tracing import Exports, StartRecording, names_read_in

Cells = Mapping[int, Mapping[str, Any]]


@dataclass(slots=True, eq=False)
class ModuleResult:
    """The exports of a file. The object stays the same as long as they don't change."""

    exports: Exports


@dataclass(slots=True)
class Dependencies:
    """What a run asked about other files."""

    exports: dict[str, ModuleResult | None] = field(default_factory=dict[str, "ModuleResult | None"])
    lookups: set[tuple[str, str | None]] = field(default_factory=set["tuple[str, str | None]"])
    """The names that were looked up in each file; None is the file itself."""
    answers: Answers = field(default_factory=Answers)
    """What else was asked: where imports lead, which files bind what star imports bring or change TensorFlow."""

    def add(self, other: Dependencies) -> None:
        """Add what another run asked, whose answers hold."""
        self.exports = other.exports | self.exports
        self.lookups |= other.lookups
        self.answers.add(other.answers)


@dataclass(slots=True)
class LinkedRun:
    """The result of running a file for its importers, and what it depends on besides the file."""

    module: Module
    result: ModuleResult
    used: Dependencies
    starts: Sequence[StartRecording]
    _looked_up: Set[tuple[str, str | None]] | None = None

    def looked_up(self, modules: Mapping[int, str]) -> Set[tuple[str, str | None]]:
        """The names that the run looked up in other files; `modules` has the numbers of their frames."""
        if self._looked_up is None:
            # What it has of its own is told by its outline.
            others = {number: file for number, file in modules.items() if number != self.result.exports.frame.id}
            self._looked_up = names_read_in(others, self.starts)
        return self._looked_up


@dataclass(slots=True)
class SharedCells:
    """The contents of the lists, instances and modules that files have created."""

    own: dict[int, Mapping[str, Any]] = field(default_factory=dict[int, Mapping[str, Any]])
    """What each file has stored in objects that it created."""
    changes: dict[int, dict[str, Mapping[str, Any]]] = field(default_factory=dict[int, "dict[str, Mapping[str, Any]]"])
    """What other files have stored in them, by owner and file."""
    _makers: dict[int, str] = field(default_factory=dict[int, str])
    """The file that created each owner of cells."""

    @property
    def changing(self) -> Set[str]:
        """The files that have changed objects of other files."""
        return {path for changed in self.changes.values() for path in changed}

    def publish(self, path: str, exports: Exports) -> None:
        """Record the exports of a file, in its own objects and in those of others."""
        for owner, held in exports.cells.items():
            if exports.has_made(owner):
                self._makers[owner] = path
                self.own[owner] = held
            else:
                self.changes.setdefault(owner, {})[path] = held

    def forget(self, path: str, cells: Cells) -> None:
        """Drop the earlier exports of a file that runs again."""
        for owner in cells:
            if self._makers.get(owner) == path:
                del self._makers[owner]
                self.own.pop(owner, None)
            elif owner in self.changes:
                self.changes[owner].pop(path, None)

    def copy(self) -> SharedCells:
        changes = {owner: dict(changed) for owner, changed in self.changes.items()}
        return SharedCells(dict(self.own), changes, dict(self._makers))
