"""How often a `while` can run whose test compares a counter with a number: read off its test and its body.

Only numbers that are known while the graph is built count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.list_bounds import Trips, captured, steps_from

__all__ = ["CountedLoop", "counted_trips"]


@dataclass(frozen=True)
class CountedLoop:
    """A loop's variables: as they go in, in its test and its body, and after the body."""

    entry: Sequence[Any]
    in_test: Sequence[Any]
    in_body: Sequence[Any]
    after: Sequence[Any]


def counted_trips(held: Any, loop: CountedLoop) -> Trips | None:
    """The most iterations, if the test that holds (a tensor) has a comparison that says so."""
    counts = [count for test, outer in _conjuncts(held, {}) if (count := _count(test, outer, loop)) is not None]
    return Trips(min(counts), False) if counts else None


def _conjuncts(held: Any, outer: dict[int, Any]) -> Iterator[tuple[Any, dict[int, Any]]]:
    """The tests that must all hold, each with what the arguments of its graph are outside."""
    operation = held.op
    if operation.type in ("If", "StatelessIf"):
        yield from _conjuncts(operation.inputs[0], outer)
        graph = operation._true_graph
        inner = dict(zip(map(id, graph.inputs), operation.inputs[1:], strict=True))
        yield from _conjuncts(graph.outputs[held.value_index], outer | inner)
    elif operation.type == "LogicalAnd":
        for part in operation.inputs:
            yield from _conjuncts(part, outer)
    elif operation.type == "Identity":
        yield from _conjuncts(operation.inputs[0], outer)
    else:
        yield held, outer


def _count(test: Any, outer: dict[int, Any], loop: CountedLoop) -> int | None:
    operation = test.op
    if operation.type not in _COMPARISONS:
        return None
    less, inclusive = _COMPARISONS[operation.type]
    small, large = [_outside(tensor, outer) for tensor in operation.inputs[:: 1 if less else -1]]
    for counter, limit, sign in ((small, large, 1), (large, small, -1)):
        index = _index(loop.in_test, counter)
        known = _number(limit, loop)
        if index is None or known is None:
            continue
        start = tf.get_static_value(loop.entry[index])
        step = steps_from(loop.in_body[index], loop.after[index])
        if start is not None and step is not None and step * sign > 0:
            distance = (known - int(start)) * sign + inclusive
            return max(0, -(-distance // abs(step)))
    return None


def _outside(tensor: Any, outer: dict[int, Any]) -> Any:
    """A number where the test's graph has it, without what only passes it on."""
    while True:
        if tensor.op.type in ("Identity", "Cast"):
            tensor = tensor.op.inputs[0]
        elif id(tensor) in outer:
            tensor = outer[id(tensor)]
        else:
            return tensor


def _number(tensor: Any, loop: CountedLoop) -> int | None:
    """A number of the test that is the same in each iteration, if it is known."""
    index = _index(loop.in_test, tensor)
    if index is not None:
        tensor = loop.entry[index] if loop.after[index] is loop.in_body[index] else tensor
    else:
        outside = captured(tensor)
        tensor = tensor if outside is None else outside
    known = tf.get_static_value(tensor) if tensor.dtype.is_integer else None
    return None if known is None or known.ndim else int(known)


def _index(tensors: Sequence[Any], wanted: Any) -> int | None:
    return next((index for index, tensor in enumerate(tensors) if tensor is wanted), None)


_COMPARISONS = {"Less": (True, 0), "LessEqual": (True, 1), "Greater": (False, 0), "GreaterEqual": (False, 1)}
