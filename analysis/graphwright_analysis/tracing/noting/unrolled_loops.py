"""Records Python loops in graph code that add a copy of their body for each iteration."""

from __future__ import annotations

from collections.abc import Sequence

import gast

from graphwright_analysis.diagnostics import Confidence
from graphwright_analysis.tracing.facts import UnrolledLoop
from graphwright_analysis.tracing.machine.context import Frame
from graphwright_analysis.tracing.machine.run import Run, place_of
from graphwright_analysis.tracing.machine.state import State
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values.domain import Api, Array, Constant, Tensor, Value, Variable, is_likely
from graphwright_analysis.values.domain import Sequence as Elements

FEW = 32
"""Loops with at most this many iterations aren't recorded."""


def note_loop(run: Run, frame: Frame, node: gast.For, iterated: Value, before: State) -> None:
    """Record a Python `for` that has run, if it creates operations in each of many iterations."""
    turns = turns_of(run, iterated)
    confidence = _makes_operations(run, node.body) if run.context.graph and turns is not None and turns > FEW else None
    if turns is not None and confidence is not None:
        over = "range" if isinstance(node.iter, gast.Call) and _is_range(node.iter) else "collection"
        place, at = place_of(frame, node), place_of(frame, node.iter)
        run.note(UnrolledLoop(place, at, over, turns, _stays_alike(run, frame, node, before), confidence))


def limit_of(run: Run, node: gast.While, followed: int) -> gast.AST | None:
    """The limit that a `while` compares its counter with, if it counts; `followed` iterations were analyzed."""
    test = node.test
    counts = run.context.graph and isinstance(test, gast.Compare) and isinstance(test.left, gast.Name) and followed
    return test.comparators[0] if counts and isinstance(test, gast.Compare) else None


def note_while(run: Run, frame: Frame, node: gast.While, before: State, followed: int, limit: Value) -> None:
    """Record a Python `while` whose counter continues after so many iterations, if it creates operations."""
    turns = _counted(run, frame, node.test, before, followed, limit)
    confidence = _makes_operations(run, node.body) if turns is not None and turns > FEW else None
    if turns is not None and confidence is not None:
        place, at = place_of(frame, node), place_of(frame, node.test)
        run.note(UnrolledLoop(place, at, "counter", turns, confidence=confidence))


def note_comprehension(run: Run, frame: Frame, node: gast.AST, iterated: Value, made: Sequence[Value]) -> None:
    """Record a comprehension that creates a tensor in each of many iterations."""
    turns = turns_of(run, iterated)
    if run.context.graph and turns is not None and turns > FEW and made and all(isinstance(m, Tensor) for m in made):
        place = place_of(frame, node)
        run.note(UnrolledLoop(place, place, "comprehension", turns))


def turns_of(run: Run, iterated: Value) -> int | None:
    """The number of iterations over the value, if known."""
    if isinstance(iterated, Elements):
        return iterated.length
    if isinstance(iterated, Array) and iterated.shape and iterated.shape[0] is not None:
        return iterated.shape[0]
    elements = None if isinstance(iterated, Tensor) else held_values.elements_of(run, iterated)
    return None if elements is None else len(elements)


def _is_range(node: gast.Call) -> bool:
    return isinstance(node.func, gast.Name) and node.func.id == "range"


def _makes_operations(run: Run, body: Sequence[gast.stmt]) -> Confidence | None:
    """How certain it is that an iteration creates graph operations; None if nothing suggests it."""
    values, likely = run.seen.values, False
    for statement in body:
        for child in gast.walk(statement):
            if isinstance(child, gast.Call) and _is_operation(values.get(child.func)):
                return Confidence.CERTAIN
            if isinstance(child, gast.BinOp):
                sides = [value for side in (child.left, child.right) if (value := values.get(side)) is not None]
                if any(isinstance(side, (Tensor, Variable)) for side in sides):
                    return Confidence.CERTAIN
                likely = likely or any(is_likely(side) for side in sides)
    return Confidence.LIKELY if likely else None


def _is_operation(callee: Value | None) -> bool:
    if not isinstance(callee, Api):
        return False
    root, _, rest = callee.name.partition(".")
    return root == "tf" and rest.split(".")[0] not in ("TensorShape", "TensorSpec", "name_scope", "device", "print")


def _stays_alike(run: Run, frame: Frame, node: gast.For, before: State) -> bool:
    """True if an iteration only sets tensors that keep their dtype and shape, and doesn't depend on its number."""
    stored = set[str]()
    for statement in node.body:
        if not isinstance(statement, (gast.Assign, gast.AugAssign)):
            return False
        targets = statement.targets if isinstance(statement, gast.Assign) else [statement.target]
        if not all(isinstance(target, gast.Name) for target in targets):
            return False
        stored |= {target.id for target in targets if isinstance(target, gast.Name)}
        for child in gast.walk(statement):
            if isinstance(child, gast.Name) and isinstance(node.target, gast.Name) and child.id == node.target.id:
                return False
    if not isinstance(node.target, gast.Name) or not stored:
        return False
    for name in stored:
        first, second = before.value(frame.id, name), run.state.value(frame.id, name)
        if not isinstance(first, Tensor) or first != second or first.dtype is None or first.shape is None:
            return False
    return True


def _counted(run: Run, frame: Frame, test: gast.AST, before: State, followed: int, limit: Value) -> int | None:
    """The number of iterations until a counter passes its limit, if it continues as before."""
    if not isinstance(test, gast.Compare) or not isinstance(test.left, gast.Name):
        return None
    name = test.left.id
    ends = (before.value(frame.id, name), run.state.value(frame.id, name), limit)
    numbers = [v.value for v in ends if isinstance(v, Constant) and isinstance(v.value, (int, float))]
    ordered = isinstance(test.ops[0], (gast.Lt, gast.LtE, gast.Gt, gast.GtE))
    if len(numbers) < 3 or numbers[0] == numbers[1] or not ordered:
        return None
    turns = (numbers[2] - numbers[0]) / ((numbers[1] - numbers[0]) / followed)
    return int(turns) if followed < turns < 1e9 else None
