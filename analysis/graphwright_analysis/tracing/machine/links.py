"""What other files of the project define, as far as a trace may use it.

Finding the files, and having them run, is the project's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import reduce
from typing import Any, Protocol

from graphwright_analysis.imports import Import
from graphwright_analysis.syntax import Block, Moves
from graphwright_analysis.values.domain import NONE, UNDEFINED, UNKNOWN, Constant, Object, Value
from graphwright_analysis.values.elsewhere import Elsewhere
from graphwright_analysis.values.sameness import same

from . import numbering
from .context import Frame
from .state import Content, join_content

ToldIn = Mapping[Block, tuple[Block, Moves, int]]
"""The blocks of a text in which to tell of those that were traced, how places move, and where they then begin."""


@dataclass(slots=True, eq=False)
class Exports:
    """What the top level of a file has left behind; what it has from other files is looked up when it is read."""

    frame: Frame
    cells: Mapping[int, Mapping[str, Content]]
    frames: Mapping[int, Frame]
    blocks: Set[Block]
    report_blocks: ToldIn
    names: frozenset[str]
    """Those that its top level binds."""
    stars: tuple[Import, ...] = ()
    """What it has everything from, `from ... import *`."""
    extended: frozenset[str] = frozenset()
    """The attributes that running it has stored on TensorFlow's classes."""
    makers: Set[int] = frozenset()
    """The serials of what it has made itself."""

    def has_made(self, owner: int) -> bool:
        """Whether what has this number is the file's own, and not another one's that it changes."""
        return numbering.is_of(owner, self.makers)

    def equals_exports(self, other: Exports) -> bool:
        """Whether it has left behind the same as another run of the file."""
        if self.frame is not other.frame or (self.names, self.stars) != (other.names, other.stars):
            return False
        if self.cells.keys() != other.cells.keys():
            return False
        pairs = ((held, other.cells[owner]) for owner, held in self.cells.items())
        return all(
            mine.keys() == theirs.keys()
            and all(value is theirs[name] or same(value, theirs[name]) for name, value in mine.items())
            for mine, theirs in pairs
        )

    def value(self, name: str | None) -> Value:
        """What a name stands for, or the file; a switch may be set to something else before it is read."""
        if name is None:
            return Object(self.frame.id, "module")
        found = self.cells.get(self.frame.id, {}).get(name, UNDEFINED)
        if found == NONE or (isinstance(found, Constant) and isinstance(found.value, bool)):
            return UNKNOWN
        return found if isinstance(found, Value) else UNKNOWN


@dataclass(frozen=True, slots=True)
class StarLookup:
    """What star imports may bring under a name."""

    files: tuple[str, ...] = ()
    """The files of the project that bind it."""
    outside: frozenset[frozenset[str]] = frozenset()
    """For each file with star imports the modules outside of the project that it has everything from."""
    searched: tuple[str, ...] = ()
    """The files that were searched for it."""
    is_cut: bool = False
    """Whether there were too many files to search."""


class CellsOfOthers(Mapping[int, Mapping[str, Content]]):
    """What the run of a file finds in what other files have made: as these have left it, with the changes of the files
    that the run uses, and of no others, however many have been run.

    `changes` has what files have left in what isn't theirs, by its owner and the file; `uses` tells which files a file
    uses in the end, or the run.
    """

    def __init__(
        self,
        cells: Mapping[int, Mapping[str, Content]],
        changes: Mapping[int, Mapping[str, Mapping[str, Content]]],
        uses: Callable[[str | None], Set[str]],
    ) -> None:
        self._cells, self._changes, self._uses = cells, changes, uses

    def __getitem__(self, owner: int) -> Mapping[str, Content]:
        found = self.get(owner)
        if found is None:
            raise KeyError(owner)
        return found

    def __iter__(self) -> Iterator[int]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self._cells)

    def get(self, owner: int, default: Any = None) -> Any:
        left, changes = self._cells.get(owner), self._changes.get(owner)
        if changes:
            # Who has made it may have put nothing in it.
            left = self._changed(left or {}, changes) or left
        return default if left is None else left

    def _changed(
        self, left: Mapping[str, Content], changes: Mapping[str, Mapping[str, Content]]
    ) -> Mapping[str, Content]:
        found, uses = dict(left), self._uses
        counting = {file: held for file, held in changes.items() if file in uses(None)}
        for name in dict.fromkeys(name for held in (left, *counting.values()) for name in held):
            before = left.get(name, UNDEFINED)
            by = {file: held.get(name, UNDEFINED) for file, held in counting.items()}
            by = {file: content for file, content in by.items() if not same(content, before)}
            # Who uses another file that changes it has seen that, and changed it after.
            last = [file for file in sorted(by) if not any(file in uses(other) for other in by if other != file)]
            contents = [by[file] for file in last or sorted(by)]
            if contents:
                found[name] = reduce(join_content, contents)
        return {name: content for name, content in found.items() if content is not UNDEFINED}


class Links(Protocol):
    """How the files of a project hang together, which the project knows."""

    @property
    def cells(self) -> Mapping[int, Mapping[str, Content]]:
        """What the files that were asked so far have left behind."""
        ...

    @property
    def frames(self) -> Mapping[int, Frame]:
        """The activations of those files that functions may still read."""
        ...

    @property
    def report_blocks(self) -> ToldIn:
        """In which blocks of those files to tell of what was traced in them."""
        ...

    @property
    def used(self) -> object:
        """What was asked so far, and what the answers were."""
        ...

    def resume(self, used: Any) -> bool:
        """Go on from what an earlier run has used, as if all of it had been asked again; False where the answers would
        be others now.
        """
        ...

    def leads(self, file: str, asked: Import) -> Elsewhere | None:
        """Where an import in a file leads; None where that isn't to a file of the project."""
        ...

    def exports(self, file: str, name: str | None) -> Exports | None:
        """What a file leaves behind, of which a name is wanted, or it itself; or has made so far where it is being run.
        None where it can't be read.
        """
        ...

    def brought(self, file: str, stars: Sequence[Import], name: str) -> StarLookup:
        """Which files bind a name that star imports in a file may bring."""
        ...

    def names_of(self, file: str) -> frozenset[str]:
        """The names that the top level of a file binds of which something was asked."""
        ...

    def begun(self, file: str, exports: Exports) -> None:
        """A file is being run for others, who may ask for what it has made so far."""
        ...

    def patched(self, file: str) -> frozenset[str]:
        """What the files that a file imports from change of TensorFlow and Keras, and whether they have Keras 2."""
        ...

    def is_installed(self, file: str) -> bool:
        """Whether a file is a package's, and not the project's."""
        ...

    def check_cancelled(self) -> None:
        """Asked every now and then: raises what ends the run where nobody waits for it any more."""
        ...


class NoLinks:
    """Those of a file that stands alone."""

    cells: Mapping[int, Mapping[str, Content]] = {}
    frames: Mapping[int, Frame] = {}
    report_blocks: ToldIn = {}
    used: object = None

    def resume(self, used: Any) -> bool:
        return used is None

    def leads(self, file: str, asked: Import) -> Elsewhere | None:
        return None

    def exports(self, file: str, name: str | None) -> Exports | None:
        return None

    def brought(self, file: str, stars: Sequence[Import], name: str) -> StarLookup:
        return StarLookup(outside=frozenset({frozenset(asked.absolute for asked in stars)}))

    def names_of(self, file: str) -> frozenset[str]:
        return frozenset()

    def begun(self, file: str, exports: Exports) -> None: ...

    def patched(self, file: str) -> frozenset[str]:
        return frozenset()

    def is_installed(self, file: str) -> bool:
        return False

    def check_cancelled(self) -> None: ...
