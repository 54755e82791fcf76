"""TensorFlow's lists of tensors, the parts that a growable list is made of: one handle per tensor of an element.

Only what has a right gradient is used: TensorListConcatLists has none, TensorListGather's forgets what is read twice.
"""

from __future__ import annotations

from typing import Any

from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.elements import Leaf, shape_tensor

ops: Any = tf.raw_ops

__all__ = ["clipped", "empty", "followed", "length", "picked", "places", "stack"]


def length(handle: Any) -> Any:
    return ops.TensorListLength(input_handle=handle)


def stack(handle: Any, leaf: Leaf) -> Any:
    """All elements as one tensor."""
    if leaf.dtype == tf.variant:
        raise TypeError("A list of growing lists can't become one tensor, because its rows may differ in length.")

    def together() -> Any:
        return ops.TensorListStack(
            input_handle=handle, element_shape=shape_tensor(leaf.shape), element_dtype=leaf.dtype
        )

    if leaf.shape.is_fully_defined():
        return together()
    sizes: list[int | None] = leaf.shape.as_list() if leaf.shape.rank is not None else []
    nothing = [0, *(size or 0 for size in sizes)]
    result = tf.cond(length(handle) > 0, together, lambda: tf.zeros(nothing, leaf.dtype))
    if leaf.shape.rank is not None:
        result.set_shape([None, *leaf.shape.as_list()])
    return result


def picked(handle: Any, leaf: Leaf, places: Any) -> Any:
    """The elements at some places."""
    places = tf.cast(places, tf.int32)
    if _uniform(leaf):
        rows = tf.gather(stack(handle, leaf), places)
        return ops.TensorListFromTensor(tensor=rows, element_shape=-1)
    return _copied(handle, leaf, places, empty(leaf))


def followed(first: Any, second: Any, leaf: Leaf) -> Any:
    """One list after the other. TensorFlow has an op for it, but that op has no gradient."""
    if _uniform(leaf):
        rows = tf.concat([stack(first, leaf), stack(second, leaf)], 0)
        return ops.TensorListFromTensor(tensor=rows, element_shape=-1)
    return _copied(second, leaf, tf.range(length(second)), first)


def _uniform(leaf: Leaf) -> bool:
    return leaf.shape.is_fully_defined() and leaf.dtype != tf.variant


def _copied(handle: Any, leaf: Leaf, places: Any, into: Any) -> Any:
    def turn(i: Any, result: Any) -> Any:
        item = ops.TensorListGetItem(
            input_handle=handle, index=places[i], element_shape=shape_tensor(leaf.shape), element_dtype=leaf.dtype
        )
        return i + 1, ops.TensorListPushBack(input_handle=result, tensor=item)

    def more(i: Any, _: Any) -> Any:
        return i < count

    count = tf.size(places)
    return tf.while_loop(more, turn, [tf.constant(0), into])[1]


def empty(leaf: Leaf) -> Any:
    """A list without elements yet. What shape they have isn't fixed: it may prove to vary."""
    return ops.EmptyTensorList(element_shape=-1, max_num_elements=-1, element_dtype=leaf.dtype)


def clipped(index: Any, length: Any) -> Any:
    """Where a slice's bound or an insertion falls: never outside of the list."""
    index = tf.cast(index, tf.int32)
    return tf.clip_by_value(tf.where(index < 0, index + length, index), 0, length)


def places(index: Any, length: Any) -> Any:
    """The places that a slice means."""
    if all(bound is None for bound in (index.start, index.stop)) and index.step in (None, 1):
        return tf.range(length)
    return tf.range(length)[index]
