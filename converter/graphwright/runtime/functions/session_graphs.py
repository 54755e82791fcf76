"""Runs converted code that is called in a plain `tf.Graph`, whose results a Session fetches, as in a `tf.function`.

There `==` compares tensors by identity, and what nothing fetches (a print, an assert, an assignment) never runs. Here
`==` compares values, and effects happen in order, before what is returned or left on objects is computed. Operations
are the graph's own, so a Session can run them wherever they are held. It decides nothing about control flow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphwright.runtime.basis.equality import building, compares_by_value
from graphwright.runtime.basis.graph_notes import notes_of_one_call
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.basis.tensorflow_internals import control_dependencies
from graphwright.runtime.state.contents import is_plain, write_back
from graphwright.runtime.state.places import StatePlace
from graphwright.runtime.state.watched_changes import watched


def is_session_graph() -> bool:
    """Whether ops go into a graph that is no function's, and no converted code is running there yet."""
    if tf.executing_eagerly():
        return False
    graph: Any = tf.compat.v1.get_default_graph()
    return not graph.building_function and building.get() is not graph


def call_in_session_graph(call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The results of the call; they and what it leaves on objects are computed after all of its effects."""
    graph: Any = tf.compat.v1.get_default_graph()
    with compares_by_value(graph), notes_of_one_call(graph), _OrderedEffects(graph) as effects:
        with tf.variable_creator_scope(effects.creating):
            # It is no branch or iteration, which `advances` says.
            result, notes = watched(lambda: call(*args, **kwargs), advances=True)
        if effects.is_any():
            for place in notes.places_set():
                _leave(place, effects.before(place.get()))
            result = effects.before(result)
    return result


class _OrderedEffects:
    """Orders the effects of the operations that are added to a graph; making a variable is none."""

    def __init__(self, graph: Any) -> None:
        self._control: Any = control_dependencies.AutomaticControlDependencies()
        self._of_variables: set[Any] = set()
        self._graph: Any = graph
        self._begin: int = graph.num_operations()

    def __enter__(self) -> _OrderedEffects:
        self._control.__enter__()
        return self

    def __exit__(self, *failure: Any) -> None:
        operations = self._operations()
        self._graph.get_operations = lambda: operations
        try:
            self._control.__exit__(*failure)
        finally:
            del self._graph.get_operations

    def creating(self, next_creator: Any, **options: Any) -> Any:
        """Note which operations make a variable."""
        count = self._graph.num_operations()
        try:
            return next_creator(**options)
        finally:
            self._of_variables.update(self._graph.get_operations()[count:])

    def is_any(self) -> bool:
        """Whether an operation has an effect."""
        return any(
            control_dependencies.op_is_stateful(operation) and operation.type not in _READS
            for operation in self._operations()[self._begin :]
        )

    def before(self, value: Any) -> Any:
        """The value, computed after the effects; what holds no tensors of the graph stays itself."""
        leaves: list[Any] = tf.nest.flatten(value)
        after: list[Any] = [self._after(leaf) for leaf in leaves]
        if all(one is other for one, other in zip(leaves, after, strict=True)):
            return value
        return tf.nest.pack_sequence_as(value, after)

    def _operations(self) -> list[Any]:
        return [operation for operation in self._graph.get_operations() if operation not in self._of_variables]

    def _is_own(self, tensor: Any) -> bool:
        """Whether it is of the graph, not eager or of a function."""
        return getattr(tensor, "graph", None) is self._graph

    def _after(self, leaf: Any) -> Any:
        if isinstance(leaf, tf.Operation):
            if leaf not in self._operations()[self._begin :]:
                return leaf
            with tf.control_dependencies([leaf]):
                return tf.group(self._control.mark_as_return(tf.constant(0)))
        if isinstance(leaf, tf.TensorArray):
            return self._control.mark_as_return(leaf)
        if isinstance(leaf, tf.Tensor):
            return self._control.mark_as_return(leaf) if self._is_own(leaf) else leaf
        if isinstance(leaf, tf.__internal__.CompositeTensor) and not isinstance(leaf, tf.Variable):
            parts = tf.nest.flatten(leaf, expand_composites=True)
            return tf.nest.pack_sequence_as(leaf, [self._after(part) for part in parts], expand_composites=True)
        return leaf


def _leave(place: StatePlace, value: Any) -> None:
    """Put a value at a place; the list or dict that the call has left there gets what is in it."""
    there = place.get()
    if value is there:
        return
    if is_plain(there) and type(value) is type(there):
        write_back(there, value)
    else:
        place.settle(value)


_READS: Any = control_dependencies.utils.RESOURCE_READ_OPS
