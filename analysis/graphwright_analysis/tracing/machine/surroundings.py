"""The file around a trace, as far as the trace may query it, and earlier results of tracing its functions."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import Any, TypeVar

import gast

from graphwright_analysis.immutability import immutable
from graphwright_analysis.imports import Import
from graphwright_analysis.tracing.facts.place import Place
from graphwright_analysis.values import outside_names
from graphwright_analysis.values.domain import UNDEFINED, UNKNOWN, Api, Class, Items, Traced, Tuple, Value
from graphwright_analysis.values.elsewhere import Elsewhere
from graphwright_analysis.values.lineage import lineage

from .links import Links
from .state import Cell, Content, FileGround, Ground

_HOPS = 9
"""The maximum number of files through which a re-exported name is followed."""

TraceKey = tuple[Traced, tuple[Value, ...]]
T = TypeVar("T")


Slot = tuple[int, str, Any]
"""Where a value is stored: an owner, a name, and the key in a collection."""


@immutable
class Read:
    """A Python value from outside that a trace used."""

    slot: Slot
    place: Place
    target: str


@immutable
class Past:
    """The result of a trace, the outer values that it read, and those that it replaced."""

    result: Value
    reads: tuple[Read, ...] = ()
    left: tuple[tuple[Cell, Content, Content], ...] = ()


class Surroundings:
    """The file around its starts, as far as they may query it; it outlives the traces of the file."""

    def __init__(self) -> None:
        self.ground = FileGround()
        self.now: Ground = self.ground
        """Where lookups are recorded: the ground of the current start or call."""
        self.names: frozenset[str] = frozenset()
        self.stores: Callable[[], frozenset[str]] = frozenset
        """The names that the file sets; without references back to this object, which would keep the file alive."""
        self.file = ""
        self.stars: tuple[Import, ...] = ()
        """The modules that the file star-imports."""
        self.links = Links()
        self.traces: dict[TraceKey, Past] = {}
        self.unfinished_visits: dict[gast.AST, int] = {}
        self._overridden: dict[int, set[str]] | None = None

    def ask(self, question: Callable[..., Any], *arguments: Any) -> Any:
        """Return the answer of one of the methods below, recorded like a lookup."""
        return self.now.asked(self, question, *arguments)

    def binds(self, name: object) -> bool:
        return name in self.names

    def stored_attributes(self) -> frozenset[str]:
        """The attributes that the file sets anywhere but in an `__init__`."""
        return self.stores()

    def destination_in_project(self, file: str, imported: Import) -> Elsewhere | None:
        """Return where an import leads, if that is in the project."""
        return self.links.destination_in_project(file, imported)

    def defined(self, what: Elsewhere) -> Value:
        """Return the value of a name in the file that defines it."""
        found: Value = what
        for _ in range(_HOPS):
            if found.name is None:
                return self.links.module(found.file) or UNKNOWN
            exports = self.links.exports(found.file, found.name)
            if exports is None:
                return UNKNOWN
            if found.name not in exports.names and exports.stars:
                found = self._through(exports.frame.file, exports.stars, found.name)
            else:
                found = exports.value(found.name)
            if not isinstance(found, Elsewhere):
                return UNKNOWN if found is UNDEFINED else found
        return UNKNOWN

    def starred(self, file: str | None, name: str) -> Value:
        """Return the value of a name that a file (None for this one) doesn't bind itself but star-imports."""
        if file is None:
            found = self._through(self.file, self.stars, name)
        else:
            exports = self.links.exports(file, name)
            found = UNDEFINED if exports is None else self._through(file, exports.stars, name)
        return self.defined(found) if isinstance(found, Elsewhere) else found

    def _through(self, file: str, stars: Sequence[Import], name: str) -> Value:
        """Return what star imports bind to a name, if they agree; a name that no project file binds is external."""
        if not stars or name.startswith("_"):
            return UNDEFINED
        brought = self.links.brought(file, stars, name)
        if brought.files:
            return Elsewhere(*brought.files, name) if len(brought.files) == 1 else UNKNOWN
        if brought.is_cut:
            return UNKNOWN
        found = {_from_outside(modules, name) for modules in brought.outside} - {UNDEFINED}
        return found.pop() if len(found) == 1 else UNKNOWN if found else UNDEFINED

    def has_run(self, module: int) -> bool:
        """True if another file, known by the number of its module, could be read and run."""
        return module in self.links.frames

    def names_of(self, file: str) -> frozenset[str]:
        """The names that another file binds; its functions look up only these there."""
        return self.links.names_of(file)

    def trace_of(self, key: TraceKey) -> Past | None:
        """The result of an earlier start's trace of a traced function."""
        return self.traces.get(key)

    def steps_that_did_not_suffice(self, function: gast.AST) -> int:
        """The number of steps in which an earlier start's call of a function of another file wasn't finished, or 0."""
        return self.unfinished_visits.get(function, 0)

    def holders_of(self, value: Value) -> tuple[Cell, ...]:
        """The cells that contain a value, directly or in a list or tuple."""
        owners = self.ground.cells.items()
        return tuple((owner, name) for owner, owned in owners for name, held in owned.items() if has(held, value))

    def overridden(self, class_: Class) -> frozenset[str]:
        """The attributes of a class that its subclasses override."""
        if self._overridden is None:
            self._overridden = {}
            for owned in self.ground.cells.values():
                for heir in owned.values():
                    if isinstance(heir, Class):
                        self._inherit(heir)
        return frozenset(self._overridden.get(class_.id, ()))

    def change(self, cells: Mapping[Cell, Content], places: Mapping[Cell, Place]) -> None:
        """Make the changes of a start, so that the next one begins with them."""
        self.ground.commit(cells, places)
        if cells:
            self._overridden = None

    @contextmanager
    def supposing(self) -> Generator[None]:
        """Run starts of which later ones see the traces but not the changes."""
        with self.ground.undoing():
            yield
        self._overridden = None

    def _inherit(self, heir: Class) -> None:
        assert self._overridden is not None
        names = self.ground.cells.get(heir.id, {})
        for base in lineage(heir):
            if isinstance(base, Class) and base is not heir:
                self._overridden.setdefault(base.id, set()).update(names)


Questions = frozenset[Callable[..., Any]]

OF_OTHER_FILES: Questions = frozenset(
    {
        Surroundings.destination_in_project,
        Surroundings.defined,
        Surroundings.starred,
        Surroundings.names_of,
        Surroundings.has_run,
    }
)
"""The questions whose answers stay the same as long as the links and the exports of other files do."""

OF_NAMES: Questions = frozenset({Surroundings.binds})
"""The questions whose answers stay the same as long as the file binds the same names."""

OF_CLASSES: Questions = frozenset({Surroundings.overridden})
"""The questions whose answers stay the same as long as the classes and their contents do."""


class ModuleNames(Set[str]):
    """The names that a file's top level binds; a membership test is recorded like a lookup."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._surroundings = surroundings

    @classmethod
    def _from_iterable(cls, it: Iterable[T]) -> Set[T]:
        """The result of `|`, `&` and `-`: a plain set, which records nothing."""
        return frozenset(it)

    def __contains__(self, name: object) -> bool:
        return self._surroundings.ask(Surroundings.binds, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._surroundings.names)

    def __len__(self) -> int:
        return len(self._surroundings.names)


def _from_outside(modules: Set[str], name: str) -> Value:
    """Return what the star imports of one file bind to a name that no file of the project binds."""
    meant = {outside_names.canonical(module) for module in modules}
    alone = len(meant) == 1 and "" not in modules and name not in outside_names.BUILTINS
    return outside_names.api_attribute(Api(meant.pop()), name) if alone else UNDEFINED


def has(held: Content, value: Value) -> bool:
    if isinstance(held, Items):
        return held.known is not None and value in held.known
    if isinstance(held, Tuple):
        return any(has(item, value) for item in held.items)
    return held == value
