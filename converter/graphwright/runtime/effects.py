"""Keeps side effects in order in graphs that a session runs. tf.function does so by itself: nothing is done for it."""

from __future__ import annotations

import contextlib
import functools
import importlib
from collections.abc import Callable, Generator
from contextvars import ContextVar
from typing import Any

from graphwright.runtime.tensorflow import EagerTensor, tf

_comparing: ContextVar[bool] = ContextVar("graphwright_comparing", default=False)


def needs_order() -> bool:
    """Whether the graph being built is a plain `tf.Graph`, which drops what no result depends on."""
    if tf.executing_eagerly():
        return False
    graph = tf.compat.v1.get_default_graph()
    return not graph.building_function and not getattr(graph, "_add_control_dependencies", False)


def ordered(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call the function; its asserts, assignments and prints run, in order, when any of its results is run."""
    if not needs_order():
        return function(*args, **kwargs)
    scope: Any = importlib.import_module("tensorflow.python.framework.auto_control_deps").AutomaticControlDependencies()
    with scope, _comparing_values():
        result = function(*args, **kwargs)
        return tf.nest.map_structure(functools.partial(_marked, scope), result, expand_composites=True)


@contextlib.contextmanager
def _comparing_values() -> Generator[None, None, None]:
    """`==` and `!=` of tensors ask for equal values, as they do eagerly and in tf.function."""
    _install()
    token = _comparing.set(True)
    try:
        yield
    finally:
        _comparing.reset(token)


@functools.cache
def _install() -> None:
    """In a plain `tf.Graph`, and only there, TensorFlow takes `x == 0` for `x is 0`, and offers no switch."""
    for name, compare in (("__eq__", tf.equal), ("__ne__", tf.not_equal)):
        setattr(tf.Tensor, name, _comparison(getattr(tf.Tensor, name), compare))


def _comparison(original: Callable[..., Any], compare: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def comparison(self: Any, other: Any) -> Any:
        if not _comparing.get() or other is None or tf.executing_eagerly() or isinstance(self, EagerTensor):
            return original(self, other)
        return compare(self, other)

    return comparison


def _marked(scope: Any, value: Any) -> Any:
    if isinstance(value, tf.Operation):
        with tf.control_dependencies([value]):
            return scope.mark_as_return(tf.constant(True))
    return scope.mark_as_return(value) if isinstance(value, tf.Tensor) else value
