"""Runs converted code that is called in a plain `tf.Graph`, whose results a Session fetches, as in a `tf.function`.

There `==` compares tensors by identity, and what nothing fetches (a print, an assert, an assignment) never runs; in a
function of that graph both are as they are eagerly. It decides nothing about control flow.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from graphwright.runtime.basis.tensorflow import EagerTensor, tf
from graphwright.runtime.state.contents import is_plain, write_back
from graphwright.runtime.state.journal import watched
from graphwright.runtime.state.places import StatePlace

eager_context: Any = importlib.import_module("tensorflow.python.eager.context")


def is_session_graph() -> bool:
    """Whether ops go into a graph that is no function's."""
    return not tf.executing_eagerly() and not tf.compat.v1.get_default_graph().building_function


def call_in_function(
    call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], leaves: bool = True
) -> Any:
    """The results of the call and what it `leaves` on objects, as tensors of the graph; other values stay as they are.

    What a graph function leaves there belongs to its own graph, as when it is called eagerly.
    """
    flat: list[Any] = tf.nest.flatten((args, kwargs), expand_composites=True)
    places = [place for place, value in enumerate(flat) if isinstance(value, tf.Tensor)]
    results: list[Any] = []
    structure: list[Any] = []
    places_set: list[Any] = []
    in_outer_graph = functools.partial(_made_in, tf.compat.v1.get_default_graph())

    def body(*tensors: Any) -> list[Any]:
        values = list(flat)
        for place, tensor in zip(places, tensors, strict=True):
            values[place] = tensor
        inner, named = tf.nest.pack_sequence_as((args, kwargs), values, expand_composites=True)
        with tf.variable_creator_scope(in_outer_graph):
            # It is no branch or iteration, which `advances` says.
            result, notes = watched(lambda: call(*inner, **named), advances=True)
        places_set[:] = notes.places_set() if leaves else ()
        structure[:] = result, [place.get() for place in places_set]
        results[:] = tf.nest.flatten(structure, expand_composites=True)
        return [value for value in results if isinstance(value, tf.Tensor)]

    function = tf.function(body, autograph=False)
    with eager_context.eager_mode():
        concrete = function.get_concrete_function(*(flat[place] for place in places))
    fetched = iter(concrete(*(flat[place] for place in places)))
    values = [next(fetched) if isinstance(value, tf.Tensor) else value for value in results]
    result, left = tf.nest.pack_sequence_as(structure, values, expand_composites=True)
    for place, value in zip(places_set, left, strict=True):
        _leave(place, value)
    return result


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
