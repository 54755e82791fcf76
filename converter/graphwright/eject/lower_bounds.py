"""What a whole number is at least: TensorFlow's updates and arrays know no index from the end, and no negative length.

Only what is written counts: literals, lengths, counters of loops, and conditions that hold where the number is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from graphwright.eject import seeds
from graphwright.passes.calls import dotted
from graphwright.passes.unit import walk

if TYPE_CHECKING:
    from graphwright.passes.facts import Facts

_DEPTH = 4


def is_never_negative(facts: Facts, node: gast.AST) -> bool:
    """Whether a number surely isn't below zero."""
    bound = _of(facts, node, 0)
    return bound is not None and bound >= 0


def as_count(read: Any, node: gast.expr, text: str | None = None) -> str:
    """A number as how many there are: none where it is negative. `text` is how it's written, if that is known."""
    written = str(read(node)) if text is None else text
    return written if is_never_negative(read.facts, node) else f"{read.unit.style.tf}.maximum({written}, 0)"


def is_below(facts: Facts, first: Any, second: gast.AST) -> bool:
    """Whether a literal number surely isn't above another number."""
    start, bound = _of(facts, first, 0), _of(facts, second, 0)
    return isinstance(first, gast.Constant) and start is not None and bound is not None and start <= bound


def _of(facts: Facts, node: Any, depth: int) -> int | None:
    """The lowest value that an expression can have; None if there is none that is known."""
    if isinstance(node, gast.Constant):
        literal: Any = node.value
        return int(literal) if isinstance(literal, int) else None
    if isinstance(node, gast.BinOp):
        return _of_operation(facts, node, depth)
    if isinstance(node, gast.Call):
        return _of_call(facts, node, depth)
    if not isinstance(node, gast.Name) or depth > _DEPTH:
        return None
    guarded = [bound for test in _tests_around(facts, node) for bound in _said(test, node.id)]
    given = _given(facts, node.id, depth)
    return max([*guarded, *([] if given is None else [given])], default=None)


def _of_operation(facts: Facts, node: Any, depth: int) -> int | None:
    left, right = _of(facts, node.left, depth), _of(facts, node.right, depth)
    if isinstance(node.op, gast.Sub):
        is_literal = isinstance(node.right, gast.Constant) and right is not None
        return left - right if left is not None and is_literal and right is not None else None
    if isinstance(node.op, gast.Mod):
        return 0 if right is not None and right >= 0 else None
    if left is None or right is None:
        return None
    if isinstance(node.op, gast.Add):
        return left + right
    signed = isinstance(node.op, (gast.Mult, gast.FloorDiv)) and left >= 0 and right >= 0
    return 0 if signed else None


def _of_call(facts: Facts, node: Any, depth: int) -> int | None:
    name = dotted(node.func) or ""
    if name in facts.bound or node.keywords or not node.args:
        return None
    if name == "len":
        return 0
    bounds = [_of(facts, argument, depth) for argument in node.args]
    known = [bound for bound in bounds if bound is not None]
    if name == "max" and len(bounds) > 1:
        return max(known, default=None)
    return min(known) if name == "min" and len(known) == len(bounds) > 1 else None


def _given(facts: Facts, name: str, depth: int) -> int | None:
    """The lowest value that anything gives a name."""
    if name in facts.parameters:
        return None
    bounds: list[int | None] = []
    stores, known = 0, 0
    for part in walk(facts.node):
        stores += isinstance(part, gast.Name) and part.id == name and not isinstance(part.ctx, gast.Load)
        given = [value for target, value in seeds.assigned_pairs(part) if _is_name(target, name)]
        bounds += [_of(facts, value, depth + 1) for value in given]
        known += len(given)
        if isinstance(part, gast.AugAssign) and _is_name(part.target, name):
            added = _of(facts, part.value, depth + 1) if isinstance(part.op, gast.Add) else None
            bounds += [] if added is not None and added >= 0 else [None]
            known += 1
        if isinstance(part, gast.For) and (counted := _counter(facts, part, name, depth)) is not None:
            bounds.append(counted)
            known += 1
    sure = [bound for bound in bounds if bound is not None]
    return min(sure) if sure and len(sure) == len(bounds) and known == stores else None


def _counter(facts: Facts, loop: Any, name: str, depth: int) -> int | None:
    """Where a loop that counts with a name begins."""
    called = dotted(loop.iter.func) if isinstance(loop.iter, gast.Call) else None
    if called == "enumerate" and isinstance(loop.target, gast.Tuple) and _is_name(loop.target.elts[0], name):
        starts = [*loop.iter.args[1:], *[keyword.value for keyword in loop.iter.keywords]]
        return _of(facts, starts[0], depth + 1) if starts else 0
    if called is None or called.rpartition(".")[2] != "range" or not _is_name(loop.target, name):
        return None
    limits = loop.iter.args
    if len(limits) < 3:
        return _of(facts, limits[0], depth + 1) if len(limits) == 2 else 0
    first, last, step = limits
    if isinstance(step, gast.UnaryOp) and isinstance(step.op, gast.USub):
        limit = _negated(last) if isinstance(last, gast.UnaryOp) else _of(facts, last, depth + 1)
        return None if limit is None else limit + 1
    forward = _of(facts, step, depth + 1)
    return _of(facts, first, depth + 1) if forward is not None and forward > 0 else None


def _negated(node: Any) -> int | None:
    """The number that `-1` and its like are."""
    literal = getattr(node.operand, "value", None)
    return -literal if isinstance(node.op, gast.USub) and type(literal) is int else None


def _tests_around(facts: Facts, node: Any) -> list[Any]:
    """The conditions that still hold where a name is read."""
    found: list[Any] = []
    for part in facts.statements:
        if not isinstance(part, (gast.If, gast.While)) or not any(node in walk(each) for each in part.body):
            continue
        inside = [each for statement in part.body for each in walk(statement)]
        stores = [each for each in inside if _is_name(each, node.id) and not isinstance(each.ctx, gast.Load)]
        loops = [each for each in inside if isinstance(each, (gast.For, gast.While)) and node in walk(each)]
        again = any(store in walk(loop) for store in stores for loop in loops)
        if not again and all((store.lineno, store.col_offset) > (node.lineno, node.col_offset) for store in stores):
            found.append(part.test)
    return found


def _said(test: Any, name: str) -> list[int]:
    """What a condition says that a name is at least."""
    if isinstance(test, gast.BoolOp) and isinstance(test.op, gast.And):
        return [bound for value in test.values for bound in _said(value, name)]
    if not isinstance(test, gast.Compare):
        return []
    found: list[int] = []
    operands = [test.left, *test.comparators]
    for left, operator, right in zip(operands, test.ops, operands[1:], strict=False):
        if isinstance(operator, (gast.Gt, gast.GtE)):
            left, right = right, left
        elif not isinstance(operator, (gast.Lt, gast.LtE)):
            continue
        if _is_name(right, name) and isinstance(left, gast.Constant) and type(left.value) is int:
            found.append(left.value + isinstance(operator, (gast.Lt, gast.Gt)))
    return found


def _is_name(node: Any, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name
