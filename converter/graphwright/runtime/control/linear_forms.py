"""What a number of the graph comes to as a sum: numbers that are known, and multiples of what can't be taken apart.

Branches are followed, and where they differ the largest sum counts. Loops and other operations aren't.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from graphwright.runtime.basis.context import is_tensor
from graphwright.runtime.basis.tensorflow import tf
from graphwright.runtime.lists.list_bounds import captured, trips_of_loop

__all__ = ["NoFormError", "Sum", "largest_sum"]


class NoFormError(Exception):
    """Branches come to different things, or there are too many of them."""


@dataclass(frozen=True)
class Sum:
    """A number, and how often each of some tensors is added to it."""

    number: float
    terms: Mapping[int, float]
    """By the ids of the tensors; none of them is zero."""
    tensors: Mapping[int, Any] = field(default_factory=dict[int, Any], compare=False)
    """The tensors by their ids."""


@dataclass
class _Search:
    """What is taken apart, and what of it is done."""

    whole: frozenset[int]
    outer: dict[int, Any]
    number: float = 0
    terms: dict[int, float] = field(default_factory=dict[int, float])
    tensors: dict[int, Any] = field(default_factory=dict[int, Any])
    stop: Any = None
    budget: list[int] = field(default_factory=lambda: [_MOST_BRANCHES])


def largest_sum(
    parts: Iterable[tuple[Any, float]],
    whole: Iterable[Any],
    outer: Mapping[int, Any] | None = None,
    stop: Any = None,
    number: float = 0,
) -> Sum:
    """The sum of tensors, each with its factor; those in `whole` aren't taken apart.

    `outer` says what the arguments of graphs are outside. Branches in which `stop` is true don't count.
    """
    search = _Search(frozenset(map(id, whole)), dict(outer or {}), number, stop=stop)
    found = _sums(list(parts), search)
    if not found or any(each.terms != found[0].terms for each in found):
        raise NoFormError
    return Sum(max(each.number for each in found), found[0].terms, search.tensors)


def _sums(pending: list[tuple[Any, float]], search: _Search) -> list[Sum]:
    chosen: list[tuple[Any, float]] = []
    while pending:
        tensor, factor = pending.pop()
        number = None if id(tensor) in search.whole else _number(tensor)
        if number is not None:
            search.number += factor * number
            continue
        kind = None if id(tensor) in search.whole else tensor.op.type
        if kind in _BRANCHES:
            chosen.append((tensor, factor))
            continue
        if kind in _LOOPS and (added := _added_by_loop(tensor, factor)) is not None:
            search.number += added
            pending.append((tensor.op.inputs[tensor.value_index], factor))
            continue
        parts = None if kind is None else _parts(tensor, kind, search.outer)
        if parts is None:
            search.tensors[id(tensor)] = tensor
            search.terms[id(tensor)] = search.terms.get(id(tensor), 0) + factor
        else:
            pending += [(part, factor * times) for part, times in parts]
    if chosen:
        return _sums_of_branches(chosen[0][0].op, chosen, search)
    return [Sum(search.number, {key: factor for key, factor in search.terms.items() if factor})]


def _parts(tensor: Any, kind: str, outer: Mapping[int, Any]) -> list[tuple[Any, float]] | None:
    """The tensors that one is the sum of, with their factors."""
    inputs = tensor.op.inputs
    if kind == "Identity" or (kind == "Cast" and inputs[0].dtype.is_integer):
        return [(inputs[0], 1)]
    if kind == "Placeholder":
        outside = outer.get(id(tensor), captured(tensor))
        return None if outside is None else [(outside, 1)]
    if kind in ("AddV2", "Add", "Sub"):
        return [(inputs[0], 1), (inputs[1], -1 if kind == "Sub" else 1)]
    if kind == "Neg":
        return [(inputs[0], -1)]
    if kind == "Mul":
        known = [(at, number) for at in (0, 1) if (number := _number(inputs[at])) is not None]
        return [(inputs[1 - at], number) for at, number in known[:1]] or None
    return None


def _sums_of_branches(operation: Any, pending: list[tuple[Any, float]], search: _Search) -> list[Sum]:
    mine = [(tensor, factor) for tensor, factor in pending if _is_of(tensor, operation)]
    rest = [(tensor, factor) for tensor, factor in pending if not _is_of(tensor, operation)]
    found: list[Sum] = []
    for graph in (operation._true_graph, operation._false_graph):
        search.budget[0] -= 1
        if search.budget[0] < 0:
            raise NoFormError
        outputs = graph.outputs
        stop = _passed_on(search.stop)
        if stop is not None and stop.op is operation:
            stop = outputs[stop.value_index]
            if _number(_passed_on(stop)):
                continue
        inner = [(outputs[tensor.value_index], factor) for tensor, factor in mine]
        outer = search.outer | dict(zip(map(id, graph.inputs), operation.inputs[1:], strict=True))
        branch = _Search(search.whole, outer, search.number, dict(search.terms), search.tensors, stop, search.budget)
        found += _sums([*rest, *inner], branch)
    return found


def _added_by_loop(tensor: Any, factor: float) -> float | None:
    """The most that the iterations of a loop add to one of its numbers, times a factor."""
    graph, trips = tensor.op._body_graph, trips_of_loop(tensor.op)
    argument = graph.inputs[tensor.value_index]
    if trips is None or not isinstance(trips.count, int):
        return None
    try:
        step = largest_sum([(graph.outputs[tensor.value_index], factor)], graph.inputs)
    except NoFormError:
        return None
    return max(step.number, 0) * trips.count if step.terms == {id(argument): factor} else None


def _is_of(tensor: Any, operation: Any) -> bool:
    return tensor.graph is operation.graph and tensor.op is operation


def _passed_on(tensor: Any) -> Any:
    """A tensor, without the operations and arguments that only pass it on."""
    while is_tensor(tensor) and hasattr(tensor, "op"):
        outside = tensor.op.inputs[0] if tensor.op.type == "Identity" else None
        outside = captured(tensor) if tensor.op.type == "Placeholder" else outside
        if outside is None:
            return tensor
        tensor = outside
    return None


def _number(tensor: Any) -> Any:
    """The number that a tensor is, if it is known."""
    known = None if tensor is None else tf.get_static_value(tensor)
    return None if known is None or known.ndim or known.dtype.kind not in "iufb" else known.item()


_BRANCHES = ("If", "StatelessIf")
_LOOPS = ("While", "StatelessWhile")
_MOST_BRANCHES = 200
