"""Python's `min` and `max` for tensors, and for values of which some are tensors. It sorts nothing."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable
from typing import Any, cast

from graphwright.runtime.basis.context import is_staging
from graphwright.runtime.basis.python_values import as_number, counted, is_flag, is_number
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensors import (
    acts_as_tensor,
    dense,
    holds_tensor,
    is_mapping,
    is_sequence,
    same_dtype,
    truth,
    vector,
)
from graphwright.runtime.builtins.comparisons import less
from graphwright.runtime.builtins.given_functions import converted
from graphwright.runtime.errors import failures
from graphwright.runtime.functions.special_methods import greater, lesser
from graphwright.runtime.lists.comprehensions import as_list, collect, whole
from graphwright.runtime.lists.graph_lists import GraphList
from graphwright.runtime.lists.whole_lists import stacked
from graphwright.runtime.state.choices import chosen

MISSING: Any = object()
Key = Callable[[Any], Any]


def minimum(*values: Any, key: Any = None, default: Any = MISSING) -> Any:
    """`min(iterable)` or `min(a, b, ...)`."""
    return _extreme("min", values, key, default)


def maximum(*values: Any, key: Any = None, default: Any = MISSING) -> Any:
    """`max(iterable)` or `max(a, b, ...)`."""
    return _extreme("max", values, key, default)


def callable_key(key: Any) -> Key | None:
    """The key function, converted; None stays None."""
    if key is None:
        return None
    return converted(key)


def per_element(key: Key, elements: Any) -> Any:
    """The key of each element of a vector, as a vector."""
    if elements.shape[0] is not None:
        return tf.stack([key(element) for element in tf.unstack(elements)])
    first = key(tf.zeros([], elements.dtype) if elements.dtype != tf.string else tf.constant(""))
    return tf.map_fn(key, elements, fn_output_signature=dense(first).dtype)


def _extreme(name: str, values: tuple[Any, ...], key: Any, default: Any) -> Any:
    plain = getattr(builtins, name)
    options = {} if default is MISSING else {"default": default}
    if not is_staging() or not values:
        return plain(*values, key=key, **options)
    values = (whole(values[0]),) if len(values) == 1 else values
    if len(values) == 1 and isinstance(values[0], tf.data.Dataset):
        values = (as_list(values[0]),)
    if len(values) == 1 and key is not None and isinstance(values[0], GraphList) and not values[0].element.simple:
        return _of_records(name, values[0], key)
    if len(values) == 1 and acts_as_tensor(values[0]):
        found = _of_tensor(name, dense(values[0]), callable_key(key), default)
        return counted(found) if getattr(values[0], "holds_numbers", False) else found
    key = callable_key(key)
    elements, keys = _with_keys(values[0] if len(values) == 1 else values, key)
    if not elements or not holds_tensor(keys):
        try:
            best = plain(builtins.range(len(elements)), key=keys.__getitem__, default=None) if elements else None
        except tf.errors.OperatorNotAllowedInGraphError:
            return _fold(lesser if name == "min" else greater, list(zip(keys, elements, strict=True)))
        return plain((), **options) if best is None else elements[best]
    return _fold(_before(name), list(zip(keys, elements, strict=True)))


def _with_keys(values: Any, key: Key | None) -> tuple[list[Any], list[Any]]:
    """The elements and their keys; a key may change what is walked over."""
    elements: list[Any] = []
    keys: list[Any] = []
    for element in values:
        elements.append(element)
        keys.append(key(element) if key else element)
    return elements, keys


def _before(name: str) -> Callable[[Any, Any], Any]:
    """Whether a later value replaces the best so far: Python asks `value < best`, or `value > best` for max."""
    return less if name == "min" else lambda later, best: less(best, later)


def _fold(replaces: Callable[[Any, Any], Any], pairs: list[tuple[Any, Any]]) -> Any:
    best_key, best = pairs[0]
    for key, element in pairs[1:]:
        taken = truth(replaces(key, best_key))
        same = key is element and best_key is best
        best = choose(taken, element, best)
        best_key = best if same else choose(taken, key, best_key)
    return best


def choose(taken: Any, first: Any, second: Any) -> Any:
    """`first if taken else second` for values of one structure, both already computed."""
    if not acts_as_tensor(taken):
        return first if taken else second
    if first is second:
        return first
    found = chosen([second, first], taken)
    if found is not None:
        return found
    if is_sequence(first) or is_mapping(first):
        tf.nest.assert_same_structure(first, second)
        return tf.nest.map_structure(functools.partial(choose, taken), first, second)
    if not acts_as_tensor(first) and not acts_as_tensor(second) and first == second and type(first) is type(second):
        return first
    if is_flag(first) != is_flag(second):
        first, second = as_number(first), as_number(second)
    number = tf.where(taken, *same_dtype(first, second))
    return counted(number) if is_number(first) and is_number(second) else number


def _of_records(name: str, records: GraphList, key: Any) -> Any:
    """The element of a list of tuples or dicts whose key is the least or greatest, the first of them."""
    keys = vector(stacked(collect(cast(Any, callable_key(key)), records)))
    check = failures.check(tf.size(keys) > 0, ValueError, f"{name}() iterable argument is empty")
    with tf.control_dependencies([check]):
        return records.get((tf.argmin if name == "min" else tf.argmax)(keys, output_type=tf.int32))


def _of_tensor(name: str, tensor: Any, key: Key | None, default: Any) -> Any:
    elements = vector(tensor)
    if elements.dtype in (tf.bool, tf.string) and key is None:
        raise TypeError(f"{name}() can't order {elements.dtype.name} tensors: '<' isn't defined for them; give a key")
    if elements.shape[0] == 0:
        return getattr(builtins, name)((), **({} if default is MISSING else {"default": default}))
    if elements.shape[0] is not None:
        return _extreme_element(name, tensor, elements, key)
    if default is MISSING:
        check = failures.check(tf.size(elements) > 0, ValueError, f"{name}() iterable argument is empty")
        with tf.control_dependencies([check]):
            return _extreme_element(name, tensor, tf.identity(elements), key)
    return tf.cond(
        tf.size(elements) > 0,
        lambda: _extreme_element(name, tensor, elements, key),
        lambda: tf.convert_to_tensor(default, tensor.dtype),
    )


def _extreme_element(name: str, tensor: Any, elements: Any, key: Key | None) -> Any:
    """The extreme of a vector; rows of one element, of which Python can tell the truth too, stay rows."""
    if key is None and not elements.dtype.is_floating:
        result = tf.reduce_min(elements) if name == "min" else tf.reduce_max(elements)
    else:  # the first of several: it alone gets the gradient
        keys = elements if key is None else per_element(key, elements)
        result = elements[_first_place(name, keys)]
    rank = tensor.shape.rank
    return result if rank in (1, None) else tf.reshape(result, [1] * (rank - 1))


def _first_place(name: str, keys: Any) -> Any:
    """Where the extreme is; as Python does, a NaN that comes first is it, and later ones aren't."""
    find = tf.argmin if name == "min" else tf.argmax
    if not keys.dtype.is_floating:
        return find(keys, output_type=tf.int32)
    no_number = tf.math.is_nan(keys)
    last = tf.constant(float("inf" if name == "min" else "-inf"), keys.dtype)
    return tf.where(no_number[0], 0, find(tf.where(no_number, last, keys), output_type=tf.int32))
