"""The messages of TensorFlow's checks, which it requires to be Python strings: texts of the graph as such.

A part that only the graph knows is written as the tensor's name in braces. It doesn't decide which function gets one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from graphwright.runtime.basis.tensorflow import EagerTensor, tf

_NAMES = """
Print assert_all_finite
assert_integer assert_near assert_negative assert_non_negative assert_non_positive assert_positive
assert_rank assert_rank_at_least assert_rank_in assert_scalar assert_shapes assert_type check_numerics
verify_tensor_all_finite
"""
CHECKS = frozenset(f"{name}{version}" for name in _NAMES.split() for version in ("", "_v2"))
"""Functions that read their message as a Python string; those that compare two tensors take one of the graph."""


def with_message(check: Callable[..., Any]) -> Callable[..., Any]:
    """A check that also takes a text of the graph as its message."""

    @functools.wraps(check)
    def call(*args: Any, **kwargs: Any) -> Any:
        values = [*args[:1], *map(python_text, args[1:])]
        if "message" in kwargs:
            kwargs = {**kwargs, "message": python_text(kwargs["message"])}
        return check(*values, **kwargs)

    return call


def python_text(value: Any) -> Any:
    """A text of the graph as a Python string, in which the graph's values have their names; another value as it is."""
    is_of_graph = isinstance(value, tf.Tensor) and not isinstance(value, EagerTensor)
    return _text_of(value) if is_of_graph and value.dtype == tf.string else value


def _text_of(tensor: Any) -> str:
    operation = tensor.op
    inputs = list(operation.inputs)
    if operation.type == "Const" and tensor.shape.rank == 0:
        return tf.get_static_value(tensor).item().decode("utf-8", "replace")
    if operation.type in ("Add", "AddV2", "Identity"):
        return "".join(map(_text_of, inputs))
    if operation.type == "StringJoin":
        return operation.get_attr("separator").decode().join(map(_text_of, inputs))
    while operation.type in ("AsString", "Cast"):
        operation = operation.inputs[0].op
    return f"{{{operation.name}}}"
