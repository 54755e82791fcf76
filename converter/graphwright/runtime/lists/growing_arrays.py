"""`tf.TensorArray` with `dynamic_size=True` for XLA, which can't make one longer and loses what comes after its end.

It has room for the largest index that the graph can write to. Elsewhere, TensorFlow's own is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from graphwright.runtime.basis.context import is_for_xla, is_tensor
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists import tensor_list_ops
from graphwright.runtime.lists.elements import Leaf
from graphwright.runtime.lists.list_bounds import make_room, mark_append, mark_list, mark_reach
from graphwright.runtime.lists.list_stores import BoundedStore
from graphwright.runtime.lists.number_limits import highest, is_found_out_later

ops: Any = tf.raw_ops

__all__ = ["GrowingArray", "tensor_array"]


def tensor_array(*args: Any, **kwargs: Any) -> Any:
    """`tf.TensorArray(...)`."""
    made = tf.TensorArray(*args, **kwargs)
    if not (is_for_xla() and made._implementation._dynamic_size):
        return made
    size = kwargs.get("size", args[1] if len(args) > 1 else 0)
    known = tf.get_static_value(size) if is_tensor(size) else size
    if known is None:
        return made
    return GrowingArray.of_size(made.dtype, int(known or 0), made.element_shape)


class GrowingArray:
    """Such an array. As in a graph, a write leaves it as it is and returns another."""

    dynamic_size = True

    def __init__(self, store: BoundedStore, kind: list[Leaf]) -> None:
        self._kept, self._kind = store, kind

    @classmethod
    def of_size(cls, dtype: Any, size: int, shape: Any) -> GrowingArray:
        """An array with elements that are still to be set."""
        leaf = Leaf(dtype, tf.TensorShape(shape), True)
        return cls(BoundedStore((mark_list(tensor_list_ops.reserved(leaf, size), size),), size), [leaf])

    def graphwright_flatten(self) -> tuple[list[Any], Callable[[Sequence[Any]], GrowingArray]]:
        def rebuild(tensors: Sequence[Any]) -> GrowingArray:
            return GrowingArray(BoundedStore((tensors[0],), tensors[1]), self._kind)

        return self._kept.tensors(), rebuild

    @property
    def dtype(self) -> Any:
        """The dtype of the elements."""
        return self._kind[0].dtype

    @property
    def element_shape(self) -> Any:
        """What is known of the shape of the elements."""
        return self._kind[0].shape

    def write(self, index: Any, value: Any, name: str | None = None) -> GrowingArray:
        """The array with an element."""
        del name
        tensor = tf.convert_to_tensor(value, self.dtype)
        shape = tensor.shape if self.element_shape.rank is None else self.element_shape.merge_with(tensor.shape)
        self._kind[0] = Leaf(self.dtype, shape, True)
        place = tf.cast(index, tf.int32)
        handle = ops.TensorListSetItem(input_handle=self._kept.handles[0], index=place, item=tensor)
        if index is self._kept.size:
            made = BoundedStore((mark_append(handle),), self._kept.size + 1)
        else:
            most = highest(tf.convert_to_tensor(index))
            if most is None and not is_found_out_later():
                raise TypeError(_XLA)
            made = BoundedStore((mark_reach(handle, (most or 0) + 1),), self._with(place))
        return GrowingArray(made, self._kind)._ready()

    def _with(self, place: Any) -> Any:
        """The size with an element at a place."""
        known = tf.get_static_value(place)
        if known is not None and isinstance(self._kept.size, int):
            return max(self._kept.size, int(known) + 1)
        return tf.maximum(tf.convert_to_tensor(self._kept.size, tf.int32), place + 1)

    def _ready(self) -> GrowingArray:
        """The array, with room for all that is in it."""
        if not make_room(self._kept.handles[0], self.element_shape):
            raise TypeError(_XLA)
        return self

    def read(self, index: Any, name: str | None = None) -> Any:
        """The element at an index."""
        del name
        return self._ready()._kept.items(index, self._kind)[0]

    def stack(self, name: str | None = None) -> Any:
        """All elements as one tensor."""
        del name
        return self._ready()._kept.stacks(self._kind)[0]

    def size(self, name: str | None = None) -> Any:
        """The number of elements."""
        del name
        return self._ready()._kept.length()

    def concat(self, name: str | None = None) -> Any:
        """All elements joined along their first axis."""
        rows = self.stack(name)
        return tf.reshape(rows, tf.concat([[-1], tf.shape(rows)[2:]], 0))

    def gather(self, indices: Any, name: str | None = None) -> Any:
        """Some elements as one tensor."""
        return tf.gather(self.stack(name), indices)

    def unstack(self, value: Any, name: str | None = None) -> GrowingArray:
        """The array with the rows of a tensor as its elements."""
        del name
        array = self
        for place, row in enumerate(tf.unstack(tf.convert_to_tensor(value, self.dtype))):
            array = array.write(place, row)
        return array

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> GrowingArray:
        """The array with the rows of a tensor at some indices."""
        del name
        rows = tf.unstack(tf.convert_to_tensor(value, self.dtype))
        array = self
        for place, row in zip(tf.unstack(tf.convert_to_tensor(indices), len(rows)), rows, strict=True):
            array = array.write(place, row)
        return array

    def identity(self) -> GrowingArray:
        """The array itself: none ever changes."""
        return self

    def close(self, name: str | None = None) -> None:
        """Nothing is left to be freed."""


_XLA = (
    "XLA can't let this TensorArray grow: nothing says how large the index can become. Give it its size, "
    "`tf.TensorArray(dtype, size=n)`, or write along a range or a counter of known bound"
)
