"""How often a `while` can run whose test compares a counter with a number: read off its test and its body.

Only numbers that are known while the graph is built count.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graphwright.runtime.basis.graph_notes import is_known_in
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.control.geometric_loops import geometric_trips
from graphwright.runtime.control.linear_forms import NoFormError, Sum, largest_sum
from graphwright.runtime.lists.list_bounds import Trips, origin_of
from graphwright.runtime.lists.number_limits import highest, lowest, note_limits, noting_questions

__all__ = ["CountedLoop", "CounterLimits", "counted_trips", "largest", "note_tested"]


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
    tests = list(_conjuncts(_Test(held)))
    counts = [count for test in tests for find in (_count, _geometric) if (count := find(test, loop)) is not None]
    return Trips(min(counts), False) if counts else None


@dataclass(frozen=True)
class _Test:
    """A test that must hold, or (`negated`) must not, and what the arguments of its graph are outside."""

    tensor: Any
    outer: dict[int, Any] = field(default_factory=dict[int, Any])
    negated: bool = False


@dataclass
class CounterLimits:
    """Between which values whole numbers of a loop's state are where an iteration begins, found out by a trace."""

    nodes: Any = None
    """The state of which they are the limits; None before they were found out."""
    places: dict[int, tuple[int | None, int | None]] = field(default_factory=dict[int, "tuple[int | None, int | None]"])

    def asked_once(self) -> contextlib.AbstractContextManager[list[bool]]:
        """What is asked in vain while a body is traced, if it wasn't traced for that before."""
        return noting_questions(self.nodes is not None)

    def note(self, nodes: Any, in_body: Sequence[Any]) -> None:
        """Remember them for the body that is about to be traced."""
        for place, (low, high) in self.places.items() if nodes == self.nodes else ():
            note_limits(in_body[place], low, high)

    def find(self, nodes: Any, loop: CountedLoop, trips: Trips | None) -> None:
        """Find them out from a body that was traced."""
        self.nodes, self.places = nodes, _limits(loop, trips)


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
    otherwise = origin_of(otherwise)
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
        factors, fixed = _by_place(between, loop.in_test)
        after = [(loop.after[place], factor) for place, factor in factors.items()]
        left = largest_sum(after, loop.in_body, stop=loop.stop, number=between.number)
        same = _by_place(left, loop.in_body) == (factors, [])
    except NoFormError:
        return None
    if not same or not left.number < between.number:
        return None
    distance = largest([(loop.entry[place], factor) for place, factor in factors.items()], fixed, between.number)
    return None if distance is None else _trips(distance, between.number - left.number, inclusive, small.dtype)


def _geometric(test: _Test, loop: CountedLoop) -> int | None:
    """The most iterations that a comparison allows of what is divided or multiplied in each of them."""
    sides = _sides(test)
    operation = test.tensor.op
    if operation.type == "NotEqual" and not test.negated and tf.get_static_value(operation.inputs[1]) == 0:
        sides = operation.inputs[1], operation.inputs[0], False
    return None if sides is None else geometric_trips(sides, (loop.in_test, loop.in_body, loop.after), test.outer)


def largest(entry: list[tuple[Any, float]], fixed: list[tuple[Any, float]], number: float) -> float | None:
    """The largest that a sum can be before the loop, from what its variables and other tensors can be."""
    with contextlib.suppress(NoFormError):
        start = largest_sum([*entry, *fixed], (), number=number)
        rest = [(start.tensors[key], factor) for key, factor in start.terms.items()]
        parts = [(highest(tensor) if factor > 0 else lowest(tensor), factor) for tensor, factor in rest]
        if all(limit is not None for limit, _ in parts):
            return start.number + sum(limit * factor for limit, factor in parts if limit is not None)
    return None


def _trips(distance: float, step: float, inclusive: bool, dtype: Any) -> int | None:
    """How often a distance can get smaller by a step before it is none."""
    if dtype.is_integer:
        return max(0, math.ceil((distance + inclusive) / step))
    # Sums of floats aren't exact.
    count = max(0, math.ceil(distance / step * 1.01) + 2) if math.isfinite(distance) else _MOST_OF_FLOATS
    return count if count < _MOST_OF_FLOATS else None


def note_tested(held: Any, in_test: Sequence[Any], in_body: Sequence[Any]) -> None:
    """Remember what the test says of the loop's whole numbers where an iteration begins."""
    for test in _conjuncts(_Test(held)):
        sides = _sides(test)
        if sides is None or not sides[0].dtype.is_integer:
            continue
        with contextlib.suppress(NoFormError):
            between = largest_sum([(sides[1], 1), (sides[0], -1)], in_test, test.outer)
            factors, fixed = _by_place(between, in_test)
            most = largest([], fixed, between.number + sides[2] - 1)
            if len(factors) == 1 and most is not None:
                ((place, factor),) = factors.items()
                limit = math.floor(most / abs(factor))
                low, high = (None, limit) if factor < 0 else (-limit, None)
                note_limits(in_body[place], low, high)


def _sides(test: _Test) -> tuple[Any, Any, bool] | None:
    """The side of a comparison that must be smaller, the other, and whether they may be equal."""
    operation = test.tensor.op
    if operation.type not in _COMPARISONS:
        return None
    less, inclusive = _COMPARISONS[operation.type]
    small, large = operation.inputs[:: 1 if less != test.negated else -1]
    return small, large, inclusive != test.negated


def _by_place(form: Sum, tensors: Sequence[Any]) -> tuple[dict[int, float], list[tuple[Any, float]]]:
    """The factors of a sum by the places of its tensors in a loop's state, and other tensors with theirs."""
    places = {id(tensor): place for place, tensor in enumerate(tensors)}
    others = [form.tensors[key] for key in form.terms if key not in places]
    if len(places) < len(tensors) or not all(_is_outside(other, tensors) for other in others):
        raise NoFormError
    own = {places[key]: factor for key, factor in form.terms.items() if key in places}
    return own, [(form.tensors[key], factor) for key, factor in form.terms.items() if key not in places]


def _is_outside(tensor: Any, inside: Sequence[Any]) -> bool:
    """Whether a tensor is of a graph around that of others."""
    graph = next((each.graph for each in inside if isinstance(each, tf.Tensor)), None)
    return is_known_in(getattr(graph, "outer_graph", None), tensor.graph)


def _limits(loop: CountedLoop, trips: Trips | None) -> dict[int, tuple[int | None, int | None]]:
    """The smallest and largest value of each whole number where an iteration begins, by its place in the state."""
    limits: dict[int, tuple[int | None, int | None]] = {}
    most = trips.count if trips is not None and isinstance(trips.count, int) else None
    for place, argument in enumerate(loop.in_body):
        if most is None or not isinstance(argument, tf.Tensor) or not argument.dtype.is_integer or argument.shape.rank:
            continue
        with contextlib.suppress(NoFormError):
            up = largest_sum([(loop.after[place], 1)], loop.in_body, stop=loop.stop)
            down = largest_sum([(loop.after[place], -1)], loop.in_body, stop=loop.stop)
            if up.terms == {id(argument): 1} and down.terms == {id(argument): -1}:
                low, high = lowest(loop.entry[place]), highest(loop.entry[place])
                turns = max(most - 1, 0)
                limits[place] = (
                    None if low is None else low - math.ceil(max(down.number, 0)) * turns,
                    None if high is None else high + math.ceil(max(up.number, 0)) * turns,
                )
    return limits


_MOST_OF_FLOATS = 100_000
_COMPARISONS = {
    "Less": (True, False),
    "LessEqual": (True, True),
    "Greater": (False, False),
    "GreaterEqual": (False, True),
}
