"""How many elements a list of known bound needs room for: read off the graph, and given to the operation that made it.

Appends bear an attribute. Loops and branches are followed into their graphs; what can't be counted is said to be so.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from graphwright.runtime.basis.context import is_for_xla
from graphwright.runtime.basis.graph_notes import GraphNotes, is_known_in
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensorflow_internals import attributes

__all__ = [
    "Trips",
    "UncountedError",
    "argument_place",
    "captured",
    "from_outside",
    "loop_of",
    "make_room",
    "mark_append",
    "mark_arranged",
    "mark_list",
    "mark_reach",
    "may_grow",
    "most_held",
    "note_trips",
    "origin_of",
    "product_of",
    "sum_of",
    "trips_of",
    "trips_of_loop",
]


@dataclass(frozen=True)
class Trips:
    """How many iterations a loop has at most, as an int or a tensor; `exact` if it can't be left before."""

    count: Any
    exact: bool


class UncountedError(Exception):
    """The graph doesn't say how many elements there may be."""


@dataclass(frozen=True)
class _Source:
    """What made a list (or the argument by which a graph got it), and how many elements were appended since.

    The number is an int, a tensor of the graph that is being built, or None if it isn't known.
    """

    tensor: Any
    count: Any
    reach: int = 0
    """How many elements there must be room for, however many were appended."""
    closed: bool = False
    """Whether it was made in a branch or body that is built, so that it can't be given more room."""


def mark_list(handle: Any, count: int) -> Any:
    """A list that was made with room for some elements."""
    _set_number(handle.op, _MADE, count)
    return handle


def mark_append(handle: Any) -> Any:
    """A list after an append."""
    _set_number(handle.op, _APPENDED, 1)
    return handle


def mark_arranged(handle: Any) -> Any:
    """A list that was made of the elements of another, gathered in another order."""
    _set_number(handle.op, _ARRANGED, 1)
    return handle


def mark_reach(handle: Any, count: int) -> Any:
    """A list after one of its first `count` elements was set, which need room though none was appended."""
    _set_number(handle.op, _REACHED, count)
    return handle


def trips_of(count: Any, exact: bool) -> Trips | None:
    """The iterations of a loop, from a number that may be a tensor or None."""
    if count is None:
        return None
    known = tf.get_static_value(count)
    return Trips(count if known is None else max(int(known), 0), exact)


def may_grow(entry: Any, argument: Any, after: Any, trips: Trips | None) -> bool:
    """Whether a loop's list can have a bound: as it goes in, and as it is before and after the body being traced."""
    try:
        sources = _sources(after)
        # What is captured was made outside of the loop, and can be given room there.
        inside = [source for source in sources if _is_argument(source) and captured(source.tensor) is None]
        if any(source.tensor is not argument for source in inside):
            return False
        growth = _largest([source.count for source in inside]) if inside else 0
        if growth == 0:
            return True
        before = _sources(entry)
    except UncountedError:
        return False
    # What a branch of an iteration made may be appended to in the next one.
    if trips is None or not isinstance(growth, int) or any(source.closed for source in (*before, *sources)):
        return False
    if isinstance(trips.count, int):
        return trips.exact or is_for_xla() or trips.count * growth <= _MOST_UNFILLED
    built_in = argument.graph.outer_graph
    if len(inside) < len(sources):
        return False
    return all(source.tensor.graph is built_in and not _is_argument(source) for source in before)


def most_held(handle: Any) -> int | None:
    """How many elements a list holds at most, counted from where it was made; None if the graph doesn't say that."""
    try:
        sources = _sources(handle)
    except UncountedError:
        return None
    outside = [captured(source.tensor) if _is_argument(source) else None for source in sources]
    if any(_is_argument(source) and given is None for source, given in zip(sources, outside, strict=True)):
        return None
    begun = [0 if given is None else most_held(given) for given in outside]
    counts = [sum_of(source.count, before) for source, before in zip(sources, begun, strict=True)]
    return max(counts, default=0) if all(isinstance(count, int) for count in counts) else None


def note_trips(result: Any, trips: Trips | None) -> None:
    """Remember how many iterations a loop has, which is given by one of its results."""
    loop = None if trips is None else loop_of(result)
    if loop is not None and trips is not None:
        if is_for_xla() and isinstance(trips.count, int):
            _set_most(loop.inputs[1].op, trips.count)
        _trips.setdefault(loop.graph, {})[loop.name] = trips


def _set_most(operation: Any, count: int) -> None:
    """Say how many iterations a loop has at most, for the gradient, which stores the values of each.

    A tape has noted the loop's inputs already, so the number itself changes.
    """
    if operation.type == "Const" and tf.get_static_value(operation.outputs[0]) == -1:
        operation._set_attr(
            "value", attributes.AttrValue(tensor=tf.make_tensor_proto(count, operation.outputs[0].dtype))
        )


def loop_of(tensor: Any) -> Any:
    """The operation of a loop of the graph, from one of its results; None if that kind isn't known."""
    operation = tensor.op
    if operation.type == "Identity":
        operation = operation.inputs[0].op
    return operation if operation.type in _LOOPS else None


def make_room(handle: Any, shape: Any, more: int = 0, reach: int = 0) -> bool:
    """Give a list's origins room for all that is in it, and some more; False if the graph doesn't say how much that is.

    They are also told the shape of its elements, as far as it is known.
    """
    with handle.graph.as_default(), tf.control_dependencies(None):
        try:
            sources = [_with_more(source, more, reach) for source in _sources(handle)]
            count = _largest([each for source in sources for each in (source.count, source.reach)])
        except UncountedError:
            return False
    arguments = [source for source in sources if _is_argument(source)]
    if not all(_room_outside(argument, shape) for argument in arguments):
        return False
    sources = [source for source in sources if not _is_argument(source) and not source.closed]
    if count is None:
        return not sources
    if not isinstance(count, int) and any(source.tensor.graph is not count.graph for source in sources):
        return False
    for source in sources:
        _widen(source.tensor.op, count)
        _set_shape(source.tensor.op, shape)
    return True


def _room_outside(argument: _Source, shape: Any) -> bool:
    """Give a list that a graph has got from outside room for what is appended to it there."""
    if not isinstance(argument.count, int):
        return False
    outside = captured(argument.tensor)
    if outside is None:
        # What a loop carries gets its room when the loop is built.
        needs = _needs.setdefault(argument.tensor.graph, {})
        needs[argument.tensor.name] = max(needs.get(argument.tensor.name, 0), argument.count)
        return True
    return argument.count == argument.reach == 0 or make_room(outside, shape, argument.count, argument.reach)


def _sources(handle: Any) -> list[_Source]:
    appended = reach = 0
    while (following := _before(handle.op)) is not None:
        appended += _number(handle.op, _APPENDED)
        reach = max(reach, _number(handle.op, _REACHED))
        handle = following
    operation, kind = handle.op, handle.op.type
    if kind == "OptionalNone":
        found = [_Source(handle, 0)]
    elif kind == "TensorListReserve":
        found = [_Source(handle, _number(operation, _MADE))]
    elif kind == "Placeholder":
        found = [_Source(handle, 0)]
    elif kind in _BRANCHES:
        found = _sources_of_branches(operation, handle.value_index)
    elif kind in _LOOPS:
        found = _sources_of_loop(operation, handle.value_index)
    else:
        raise UncountedError
    return [_with_more(source, appended, reach) for source in found]


def _with_more(source: _Source, count: Any, reach: int) -> _Source:
    if source.closed and not (isinstance(count, int) and count == reach == 0):
        raise UncountedError
    return replace(source, count=sum_of(source.count, count), reach=max(source.reach, reach))


def sum_of(one: Any, other: Any) -> Any:
    return None if one is None or other is None else one + other


def captured(argument: Any) -> Any:
    """What an argument of a graph was captured from, if it was."""
    pairs = getattr(argument.graph, "captures", ())
    return next((outside for outside, inside in pairs if inside is argument), None)


def origin_of(tensor: Any) -> Any:
    """What a tensor is without the operations that only pass it on."""
    while tensor.op.type == "Identity":
        tensor = tensor.op.inputs[0]
    return tensor


def _is_argument(source: _Source) -> bool:
    return source.tensor.op.type == "Placeholder"


def _before(operation: Any) -> Any:
    """The list that an operation passes on, perhaps with one more element."""
    if operation.type == "TensorListFromTensor" and _number(operation, _ARRANGED):
        stack = operation.inputs[0].op.inputs[0].op
        return stack.inputs[0]
    return operation.inputs[0] if operation.type in ("TensorListSetItem", "Identity") else None


def _sources_of_branches(operation: Any, index: int) -> list[_Source]:
    inside = _merged(
        replace(source, tensor=operation.inputs[1 + argument_place(graph, source.tensor)])
        if _is_argument(source)
        else replace(source, count=0, closed=True)
        for graph in (operation._true_graph, operation._false_graph)
        for source in _sources(graph.outputs[index])
    )
    made = [source for source in inside if source.closed]
    given = [source for source in inside if not source.closed]
    outer = (
        _with_more(one, from_outside(source.count), source.reach) for source in given for one in _sources(source.tensor)
    )
    return _merged([*made, *outer])


def _merged(sources: Iterable[_Source]) -> list[_Source]:
    """Sources, each tensor once: as many elements as by any way."""
    found: dict[tuple[int, bool], _Source] = {}
    for source in sources:
        key = id(source.tensor), source.closed
        before = found.setdefault(key, source)
        count = before.count if before is source else _largest([before.count, source.count])
        found[key] = replace(before, count=count, reach=max(before.reach, source.reach))
    return list(found.values())


def _sources_of_loop(operation: Any, index: int) -> list[_Source]:
    graph = operation._body_graph
    inside = _sources(graph.outputs[index])
    arguments = [(source, argument_place(graph, source.tensor)) for source in inside if _is_argument(source)]
    own = [source for source, place in arguments if place == index]
    if any(place != index and graph.outputs[place] is not source.tensor for source, place in arguments):
        raise UncountedError
    growth = _largest([from_outside(source.count) for source in own]) if own else 0
    trips = trips_of_loop(operation)
    total = 0 if isinstance(growth, int) and growth == 0 else product_of(trips, growth)
    # In the last iteration, what doesn't leave it may be longer.
    needed = max((_needs.get(graph, {}).get(source.tensor.name, 0) for source in own), default=0)
    total = sum_of(total, max(needed - growth, 0) if isinstance(growth, int) else needed)
    reach = max((source.reach for source in own), default=0)
    found = [_with_more(one, total, reach) for one in _sources(operation.inputs[index])]
    for source, place in arguments:
        if place != index:
            count = sum_of(total, from_outside(source.count))
            found += [_with_more(one, count, max(reach, source.reach)) for one in _sources(operation.inputs[place])]
    found += [replace(source, count=0, closed=True) for source in inside if not _is_argument(source)]
    return found


def product_of(trips: Trips | None, number: Any) -> Any:
    if trips is None or number is None:
        return None
    return trips.count * number if _is_reachable(trips.count) else None


def _is_reachable(count: Any) -> bool:
    """Whether a number can be used in the graph that is being built."""
    return isinstance(count, int) or is_known_in(tf.compat.v1.get_default_graph(), count.graph)


def trips_of_loop(operation: Any) -> Trips | None:
    """What is known of the number of iterations of a loop that is built."""
    return _trips.get(operation.graph, {}).get(operation.name)


def from_outside(count: Any) -> Any:
    """A number of an inner graph as one of the graph around it."""
    if count is None or isinstance(count, int):
        return count
    known = tf.get_static_value(count)
    return None if known is None else int(known)


def argument_place(graph: Any, placeholder: Any) -> int:
    for index, tensor in enumerate(graph.inputs):
        if tensor is placeholder:
            return index
    raise UncountedError


def _largest(counts: list[Any]) -> Any:
    """The largest of some numbers; None if one of them isn't known, or not here."""
    if all(isinstance(count, int) for count in counts):
        return max(counts)
    known = all(count is not None and _is_reachable(count) for count in counts)
    return functools.reduce(tf.maximum, counts) if known else None


def _widen(operation: Any, count: Any) -> None:
    rooms = _rooms.setdefault(operation.graph, {})
    before = rooms.get(operation.name, _number(operation, _MADE))
    with operation.graph.as_default(), tf.control_dependencies(None):
        if isinstance(before, int) and isinstance(count, int):
            count = max(before, count)
        elif not (isinstance(before, int) and before == 0):
            count = tf.maximum(before, count)
        rooms[operation.name] = count
        operation._update_input(1, tf.cast(count, tf.int32))


def _set_shape(operation: Any, shape: Any) -> None:
    before = operation.inputs[0]
    is_of_rank = before.shape.rank == 0 or before.shape[0] == shape.rank
    if shape.rank is None or not is_of_rank:
        return
    sizes = [-1 if size is None else size for size in shape.as_list()]
    if before.shape.rank == 0:
        before.op._set_attr("value", attributes.AttrValue(tensor=tf.make_tensor_proto(sizes, tf.int32, [len(sizes)])))
    elif tf.get_static_value(before).tolist() != sizes:
        with operation.graph.as_default(), tf.control_dependencies(None):
            operation._update_input(0, tf.constant(sizes, tf.int32, [shape.rank]))


def _set_number(operation: Any, name: str, number: int) -> None:
    operation._set_attr(name, attributes.AttrValue(i=number))


def _number(operation: Any, name: str) -> int:
    try:
        return operation.get_attr(name)
    except ValueError:
        return 0


_MADE = "_graphwright_made"
_APPENDED = "_graphwright_appended"
_ARRANGED = "_graphwright_arranged"
_REACHED = "_graphwright_reached"
_BRANCHES = ("If", "StatelessIf")
_LOOPS = ("While", "StatelessWhile")
_MOST_UNFILLED = 10_000
_trips = GraphNotes()
_rooms = GraphNotes()
_needs = GraphNotes()
"""How many elements an iteration appends to what it begins with, by the name of that in the loop's body."""
