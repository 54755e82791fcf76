"""Runs converted code that is called in a plain `tf.Graph`, whose results a Session fetches, as in a `tf.function`.

There `==` compares tensors by identity, and what nothing fetches (a print, an assert, an assignment) never runs; in a
function of that graph both are as they are eagerly. It decides nothing about control flow.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
from collections.abc import Callable, Generator, Iterator
from contextvars import ContextVar
from typing import Any

from graphwright.runtime.basis.tensorflow import EagerTensor, tf
from graphwright.runtime.state.contents import is_plain, write_back
from graphwright.runtime.state.journal import watched
from graphwright.runtime.state.places import StatePlace

eager_context: Any = importlib.import_module("tensorflow.python.eager.context")

_OF_GRAPHS = (tf.Tensor, tf.Operation)
_is_packing: ContextVar[bool] = ContextVar("_is_packing", default=False)


def is_session_graph() -> bool:
    """Whether ops go into a graph that is no function's."""
    return (
        not tf.executing_eagerly() and not _is_packing.get() and not tf.compat.v1.get_default_graph().building_function
    )


def call_in_function(
    call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], leaves: bool = True
) -> Any:
    """The results of the call and what it `leaves` on objects, as tensors of the graph; other values stay as they are.

    Lists, dicts and objects are passed themselves, so that the call changes the caller's; their tensors are captured.
    What a graph function leaves there belongs to its own graph, as when it is called eagerly.
    """
    tensors = [value for value in (*args, *kwargs.values()) if isinstance(value, tf.Tensor)]
    each_left: list[Any] = []
    places_set: list[Any] = []
    in_outer_graph = functools.partial(_made_in, tf.compat.v1.get_default_graph())

    def body(*inputs: Any) -> list[Any]:
        each = iter(inputs)
        inner = [next(each) if isinstance(value, tf.Tensor) else value for value in args]
        named = {name: next(each) if isinstance(value, tf.Tensor) else value for name, value in kwargs.items()}
        with tf.variable_creator_scope(in_outer_graph):
            # It is no branch or iteration, which `advances` says.
            result, notes = watched(lambda: call(*inner, **named), advances=True)
        if not tf.compat.v1.get_default_graph().get_operations():
            # Python alone has computed it, so it holds nothing of this graph: also what can't be taken apart is fine.
            each_left[:] = (result,)
            return []
        places_set[:] = notes.places_set() if leaves else ()
        each_left[:] = result, *(place.get() for place in places_set)
        return [_as_tensor(value) for value in _leaves(each_left) if isinstance(value, _OF_GRAPHS)]

    function = tf.function(body, autograph=False)
    with eager_context.eager_mode():
        concrete = function.get_concrete_function(*tensors)
    if not concrete.graph.get_operations():
        return each_left[0]
    fetched = iter(concrete(*tensors))
    with _as_they_are():
        result, *left = [_fetched(value, fetched, concrete.graph) for value in each_left]
    for place, value in zip(places_set, left, strict=True):
        _leave(place, value)
    return result


def _leaves(value: Any) -> list[Any]:
    return tf.nest.flatten(value, expand_composites=True)


def _as_tensor(value: Any) -> Any:
    """What stands for a tensor or an operation among the outputs of a function."""
    if isinstance(value, tf.Tensor):
        return value
    with tf.control_dependencies([value]):
        return tf.constant(0)


def _fetched(value: Any, fetched: Iterator[Any], graph: Any) -> Any:
    """The value with the next tensors fetched in place of those in it; one that holds none stays itself."""
    leaves = _leaves(value)
    if not any(isinstance(leaf, _OF_GRAPHS) for leaf in leaves):
        return value
    values = [next(fetched) if isinstance(leaf, _OF_GRAPHS) else leaf for leaf in leaves]
    for place, leaf in enumerate(leaves):
        if isinstance(leaf, tf.Operation):
            values[place] = tf.group(values[place]) if leaf.graph is graph else leaf
    return tf.nest.pack_sequence_as(value, values, expand_composites=True)


@contextlib.contextmanager
def _as_they_are() -> Generator[None]:
    """Converted methods that take a value apart or put it together are called in the graph itself."""
    token = _is_packing.set(True)
    try:
        yield
    finally:
        _is_packing.reset(token)


def _made_in(graph: Any, next_creator: Any, **options: Any) -> Any:
    """A variable of a graph; a value that is there already becomes a constant of that graph."""
    given = {name: value for name, value in options.items() if value is not None}
    initial: Any = given.get("initial_value")
    if isinstance(initial, EagerTensor):
        given["initial_value"] = initial.numpy()
    with graph.as_default():
        return tf.compat.v1.Variable(**{**given, "use_resource": True})


def _leave(place: StatePlace, value: Any) -> None:
    """Put what is of this graph at a place; the list or dict that the call has left there gets it itself."""
    there = place.get()
    if is_plain(there) and type(value) is type(there) and value is not there:
        write_back(there, value)
    else:
        place.settle(value)
