"""The second turn of a staged loop, where the first one leaves tensors of other shapes than it began with.

What a loop carries, and what is behind it, is found out by `staged_loops` from the first turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import gast

from graphwright_analysis.flow.tree import walk
from graphwright_analysis.immutability import immutable
from graphwright_analysis.tracing.facts import OperationRefused
from graphwright_analysis.tracing.facts.loops import LoopControl
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import Cell, Outcome, State
from graphwright_analysis.values import shapes
from graphwright_analysis.values.domain import Tensor, Value, Variable
from graphwright_analysis.values.shapes import Shape

_SIZES = frozenset({"ndim", "rank", "shape", "size"})


@immutable(eq=False)
class LoopTurns:
    """A loop of the graph, what a `for` goes over, and how its body is run from a state."""

    node: gast.For | gast.While
    over: LoopControl
    iterated: Value
    turn: Callable[[State], Outcome]


def run_again(run: Run, loop: LoopTurns, cells: Sequence[Cell], start: State, after: State) -> OperationRefused | None:
    """Run the body once more with what the first turn leaves, or with what suits both turns, as over a Dataset.

    Returns what TensorFlow refuses then and didn't before. Graphwright builds such a loop: it fails when it runs.
    """
    if loop.over == "dataset":
        again = _reshaped(cells, start, after, shapes.relaxed)
        if again is not None:
            with run.looking_again():
                loop.turn(again)
    if not run.context.by_graphwright or not _is_expected(loop):
        return None
    again = _reshaped(cells, start, after, lambda before, left: before if shapes.conforms(left, before) else left)
    if again is None:
        return None
    known = set(run.seen.facts)
    with run.looking_again():
        loop.turn(again)
        new = [fact for fact in run.seen.facts if isinstance(fact, OperationRefused) and fact not in known]
    found = next((fact for fact in new if fact.kind != "dtype" and fact.branch is None), None)
    if found is None or _is_sure(loop):
        return found
    return replace(found, confidence=found.confidence.lowered)


def _reshaped(
    cells: Sequence[Cell], start: State, after: State, shape_of: Callable[[Shape, Shape], Shape]
) -> State | None:
    """The state in which the second turn begins; None if it is the same as in the first."""
    again, changes = start.fork(), False
    for cell in cells:
        before, left = start.content(cell), after.content(cell)
        if isinstance(before, Tensor) and isinstance(left, Tensor):
            shape = shape_of(before.shape, left.shape)
            if shape != before.shape:
                again.set(*cell, Tensor(before.dtype, shape))
                changes = True
    return again if changes else None


def _is_expected(loop: LoopTurns) -> bool:
    """Whether there may be a second turn: no shape decides, and there is more than one element."""
    if isinstance(loop.node, gast.While):
        return not any(isinstance(each, gast.Attribute) and each.attr in _SIZES for each in walk(loop.node.test))
    return _elements(loop) not in (0, 1)


def _is_sure(loop: LoopTurns) -> bool:
    return _elements(loop) is not None


def _elements(loop: LoopTurns) -> int | None:
    """The number of elements that a `for` goes over, if it is known."""
    sizes = loop.iterated.shape if isinstance(loop.iterated, (Tensor, Variable)) else None
    return None if not sizes or sizes[0] == shapes.ANY else sizes[0]
