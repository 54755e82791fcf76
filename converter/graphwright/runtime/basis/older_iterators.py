"""Iterators of Python's from around the branch or loop of the graph that is being traced, and that reads them.

They move once, while it is traced. Of iterators that nobody names it knows nothing.
"""

from __future__ import annotations

import sys
import types
from typing import Any, cast

from graphwright.libraries import is_own_file
from graphwright.runtime.basis.births import is_born, is_in_construct
from graphwright.runtime.basis.left_iterators import (
    any_left,
    held_iterators,
    is_iterator,
    moved_with,
    note_left,
    refuse_left,
    restarts,
    walks,
)
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensorflow_internals import construct_graphs, func_graph_from_py_func


def refuse_older(iterator: Any, name: str = "next") -> None:
    """Raise for an iterator from around, of which a function takes one item."""
    if is_in_construct() and not _is_of_walk(iterator) and _is_older(iterator):
        raise TypeError(
            f"`{name}` moves an iterator of Python's once, while the graph is made, and not in each iteration or only "
            "in the branch that is taken: loop over it, count with a variable, or take a tensor by its index"
        )


def refuse_older_generator(generator: Any) -> None:
    """Raise for a generator from around, whose items a branch or loop takes: it may be traced more than once."""
    if is_in_construct() and _is_older(generator):
        raise TypeError(
            "a branch or loop of the graph goes over a generator from before it, which has items only the first time: "
            "call the generator function in the branch or loop, or put the items in a list before"
        )


def note_reading(iterator: Any) -> None:
    """A branch is about to read an iterator: nobody else can then. A loop can't, as only one iteration has items."""
    if not is_in_construct() or not is_iterator(iterator) or _is_at_end(iterator) or restarts(iterator):
        return
    if _is_of_walk(iterator) or not _is_older(iterator):
        return
    graph: Any = tf.compat.v1.get_default_graph()
    if isinstance(graph, construct_graphs) and not isinstance(graph, construct_graphs[:1]):
        raise TypeError(
            "a loop of the graph reads an iterator of Python's from before the loop, which has items only the first "
            "time. Put the items in a list before the loop"
        )
    note_left(moved_with(iterator), graph)


def readable_here(value: Any) -> Any:
    """The value, if it can be read: what compiled code reads where Python asks no operator."""
    if any_left:
        refuse_left(value)
    if is_in_construct():
        note_reading(value)
    return value


def _is_of_walk(iterator: Any) -> bool:
    """Whether an iteration reads the iterator that its own loop goes over: it moves as far as it does eagerly."""
    walk = walks.get(id(iterator)) if walks else None
    if walk is None or walk.graph is not tf.compat.v1.get_default_graph():
        return False
    walk.reads += 1
    return True


def _is_at_end(iterator: Any) -> bool:
    kind = cast("Any", type(iterator))
    if kind is types.GeneratorType:
        return iterator.gi_frame is None
    return kind in _MADE_BY_ITER and iterator.__length_hint__() == 0


_EMPTY: Any = ([], (), range(0), {}, {}.values(), {}.items(), set())
_MADE_BY_ITER: frozenset[Any] = frozenset(iter(one).__class__ for one in _EMPTY)
"""What `iter` makes, which is noted in a branch or loop."""
_OF_RANGE: Any = iter(range(0)).__class__
"""What `reversed` makes of a range as well: nobody is asked for it in front of a loop."""


def _is_older(iterator: Any) -> bool:
    if is_born(iterator) or isinstance(iterator, (tf.data.Iterator, tf.distribute.DistributedIterator)):
        return False
    if type(iterator) in _MADE_BY_ITER and type(iterator) is not _OF_RANGE:
        return True
    frame: types.FrameType | None = sys._getframe(2)  # pyright: ignore[reportPrivateUsage]
    while frame is not None and is_own_file(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return False
    values = frame.f_locals
    if any(value is iterator for value in values.values()):
        return _is_from_outside(iterator, frame)
    owners = [value for value in values.values() if not is_iterator(value) and not is_born(value)]
    return any(part is iterator for owner in owners for part in held_iterators(owner))


def _is_from_outside(iterator: Any, frame: types.FrameType | None) -> bool:
    """Whether the code around the branch or loop holds it, or only a closure: nothing that runs inside has made it."""
    is_inside, is_given = True, False
    while frame is not None:
        code, values = frame.f_code, frame.f_locals
        is_inside = is_inside and code is not func_graph_from_py_func.__code__
        if not is_own_file(code.co_filename) and any(value is iterator for value in values.values()):
            parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            own = {*code.co_varnames, *code.co_cellvars}.difference(parameters)
            if not is_inside or any(values.get(name) is iterator for name in own):
                return not is_inside
            is_given = is_given or any(values.get(name) is iterator for name in parameters)
        frame = frame.f_back
    return not is_given
