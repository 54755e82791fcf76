"""What values surely aren't tensors, and which of these Python has while it traces."""

from __future__ import annotations

from .domain import (
    Array,
    Bound,
    Class,
    Constant,
    DType,
    Function,
    Object,
    Scalar,
    Sequence,
    StaticShape,
    Traced,
    Tuple,
    Unknown,
    Value,
)


def is_static(value: Value) -> bool:
    """Whether Python surely has the value while it traces, and nothing in it is a tensor."""
    if isinstance(value, Unknown):
        return value.static
    if isinstance(value, Tuple):
        return all(map(is_static, value.items))
    return isinstance(value, (Constant, Scalar, DType, StaticShape))


def is_no_tensor(value: Value) -> bool:
    """Whether it surely is no tensor, whatever else is known of it."""
    return is_static(value) or isinstance(value, (Array, Bound, Class, Function, Object, Sequence, Traced, Tuple))
