"""Gathers what a function makes of each item of a staged sequence, or of a Dataset, in a list that grows.

How a value goes into the list is said by the caller (`put`); a comprehension's syntax is none of its business.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphwright.runtime.basis.context import by_graph, is_for_xla, staged
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.elements import Element, element_of_traced
from graphwright.runtime.lists.graph_lists import GraphList, as_growable
from graphwright.runtime.lists.list_stores import BoundedStore, NoBoundError, filled_by_loop, store_of
from graphwright.runtime.lists.number_limits import highest
from graphwright.runtime.lists.staged_sequences import Staged, StagedRange, as_sequence, static_items

Make = Callable[[Any], Any]
"""A function of one item."""

Put = Callable[[Any, Any], Any]
"""Puts a value into a list and gives the list that holds it."""


def grown(iterable: Any) -> GraphList:
    """The elements of a staged sequence as a list that grows."""
    source = as_sequence(iterable)
    kind = as_growable([], element_of_traced(lambda: source.get(tf.constant(0)))).element
    return wide_enough(kind, lambda kind: from_sequence(itself, source, None, appended, kind))


def itself(item: Any) -> Any:
    return item


def appended(xs: Any, value: Any) -> Any:
    xs.append(value)
    return xs


def from_sequence(make: Make, source: Any, condition: Make | None, put: Put, kind: Element) -> GraphList:
    """What is made of each item for which the condition holds."""

    def build(bounded: bool) -> GraphList:
        return _from_sequence(make, source, condition, put, as_growable([], kind, bounded=bounded))

    return bounded_if_possible(build)


def bounded_if_possible(build: Callable[[bool], GraphList]) -> GraphList:
    """What is built with a list of known bound, or again with one without."""
    try:
        return build(True)
    except NoBoundError:
        return build(False)


def _from_sequence(make: Make, source: Any, condition: Make | None, put: Put, start: GraphList) -> GraphList:
    tensors, rebuild = start.graphwright_flatten()
    seen: list[GraphList] = []
    length = source.length()
    most = highest(length) if is_for_xla() and tf.get_static_value(length) is None else None

    def longer(index: Any, tensors: list[Any]) -> list[Any]:
        with staged():
            item = source.get(index)
            test = True if condition is None else condition(item)
            result = put_if(rebuild(tensors), test, lambda: make(item), put)
        seen.append(result)
        return _tensors_like(result, start)

    tensors = filled_by_loop(tensors, start.store.bounded, length, most, longer)
    return _with_room(GraphList(store_of(tensors, start.store.bounded), seen[0].element))


def _tensors_like(xs: GraphList, other: GraphList) -> list[Any]:
    """What a list is made of, which has to be of the same kind as another."""
    if other.store.bounded and not xs.store.bounded:
        raise NoBoundError
    return as_growable(xs, bounded=other.store.bounded).store.tensors()


def _with_room(xs: GraphList) -> GraphList:
    if isinstance(xs.store, BoundedStore) and not xs.store.made_room(xs.element.leaves):
        raise NoBoundError
    return xs


def from_dataset(make: Make, dataset: Any, condition: Make | None, put: Put, kind: Element) -> GraphList:
    """A dataset is read once: what comes of it is a list, through which no gradient goes."""
    tensors, rebuild = as_growable([], kind, bounded=False).graphwright_flatten()

    def turn(tensors: Any, item: Any) -> Any:
        with staged():
            test = True if condition is None else condition(item)
            result = put_if(rebuild(tensors), test, lambda: make(item), put)
        return tuple(result.graphwright_flatten()[0])

    return GraphList(store_of(dataset.reduce(tuple(tensors), turn), False), kind)


def put_if(result: GraphList, test: Any, value: Callable[[], Any], put: Put) -> GraphList:
    """The list with the value, if the test holds."""
    if not by_graph(test):
        return put(result, value()) if test else result
    tensors, rebuild = result.graphwright_flatten()
    seen: list[Element] = []

    def with_value() -> list[Any]:
        with staged():
            inner = put(rebuild(tensors), value())
        seen.append(inner.element)
        return _tensors_like(inner, result)

    after = tf.cond(test, with_value, lambda: [tf.identity(tensor) for tensor in tensors])
    return _with_room(GraphList(store_of(tf.nest.flatten(after), result.store.bounded), seen[0], result.name))


def wide_enough(kind: Element, build: Callable[[Element], GraphList]) -> GraphList:
    """Builds the list, once more if an element turns out to be of another shape than the first."""
    result = build(kind)
    while result.element != kind:
        kind = result.element
        result = build(kind)
    return result


def _as_tensor(value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    del name, as_ref
    if isinstance(value, StagedRange):
        tensor = value.tensor()
    elif items := static_items(value):
        tensor = tf.stack(items)
    else:
        tensor = tf.convert_to_tensor(grown(value))
    return NotImplemented if dtype is not None and tensor.dtype != dtype else tensor


tf.register_tensor_conversion_function(Staged, _as_tensor)
