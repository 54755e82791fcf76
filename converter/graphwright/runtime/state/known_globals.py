"""What the globals of the user's modules lead to, known from one query of a trace to the next.

It is read again only to see whether anything in it has changed: most of what a program can reach never does while a
function is traced. What the functions that run hold themselves isn't known here.
"""

from __future__ import annotations

import operator
import types
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain, repeat
from typing import Any, cast

from graphwright.libraries import is_library_module
from graphwright.runtime.basis.attributes import held_attributes, slots_of
from graphwright.runtime.basis.context import SIMPLE
from graphwright.runtime.basis.graph_notes import GraphNotes, outermost_graph
from graphwright.runtime.state import held_values
from graphwright.runtime.state.containers import is_tracked
from graphwright.runtime.state.held_values import held_by, reader_of

LIMIT = 100_000
"""How many objects are searched at most."""

Namespaces = dict[int, dict[str, Any]]
"""The globals of modules, by their ids."""


class KnownGlobals:
    """The objects that the globals of some modules lead to."""

    def __init__(self) -> None:
        self.namespaces: Namespaces = {}
        self.ids = set[int]()
        self.cells = set[int]()
        """The ids of the cells of functions among them."""
        self._objects: list[Any] = []
        self._held: list[Any] = []
        """All that is held by what follows, in this order."""
        self._dicts: list[Any] = []
        self._classes: list[Any] = []
        self._lists: list[Any] = []
        self._sets: list[Any] = []
        self._functions: list[Any] = []
        self._cells: list[Any] = []
        self._instances: list[Any] = []
        self._others: list[Any] = []

    def add(self, namespaces: Namespaces) -> None:
        """Follow the globals of further modules."""
        self.namespaces.update(namespaces)
        self._dicts += namespaces.values()
        pending = deque(held for known in namespaces.values() for held in list(known.values()))
        while pending and len(self.ids) < LIMIT:
            value = pending.popleft()
            if type(value) not in SIMPLE and id(value) not in self.ids:
                self.ids.add(id(value))
                self._objects.append(value)
                self._watch(value)
                pending.extend(held for _, held in held_by(value))
        self._held = list(self._read())

    def is_current(self) -> bool:
        """Whether all that is held is what it was, but for numbers and texts."""
        try:
            now = list(self._read())
        except (RuntimeError, ValueError, AttributeError):
            return False
        if len(now) != len(self._held):
            return False
        if not all(map(operator.is_, now, self._held)):
            changed = (pair for pair in zip(now, self._held, strict=True) if pair[0] is not pair[1])
            if any(type(each) not in SIMPLE for pair in changed for each in pair):
                return False
            self._held = now
        return True

    def _read(self) -> Iterator[Any]:
        return chain(
            chain.from_iterable(map(_VALUES, self._dicts)),
            chain.from_iterable(map(_MEMBERS, self._classes)),
            chain.from_iterable(map(_ITEMS, self._lists)),
            chain.from_iterable(self._sets),
            chain.from_iterable(map(_DEFAULTS, self._functions)),
            map(_CONTENTS, self._cells),
            map(type, self._instances),
            map(object.__getattribute__, self._instances, repeat("__dict__")),
            (held for value in self._others for _, held in held_by(value)),
        )

    def _watch(self, value: Any) -> None:
        """Have what an object holds read again; what can't change isn't, and what only says what it is takes longer."""
        kind, reader = cast("type[Any]", type(value)), reader_of(value)
        if reader in _UNCHANGING or issubclass(kind, (tuple, frozenset)):
            return
        if reader is held_values.of_dict and issubclass(kind, dict):
            self._dicts.append(value)
        elif reader is held_values.of_list and issubclass(kind, _LIST) and not is_tracked(kind):
            self._lists.append(value)
        elif reader is held_values.of_set:
            self._sets.append(value)
        elif reader is held_values.of_function:
            self._watch_function(value)
        elif reader is held_values.of_class:
            if not is_library_module(value.__module__ or ""):
                self._classes.append(held_attributes(value))
        elif reader is held_values.of_instance and held_attributes(value) is not None and not slots_of(kind):
            self._instances.append(value)
            self._dicts.append(held_attributes(value))
        else:
            self._others.append(value)

    def _watch_function(self, function: types.FunctionType) -> None:
        self._functions.append(function)
        cells: Iterable[types.CellType] = function.__closure__ or ()
        self.cells.update(map(id, cells))
        if any(_is_empty(cell) for cell in cells):
            self._others.append(function)
        else:
            self._cells += cells
        if function.__kwdefaults__ is not None:
            self._dicts.append(function.__kwdefaults__)


def known_globals(namespaces: Namespaces) -> KnownGlobals:
    """What these globals lead to, and those that were asked for before in the same trace."""
    graph = outermost_graph()
    known = _known.get(graph)
    if known is None or not known.is_current():
        _known.pop(graph)
        known = _known.setdefault(graph, KnownGlobals())
    further = {key: each for key, each in namespaces.items() if key not in known.namespaces}
    if further:
        known.add(further)
    return known


def forget_globals() -> None:
    """A trace ends: nothing is kept alive for it."""
    _known.pop(outermost_graph())


def _is_empty(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is cell
    except ValueError:
        return True


_known = GraphNotes()
# Untyped, as what is in them is anything.
_LIST: Any = list
_VALUES: Any = dict.__dict__["values"]
_MEMBERS: Any = types.MappingProxyType.__dict__["values"]
_ITEMS: Any = list.__dict__["__iter__"]
_CONTENTS = operator.attrgetter("cell_contents")
_DEFAULTS = operator.attrgetter("__defaults__", "__kwdefaults__")
_UNCHANGING = frozenset({held_values.of_nothing, held_values.of_method, held_values.of_builtin, held_values.of_view})
