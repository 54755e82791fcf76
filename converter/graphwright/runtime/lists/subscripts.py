"""Reading and assigning elements where the index, or the thing indexed, may be a tensor.

Python values with Python indexes are Python's business and change in place. Tensors are read as written; assigning to a
tensor's elements gives a new tensor, also eagerly, where TensorFlow itself refuses it.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from graphwright.runtime.basis import array_tensors
from graphwright.runtime.basis.attributes import has_member
from graphwright.runtime.basis.births import changing, read_from
from graphwright.runtime.basis.context import SIMPLE, is_for_xla, is_symbolic, is_tensor
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.missing_keys import present
from graphwright.runtime.basis.plain_containers import DEQUE, refill
from graphwright.runtime.basis.python_values import counted, factor, is_number, was_python
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.errors import failures
from graphwright.runtime.lists.elements import element_of_values, marked
from graphwright.runtime.lists.graph_lists import GraphList, as_growable
from graphwright.runtime.lists.updated_tensors import set_variable, updated

# Untyped, so that a value that was checked against one is still anything.
LIST: Any = list
DICT: Any = dict
SLICE: Any = slice
TUPLE: Any = tuple

choose: Callable[[Sequence[Any], Any], Any] = lambda values, place: None  # noqa: E731
"""Gives one of objects, lists or dicts as what it is, or None; set by `choices`, which knows how."""

let_grow: Callable[[Any, Any], None] = lambda container, grown: None  # noqa: E731
"""Lets a list of the graph take a list's place; set by `contents`, which knows who has it."""

__all__ = [
    "changed",
    "chosen_item",
    "delete_item",
    "delete_slice",
    "either",
    "get_item",
    "let_graph_take",
    "position_of",
    "read_item",
    "read_slice",
    "set_inside",
    "set_item",
    "update_inside",
    "update_item",
    "without_item",
]


def get_item(xs: Any, index: Any, *further: Any) -> Any:
    """`xs[index]`, or what is at `further` positions in that."""
    for position in (index, *further):
        xs = _item(xs, position)
    return xs


def read_item(xs: Any, index: Any) -> Any:
    """`xs[index]` of what may be anything; as in Python, a tensor is no key of a dict, but a number or text may be."""
    if type(index) in SIMPLE:  # Said at once: every item that is read asks.
        return read_from(xs)[index]
    index = _known(index)
    if isinstance(xs, Mapping) and is_symbolic(index) and not (is_number(index) or index.dtype == tf.string):
        return cast("Any", xs)[index]
    return _item(xs, index)


def read_slice(xs: Any, start: Any, stop: Any, step: Any) -> Any:
    """`xs[start:stop:step]` of what may be anything."""
    return _item(xs, slice(start, stop, step))


def _known(index: Any) -> Any:
    """An index without what may be None, which is asserted not to be; as a bound of a slice, None is the end."""
    if not isinstance(index, SLICE):
        return factor(present(index))
    step = present(index.step)
    if step is not None and not (type(step) is int and step > 0):
        return slice(present(index.start), present(index.stop), step)
    return slice(_bound(index.start, 0), _bound(index.stop, tf.int32.max), step)


def _bound(bound: Any, missing: int) -> Any:
    inside = getattr(bound, "graphwright_held", None)
    if inside is None or not inside.none:
        return present(bound)
    return tf.where(inside.defined, inside.value, missing)


def _item(xs: Any, index: Any) -> Any:
    xs, index = current(present(xs)), _known(index)
    if not _has_symbolic(index) or isinstance(xs, GraphList) or is_tensor(xs):
        return read_from(xs)[index]
    if isinstance(xs, (list, tuple, range)) or (isinstance(xs, DEQUE) and not isinstance(index, SLICE)):
        return _element(cast("Sequence[Any]", xs), index)
    if isinstance(xs, Mapping):
        return _value_of_key(cast("Mapping[Any, Any]", xs), index)
    if isinstance(xs, str) and not isinstance(index, SLICE):
        return tf.constant(list(xs))[position_of(index, len(xs), "string")]
    if has_member(xs.__class__, "__array__"):
        return tf.convert_to_tensor(xs)[index]
    return xs[index]


def set_item(xs: Any, index: Any, value: Any) -> Any:
    xs, index = current(xs), _known(index)
    if isinstance(xs, (tf.Tensor, tf.Variable)):
        return set_variable(xs, index, value) if isinstance(xs, tf.Variable) else _updated(xs, index, value)
    if isinstance(xs, (LIST, DEQUE)) and _has_symbolic(index):
        return _set_element(xs, index, value)
    if isinstance(xs, DICT) and is_symbolic(index):
        return _set_value_of_key(xs, index, value)
    if has_member(xs.__class__, "__array__") and (_has_symbolic(index) or is_symbolic(value)):
        return _updated(xs, index, value)
    if isinstance(xs, LIST) and isinstance(index, SLICE) and isinstance(value, GraphList):
        xs = let_graph_take(xs, value)
    xs[index] = value
    return xs


def _updated(xs: Any, index: Any, value: Any) -> Any:
    """A tensor, or an array as one, with some elements set."""
    if not array_tensors.is_array(xs):
        return updated(tf.convert_to_tensor(xs), index, value)
    array_tensors.check_array(xs)
    return array_tensors.as_array(updated(tf.convert_to_tensor(xs), index, value), array_tensors.memory_of(xs))


def set_inside(xs: Any, index: Any, value: Any) -> None:
    """`xs[index] = value` for what is an item itself, and therefore stays what it is."""
    xs = changing(xs)
    if isinstance(xs, (LIST, DEQUE, DICT)):
        set_item(xs, index, value)
    else:
        xs[index] = value


def delete_item(xs: Any, index: Any) -> None:
    """`del xs[index]`."""
    xs, index = changing(xs), _known(index)
    if isinstance(xs, (LIST, DEQUE)) and not isinstance(index, SLICE) and is_symbolic(index):
        without_item(xs, position_of(index, len(xs), "list assignment"))
    else:
        if isinstance(xs, LIST) and _has_symbolic(index):
            xs = let_graph_take(xs, None)
        del xs[index]


def delete_slice(xs: Any, start: Any, stop: Any, step: Any) -> None:
    """`del xs[start:stop:step]`."""
    delete_item(xs, slice(start, stop, step))


def let_graph_take(xs: Any, like: Any) -> Any:
    """The list of the graph that takes a list's place, also for other names."""
    grown = as_growable(xs, like)
    let_grow(xs, grown)
    return grown


def without_item(xs: Any, place: Any) -> None:
    """Take an item out of a list or deque of Python's, whose place only the graph knows: those after it move up."""
    refill(xs, [either(number < place, *both) for number, both in enumerate(itertools.pairwise(xs))])


def update_item(xs: Any, index: Any, sign: str, value: Any) -> Any:
    """`xs[index] += value` or the like: what changes in place stays what it is, such as a list that gets longer."""
    item = changed(sign, get_item(xs, index), value)
    return xs if _stays(xs, index, item) else set_item(xs, index, item)


def update_inside(xs: Any, index: Any, sign: str, value: Any) -> None:
    """The same for what is an item itself, and therefore stays what it is."""
    xs = changing(xs)
    item = changed(sign, get_item(xs, index), value)
    if not _stays(xs, index, item):
        set_inside(xs, index, item)


def _stays(xs: Any, index: Any, item: Any) -> bool:
    """Whether an item that has changed in place needs no assignment."""
    return isinstance(item, (LIST, DEQUE, GraphList)) and not isinstance(index, SLICE) and not isinstance(xs, TUPLE)


def changed(sign: str, item: Any, value: Any) -> Any:
    """What `item += value` or the like gives; an array takes no tensor of a graph, so there the sum is a tensor."""
    name = IN_PLACE[sign]
    if has_member(cast("Any", type(item)), "__array__") and is_symbolic(value):
        operate = getattr(operator, f"__{name[1:]}__")
        return array_tensors.changed_by(operate, item, value) if array_tensors.is_array(item) else operate(item, value)
    return getattr(operator, name)(changing(item), value)


IN_PLACE = {
    "+": "iadd",
    "-": "isub",
    "*": "imul",
    "/": "itruediv",
    "//": "ifloordiv",
    "%": "imod",
    "**": "ipow",
    "@": "imatmul",
    "&": "iand",
    "|": "ior",
    "^": "ixor",
    "<<": "ilshift",
    ">>": "irshift",
}


def _element(xs: Sequence[Any], index: Any) -> Any:
    if isinstance(index, SLICE):
        return as_growable(list(xs), None, "the list")[index]
    if not xs:
        raise IndexError("list index out of range")
    kind = next((kind.__name__ for kind in (tuple, DEQUE) if isinstance(xs, kind)), "list")
    kind = "range object" if isinstance(xs, range) else kind
    position = position_of(index, len(xs), kind)
    if isinstance(xs, range):
        return counted(xs.start + position * xs.step)
    return chosen_item(list(xs), position, kind)


def position_of(index: Any, length: int, kind: str) -> Any:
    """The index from the start; outside of the list it fails when the graph runs, as Python does."""
    index = tf.convert_to_tensor(index)
    if not index.dtype.is_integer:
        raise TypeError(f"{kind} indices must be integers or slices, not a {index.dtype.name} tensor")
    if index.dtype.size < 4:
        index = tf.cast(index, tf.int32)
    inside = tf.logical_and(index >= -length, index < length)
    check = failures.check(inside, IndexError, f"{kind} index out of range: index", index, "of", length)
    with tf.control_dependencies([] if check is None else [check]):
        return tf.where(index < 0, index + length, index)


def chosen_item(items: list[Any], position: Any, kind: str = "list") -> Any:
    """One of Python's elements, chosen when the graph runs: all need the same structure, but not the same shape."""
    first = items[0]
    if all(item is first for item in items):
        return first
    found = choose(items, position)
    if found is not None:
        return found
    _refuse_unknown(items, kind)
    element = element_of_values(items, f"the {kind}")
    if any(leaf.dtype == tf.variant for leaf in element.leaves):
        return as_growable(items, element).get(position)
    if all(leaf.shape.is_fully_defined() for leaf in element.leaves) and not _composite(first):
        columns = zip(*(tf.nest.flatten(item) for item in items), strict=True)
        chosen = [
            tf.gather(tf.stack([_leaf(x, leaf.dtype) for x in column]), position)
            for column, leaf in zip(columns, element.leaves, strict=True)
        ]
        return tf.nest.pack_sequence_as(first, marked(chosen, element))
    return as_growable(items, element).get(position)


def _leaf(value: Any, dtype: Any) -> Any:
    return tf.cast(value, dtype) if was_python(value) else tf.convert_to_tensor(value, dtype)


def rearranged(items: Sequence[Any], order: Any) -> list[Any] | None:
    """Objects, lists or dicts in an order that the graph finds; None for what isn't referred to."""
    first = choose(items, order[0])
    return None if first is None else [first, *(choose(items, order[place]) for place in range(1, len(items)))]


def _refuse_unknown(items: list[Any], kind: str) -> None:
    for item in items:
        for part in tf.nest.flatten(item):
            if part is None or (
                callable(part) and not is_tensor(part) and not isinstance(part, (tf.Variable, GraphList))
            ):
                raise TypeError(
                    f"The index of a {kind} is a tensor, but the {kind} contains a {type(part).__name__}, which a "
                    "graph can't select. Index with a Python int, or use tf.switch_case."
                )


def _composite(value: Any) -> bool:
    return len(tf.nest.flatten(value)) != len(tf.nest.flatten(value, expand_composites=True)) or any(
        isinstance(part, (GraphList, tf.TensorArray))
        or (is_tensor(part) and not isinstance(part, (tf.Tensor, tf.Variable)))
        for part in tf.nest.flatten(value)
    )


def _value_of_key(xs: Mapping[Any, Any], key: Any) -> Any:
    if not xs and not has_member(xs.__class__, "__missing__"):
        raise KeyError(key)
    matches = _matches(xs, key)
    key._graphwright_found_in = xs
    return chosen_item(list(xs.values()), tf.argmax(tf.cast(matches, tf.int32), output_type=tf.int32), "dict")


def _matches(xs: Mapping[Any, Any], key: Any) -> Any:
    """Which of the keys it is; none of them fails when the graph runs."""
    if not xs:
        raise TypeError("Tensor is unhashable")
    alike: Any = (str, bytes) if key.dtype == tf.string else int if key.dtype.is_integer else (int, float)
    matches = tf.stack([tf.equal(known, key) if isinstance(known, alike) else tf.constant(False) for known in xs])
    check = failures.check(tf.reduce_any(matches), KeyError, "no key is", key)
    with tf.control_dependencies([] if check is None else [check]):
        return tf.identity(matches)


def _set_element(xs: list[Any], index: Any, value: Any) -> Any:
    if isinstance(index, SLICE) and isinstance(xs, LIST):
        grown = let_graph_take(xs, value if isinstance(value, (list, GraphList)) and value else None)
        grown[index] = value
        return grown
    position = position_of(index, len(xs), "list assignment")
    refill(xs, [either(tf.equal(position, place), value, old) for place, old in enumerate(xs)])
    return xs


def _set_value_of_key(xs: dict[Any, Any], key: Any, value: Any) -> Any:
    if is_for_xla() and getattr(key, "_graphwright_found_in", None) is not xs:
        raise TypeError(
            "XLA can't check whether a dict has a key that the graph computes, and can't add one: use a list or a "
            "tensor, or read the item before (`d[key] = d[key] + 1`)"
        )
    matches = _matches(xs, key)
    for place, name in enumerate(list(xs)):
        xs[name] = either(matches[place], value, xs[name])
    return xs


def either(test: Any, new: Any, old: Any) -> Any:
    """`new if test else old` of two items."""
    return chosen_item([old, new], tf.cast(test, tf.int32))


def _has_symbolic(index: Any) -> bool:
    if isinstance(index, SLICE):
        return any(is_symbolic(bound) for bound in (index.start, index.stop, index.step))
    if isinstance(index, tuple):
        return any(_has_symbolic(part) for part in cast("tuple[Any, ...]", index))
    return is_symbolic(index)
