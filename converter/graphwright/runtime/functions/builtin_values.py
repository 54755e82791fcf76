"""Builtins that reach a call as values (`size = len; size(x)`), and methods of lists and dicts."""

from __future__ import annotations

import functools
from typing import Any

from graphwright.runtime.basis.attributes import has_member
from graphwright.runtime.basis.births import COLLECTIONS, changing, note_new
from graphwright.runtime.basis.context import is_staging, is_symbolic
from graphwright.runtime.basis.grown_lists import current
from graphwright.runtime.basis.missing_keys import present
from graphwright.runtime.basis.older_iterators import refuse_older
from graphwright.runtime.basis.plain_containers import LISTS, PLAIN, refill
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensors import acts_as_tensor, holds_tensor, is_sequence, truth
from graphwright.runtime.errors import failures
from graphwright.runtime.functions import random_draws
from graphwright.runtime.lists import graph_lists
from graphwright.runtime.lists.joined_texts import is_join, join
from graphwright.runtime.lists.list_methods import sort_in_place
from graphwright.runtime.lists.subscripts import chosen_item, either, let_graph_take, position_of, without_item
from graphwright.runtime.state import partial_dicts
from graphwright.runtime.state.identities import is_chosen
from graphwright.runtime.state.noting import is_noting
from graphwright.runtime.text.printing import is_write, write

builtin_operators: dict[Any, Any] = {}
"""What is called instead of a builtin; set by the package."""


def overloaded(function: Any) -> Any:
    """What is called instead of a function in code whose calls aren't converted: builtins work on tensors there too."""
    try:
        return builtin_operators.get(function, function)
    except TypeError:
        return function


def method_of(function: Any) -> Any:
    """What is called instead of a built-in function or a method of a built-in class."""
    owner: Any = function.__self__
    if function.__name__ == "sort" and owner.__class__ is list:
        return functools.partial(sort_in_place, owner)
    if function.__name__ in ("count", "index") and owner.__class__ in (*LISTS, tuple) and is_staging():
        return functools.partial(_looked_for, owner, function)
    if function.__name__ == "remove" and owner.__class__ in LISTS and is_staging():
        return functools.partial(_removed, owner)
    if function.__name__ in _AT_PLACES and owner.__class__ in LISTS and is_staging():
        return functools.partial(_moved, owner, function)
    if function.__name__ in ("extend", "extendleft") and owner.__class__ in LISTS and is_staging():
        return functools.partial(_extended, owner, function)
    if is_join(function):
        return functools.partial(join, owner)
    if is_noting():
        if (instead := done_by_graph(function)) is not None:
            return instead
        if notes_itself(function):
            return functools.partial(_change, owner, function)
        if function.__name__ in ("send", "throw") and hasattr(owner, "__next__"):
            refuse_older(owner, function.__name__)
        if function.__name__ == "copy" and owner.__class__ in PLAIN:
            return functools.partial(_copied, partial_dicts.method_of(function))
    return partial_dicts.method_of(function)


def done_by_graph(method: Any) -> Any:
    """What a branch or loop calls instead of a method that writes, draws or reads a clock whenever it runs, or None."""
    if is_write(method):
        return functools.partial(write, method.__self__)
    return random_draws.told(method) if random_draws.draws(method) else None


def notes_itself(method: Any) -> bool:
    """Whether a method changes a list, a dict or another collection, and is called so that this is noted."""
    return method.__name__ in _CHANGING and isinstance(method.__self__, (list, dict, *COLLECTIONS))


def _change(owner: Any, method: Any, /, *arguments: Any, **options: Any) -> Any:
    """A method that changes what it is of, which may be a list that a graph makes longer by now."""
    now = changing(owner)
    method = partial_dicts.method_of(method) if now is owner else getattr(now, method.__name__)
    return method(*arguments, **options)


def _looked_for(owner: Any, method: Any, *arguments: Any) -> Any:
    """`xs.index(x)` and `xs.count(x)`, which compare tensors in the graph; where `index` begins stays Python's."""
    if len(arguments) != 1 or not owner or not any(map(_is_of_graph, (owner, arguments[0]))):
        return method(*arguments)
    same = [_is_equal(one, arguments[0]) for one in owner]
    flags = tf.stack([tf.reshape(tf.cast(each, tf.bool), []) for each in same])
    if method.__name__ == "count":
        return tf.math.count_nonzero(flags, dtype=tf.int32)
    first = next((place for place, each in enumerate(same) if each is not False), None)
    if first is None:
        raise ValueError(f"{arguments[0]!r} is not in list")
    if same[first] is True:
        return first
    tensors = [part for part in tf.nest.flatten(arguments[0]) if acts_as_tensor(part)]
    found = failures.check(tf.reduce_any(flags), ValueError, "the list doesn't hold", *tensors)
    with tf.control_dependencies([] if found is None else [found]):
        return tf.argmax(tf.cast(flags, tf.int32), output_type=tf.int32)


def _is_equal(one: Any, other: Any) -> Any:
    """`one is other or one == other`: a bool, or a tensor of one."""
    if one is other or one is None or other is None:
        return one is other
    if is_sequence(one) and is_sequence(other):
        if type(one) is not type(other) or len(one) != len(other):
            return False
        parts = [_is_equal(left, right) for left, right in zip(one, other, strict=True)]
        open_parts = [part for part in parts if acts_as_tensor(part)]
        if False in [part for part in parts if not acts_as_tensor(part)]:
            return False
        return functools.reduce(tf.logical_and, open_parts) if open_parts else True
    return truth(one == other)


def _removed(owner: Any, value: Any) -> None:
    """`xs.remove(x)`: of which only the graph knows what moves up."""
    now = changing(owner) if is_noting() else owner
    if now is not owner or not owner or not any(map(_is_of_graph, (owner, value))):
        now.remove(value)
        return
    place = _looked_for(owner, owner.index, value)
    if isinstance(place, int):
        del owner[place]
        return
    without_item(owner, place)


def _moved(owner: Any, method: Any, *arguments: Any) -> Any:
    """`xs.pop(place)`, `xs.insert(place, x)` and `xs.rotate(n)`: of which only the graph may know what moves."""
    now = changing(owner) if is_noting() else owner
    known = [present(argument) for argument in arguments[:1]]
    if now is not owner or not is_symbolic(known[0] if known else None):
        return getattr(now, method.__name__)(*known, *arguments[1:])
    return _AT_PLACES[method.__name__](owner, method, *known, *arguments[1:])


def _extended(owner: Any, method: Any, values: Any) -> None:
    """`xs.extend(values)`: of values that the graph has, of which only it may know how many they are."""
    now = changing(owner) if is_noting() else current(owner)
    values = current(values)
    if is_symbolic(values) or has_member(values.__class__, "graphwright_items"):
        values = graph_lists.items_of(values)
    if now is owner and isinstance(values, graph_lists.GraphList):
        now = let_graph_take(owner, values)
    getattr(now, method.__name__)(values)


def _popped(owner: Any, method: Any, place: Any) -> Any:
    if owner.__class__ is not list:
        return method(place)  # which takes none
    if not owner:
        raise IndexError("pop from empty list")
    place = position_of(place, len(owner), "pop")
    value = chosen_item(owner[:], place)
    without_item(owner, place)
    return value


def _inserted(owner: Any, method: Any, place: Any, value: Any) -> None:
    size = len(owner)
    if getattr(owner, "maxlen", None) == size:
        method(0, value)  # which is an error
    place = tf.clip_by_value(tf.where(place < 0, place + size, place), 0, size)
    pairs = zip([*owner, value], [value, *owner], strict=True)
    moved = [either(number < place, *pair) for number, pair in enumerate(pairs)]
    refill(owner, [either(tf.equal(number, place), value, item) for number, item in enumerate(moved)])


def _rotated(owner: Any, method: Any, steps: Any) -> None:
    del method
    items, size = list(owner), len(owner)
    places = [tf.math.floormod(number - steps, size) for number in range(size)]
    refill(owner, [chosen_item(items, place) for place in places])


_AT_PLACES: dict[str, Any] = {"pop": _popped, "insert": _inserted, "rotate": _rotated}


def _is_of_graph(value: Any) -> bool:
    """Whether there are tensors in something, or objects that the graph chooses."""
    return holds_tensor(value) or is_chosen(value)


def _copied(method: Any) -> Any:
    """A copy of a list or dict, known to be new."""
    made = method()
    note_new(made)
    return made


_CHANGING = frozenset(
    {
        *("append", "extend", "insert", "pop", "remove", "reverse", "clear", "update", "setdefault", "popitem"),
        *("add", "discard", "appendleft", "extendleft", "popleft", "rotate", "__setitem__", "__delitem__"),
    }
)
