"""How often a `while` can run whose test compares a counter with a number: read off its test and its body.

Only numbers that are known while the graph is built count.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.control.linear_forms import NoFormError, Sum, largest_sum
from graphwright.runtime.lists.list_bounds import Trips

__all__ = ["CountedLoop", "counted_trips"]


@dataclass(frozen=True)
class CountedLoop:
    """A loop's variables: as they go in, in its test and its body, and after the body."""

    entry: Sequence[Any]
    in_test: Sequence[Any]
    in_body: Sequence[Any]
    after: Sequence[Any]
    stop: Any = None
    """Whether an iteration leaves the loop."""


def counted_trips(held: Any, loop: CountedLoop) -> Trips | None:
    """The most iterations, if the test that holds (a tensor) has a comparison that says so."""
    counts = [count for test in _conjuncts(_Test(held)) if (count := _count(test, loop)) is not None]
    return Trips(min(counts), False) if counts else None


@dataclass(frozen=True)
class _Test:
    """A test that must hold, or (`negated`) must not, and what the arguments of its graph are outside."""

    tensor: Any
    outer: dict[int, Any] = field(default_factory=dict[int, Any])
    negated: bool = False


def _conjuncts(test: _Test) -> Iterator[_Test]:
    """The tests that must all hold."""
    operation = test.tensor.op
    if operation.type in ("If", "StatelessIf"):
        graph, other = operation._true_graph, operation._false_graph
        graph, other = (other, graph) if test.negated else (graph, other)
        if _is_settled(operation, other, other.outputs[test.tensor.value_index], test.negated):
            yield from _conjuncts(replace(test, tensor=operation.inputs[0]))
            outer = test.outer | dict(zip(map(id, graph.inputs), operation.inputs[1:], strict=True))
            yield from _conjuncts(replace(test, tensor=graph.outputs[test.tensor.value_index], outer=outer))
    elif operation.type == ("LogicalOr" if test.negated else "LogicalAnd"):
        for part in operation.inputs:
            yield from _conjuncts(replace(test, tensor=part))
    elif operation.type in ("Identity", "LogicalNot"):
        negated = test.negated ^ (operation.type == "LogicalNot")
        yield from _conjuncts(replace(test, tensor=operation.inputs[0], negated=negated))
    else:
        yield test


def _is_settled(operation: Any, graph: Any, otherwise: Any, value: bool) -> bool:
    """Whether a branch gives this value: as a constant, or as the condition, which has it there."""
    while otherwise.op.type == "Identity":
        otherwise = otherwise.op.inputs[0]
    known = tf.get_static_value(otherwise)
    if known is not None:
        return bool(known) == value
    places = [place for place, argument in enumerate(graph.inputs) if argument is otherwise]
    return bool(places) and operation.inputs[1 + places[0]] is operation.inputs[0]


def _count(test: _Test, loop: CountedLoop) -> int | None:
    """The most iterations that a comparison allows: what is between its sides gets smaller in each of them."""
    sides = _sides(test)
    if sides is None:
        return None
    small, large, inclusive = sides
    if not (small.dtype.is_integer or small.dtype in (tf.float32, tf.float64)):
        return None
    try:
        between = largest_sum([(large, 1), (small, -1)], loop.in_test, test.outer)
        factors = _by_place(between, loop.in_test)
        after = [(loop.after[place], factor) for place, factor in factors.items()]
        left = largest_sum(after, loop.in_body, stop=loop.stop, number=between.number)
        start = largest_sum([(loop.entry[place], factor) for place, factor in factors.items()], ())
        same = _by_place(left, loop.in_body) == factors
    except NoFormError:
        return None
    if start.terms or not same or not left.number < between.number:
        return None
    distance, step = start.number + between.number, between.number - left.number
    if small.dtype.is_integer:
        return max(0, math.ceil((distance + inclusive) / step))
    # Sums of floats aren't exact.
    count = max(0, math.ceil(distance / step * 1.01) + 2) if math.isfinite(distance) else _MOST_OF_FLOATS
    return count if count < _MOST_OF_FLOATS else None


def _sides(test: _Test) -> tuple[Any, Any, bool] | None:
    """The side of a comparison that must be smaller, the other, and whether they may be equal."""
    operation = test.tensor.op
    if operation.type not in _COMPARISONS:
        return None
    less, inclusive = _COMPARISONS[operation.type]
    small, large = operation.inputs[:: 1 if less != test.negated else -1]
    return small, large, inclusive != test.negated


def _by_place(form: Sum, tensors: Sequence[Any]) -> dict[int, float]:
    """The factors of a sum by the places of its tensors in a loop's state; raised if it has others."""
    places = {id(tensor): place for place, tensor in enumerate(tensors)}
    if len(places) < len(tensors) or any(key not in places for key in form.terms):
        raise NoFormError
    return {places[key]: factor for key, factor in form.terms.items()}


_MOST_OF_FLOATS = 100_000
_COMPARISONS = {
    "Less": (True, False),
    "LessEqual": (True, True),
    "Greater": (False, False),
    "GreaterEqual": (False, True),
}
