"""`tf.constant` of what the graph computes: eagerly its argument is a Python number or text, or holds some.

It doesn't decide what the graph computes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

from graphwright.runtime.basis.context import is_symbolic
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.graph_lists import GraphList

_constant: Callable[..., Any] = tf.constant


def of_graph(function: Any) -> Callable[..., Any] | None:
    """What is called instead of `tf.constant`; None for another function."""
    return constant if function is _constant else None


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> Any:
    """`tf.constant`, which also accepts numbers and texts of the graph, alone and in lists."""
    value = current(value)
    if not any(map(_is_of_graph, _leaves(value))):
        return _constant(value, dtype, shape, name)
    wanted = _common_dtype(value) if dtype is None else tf.as_dtype(dtype)
    tensor = _built(value, wanted)
    if shape is None:
        return tf.identity(tensor)
    if tensor.shape.num_elements() == 1:
        return tf.fill(shape, tf.reshape(tensor, []))
    return tf.reshape(tensor, shape)


def _is_of_graph(part: Any) -> bool:
    return isinstance(part, GraphList) or is_symbolic(part)


def _leaves(value: Any) -> Iterator[Any]:
    if not isinstance(value, (list, tuple)):
        yield value
        return
    for part in cast("list[Any]", value):
        yield from _leaves(current(part))


def _common_dtype(value: Any) -> Any:
    """The dtype of all that a value holds: of several numbers the one that holds most."""
    dtypes = [tf.as_dtype(_dtype_of(leaf)) for leaf in _leaves(value)]
    return max(dtypes, key=_width)


def _dtype_of(leaf: Any) -> Any:
    if isinstance(leaf, GraphList):
        return leaf.element.leaves[0].dtype
    return leaf.dtype if is_symbolic(leaf) else _constant(leaf).dtype


def _built(value: Any, dtype: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return tf.stack([_built(current(part), dtype) for part in cast("list[Any]", value)])
    if not _is_of_graph(value):
        return _constant(value, dtype)
    tensor = tf.convert_to_tensor(value)
    if tensor.dtype == dtype:
        return tensor
    if not 0 < _width(tensor.dtype)[0] <= _width(dtype)[0]:
        raise TypeError(f"tf.constant doesn't convert {tensor.dtype.name} to {dtype.name}: write {_conversion(dtype)}")
    return tf.cast(tensor, dtype)


def _conversion(dtype: Any) -> str:
    return "`tf.strings.as_string(...)`" if dtype == tf.string else f"`tf.cast(..., tf.{dtype.name})`"


def _width(dtype: Any) -> tuple[int, int]:
    """How much a number of a dtype may be; 0 for what is no number."""
    return dtype.is_integer + 2 * dtype.is_floating + 3 * dtype.is_complex, dtype.size
