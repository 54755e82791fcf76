"""What the files of a project leave behind, and what runs have got of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from .imports import Import
from .syntax import Module
from .tracing import Exports, StarLookup, StartRecording, names_read_in
from .values.elsewhere import Elsewhere
from .values.tensorflow.tables import Version

Cells = Mapping[int, Mapping[str, Any]]


@dataclass(slots=True, eq=False)
class ModuleResult:
    """What a file leaves behind. It stays the same object for as long as nothing in it differs."""

    exports: Exports


@dataclass(slots=True)
class Dependencies:
    """What was asked of other files: what they had, and where imports led."""

    exports: dict[str, ModuleResult | None] = field(default_factory=dict[str, "ModuleResult | None"])
    asked: set[tuple[str, str | None]] = field(default_factory=set["tuple[str, str | None]"])
    """The names that were asked of files; None is the file itself."""
    led: dict[tuple[str, Import], Elsewhere | None] = field(
        default_factory=dict["tuple[str, Import]", "Elsewhere | None"]
    )
    brought: dict[tuple[str, tuple[Import, ...], str], StarLookup] = field(
        default_factory=dict["tuple[str, tuple[Import, ...], str]", StarLookup]
    )
    """What star imports bring."""
    patched: dict[str, frozenset[str]] = field(default_factory=dict[str, "frozenset[str]"])
    """What the files which a file imports from change of TensorFlow and Keras."""
    layout: int = -1
    """When it was last seen that the imports lead where they led."""

    def with_others(self, other: Dependencies) -> Dependencies:
        """What either has asked."""
        return Dependencies(
            self.exports | other.exports,
            self.asked | other.asked,
            self.led | other.led,
            self.brought | other.brought,
            self.patched | other.patched,
            self.layout,
        )


@dataclass(slots=True)
class LinkedRun:
    """What running a file for others has given, and what it depends on besides the file."""

    module: Module
    version: Version
    left: ModuleResult
    used: Dependencies
    starts: Sequence[StartRecording]
    _looked_up: Set[tuple[str, str | None]] | None = None

    def looked_up(self, modules: Mapping[int, str]) -> Set[tuple[str, str | None]]:
        """The names that running it has looked up in other files, given the numbers of the frames of these."""
        if self._looked_up is None:
            # What it has of its own is told by its outline.
            others = {number: file for number, file in modules.items() if number != self.left.exports.frame.id}
            self._looked_up = names_read_in(others, self.starts)
        return self._looked_up


@dataclass(slots=True)
class SharedCells:
    """What is in the lists, instances and modules that files have made."""

    own: dict[int, Mapping[str, Any]] = field(default_factory=dict[int, Mapping[str, Any]])
    """What each file has left in what it has made itself."""
    changes: dict[int, dict[str, Mapping[str, Any]]] = field(default_factory=dict[int, "dict[str, Mapping[str, Any]]"])
    """What others have left in it, by owner and file."""
    _makers: dict[int, str] = field(default_factory=dict[int, str])
    """The file that has made each owner of cells."""

    @property
    def changing(self) -> Set[str]:
        """The files that have left something in what others have made."""
        return {path for changed in self.changes.values() for path in changed}

    def publish(self, path: str, exports: Exports) -> None:
        """A file leaves this behind, in what it has made itself and in what others have."""
        for owner, held in exports.cells.items():
            if exports.has_made(owner):
                self._makers[owner] = path
                self.own[owner] = held
            else:
                self.changes.setdefault(owner, {})[path] = held

    def forget(self, path: str, cells: Cells) -> None:
        """A file is run again, which has left this behind."""
        for owner in cells:
            if self._makers.get(owner) == path:
                del self._makers[owner]
                self.own.pop(owner, None)
            elif owner in self.changes:
                self.changes[owner].pop(path, None)

    def copy(self) -> SharedCells:
        changes = {owner: dict(changed) for owner, changed in self.changes.items()}
        return SharedCells(dict(self.own), changes, dict(self._makers))
