"""Keeps side effects of a converted call in order in graphs that are run by a session. tf.function does so by itself."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from graphwright.runtime.tensorflow import tf


def needs_order() -> bool:
    """Whether the graph being built is a plain `tf.Graph`, which drops what no result depends on."""
    if tf.executing_eagerly():
        return False
    graph = tf.compat.v1.get_default_graph()
    return not graph.building_function and not getattr(graph, "_add_control_dependencies", False)


def ordered(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call the function; its asserts, assignments and prints run, in order, when any of its results is run."""
    if not needs_order():
        return function(*args, **kwargs)
    scope: Any = importlib.import_module("tensorflow.python.framework.auto_control_deps").AutomaticControlDependencies()
    with scope:
        result = function(*args, **kwargs)
        return tf.nest.map_structure(lambda part: _marked(scope, part), result, expand_composites=True)


def _marked(scope: Any, value: Any) -> Any:
    if isinstance(value, tf.Operation):
        with tf.control_dependencies([value]):
            return scope.mark_as_return(tf.constant(True))
    return scope.mark_as_return(value) if isinstance(value, tf.Tensor) else value
