"""Elements of lists that grow in another order, fewer of them, and those that are equal to something.

A list keeps its known bound, because all of its room is arranged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from graphwright.runtime.basis.context import is_for_xla, is_tensor
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists import tensor_list_ops
from graphwright.runtime.lists.elements import Leaf, element_of_traced
from graphwright.runtime.lists.list_bounds import mark_arranged
from graphwright.runtime.lists.list_stores import BoundedStore, ListStore, UnboundedStore
from graphwright.runtime.lists.orders import order_of

ops: Any = tf.raw_ops
Place = Callable[[Any], Any]

__all__ = ["arranged", "equal_elements", "hides_length", "slice_of", "sorted_places"]


def arranged(store: ListStore, place: Place, size: Any, leaves: Sequence[Leaf]) -> ListStore:
    """The elements whose places `place` says, given the numbers of as many as there are to be."""
    if isinstance(store, BoundedStore) and all(map(tensor_list_ops.is_uniform, leaves)):
        pairs = zip(store.handles, leaves, strict=True)
        return BoundedStore(tuple(_arranged(handle, place, leaf) for handle, leaf in pairs), size)
    pairs = zip(store.unbounded(leaves).handles, leaves, strict=True)
    return UnboundedStore(tuple(tensor_list_ops.picked(handle, leaf, place(tf.range(size))) for handle, leaf in pairs))


def _arranged(handle: Any, place: Place, leaf: Leaf) -> Any:
    room = tensor_list_ops.length(handle)
    places = tf.clip_by_value(tf.cast(place(tf.range(room)), tf.int32), 0, tf.maximum(room - 1, 0))
    rows = tf.gather(tensor_list_ops.stack(handle, leaf), places)
    return mark_arranged(
        ops.TensorListFromTensor(tensor=rows, element_shape=tf.constant(leaf.shape.as_list(), tf.int32))
    )


def hides_length(store: ListStore) -> bool:
    """Whether XLA only knows how much room a list has, so that it is better to work on all of that."""
    return isinstance(store, BoundedStore) and is_for_xla() and store.known_length() is None


def slice_of(index: slice, length: Any) -> tuple[Place, Any]:
    """The places that a slice means, and how many they are."""
    step: Any = 1 if index.step is None else index.step
    goes_up = step > 0

    def by_step(up: Any, down: Any) -> Any:
        return tf.where(goes_up, up, down) if is_tensor(step) else up if goes_up else down

    low, high = by_step(0, -1), by_step(length, length - 1)

    def bound(given: Any, otherwise: Any) -> Any:
        if given is None:
            return otherwise
        given = tf.cast(given, tf.int32)
        return tf.clip_by_value(tf.where(given < 0, given + length, given), low, high)

    start, stop = bound(index.start, by_step(low, high)), bound(index.stop, by_step(high, low))
    distance = by_step(stop - start, start - stop)
    return lambda numbers: start + step * numbers, tf.maximum((distance + abs(step) - 1) // abs(step), 0)


def sorted_places(xs: Any, key: Callable[[Any], Any] | None, reverse: bool) -> Any:
    """The places of a list's elements in their order, and behind them those of its room that isn't filled."""
    leaves = xs.element.leaves
    if not hides_length(xs.store):
        keys = xs.store.stacks(leaves)[0] if key is None else _mapped(key, xs, xs.length())
        return order_of(keys, reverse)
    room = xs.store.room()
    keys = xs.store.padded(leaves)[0] if key is None else _mapped(key, xs, room)
    is_first = tf.range(room) < xs.length()
    return order_of((is_first if reverse else tf.logical_not(is_first), keys), reverse)


def _mapped(function: Callable[[Any], Any], xs: Any, count: Any) -> Any:
    first = element_of_traced(lambda: function(xs.get(0)))

    def at(i: Any) -> Any:
        return function(xs.get(i))

    return tf.map_fn(at, tf.range(count), fn_output_signature=first.leaves[0].dtype)


def equal_elements(xs: Any, tensors: Sequence[Any]) -> Any:
    """For each element, or place that may have one, whether it is equal to what these tensors make."""
    hidden = hides_length(xs.store)
    parts = xs.store.padded(xs.element.leaves) if hidden else xs.store.stacks(xs.element.leaves)
    checks = [_are_equal(part, tensor) for part, tensor in zip(parts, tensors, strict=True)]
    if hidden:
        checks.append(tf.range(xs.store.room()) < xs.length())
    return tf.reduce_all(tf.stack(checks), axis=0)


def _are_equal(rows: Any, value: Any) -> Any:
    same = tf.equal(rows, value)
    return tf.reduce_all(tf.reshape(same, tf.stack([tf.shape(same)[0], -1])), axis=1)
