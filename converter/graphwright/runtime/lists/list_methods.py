"""What generated code calls for a list's methods: Python lists in place, lists that grow in the graph where they must.

It doesn't decide that a loop's list grows (loops do, see `graph_lists`). What is no list falls back to its own method.
"""

from __future__ import annotations

from typing import Any, cast

from graphwright.runtime.basis.attributes import has_member
from graphwright.runtime.basis.births import note_new
from graphwright.runtime.basis.context import is_staging, is_symbolic, is_tensor
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.missing_keys import present
from graphwright.runtime.basis.plain_containers import DEQUE
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists import graph_lists
from graphwright.runtime.lists.elements import DENSE, Element, Leaf, element_of_values
from graphwright.runtime.lists.gathering import grown
from graphwright.runtime.lists.graph_deques import GraphDeque
from graphwright.runtime.lists.graph_lists import GraphList, TypedList, as_growable
from graphwright.runtime.lists.orders import order_of_list
from graphwright.runtime.lists.stacking import concatenated
from graphwright.runtime.lists.staged_sequences import static_items
from graphwright.runtime.lists.subscripts import rearranged
from graphwright.runtime.lists.whole_lists import stacked

# Untyped, so that a value that was checked against one is still anything.
LIST: Any = list
TYPED_LIST: Any = TypedList

__all__ = [
    "append",
    "clear",
    "concatenated",
    "extend",
    "insert",
    "pop",
    "remove",
    "reverse",
    "set_element_type",
    "sort",
    "stack",
]


def append(xs: Any, value: Any) -> Any:
    xs.append(value)
    return xs


def extend(xs: Any, values: Any) -> Any:
    if isinstance(xs, LIST) and is_staging():
        return _extend_list(xs, values)
    xs.extend(values)
    return xs


def pop(xs: Any, *arguments: Any, **options: Any) -> tuple[Any, Any]:
    arguments = tuple(map(present, arguments))
    if isinstance(xs, LIST) and any(is_symbolic(argument) for argument in arguments):
        xs = as_growable(xs)
    return xs, xs.pop(*arguments, **options)


def insert(xs: Any, index: Any, value: Any) -> Any:
    index = present(index)
    if isinstance(xs, LIST) and is_symbolic(index):
        xs = as_growable(xs, element_of_values([*xs, value]))
    xs.insert(index, value)
    return xs


def clear(xs: Any) -> Any:
    xs.clear()
    return xs


def remove(xs: Any, value: Any) -> Any:
    if isinstance(xs, LIST) and (is_symbolic(value) or _holds_symbolic(xs)):
        xs = as_growable(xs)
    xs.remove(value)
    return xs


def reverse(xs: Any) -> Any:
    xs.reverse()
    return xs


def sort(xs: Any, **options: Any) -> Any:
    if not isinstance(xs, LIST):
        xs.sort(**options)
        return xs
    if not is_staging():
        xs.sort(**options)
        return xs
    LIST().sort(**options)  # which raises for options that there aren't
    items = xs[:]
    # As in Python, the list is empty while keys are computed and compared, so that a change is noticed.
    LIST.clear(xs)
    try:
        _put_in_order(items, **options)
    finally:
        changed = LIST.__len__(xs) > 0
        LIST.__setitem__(xs, slice(None), items)
    if changed:
        raise ValueError("list modified during sort")
    return xs


def _put_in_order(items: list[Any], key: Any = None, reverse: Any = False) -> None:
    keys: list[Any] = items if key is None else [key(item) for item in items]
    if not _holds_symbolic(keys):
        known = iter(keys)

        def known_key(_: Any) -> Any:
            return next(known)

        before = items[:]
        try:
            items.sort(key=None if key is None else known_key, reverse=reverse)
        except tf.errors.OperatorNotAllowedInGraphError:
            items[:] = before
        else:
            return
    order = order_of_list(keys, reverse)
    if isinstance(order, list):
        items[:] = [items[place] for place in cast("list[int]", order)]
        return
    found = rearranged(items, order)
    if found is None:
        grown = as_growable(items)
        found = [grown.get(order[place]) for place in range(len(items))]
    items[:] = found


def sort_in_place(xs: list[Any], *arguments: Any, **options: Any) -> None:
    """`xs.sort()` of Python's list, which takes no `arguments` but options."""
    if arguments:
        xs.sort(*arguments)
    sort(xs, **options)


def set_element_type(xs: Any, dtype: Any, shape: Any = None) -> Any:
    """Say what a list is to hold, for a loop that fills an empty one. Gives back the list to use from here on."""
    if isinstance(dtype, tf.TensorSpec):
        dtype, shape = dtype.dtype, dtype.shape if shape is None else shape
    known = tf.TensorShape(shape)
    element = Element(DENSE, (Leaf(tf.as_dtype(dtype), known, fixed=True, shaped=shape is not None),))
    if isinstance(xs, GraphList):
        return as_growable(xs, element)
    if not isinstance(xs, LIST):
        return xs
    marked = TypedList(xs)
    marked.element = element
    return marked


def stack(xs: Any, element_dtype: Any = None, strict: bool = True) -> Any:
    """The list's elements as one tensor; a tensor as it is, and unless `strict` a Python list as well."""
    if element_dtype is not None:
        xs = set_element_type(xs, element_dtype)
    if isinstance(xs, GraphList):
        return stacked(xs)
    if is_tensor(xs):
        return xs
    if isinstance(xs, TYPED_LIST) and xs.element is not None:
        leaf = xs.element.leaves[0]
        if not xs:
            sizes: list[int | None] = leaf.shape.as_list() if leaf.shape.rank is not None else []
            return tf.zeros([0, *(size or 0 for size in sizes)], leaf.dtype)
        return tf.stack([tf.convert_to_tensor(x, leaf.dtype) for x in xs])
    if has_member(xs.__class__, "graphwright_items"):
        return tf.convert_to_tensor(xs)
    return tf.stack(xs) if strict else xs


def _extend_list(xs: list[Any], values: Any) -> Any:
    values = current(values)
    if isinstance(values, GraphList):
        return as_growable(xs, values) + values
    if not is_symbolic(values) and not has_member(values.__class__, "graphwright_items"):
        xs.extend(values)
        return xs
    items = static_items(values)
    if items is not None:
        xs.extend(items)
        return xs
    return _extend_list(xs, grown(values) if is_staging() else list(values))


def _items_of(values: Any) -> Any:
    return _extend_list([], values)


graph_lists.items_of = _items_of
graph_lists.KINDS[DEQUE] = GraphDeque


def made_deque(iterable: Any = (), maxlen: int | None = None) -> Any:
    """`deque(iterable, maxlen)`."""
    items = _items_of(iterable)
    made = DEQUE((), maxlen) if isinstance(items, GraphList) else DEQUE(items, maxlen)
    note_new(made)
    if isinstance(items, GraphList):
        made = as_growable(made, items)
        made.extend(items)
    return made


def _holds_symbolic(xs: list[Any]) -> bool:
    return is_staging() and any(is_symbolic(part) for part in tf.nest.flatten(xs))
