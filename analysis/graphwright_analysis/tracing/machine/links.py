"""What a trace can look up in other files of the project.

`sources` finds the files, and `linking` runs them for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import reduce
from typing import Any

from graphwright_analysis.immutability import immutable
from graphwright_analysis.imports import Import
from graphwright_analysis.syntax import Block, Moves
from graphwright_analysis.values.domain import NONE, UNDEFINED, UNKNOWN, Constant, Object, Value
from graphwright_analysis.values.elsewhere import Elsewhere
from graphwright_analysis.values.sameness import same

from . import numbering
from .context import Frame
from .state import Content, join_content

ToldIn = Mapping[Block, tuple[Block, Moves, int]]
"""The blocks of a text to report traced blocks in, how places move, and where the blocks begin then."""


@dataclass(slots=True, eq=False)
class Exports:
    """The exports of a file's top level; names imported from other files are resolved when they are read."""

    frame: Frame
    cells: Mapping[int, Mapping[str, Content]]
    frames: Mapping[int, Frame]
    blocks: Set[Block]
    report_blocks: ToldIn
    names: frozenset[str]
    """The names that its top level binds."""
    stars: tuple[Import, ...] = ()
    """The modules that it star-imports."""
    extended: frozenset[str] = frozenset()
    """The attributes that running it stored on TensorFlow's classes."""
    makers: Set[int] = frozenset()
    """The serials of what it created itself."""

    def has_made(self, owner: int) -> bool:
        """True if the object with this number was created by the file, rather than another one that it changes."""
        return numbering.is_of(owner, self.makers)

    def equals_exports(self, other: Exports) -> bool:
        """True if the exports equal those of another run of the file."""
        mine, theirs = ((each.names, each.stars, each.extended) for each in (self, other))
        if self.frame is not other.frame or mine != theirs:
            return False
        if self.cells.keys() != other.cells.keys():
            return False
        pairs = ((held, other.cells[owner]) for owner, held in self.cells.items())
        return all(
            held.keys() == before.keys()
            and all(value is before[name] or same(value, before[name]) for name, value in held.items())
            for held, before in pairs
        )

    def value(self, name: str) -> Value:
        """Return the value of a name; a switch may be changed before it is read."""
        found = self.cells.get(self.frame.id, {}).get(name, UNDEFINED)
        if found == NONE or (isinstance(found, Constant) and isinstance(found.value, bool)):
            return UNKNOWN
        return found if isinstance(found, Value) else UNKNOWN


@immutable
class StarLookup:
    """What star imports may bind to a name."""

    files: tuple[str, ...] = ()
    """The files of the project that bind it."""
    outside: frozenset[frozenset[str]] = frozenset()
    """For each file with star imports, the modules outside of the project that it star-imports."""
    searched: tuple[str, ...] = ()
    """The files that were searched for it."""
    is_cut: bool = False
    """True if there were too many files to search."""


class CellsOfOthers(Mapping[int, Mapping[str, Content]]):
    """The objects of other files as a run sees them: with the changes by the files that the run uses, and by no others.

    `changes` has what files store in objects of others, by owner and file. `uses` returns the files that a file or the
    run uses, directly or indirectly. `look_in` is called before something is looked up in an object: if it is a module,
    its file has to have run.
    """

    def __init__(
        self,
        cells: Mapping[int, Mapping[str, Content]],
        changes: Mapping[int, Mapping[str, Mapping[str, Content]]],
        uses: Callable[[str | None], Set[str]],
        look_in: Callable[[int], None],
    ) -> None:
        self._cells, self._changes, self._uses, self._look_in = cells, changes, uses, look_in

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
        self._look_in(owner)
        left, changes = self._cells.get(owner), self._changes.get(owner)
        if changes:
            # Who has made it may have put nothing in it.
            changed = _ChangedCells(left or {}, changes, self._uses)
            return changed if left is not None or changed else default
        return default if left is None else left


class _ChangedCells(Mapping[str, Content]):
    """What is in an object that files have changed, as a run sees it; a name is looked at when it is asked for."""

    def __init__(
        self,
        left: Mapping[str, Content],
        changes: Mapping[str, Mapping[str, Content]],
        uses: Callable[[str | None], Set[str]],
    ) -> None:
        used = uses(None)
        self._left, self._uses = left, uses
        self._counting = {file: held for file, held in changes.items() if file in used}

    def __getitem__(self, name: str) -> Content:
        found = self.get(name, UNDEFINED)
        if found is UNDEFINED:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        names = dict.fromkeys(name for held in (self._left, *self._counting.values()) for name in held)
        return (name for name in names if self.get(name, UNDEFINED) is not UNDEFINED)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def get(self, name: str, default: Any = None) -> Any:
        before = self._left.get(name, UNDEFINED)
        by = {file: held.get(name, UNDEFINED) for file, held in self._counting.items()}
        by = {file: content for file, content in by.items() if not same(content, before)}
        # Who uses another file that changes it has seen that, and changed it after.
        last = [file for file in sorted(by) if not any(file in self._uses(other) for other in by if other != file)]
        contents = [by[file] for file in last or sorted(by)]
        found = reduce(join_content, contents) if contents else before
        return default if found is UNDEFINED else found


class Links:
    """What a run can look up in other files; in a file without a project, there are none."""

    @property
    def cells(self) -> Mapping[int, Mapping[str, Content]]:
        """The exports of the files used so far."""
        return {}

    @property
    def frames(self) -> Mapping[int, Frame]:
        """The frames of those files that functions may still read."""
        return {}

    @property
    def report_blocks(self) -> ToldIn:
        """The blocks of those files in which to report what was traced."""
        return {}

    used: Any = None
    """The lookups so far, and their results."""

    def resume(self, used: Any) -> bool:
        """Continue with the lookups of an earlier run; return False if their results would differ now."""
        return used is None

    def destination_in_project(self, file: str, imported: Import) -> Elsewhere | None:
        """Return where an import in a file leads; None if it isn't a file of the project."""
        return None

    def module(self, file: str) -> Object | None:
        """The module that a file is; the file runs once something is looked up in it."""
        return None

    def exports(self, file: str, name: str | None) -> Exports | None:
        """The exports of a file, or those so far if it is running; None if it can't be read. `name` is what is looked
        up.
        """
        return None

    def brought(self, file: str, stars: Sequence[Import], name: str) -> StarLookup:
        """The files that bind a name which star imports in a file may import."""
        return StarLookup(outside=frozenset({frozenset(imported.absolute for imported in stars)}))

    def names_of(self, file: str) -> frozenset[str]:
        """The names that the top level of a used file binds."""
        return frozenset()

    def begun(self, file: str, exports: Exports) -> None:
        """Note that a file is running for its importers, which may look up its exports so far."""

    def patched(self, file: str) -> frozenset[str]:
        """What the imports of a file change in TensorFlow and Keras, and whether they select Keras 2."""
        return frozenset()

    def is_installed(self, file: str) -> bool:
        """True if a file belongs to an installed package instead of the project."""
        return False

    def check_cancelled(self) -> None:
        """Called regularly: raises an exception if the run is cancelled."""
