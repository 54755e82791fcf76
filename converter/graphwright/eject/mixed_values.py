"""Numbers that Python has in some iterations of a loop and the graph in others: in plain TensorFlow they are tensors.

Before, in a loop that Python runs:

    for p in particles:
        if not found or p.cost < best:
            found, best = True, p.cost

In the first iteration, Python knows that `not found` is true, and Graphwright makes no branch. Plain TensorFlow has one
text for all iterations, so `found` is a tensor after the first one. What is written then isn't decided here.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import gast
from graphwright_analysis.flow.tree import kind_of
from graphwright_analysis.values.domain import Constant, Scalar, Tensor, Value, dtype_of, python_kind

from graphwright.eject.bindings import named
from graphwright.passes.unit import ancestors, parents_in, walk

if TYPE_CHECKING:
    from graphwright.passes.facts import Facts


def settled(function: gast.AST, values: Mapping[gast.AST, Value], staged: Iterable[gast.AST]) -> dict[gast.AST, Value]:
    """The values of a function's expressions, those that follow its branches in the graph as tensors."""
    found = dict(values)
    parents = parents_in(function)
    constructs = frozenset(staged)
    for branch in (each for each in constructs if isinstance(each, gast.If)):
        around = itertools.takewhile(lambda each: each not in constructs, ancestors(branch, parents))
        loops = [each for each in around if isinstance(each, (gast.For, gast.While))]
        stored = {named(target) for part in walk(branch) for target in _targets(part)} - {""}
        for part in walk(function):
            if named(part) not in stored or not isinstance(part.ctx, gast.Load):
                continue
            # A method is called several times, as what is in a loop runs several times.
            again = part.lineno >= loops[-1].lineno if loops else isinstance(values.get(part), Scalar)
            if again and (loops or isinstance(part, gast.Attribute)):
                _note(found, parents, part)
    return found


def is_python_at_first(facts: Facts, node: gast.AST) -> bool:
    """Whether a flag, or a comparison of numbers, is Python's in the first iteration of a loop, and a tensor later."""
    loops = (each for each in ancestors(node, parents_in(facts.node)) if isinstance(each, (gast.For, gast.While)))
    loop = next(loops, None)
    if loop is None or not facts.is_native(loop):
        return False
    pairs = [pair for part in facts.statements for pair in _pairs(part)]
    if isinstance(node, (gast.Name, gast.Attribute)):
        return named(node) in {named(target) for target, value in pairs if _is_literal(value, bool)}
    if not isinstance(node, gast.Compare) or len(node.ops) > 1 or isinstance(node.ops[0], _OTHER_OPERATORS):
        return False
    parts = [node.left, *node.comparators]
    numbers = {named(target) for target, value in pairs if _is_literal(value, int, float)}
    is_named = any(isinstance(part, gast.Name) for part in parts)
    return is_named and all(_is_literal(part, int, float) or named(part) in numbers for part in parts)


def _pairs(statement: Any) -> Iterator[tuple[Any, Any]]:
    for target in statement.targets if kind_of(statement) == "Assign" else ():
        several = isinstance(target, gast.Tuple) and isinstance(statement.value, gast.Tuple)
        yield from zip(target.elts, statement.value.elts, strict=False) if several else [(target, statement.value)]


def _is_literal(node: gast.AST, *kinds: type) -> bool:
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        node = node.operand
    return isinstance(node, gast.Constant) and type(node.value) in kinds


def _note(found: dict[gast.AST, Value], parents: Mapping[gast.AST, gast.AST], node: gast.AST) -> None:
    """Have an expression be a tensor, and what is computed with it."""
    while (value := found.get(node)) is not None and _is_number(value):
        found[node] = Tensor(dtype_of(value), ())
        node = parents[node]
        if isinstance(node, (gast.GeneratorExp, gast.ListComp)) and getattr(parents[node], "args", None) == [node]:
            node = parents[node]
        is_of_all = isinstance(node, gast.Call) and getattr(node.func, "id", "") in ("all", "any")
        if not is_of_all and not isinstance(node, (gast.UnaryOp, gast.BoolOp, gast.Compare, gast.BinOp)):
            return


def _targets(statement: gast.AST) -> list[Any]:
    """What an assignment sets."""
    targets: list[Any] = statement.targets if isinstance(statement, gast.Assign) else []
    targets = [statement.target] if isinstance(statement, (gast.AugAssign, gast.AnnAssign)) else targets
    return [part for target in targets for part in getattr(target, "elts", [target])]


def _is_number(value: Value) -> bool:
    return isinstance(value, (Constant, Scalar)) and python_kind(value) in (bool, int, float)


_OTHER_OPERATORS = (gast.In, gast.NotIn, gast.Is, gast.IsNot)
