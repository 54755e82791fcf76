"""Whether a tensor depends on what its function is called with."""

from __future__ import annotations

from typing import Any


def depends_on_inputs(tensor: Any) -> bool:
    """Whether a tensor is computed from the values of an argument, not only from their shape or variables."""
    graph: Any = getattr(tensor, "graph", None)
    if graph is None or not hasattr(graph, "inputs"):
        return False
    captured = {id(inside) for _, inside in graph.captures}
    given = {id(each.op) for each in graph.inputs if id(each) not in captured}
    waiting, seen = [tensor.op], set[int]()
    while waiting and len(seen) < _LIMIT:
        operation = waiting.pop()
        if id(operation) in given:
            return True
        if id(operation) not in seen and operation.type not in _OF_SHAPES:
            seen.add(id(operation))
            waiting += [each.op for each in operation.inputs]
    return False


_LIMIT = 10_000
_OF_SHAPES = frozenset({"Shape", "ShapeN", "Size", "Rank", "ZerosLike", "OnesLike"})
