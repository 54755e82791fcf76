"""Variables that Keras 3 makes, and what their operators do with the other side."""

from __future__ import annotations

from graphwright_analysis.immutability import immutable

from .domain import Value, Variable, is_tensor_like


@immutable
class KerasVariable(Variable):
    """Its own operators, and what it is assigned, are cast."""


def keras_casts(left: Value, right: Value) -> bool:
    """Whether an operator of Keras' is called, which finds a dtype for both sides."""
    return isinstance(left, KerasVariable) or (isinstance(right, KerasVariable) and not is_tensor_like(left))
