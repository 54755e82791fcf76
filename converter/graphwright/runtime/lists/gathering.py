"""Gathers what a function makes of each item of a staged sequence, or of a Dataset, in a list that grows.

How a value goes into the list is said by the caller (`put`); a comprehension's syntax is none of its business.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphwright.runtime.basis.context import is_symbolic, staged
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.elements import Element, element_of_traced
from graphwright.runtime.lists.graph_lists import GraphList, as_growable
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
    start = as_growable([], kind)
    _, rebuild = start.graphwright_flatten()
    seen: list[Element] = []
    length = source.length()

    def turn(index: Any, handles: list[Any]) -> tuple[Any, list[Any]]:
        with staged():
            item = source.get(index)
            test = True if condition is None else condition(item)
            result = put_if(rebuild(handles), test, lambda: make(item), put)
        seen.append(result.element)
        return index + 1, list(result.handles)

    def more(index: Any, _: Any) -> Any:
        return index < length

    begin = tf.zeros([], length.dtype)
    _, handles = tf.while_loop(more, turn, [begin, list(start.handles)])
    return GraphList(handles, seen[0])


def from_dataset(make: Make, dataset: Any, condition: Make | None, put: Put, kind: Element) -> GraphList:
    """A dataset is read once: what comes of it is a list, through which no gradient goes."""
    start = as_growable([], kind)
    _, rebuild = start.graphwright_flatten()

    def turn(handles: Any, item: Any) -> Any:
        with staged():
            test = True if condition is None else condition(item)
            result = put_if(rebuild(handles), test, lambda: make(item), put)
        return result.handles

    return GraphList(dataset.reduce(start.handles, turn), kind)


def put_if(result: GraphList, test: Any, value: Callable[[], Any], put: Put) -> GraphList:
    """The list with the value, if the test holds."""
    if not is_symbolic(test):
        return put(result, value()) if test else result
    _, rebuild = result.graphwright_flatten()
    seen: list[Element] = []

    def with_value() -> list[Any]:
        with staged():
            inner = put(rebuild(result.handles), value())
        seen.append(inner.element)
        return list(inner.handles)

    handles = tf.cond(test, with_value, lambda: [tf.identity(handle) for handle in result.handles])
    return GraphList(tf.nest.flatten(handles), seen[0], result.name)


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
