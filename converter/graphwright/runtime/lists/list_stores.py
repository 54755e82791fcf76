"""Where the elements of a list that grows are kept: with room for a known number of them, or without bound.

A bound is what XLA and TensorFlow Lite need. A store never changes; what an element is made of isn't known here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from graphwright.runtime.basis.context import function_graph, is_for_xla, is_in_loop
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.errors.lost_sizes import not_to_be_derived
from graphwright.runtime.lists import tensor_list_ops
from graphwright.runtime.lists.elements import Leaf, shape_tensor
from graphwright.runtime.lists.exact_sizes import exact_size
from graphwright.runtime.lists.list_bounds import (
    make_room,
    mark_append,
    mark_list,
    may_grow,
    most_held,
    note_trips,
    trips_of,
)
from graphwright.runtime.lists.number_limits import note_limits

ops: Any = tf.raw_ops

__all__ = [
    "BoundedStore",
    "ListStore",
    "NoBoundError",
    "UnboundedStore",
    "filled_by_loop",
    "filled_store",
    "kept_outside",
    "store_of",
]


@dataclass(frozen=True, eq=False)
class UnboundedStore:
    """One TensorFlow list for each tensor of an element, which knows its own length."""

    handles: tuple[Any, ...]

    bounded = False

    def tensors(self) -> list[Any]:
        """All that the store is made of."""
        return list(self.handles)

    def length(self) -> Any:
        """The number of elements."""
        return tensor_list_ops.length(self.handles[0])

    def known_length(self) -> int | None:
        """The number of elements, if it is known while the graph is built."""
        return None

    def room(self) -> Any:
        """How many elements XLA has room for, if it needs to know that; else None."""
        return None

    def items(self, index: Any, leaves: Sequence[Leaf]) -> list[Any]:
        """The tensors of one element."""
        pairs = zip(self.handles, leaves, strict=True)
        return [tensor_list_ops.item(handle, index, leaf) for handle, leaf in pairs]

    def appended(self, tensors: Sequence[Any], leaves: Sequence[Leaf]) -> ListStore:
        """The store with one more element."""
        del leaves
        if is_for_xla():
            raise TypeError(_XLA)
        pairs = zip(self.handles, tensors, strict=True)
        return UnboundedStore(tuple(ops.TensorListPushBack(input_handle=h, tensor=tensor) for h, tensor in pairs))

    def popped(self, leaves: Sequence[Leaf]) -> tuple[ListStore, list[Any]]:
        """The store without its last element, and that element's tensors."""
        pairs = [
            ops.TensorListPopBack(input_handle=handle, element_shape=shape_tensor(leaf.shape), element_dtype=leaf.dtype)
            for handle, leaf in zip(self.handles, leaves, strict=True)
        ]
        for pair, leaf in zip(pairs, leaves, strict=True):
            pair[1].set_shape(leaf.shape)
        return UnboundedStore(tuple(pair[0] for pair in pairs)), [pair[1] for pair in pairs]

    def emptied(self, leaves: Sequence[Leaf]) -> ListStore:
        """A store without elements."""
        return filled_store([], leaves, False)

    def changed(self, index: Any, tensors: Sequence[Any]) -> ListStore:
        """The store with another element at an index."""
        pairs = zip(self.handles, tensors, strict=True)
        return UnboundedStore(
            tuple(ops.TensorListSetItem(input_handle=h, index=index, item=tensor) for h, tensor in pairs)
        )

    def stacks(self, leaves: Sequence[Leaf]) -> list[Any]:
        """All elements, each of their tensors as one."""
        return [tensor_list_ops.stack(handle, leaf) for handle, leaf in zip(self.handles, leaves, strict=True)]

    def padded(self, leaves: Sequence[Leaf]) -> list[Any]:
        """All elements, each of their tensors as one, with zeros behind them if that is better for XLA."""
        return self.stacks(leaves)

    def extended(self, other: ListStore, leaves: Sequence[Leaf]) -> ListStore:
        """The store with another's elements behind its own."""
        rows = zip(self.handles, other.unbounded(leaves).handles, leaves, strict=True)
        return UnboundedStore(tuple(tensor_list_ops.followed(mine, theirs, leaf) for mine, theirs, leaf in rows))

    def unbounded(self, leaves: Sequence[Leaf]) -> UnboundedStore:
        """The same elements in a store that may grow without bound."""
        del leaves
        return self


@dataclass(frozen=True, eq=False)
class BoundedStore:
    """TensorFlow lists of a fixed length, of which the first `size` elements count."""

    handles: tuple[Any, ...]
    size: Any

    bounded = True

    def tensors(self) -> list[Any]:
        return [*self.handles, tf.convert_to_tensor(self.size, tf.int32)]

    def length(self) -> Any:
        length = tf.cast(self._size(), tf.int32)
        if is_for_xla() and self.known_length() is None and (most := most_held(self.handles[0])) is not None:
            note_limits(length, 0, most)
        return length

    def known_length(self) -> int | None:
        size = self._size()
        return size if isinstance(size, int) else None

    def room(self) -> Any:
        return tensor_list_ops.length(self.handles[0]) if is_for_xla() and self.known_length() is None else None

    def items(self, index: Any, leaves: Sequence[Leaf]) -> list[Any]:
        inside = self._inside(index)
        pairs = zip(self.handles, leaves, strict=True)
        return [tensor_list_ops.item(handle, inside(handle), leaf) for handle, leaf in pairs]

    def appended(self, tensors: Sequence[Any], leaves: Sequence[Leaf]) -> ListStore:
        if any(leaf.shape.rank is None for leaf in leaves):
            return self.unbounded(leaves).appended(tensors, leaves)
        size = tf.convert_to_tensor(self.size, tf.int32)
        handles = tuple(
            mark_append(ops.TensorListSetItem(input_handle=handle, index=size, item=tensor))
            for handle, tensor in zip(self.handles, tensors, strict=True)
        )
        grown = BoundedStore(handles, self.size + 1)
        return grown if grown.made_room(leaves) else self.unbounded(leaves).appended(tensors, leaves)

    def popped(self, leaves: Sequence[Leaf]) -> tuple[ListStore, list[Any]]:
        size = self.size - 1
        if self.known_length() is not None or is_for_xla():
            return BoundedStore(self.handles, size), self.items(size, leaves)
        # What is popped may be read by nobody: the size is taken by a slice that fails where nothing is left.
        begin = tf.where(self.size > 0, 0, EMPTY)
        left = tf.slice(tf.reshape(size, [1]), tf.reshape(begin, [1]), [1])[0]
        return BoundedStore(self.handles, left), self.items(size, leaves)

    def emptied(self, leaves: Sequence[Leaf]) -> ListStore:
        del leaves
        return BoundedStore(self.handles, 0)

    def changed(self, index: Any, tensors: Sequence[Any]) -> ListStore:
        inside = self._inside(index)
        pairs = zip(self.handles, tensors, strict=True)
        handles = (ops.TensorListSetItem(input_handle=h, index=inside(h), item=tensor) for h, tensor in pairs)
        return BoundedStore(tuple(handles), self.size)

    def stacks(self, leaves: Sequence[Leaf]) -> list[Any]:
        return [self._stack(handle, leaf) for handle, leaf in zip(self.handles, leaves, strict=True)]

    def padded(self, leaves: Sequence[Leaf]) -> list[Any]:
        if not is_for_xla() or exact_size(self.size) is not None:
            return self.stacks(leaves)
        rows = [tensor_list_ops.stack(handle, leaf) for handle, leaf in zip(self.handles, leaves, strict=True)]
        inside = tf.range(tensor_list_ops.length(self.handles[0])) < self._size()
        return [
            tf.where(tf.reshape(inside, [-1] + [1] * (row.shape.rank - 1)), row, tf.zeros_like(row)) for row in rows
        ]

    def extended(self, other: ListStore, leaves: Sequence[Leaf]) -> ListStore:
        known = other.known_length()
        if known is not None and known <= _FEW:
            store: ListStore = self
            for index in range(known):
                store = store.appended(other.items(index, leaves), leaves)
            return store
        most = most_held(other.handles[0]) if is_for_xla() and isinstance(other, BoundedStore) else None
        if most is not None:
            return self._extended_by_some(other, most, leaves)
        return self.unbounded(leaves).extended(other, leaves)

    def _extended_by_some(self, other: ListStore, most: int, leaves: Sequence[Leaf]) -> ListStore:
        """The store with another's elements, of which only the run knows how many there are."""

        def longer(index: Any, tensors: list[Any]) -> list[Any]:
            return store_of(tensors, True).appended(other.items(index, leaves), leaves).tensors()

        try:
            store = store_of(filled_by_loop(self.tensors(), True, other.length(), most, longer), True)
        except NoBoundError:
            raise TypeError(_XLA) from None
        if isinstance(store, BoundedStore) and store.made_room(leaves):
            return store
        raise TypeError(_XLA)

    def unbounded(self, leaves: Sequence[Leaf]) -> UnboundedStore:
        if is_for_xla() and exact_size(self.size) is None:
            raise TypeError(_XLA)
        pairs = zip(self.handles, leaves, strict=True)
        return UnboundedStore(tuple(self._without_room(handle, leaf) for handle, leaf in pairs))

    def made_room(self, leaves: Sequence[Leaf]) -> bool:
        """Whether there is room for all elements, or could be made."""
        rooms = [make_room(handle, leaf.shape) for handle, leaf in zip(self.handles, leaves, strict=True)]
        return all(rooms)

    def _size(self) -> Any:
        exact = exact_size(self.size)
        if isinstance(exact, int):
            return max(exact, 0)
        return self.size if exact is None else exact

    def _inside(self, index: Any) -> Callable[[Any], Any]:
        """The index; one behind the last element is taken out of the list's room, so that it fails as in Python."""
        known = self.known_length()
        if known is not None and isinstance(index, int) and 0 <= index < known:
            return lambda handle: index
        index = tf.cast(index, tf.int32)
        outside = index >= self.length()
        return lambda handle: tf.where(outside, tf.maximum(tensor_list_ops.length(handle), index), index)

    def _without_room(self, handle: Any, leaf: Leaf) -> Any:
        # TensorFlow Lite crashes at TensorListResize.
        if tensor_list_ops.is_uniform(leaf):
            return ops.TensorListFromTensor(tensor=self._stack(handle, leaf), element_shape=-1)
        if leaf.shape.rank is None:
            return tensor_list_ops.copied(handle, leaf, tf.range(self.length()), tensor_list_ops.empty(leaf))
        return ops.TensorListResize(input_handle=handle, size=self.length())

    def _stack(self, handle: Any, leaf: Leaf) -> Any:
        size = self._size()
        rows = tensor_list_ops.stack(handle, leaf, size)
        if is_for_xla() and exact_size(self.size) is None:
            # XLA has no gradient for a slice whose size the run decides.
            rows = tf.boolean_mask(rows, tf.range(tensor_list_ops.length(handle)) < size)
            return not_to_be_derived(rows, _NO_GRADIENT) if is_in_loop() else rows
        rows = rows[:size]
        if isinstance(size, int) and leaf.shape.rank is not None:
            rows.set_shape([size, *leaf.shape])
        return rows


ListStore = UnboundedStore | BoundedStore


class NoBoundError(Exception):
    """Nothing says how long a list may become that is to have a known bound."""


def filled_by_loop(
    start: list[Any], bounded: bool, length: Any, most: int | None, longer: Callable[[Any, list[Any]], list[Any]]
) -> list[Any]:
    """What a store is made of after a loop over `length` items, which are at `most` so many if XLA has to know that.

    `longer` gives what it is made of after one more.
    """
    trips = trips_of(length, True) if most is None else trips_of(most, False)

    def turn(index: Any, tensors: list[Any]) -> tuple[Any, list[Any]]:
        note_limits(index, 0, None if most is None else most - 1)
        after = longer(index, tensors)
        grown = zip(start[:-1], tensors, after[:-1], strict=False) if bounded else ()
        if not all(may_grow(*sides, trips) for sides in grown):
            raise NoBoundError
        return index + 1, after

    def more(index: Any, _: Any) -> Any:
        return index < length

    limit = {"maximum_iterations": tf.cast(length if most is None else most, tf.int32)} if is_for_xla() else {}
    _, tensors = tf.while_loop(more, turn, [tf.zeros([], length.dtype), start], **limit)
    note_trips(tensors[0], trips)
    return tensors


EMPTY = -(2**31)
"""Where the slice begins if the list is empty: `failures` knows the number."""


def filled_store(elements: Sequence[Sequence[Any]], leaves: Sequence[Leaf], bounded: bool) -> ListStore:
    """A store of some elements, each given as its tensors."""
    if not bounded:
        return _filled(UnboundedStore(tuple(tensor_list_ops.empty(leaf) for leaf in leaves)), elements, leaves)
    count = len(elements)
    if _outside.get():
        with function_graph().as_default(), tf.control_dependencies(None):
            handles = [mark_list(tensor_list_ops.reserved(leaf, count), count) for leaf in leaves]
    else:
        handles = [mark_list(tensor_list_ops.reserved(leaf, count), count) for leaf in leaves]
    for index, tensors in enumerate(elements):
        pairs = zip(handles, tensors, strict=True)
        handles = [ops.TensorListSetItem(input_handle=h, index=index, item=tensor) for h, tensor in pairs]
    return BoundedStore(tuple(handles), count)


@contextlib.contextmanager
def kept_outside() -> Generator[None, None, None]:
    """Make lists where the traced function begins, though a branch or iteration fills them.

    What a branch makes can't be given more room once the branch is built.
    """
    token = _outside.set(True)
    try:
        yield
    finally:
        _outside.reset(token)


def store_of(tensors: Sequence[Any], bounded: bool) -> ListStore:
    """The store that is made of some tensors."""
    return BoundedStore(tuple(tensors[:-1]), tensors[-1]) if bounded else UnboundedStore(tuple(tensors))


def _filled(store: ListStore, elements: Sequence[Sequence[Any]], leaves: Sequence[Leaf]) -> ListStore:
    for tensors in elements:
        store = store.appended(tensors, leaves)
    return store


_NO_GRADIENT = (
    "XLA computes wrong gradients of a list that becomes one tensor in a loop{}, if only the run decides its length. "
    "Use `sum(...)`, or add in a loop over the list, or append to the list in every iteration"
)
_outside: ContextVar[bool] = ContextVar("graphwright_lists_outside", default=False)
_FEW = 64
_XLA = (
    "XLA can't let this list grow: nothing says how long it may become. Append to it in loops over ranges or tensors "
    "of known length, or write `gw.set_loop_options(maximum_iterations=...)` in the loop"
)
