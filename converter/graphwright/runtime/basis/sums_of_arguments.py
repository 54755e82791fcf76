"""Sums such as `0 + x + x` of an argument of a branch or loop body: TensorFlow's optimizer loses their shape.

It takes `0 + x` for `x`, and writes `2 * x` for the sum with a 2 that has no elements. It gets `x + x` right.
"""

from __future__ import annotations

from typing import Any

from graphwright.runtime.basis.tensorflow import tf


def mend_sums_of_arguments(graph: Any) -> None:
    """Add an argument to itself without what leaves it as it is, now that a branch or body has been traced."""
    for operation in graph.get_operations():
        if operation.type not in _SUMS or len(operation.inputs) < _FEWEST:
            continue
        terms = [_unchanged(term) for term in operation.inputs]
        for place, term in enumerate(terms):
            if term.op.type == "Placeholder" and sum(other is term for other in terms) >= _FEWEST:
                operation._update_input(place, term)


def _unchanged(tensor: Any) -> Any:
    """The tensor that one is equal to, if it was only copied, or nothing was added to it or multiplied with it."""
    while (source := _source(tensor)) is not None:
        tensor = source
    return tensor


def _source(tensor: Any) -> Any:
    inputs, kind = tensor.op.inputs, tensor.op.type
    if kind == "Identity":
        return inputs[0]
    if kind in _COPIES:
        is_same = _is_like(inputs[0], tensor) and (kind != "Transpose" or tensor.shape.rank < _MATRIX)
        return inputs[0] if is_same else None
    neutral = _NEUTRAL.get(kind)
    for place in () if neutral is None else (1, 0) if kind in _EITHER_WAY else (1,):
        known, other = tf.get_static_value(inputs[place]), inputs[1 - place]
        if known is not None and bool((known == neutral).all()) and (known.ndim == 0 or _is_like(other, tensor)):
            return other
    return None


def _is_like(one: Any, other: Any) -> bool:
    return one.dtype == other.dtype and one.shape.is_fully_defined() and one.shape == other.shape


_SUMS = ("AddV2", "Add", "AddN")
_FEWEST = 2
_MATRIX = 2
_COPIES = ("Cast", "Reshape", "Transpose", "Sum", "Mean", "Max", "Min", "Prod")
"""What leaves a tensor as it was, if its shape and dtype are as they were."""
_EITHER_WAY = ("AddV2", "Add", "Mul")
_NEUTRAL = {"AddV2": 0, "Add": 0, "Sub": 0, "Mul": 1, "RealDiv": 1, "Div": 1, "Pow": 1}
