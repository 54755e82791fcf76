"""How many elements a list of known bound holds, where the graph says it; how much room it has is elsewhere."""

from __future__ import annotations

from typing import Any

from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.list_bounds import (
    UncountedError,
    argument_place,
    from_outside,
    origin_of,
    product_of,
    sum_of,
    trips_of_loop,
)

__all__ = ["exact_size"]


def exact_size(size: Any) -> Any:
    """A list's size, if it is known while the graph is built: an int, or a tensor of the same graph; else None."""
    try:
        root, count = _offset(size)
    except UncountedError:
        return None
    return count if root is None else None


def _offset(tensor: Any) -> tuple[Any, Any]:
    """What a number counts from (None for zero, an argument of its graph), and how much is added to that."""
    if isinstance(tensor, int):
        return None, tensor
    operation, kind = tensor.op, tensor.op.type
    if kind == "Const":
        return None, int(tf.get_static_value(tensor))
    if kind == "Placeholder":
        return tensor, 0
    if kind == "Identity":
        return _offset(operation.inputs[0])
    if kind in ("AddV2", "Sub") and (step := tf.get_static_value(operation.inputs[1])) is not None:
        root, count = _offset(operation.inputs[0])
        return root, count + int(step) if kind == "AddV2" else count - int(step)
    if kind in _BRANCHES:
        graphs = (operation._true_graph, operation._false_graph)
        one, other = [_offset_of_branch(operation, graph, tensor.value_index) for graph in graphs]
        if one[0] is other[0] and isinstance(one[1], int) and isinstance(other[1], int) and one[1] == other[1]:
            return one
    if kind in _LOOPS:
        return _offset_of_loop(operation, tensor.value_index)
    raise UncountedError


def _offset_of_branch(operation: Any, graph: Any, index: int) -> tuple[Any, Any]:
    inner, count = _offset(graph.outputs[index])
    if inner is None:
        return None, _known(from_outside(count))
    root, before = _offset(operation.inputs[1 + argument_place(graph, inner)])
    return root, _known(sum_of(before, from_outside(count)))


def _offset_of_loop(operation: Any, index: int) -> tuple[Any, Any]:
    largest = _largest_in_loop(operation, index)
    if largest is not None:
        return None, largest
    inner, count = _offset(operation._body_graph.outputs[index])
    trips = trips_of_loop(operation)
    if inner is None or inner is not operation._body_graph.inputs[index] or trips is None or not trips.exact:
        raise UncountedError
    root, before = _offset(operation.inputs[index])
    return root, _known(sum_of(before, product_of(trips, from_outside(count))))


def _largest_in_loop(operation: Any, index: int) -> int | None:
    """The size of what a loop sets element by element, along a counter, as the largest that it came to."""
    graph, trips = operation._body_graph, trips_of_loop(operation)
    last = origin_of(graph.outputs[index])
    before = tf.get_static_value(operation.inputs[index])
    if last.op.type != "Maximum" or trips is None or not trips.exact or not isinstance(trips.count, int):
        return None
    sides = [_offset(side) for side in last.op.inputs]
    counted = [side for side in sides if side[0] is not graph.inputs[index]]
    if before is None or len(counted) != 1 or counted[0][0] is None or trips.count == 0:
        return None
    place = argument_place(graph, counted[0][0])
    root, step = _offset(graph.outputs[place])
    start = tf.get_static_value(operation.inputs[place])
    if root is not graph.inputs[place] or start is None:
        return None
    ends = [int(start) + counted[0][1] + step * turn for turn in (0, trips.count - 1)]
    return max(int(before), *ends)


def _known(count: Any) -> Any:
    if count is None:
        raise UncountedError
    return count


_BRANCHES = ("If", "StatelessIf")
_LOOPS = ("While", "StatelessWhile")
