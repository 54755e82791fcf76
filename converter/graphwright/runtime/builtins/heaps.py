"""The functions of Python's `heapq` for lists that hold tensors, or that a branch or loop of the graph changes.

They do what `heapq` does, step by step, so that the list has the same order. They are converted as the user's code is.
"""

from __future__ import annotations

import functools
import heapq
import types
from collections.abc import Callable
from typing import Any

from graphwright.runtime.basis.context import is_staging
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.tensors import acts_as_tensor, holds_tensor
from graphwright.runtime.builtins.extremes import maximum
from graphwright.runtime.builtins.ordering import in_order
from graphwright.runtime.functions import calls
from graphwright.runtime.lists.comprehensions import as_list, whole
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.lists.subscripts import get_item
from graphwright.runtime.state.noting import is_noting

__all__ = ["OPERATORS"]


class HeapFunction:
    """A function that is converted when it is called, as what it calls of this kind is: both are written here."""

    def __init__(self, function: types.FunctionType) -> None:
        self._function = function

    def __call__(self, *args: Any) -> Any:
        assert calls.convert_function is not None
        return calls.convert_function(self._function)(*args)


@HeapFunction
def heappush(heap: Any, item: Any) -> None:
    """`heapq.heappush`."""
    heap.append(item)
    rise(heap, item, len(heap) - 1, 0)


@HeapFunction
def heappop(heap: Any) -> Any:
    """`heapq.heappop`."""
    item = heap.pop()
    first = item
    if len(heap) > 0:
        first = heap[0]
        sink(heap, item, 0)
    return first


@HeapFunction
def heapreplace(heap: Any, item: Any) -> Any:
    """`heapq.heapreplace`."""
    first = heap[0]
    sink(heap, item, 0)
    return first


@HeapFunction
def heappushpop(heap: Any, item: Any) -> Any:
    """`heapq.heappushpop`."""
    first = item
    if len(heap) > 0 and heap[0] < item:
        first = heap[0]
        sink(heap, item, 0)
    return first


@HeapFunction
def heapify(heap: Any) -> None:
    """`heapq.heapify`."""
    for start in range(len(heap) // 2 - 1, -1, -1):
        sink(heap, heap[start], start)


@HeapFunction
def sink(heap: Any, item: Any, start: Any) -> None:
    """Put an item in the place of `start` or below: the smaller children move up, and then it rises again."""
    place = start
    child = 2 * place + 1
    while child < len(heap):
        if child + 1 < len(heap) and not heap[child] < heap[child + 1]:
            child += 1
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    rise(heap, item, place, start)


@HeapFunction
def rise(heap: Any, item: Any, place: Any, start: Any) -> None:
    """Put an item in a place, or as far above it as it is smaller, but not above `start`."""
    while place > start:
        above = (place - 1) // 2
        parent = heap[above]
        if not item < parent:
            break
        heap[place] = parent
        place = above
    heap[place] = item


def _on_heap(plain: Any, steps: Callable[..., Any], heap: Any, *items: Any) -> Any:
    in_graph = is_staging() and calls.convert_function is not None
    if not in_graph or not (is_noting() or isinstance(current(heap), GraphList) or holds_tensor([heap, *items])):
        return plain(heap, *items)
    return steps(heap, *items)


def _first_of_order(plain: Any, reverse: bool, count: Any, items: Any, key: Any = None) -> Any:
    """`heapq.nsmallest` and `heapq.nlargest`, which say of themselves that they are a slice of what `sorted` gives."""
    items = whole(items)
    is_of_graph = isinstance(items, GraphList) or acts_as_tensor(items) or holds_tensor([count, items])
    if not is_staging() or not is_of_graph:
        return plain(count, items, key)
    ordered = as_list(in_order(items, key=None if key is None else calls.converted(key), reverse=reverse))
    return get_item(ordered, slice(None, maximum(count, 0)))


def _merged(*sorted_iterables: Any, **options: Any) -> Any:
    """`heapq.merge`, which compares what it goes over while the graph is built."""
    items = [whole(each) for each in sorted_iterables]
    if is_staging() and any(
        isinstance(each, GraphList) or acts_as_tensor(each) or holds_tensor(each) for each in items
    ):
        raise TypeError(
            "heapq.merge can't compare tensors while the graph is built. For lists that are sorted, "
            "`sorted([*first, *second])` gives the same"
        )
    return heapq.merge(*items, **options)


OPERATORS: dict[Any, Any] = {
    heapq.nsmallest: functools.partial(_first_of_order, heapq.nsmallest, False),
    heapq.nlargest: functools.partial(_first_of_order, heapq.nlargest, True),
    heapq.merge: _merged,
    heapq.heappush: functools.partial(_on_heap, heapq.heappush, heappush),
    heapq.heappop: functools.partial(_on_heap, heapq.heappop, heappop),
    heapq.heapify: functools.partial(_on_heap, heapq.heapify, heapify),
    heapq.heapreplace: functools.partial(_on_heap, heapq.heapreplace, heapreplace),
    heapq.heappushpop: functools.partial(_on_heap, heapq.heappushpop, heappushpop),
}
