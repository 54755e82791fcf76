"""Python's `sum`, `any` and `all` for tensors, lists that hold tensors, and datasets. It orders nothing."""

from __future__ import annotations

import builtins
import functools
import operator
from collections.abc import KeysView, ValuesView
from typing import Any

from graphwright.runtime.basis.context import is_staging, is_tensor
from graphwright.runtime.basis.left_iterators import moved_with, note_left, readable
from graphwright.runtime.basis.python_values import as_number, counted, was_python
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensors import acts_as_tensor, dense, nonzero, truth, vector
from graphwright.runtime.control.generator_loops import first_truth
from graphwright.runtime.functions.special_methods import adds_itself, operated
from graphwright.runtime.lists.comprehensions import whole
from graphwright.runtime.lists.generators import UndecidedError
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.lists.whole_lists import padded


def total(values: Any, /, start: Any = 0) -> Any:
    """`sum(values, start)`: over the first axis of a tensor."""
    if not is_staging():
        return builtins.sum(values, start)
    values = whole(values)
    if isinstance(values, tf.data.Dataset):
        return _dataset_total(values, start)
    if not acts_as_tensor(values):
        return _total_of_objects(values, start)
    tensor = padded(values) if isinstance(values, GraphList) else dense(values)
    if tensor.shape.rank == 0:
        raise TypeError("Cannot iterate over a scalar tensor.")
    if tensor.dtype == tf.bool and getattr(values, "holds_numbers", False):
        tensor = tf.cast(tensor, tf.int32)
    if tensor.dtype in (tf.bool, tf.string):
        raise TypeError(f"sum() can't add {tensor.dtype.name} tensors; write sum(tf.cast(x, tf.int32)) to count")
    if tensor.shape.rank and tensor.shape[0] == 0:
        return start
    result = tf.reduce_sum(tensor, 0)
    result = counted(result) if getattr(values, "holds_numbers", False) else result
    return result if not is_tensor(start) and _is_zero(start) else start + result


def _total_of_objects(values: Any, start: Any) -> Any:
    parts: list[Any] = list(map(_as_number, values)) if isinstance(values, (list, tuple, *_VIEWS)) else []
    if parts and type(start) is int and start == 0 and isinstance(parts[0], tf.Tensor) and _is_number(parts[0]):
        # TensorFlow's optimizer makes an empty tensor of `0 + x + x` in a branch.
        start, parts = tf.identity(parts[0]) if len(parts) == 1 else parts[0], parts[1:]
        values = parts
    if not builtins.any(adds_itself(part) for part in (*parts, start)):
        return builtins.sum(parts or map(_as_number, values), start)
    return functools.reduce(functools.partial(operated, "add"), parts or values, start)


def _as_number(part: Any) -> Any:
    """A flag of Python's as the number that it is; a tensor of flags isn't one."""
    return as_number(part) if was_python(part) else part


def _is_number(tensor: Any) -> bool:
    """Whether 0 can be added to a tensor."""
    return tensor.dtype.is_integer or tensor.dtype.is_floating or tensor.dtype.is_complex


_VIEWS: Any = (KeysView, ValuesView)


def any_of(values: Any, /) -> Any:
    """`any(values)`."""
    return counted(_truth_of("any", values))


def all_of(values: Any, /) -> Any:
    """`all(values)`."""
    return counted(_truth_of("all", values))


def _is_zero(start: Any) -> bool:
    return type(start) in (int, float) and start == 0


def _dataset_total(dataset: Any, start: Any) -> Any:
    spec = dataset.element_spec
    if not isinstance(spec, tf.TensorSpec):
        raise TypeError("sum() adds the elements of a dataset of single tensors; pick one with dataset.map first")
    shape = [1 if size is None else size for size in spec.shape] if spec.shape.rank else []
    initial = tf.convert_to_tensor(start, spec.dtype)
    return dataset.reduce(initial + tf.zeros(shape, spec.dtype), operator.add)


def _merged(merge: Any, result: Any, element: Any) -> Any:
    return merge(result, truth(element))


def _truth_of(name: str, values: Any) -> Any:
    plain = getattr(builtins, name)
    if not is_staging():
        return plain(values)
    reduce = tf.reduce_any if name == "any" else tf.reduce_all
    if isinstance(values, tf.data.Dataset):
        merge = tf.logical_or if name == "any" else tf.logical_and
        return values.reduce(tf.constant(name == "all"), functools.partial(_merged, merge))
    if acts_as_tensor(values):
        return reduce(nonzero(vector(dense(values))))
    if (found := first_truth(values, name == "any")) is not None:
        return found
    elements: list[Any] = []
    moved = moved_with(values)
    try:
        for element in readable(values):
            elements.append(element)
            if not acts_as_tensor(element) and bool(element) is (name == "any"):
                _note_if_undecided(elements, moved)
                return name == "any"
    except UndecidedError:
        result = _truth_of(name, [*elements, _truth_of(name, whole(values))])
        note_left(moved)
        return result
    _note_if_undecided(elements, moved)
    tensors = [truth(element) for element in elements if acts_as_tensor(element)]
    return reduce(tf.stack(tensors)) if tensors else name == "all"


def _note_if_undecided(elements: list[Any], moved: list[Any]) -> None:
    """The iterators have moved on after an element of which only the graph knows whether it is the last one needed."""
    if moved and builtins.any(map(acts_as_tensor, elements[:-1])):
        note_left(moved)
