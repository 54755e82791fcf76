"""Comprehensions: a Python list where its length is known while the graph is built, a list that grows otherwise.

Dict and set comprehensions need a length that is known (`unrolled`). Loops as statements are not its business.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from graphwright.runtime.basis import python_values
from graphwright.runtime.basis.attributes import has_member
from graphwright.runtime.basis.context import by_graph, is_staging
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.left_iterators import is_iterator, readable
from graphwright.runtime.basis.missing_keys import refuse_all_keys
from graphwright.runtime.basis.older_iterators import note_reading, readable_here
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.elements import Element, element_of_traced
from graphwright.runtime.lists.gathering import (
    Put,
    appended,
    bounded_if_possible,
    from_dataset,
    from_sequence,
    grown,
    itself,
    put_if,
    wide_enough,
)
from graphwright.runtime.lists.graph_lists import GraphList, as_growable, element_of, is_growable
from graphwright.runtime.lists.list_methods import extend
from graphwright.runtime.lists.staged_sequences import as_sequence, is_staged, static_items

__all__ = ["as_list", "as_tuple", "collect", "for_python", "repeated", "spread", "unrolled", "whole"]

Maker = Callable[..., Any]

of_generator: Callable[[Any, Maker, Maker | None, bool], Any] | None = None
"""What `collect` gives for a generator that a tensor has a say in; None for another. Set by `generator_loops`."""


def collect(element: Maker, iterable: Any, condition: Maker | None = None, flat: bool = False) -> Any:
    """`[element(x) for x in iterable if condition(x)]`; with `flat`, each element is a list and they are joined.

    Functions of several parameters are given the parts of each item.
    """
    element, iterable = of_item(element), readable(current(iterable))
    condition = None if condition is None else of_item(condition)
    if is_staging():
        if isinstance(iterable, tf.data.Dataset):
            return _of_dataset(element, iterable, condition, flat)
        if is_staged(iterable):
            items = static_items(iterable)
            if items is None:
                return _staged(element, as_sequence(iterable), condition, flat)
            iterable = items
    if is_iterator(iterable):
        note_reading(iterable)
    return unrolled_with(element, iterable, condition, flat, [], [])


def _of_generator(iterable: Any, element: Maker, condition: Maker | None = None, flat: bool = False) -> Any:
    return None if of_generator is None else of_generator(iterable, element, condition, flat)


def repeated(items: Sequence[Any], count: Any) -> Any:
    """`items * count`, for a count that only the graph knows: a list that grows, for a tuple as well."""
    if not items:
        return []
    turns = tf.range(tf.maximum(count, 0))

    def every(_: Any) -> Any:
        return items[0] if len(items) == 1 else list(items)

    return collect(every, turns, flat=len(items) > 1)


python_values.repeat_items = repeated


def whole(xs: Any) -> Any:
    """All that is left of a generator expression, if it is one; else the value."""
    refuse_all_keys(xs)
    xs = readable(current(xs))
    if is_iterator(xs):
        note_reading(xs)
    kind = cast(Any, type(xs))
    collected = kind.graphwright_whole if has_member(kind, "graphwright_whole") else None
    if collected is not None:
        return collected(xs)
    found = _of_generator(xs, itself)
    return xs if found is None else found


def as_list(*xs: Any) -> Any:
    """`list(xs)`: a list that grows where only the graph knows how many elements there are."""
    xs = tuple(map(whole, xs))
    if is_staging() and len(xs) == 1:
        if isinstance(xs[0], GraphList):
            return xs[0].as_list()
        if is_staged(xs[0]) or isinstance(xs[0], tf.data.Dataset):
            return collect(itself, xs[0])
    return cast("list[Any]", list(*xs))


def as_tuple(*xs: Any) -> Any:
    """`tuple(xs)`: a list that grows where only the graph knows how many elements there are."""
    xs = tuple(map(whole, xs))
    if is_staging() and len(xs) == 1 and (is_staged(xs[0]) or isinstance(xs[0], tf.data.Dataset)):
        made: Any = as_list(xs[0])
        return made if isinstance(made, GraphList) else tuple(made)
    return tuple(*xs)


def of_item(function: Maker) -> Maker:
    """A function of one item, from one of the item's parts."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_argcount < 2:
        return function
    count: int = code.co_argcount

    def of_parts(item: Any) -> Any:
        return function(*_unpacked(unrolled(item), count))

    return of_parts


def _unpacked(parts: Iterable[Any], count: int) -> Sequence[Any]:
    """The parts of an item, as many as there are names for them."""
    if isinstance(parts, (tuple, list)) and len(cast("list[Any]", parts)) == count:
        return cast("list[Any]", parts)
    if not has_member(type(parts), "__iter__") and not has_member(type(parts), "__getitem__"):
        raise TypeError(f"cannot unpack non-iterable {type(parts).__name__} object")
    rest = iter(parts)
    found = list(itertools.islice(rest, count))
    if len(found) < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {len(found)})")
    for _ in rest:
        raise ValueError(f"too many values to unpack (expected {count})")
    return found


def unrolled(xs: Any, count: int | None = None) -> Any:
    """An iterable for Python to walk through, as unpacking (into `count` names) and dict and set comprehensions do."""
    xs = whole(xs) if count is None else readable(current(xs))
    if not is_staged(xs):
        return xs
    items = static_items(xs)
    if items is None and count is not None and isinstance(xs, (tf.Tensor, tf.Variable)):
        return tf.unstack(tf.convert_to_tensor(xs), num=count)
    if items is None:
        raise TypeError(
            "Python iterates over a tensor of unknown length here, to unpack it, to build a dict or set, or in a "
            "generator. Give the tensor a static length, or collect into a list or a tensor."
        )
    return items


def spread(xs: Any) -> Any:
    """What Python unpacks in `f(*xs)` and `[*xs]`: the items of a tensor of known length, else `xs` itself."""
    xs = readable_here(xs)
    if not is_staged(xs):
        return xs
    items = static_items(xs)
    return xs if items is None else items


def for_python(xs: Any) -> Any:
    """What a loop of a generator goes over, which Python runs."""
    xs = readable_here(xs)
    return unrolled(xs) if is_staging() and is_staged(xs) else xs


def unrolled_with(
    element: Maker,
    iterable: Iterable[Any],
    condition: Maker | None,
    flat: bool,
    result: Any,
    undecided: list[tuple[Any, Any]],
) -> Any:
    """The list that goes on from `result` and from items of which only the graph knows whether they are kept."""
    found = None if result or undecided else _of_generator(iterable, element, condition, flat)
    if found is not None:
        return found
    put = _put(flat)
    pending = list(undecided)
    for item in iterable:
        test = True if condition is None else condition(item)
        if pending or by_graph(test):
            pending.append((item, test))
        elif test:
            result = put(result, element(item))
    return _under_conditions(element, result, pending, flat) if pending else result


def _put(flat: bool) -> Put:
    return extend if flat else appended


def _under_conditions(element: Maker, result: Any, pending: list[tuple[Any, Any]], flat: bool) -> GraphList:
    """Elements that are kept or not when the graph runs; each is computed only if it is kept."""
    kind = _kind(lambda: element(pending[0][0]), result, flat)

    def build(kind: Element, bounded: bool) -> GraphList:
        return _kept(element, as_growable(result, kind, bounded=bounded), pending, flat)

    return wide_enough(kind, lambda kind: bounded_if_possible(lambda bounded: build(kind, bounded)))


def _kept(element: Maker, result: GraphList, pending: list[tuple[Any, Any]], flat: bool) -> GraphList:
    for item, test in pending:
        result = put_if(result, test, lambda item=item: element(item), _put(flat))
    return result


def _staged(element: Maker, source: Any, condition: Maker | None, flat: bool) -> GraphList:
    kind = _kind(lambda: element(source.get(tf.constant(0))), [], flat)
    return wide_enough(kind, lambda kind: from_sequence(element, source, condition, _put(flat), kind))


def _of_dataset(element: Maker, dataset: Any, condition: Maker | None, flat: bool) -> GraphList:
    kind = _kind(lambda: element(next(iter(dataset))), [], flat)
    return from_dataset(element, dataset, condition, _put(flat), kind)


def _kind(first: Callable[[], Any], result: Any, flat: bool) -> Element:
    """What the list will hold, from its first element."""
    if not flat:
        kind = element_of_traced(first)
    else:
        found: list[Element | None] = []

        def probe() -> None:
            rows = first()
            found.append(element_of(rows) if is_growable(rows) else element_of(grown(rows)))

        tf.function(probe, autograph=False).get_concrete_function()
        kind = found[0]
    start = as_growable(result, kind) if kind is not None else as_growable(result)
    return start.element
