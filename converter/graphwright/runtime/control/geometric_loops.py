"""How often a `while` can run that divides or multiplies what it tests, such as `while n > 0: n //= 2`.

A number has only so many halves before it falls below a limit. Where it would never do so, the loop wouldn't end.
It reads no test: the sides of a comparison are given.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.list_bounds import captured, origin_of

__all__ = ["geometric_trips"]


def geometric_trips(sides: tuple[Any, Any, bool], state: Sequence[Sequence[Any]], outer: dict[int, Any]) -> int | None:
    """The most iterations that a comparison allows, whose smaller side, larger side and equality are given.

    `state` is a loop's variables in its test, in its body and after the body; `outer`, what arguments are outside.
    """
    small, large, inclusive = sides
    for varying, fixed, sinks in ((large, small, True), (small, large, False)):
        factor, limit = _factor(outer.get(id(varying), varying), *state), _number(fixed, outer)
        if factor is not None and limit is not None and (factor < 1) is sinks:
            return _trips(varying.dtype, max(factor, 1 / factor), limit, sinks, inclusive)
    return None


def _factor(varying: Any, in_test: Sequence[Any], in_body: Sequence[Any], after: Sequence[Any]) -> float | None:
    """What a loop multiplies a variable by; None if that isn't one constant that isn't one."""
    varying = origin_of(varying)
    place = next((place for place, tensor in enumerate(in_test) if tensor is varying), None)
    if place is None or not isinstance(after[place], tf.Tensor):
        return None
    operation = origin_of(after[place]).op
    if operation.type not in _STEPS:
        return None
    parts = [operation.inputs[0], operation.inputs[1]]
    if operation.type == "Mul" and origin_of(parts[0]) is not in_body[place]:
        parts.reverse()
    number = _number(parts[1], {})
    if origin_of(parts[0]) is not in_body[place] or number is None or number <= 0 or number == 1:
        return None
    return number if operation.type == "Mul" else 1 / number


def _number(tensor: Any, outer: dict[int, Any]) -> float | None:
    tensor = origin_of(outer.get(id(tensor), tensor))
    while tensor.op.type == "Placeholder" and (outside := captured(tensor)) is not None:
        tensor = origin_of(outside)
    known = tf.get_static_value(tensor)
    return None if known is None or known.ndim else float(known)


def _trips(dtype: Any, step: float, limit: float, sinks: bool, inclusive: bool) -> int | None:
    """How many steps there are between the limit and the largest number above or the smallest one below."""
    if dtype.is_integer:
        lowest, highest = 1.0, float(dtype.max)
        limit += 1 if sinks and not inclusive else 0
    elif dtype in _TINY:
        lowest, highest = _TINY[dtype], float(dtype.max)
        limit = lowest if sinks and limit == 0 and not inclusive else limit
    else:
        return None
    if limit <= 0 or not math.isfinite(limit) or (dtype.is_integer and not sinks and step < 2):
        return None
    ratio = highest / limit if sinks else limit / lowest
    return 0 if ratio < 1 else math.ceil(math.log(ratio) / math.log(step) * 1.001) + 2


_STEPS = ("RealDiv", "FloorDiv", "Mul")
_TINY = {tf.float32: 2.0**-149, tf.float64: 2.0**-1074}
"""The smallest numbers that aren't zero."""
