"""Notes about a graph that end with it, even if they refer to it: the graph itself keeps them."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Generator
from typing import Any

from graphwright.runtime.basis.tensorflow import tf

_numbers = itertools.count()
_kinds: list[GraphNotes] = []


class GraphNotes:
    """One kind of notes, of each graph."""

    def __init__(self) -> None:
        self._key = f"_graphwright_notes_{next(_numbers)}"
        _kinds.append(self)

    def get(self, graph: Any, default: Any = None) -> Any:
        return getattr(graph, self._key, default)

    def setdefault(self, graph: Any, default: Any) -> Any:
        found = getattr(graph, self._key, None)
        if found is None:
            setattr(graph, self._key, default)
        return default if found is None else found

    def pop(self, graph: Any, default: Any = None) -> Any:
        found = getattr(graph, self._key, default)
        if hasattr(graph, self._key):
            delattr(graph, self._key)
        return found


@contextlib.contextmanager
def notes_of_one_call(graph: Any) -> Generator[None, None, None]:
    """Notes about a graph that end with a call, as the graph itself goes on: what they are about may change then."""
    before = [(kind, kind.pop(graph)) for kind in _kinds]
    try:
        yield
    finally:
        for kind, notes in before:
            kind.pop(graph)
            if notes is not None:
                kind.setdefault(graph, notes)


def outermost_graph() -> Any:
    """The graph of the function that is traced."""
    graph = tf.compat.v1.get_default_graph()
    while getattr(graph, "outer_graph", None) is not None and hasattr(graph.outer_graph, "outer_graph"):
        graph = graph.outer_graph
    return graph


def is_known_in(graph: Any, other: Any) -> bool:
    """Whether what is in the other graph is known in this one: it is the same, or around it."""
    while graph is not None and graph is not other:
        graph = getattr(graph, "outer_graph", None)
    return graph is not None
