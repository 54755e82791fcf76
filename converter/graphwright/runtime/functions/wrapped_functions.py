"""The twins of functions that TensorFlow has wrapped already, by `tf.function` or `tf.custom_gradient`."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from graphwright.libraries import is_library_function
from graphwright.twins import Twin, weakly_bound

Conversion = Callable[[Any], Any]
"""Gives what is to be called instead of a callable."""


def graph_twin(function: Any, converted: Conversion) -> Any:
    """A `tf.function` with the same options and a converted body; the object itself where nothing is to be done."""
    twin = function.__dict__.get(Twin.KEY)
    if twin is not None and twin.original is function:
        return twin.callee
    twin = Twin(function)
    twin.callee = function
    if function._autograph:
        body = _graph_body(function, converted)
        if body is not None:
            twin.callee = function._clone(body)
            twin.callee._autograph = False
    function.__dict__[Twin.KEY] = twin
    return twin.callee


def _graph_body(function: Any, converted: Conversion) -> Any:
    body = function.python_function
    while hasattr(body, "__wrapped__") and not isinstance(body, types.MethodType) and is_library_function(body):
        body = body.__wrapped__
    owner = getattr(body, "__self__", None)
    reference = getattr(owner, "weakrefself_target__", None)
    if reference is None:
        callee = converted(body)
        return None if callee is body else callee
    return weakly_bound(converted(body.__func__), reference)


def custom_gradient_twin(function: Any, converted: Conversion) -> Any:
    twin = function.__dict__.get(Twin.KEY)
    if twin is None or twin.original is not function:
        twin = Twin(function)
        body = converted(function._f)
        twin.callee = function if body is function._f else type(function)(body, function._d)
        function.__dict__[Twin.KEY] = twin
    return twin.callee
