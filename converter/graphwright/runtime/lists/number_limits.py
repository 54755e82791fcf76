"""The largest and smallest value that a whole number of the graph can have, where constants and loops' tests say it.

Nothing is computed in the graph; what isn't known is None.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Generator
from contextvars import ContextVar
from typing import Any

from graphwright.runtime.basis.graph_notes import GraphNotes
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.list_bounds import captured

__all__ = ["highest", "is_found_out_later", "lowest", "note_limits", "noting_questions"]


def note_limits(tensor: Any, low: int | None, high: int | None) -> None:
    """Remember what is known of an argument of a loop's body."""
    noted = _noted.setdefault(tensor.graph, {})
    before = noted.get(tensor.name, (-math.inf, math.inf))
    noted[tensor.name] = (
        max(before[0], -math.inf if low is None else low),
        min(before[1], math.inf if high is None else high),
    )


def highest(tensor: Any) -> int | None:
    """The largest value that a number can have."""
    high = _limits(tensor, {})[1]
    return int(high) if math.isfinite(high) else None


def lowest(tensor: Any) -> int | None:
    """The smallest value that a number can have."""
    low = _limits(tensor, {})[0]
    return int(low) if math.isfinite(low) else None


@contextlib.contextmanager
def noting_questions(again: bool) -> Generator[list[bool], None, None]:
    """Trace a loop's body: what isn't known may be so when it is traced `again`. Gives what was asked in vain."""
    questions: list[bool] = []
    if again:
        yield questions
        return
    token = _questions.set(questions)
    try:
        yield questions
    finally:
        _questions.reset(token)


def is_found_out_later() -> bool:
    """Whether a number that isn't known may be known in another trace, which there will be."""
    questions = _questions.get()
    if questions is not None:
        questions.append(True)
    return questions is not None


_questions: ContextVar[list[bool] | None] = ContextVar("graphwright_questions", default=None)
_Limits = tuple[float, float]


_Known = dict[int, _Limits]
"""The limits of the tensors that have been looked at, by their ids."""


def _limits(tensor: Any, known: _Known) -> _Limits:
    if isinstance(tensor, int):
        return tensor, tensor
    if id(tensor) not in known:
        known[id(tensor)] = _UNKNOWN
        known[id(tensor)] = _found_limits(tensor, known)
    return known[id(tensor)]


def _found_limits(tensor: Any, known: _Known) -> _Limits:
    if not tensor.dtype.is_integer or len(known) > _MOST_LOOKED_AT:
        return _UNKNOWN
    constant = tf.get_static_value(tensor)
    if constant is not None:
        return (int(constant.min()), int(constant.max())) if constant.size else _UNKNOWN
    low, high = _noted.get(tensor.graph, {}).get(tensor.name, _UNKNOWN)
    inner = _of_operation(tensor, tensor.op, known)
    return max(low, inner[0]), min(high, inner[1])


def _of_operation(tensor: Any, operation: Any, known: _Known) -> _Limits:
    if operation.type == "Placeholder":
        outside = captured(tensor)
        return _UNKNOWN if outside is None else _limits(outside, known)
    if operation.type == "Cast" and operation.inputs[0].dtype == tf.bool:
        return 0, 1
    if operation.type in _OF_PARTS:
        # For a part of a vector, the limits of all parts.
        parts = operation.inputs if operation.type == "Pack" else operation.inputs[:1]
        return _around([_limits(part, known) for part in parts])
    if operation.type in ("If", "StatelessIf"):
        sides = (operation._true_graph, operation._false_graph)
        return _around([_limits(side.outputs[tensor.value_index], known) for side in sides])
    if operation.type in ("ArgMax", "ArgMin"):
        place, shape = tf.get_static_value(operation.inputs[1]), operation.inputs[0].shape
        size = None if place is None or shape.rank is None else shape[int(place)]
        return 0, size - 1 if size else math.inf
    rule = _RULES.get(operation.type)
    if rule is None:
        return _UNKNOWN
    return rule(*(_limits(part, known) for part in operation.inputs[:2]))


def _around(sides: list[_Limits]) -> _Limits:
    return min(side[0] for side in sides), max(side[1] for side in sides)


def _product(one: _Limits, other: _Limits) -> _Limits:
    if not all(map(math.isfinite, (*one, *other))):
        return (0, math.inf) if one[0] >= 0 and other[0] >= 0 else _UNKNOWN
    corners = [left * right for left in one for right in other]
    return min(corners), max(corners)


def _quotient(one: _Limits, other: _Limits) -> _Limits:
    if other[0] != other[1] or other[0] <= 0:
        return _UNKNOWN
    low, high = (side // other[0] if math.isfinite(side) else side for side in one)
    return low, high


def _remainder(one: _Limits, other: _Limits) -> _Limits:
    del one
    return (0, other[1] - 1) if other[0] > 0 else _UNKNOWN


_UNKNOWN: _Limits = (-math.inf, math.inf)
_MOST_LOOKED_AT = 1000
_OF_PARTS = ("Identity", "Cast", "Pack", "Reshape", "StridedSlice", "ExpandDims", "Squeeze", "GatherV2")
_RULES: dict[str, Callable[[_Limits, _Limits], _Limits]] = {
    "AddV2": lambda one, other: (one[0] + other[0], one[1] + other[1]),
    "Sub": lambda one, other: (one[0] - other[1], one[1] - other[0]),
    "Mul": _product,
    "FloorDiv": _quotient,
    "FloorMod": _remainder,
    "Minimum": lambda one, other: (min(one[0], other[0]), min(one[1], other[1])),
    "Maximum": lambda one, other: (max(one[0], other[0]), max(one[1], other[1])),
}
_noted = GraphNotes()
