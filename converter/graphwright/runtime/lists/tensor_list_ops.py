"""TensorFlow's lists of tensors, the parts that a growable list is made of: one handle per tensor of an element.

Only what has a right gradient is used: TensorListConcatLists has none, TensorListGather's forgets what is read twice.
"""

from __future__ import annotations

from typing import Any

from graphwright.runtime.basis.context import is_for_xla, is_tensor
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.errors import failures
from graphwright.runtime.lists.elements import Leaf, shape_tensor

ops: Any = tf.raw_ops

__all__ = [
    "clipped",
    "copied",
    "empty",
    "followed",
    "has_step",
    "is_uniform",
    "item",
    "length",
    "picked",
    "places",
    "reserved",
    "stack",
]


def length(handle: Any) -> Any:
    return ops.TensorListLength(input_handle=handle)


def item(handle: Any, index: Any, leaf: Leaf) -> Any:
    """The element at an index that isn't negative."""
    tensor = ops.TensorListGetItem(
        input_handle=handle,
        index=tf.cast(index, tf.int32),
        element_shape=shape_tensor(leaf.shape),
        element_dtype=leaf.dtype,
    )
    tensor.set_shape(leaf.shape)
    return tensor


def stack(handle: Any, leaf: Leaf, size: Any = None) -> Any:
    """All elements as one tensor; `size` is how many of them count, if not all do."""
    if leaf.dtype == tf.variant:
        raise TypeError("A list of growing lists can't become one tensor, because its rows may differ in length.")

    def together() -> Any:
        return ops.TensorListStack(
            input_handle=handle, element_shape=shape_tensor(leaf.shape), element_dtype=leaf.dtype
        )

    if leaf.shape.is_fully_defined() or is_for_xla() or (isinstance(size, int) and size > 0):
        return together()
    sizes: list[int | None] = leaf.shape.as_list() if leaf.shape.rank is not None else []
    nothing = [0, *(size or 0 for size in sizes)]
    result = tf.cond(
        tf.greater(length(handle) if size is None else size, 0), together, lambda: tf.zeros(nothing, leaf.dtype)
    )
    if leaf.shape.rank is not None:
        result.set_shape([None, *leaf.shape.as_list()])
    return result


def picked(handle: Any, leaf: Leaf, places: Any) -> Any:
    """The elements at some places."""
    places = tf.cast(places, tf.int32)
    if is_uniform(leaf):
        rows = tf.gather(stack(handle, leaf), places)
        return ops.TensorListFromTensor(tensor=rows, element_shape=-1)
    return copied(handle, leaf, places, empty(leaf))


def followed(first: Any, second: Any, leaf: Leaf) -> Any:
    """One list after the other. TensorFlow has an op for it, but that op has no gradient."""
    if is_uniform(leaf):
        rows = tf.concat([stack(first, leaf), stack(second, leaf)], 0)
        return ops.TensorListFromTensor(tensor=rows, element_shape=-1)
    return copied(second, leaf, tf.range(length(second)), first)


def is_uniform(leaf: Leaf) -> bool:
    """Whether all elements have one shape that is known."""
    return leaf.shape.is_fully_defined() and leaf.dtype != tf.variant


def copied(handle: Any, leaf: Leaf, places: Any, into: Any) -> Any:
    """A list with the elements at some places behind its own."""

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


def reserved(leaf: Leaf, count: int = 0) -> Any:
    """A list of elements that are still to be set.

    XLA must know their shape from the beginning. For others it is left open, as it may prove to vary.
    """
    known = is_for_xla() and leaf.shape.is_fully_defined()
    shape = shape_tensor(leaf.shape if known or leaf.shape.rank is None else tf.TensorShape([None] * leaf.shape.rank))
    return ops.TensorListReserve(element_shape=shape, num_elements=count, element_dtype=leaf.dtype)


def clipped(index: Any, length: Any) -> Any:
    """Where a slice's bound or an insertion falls: never outside of the list."""
    index = tf.cast(index, tf.int32)
    return tf.clip_by_value(tf.where(index < 0, index + length, index), 0, length)


def places(index: Any, length: Any) -> Any:
    """The places that a slice means."""
    if all(bound is None for bound in (index.start, index.stop)) and not has_step(index):
        return tf.range(length)
    check = failures.check(index.step != 0, ValueError, "slice step cannot be zero") if is_tensor(index.step) else None
    with tf.control_dependencies([] if check is None else [check]):
        return tf.range(length)[index]


def has_step(index: slice) -> bool:
    """Whether a slice may leave elements out between its bounds."""
    step = index.step
    return step is not None and (is_tensor(step) or step != 1)
