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
from typing import Any

import gast
from graphwright_analysis.values.domain import Constant, Scalar, Tensor, Value, dtype_of, python_kind

from graphwright.eject.bindings import named
from graphwright.passes.unit import parents_in, walk


def settled(function: gast.AST, values: Mapping[gast.AST, Value], staged: Iterable[gast.AST]) -> dict[gast.AST, Value]:
    """The values of a function's expressions, those that follow its branches in the graph as tensors."""
    found = dict(values)
    parents = parents_in(function)
    constructs = frozenset(staged)
    for branch in (each for each in constructs if isinstance(each, gast.If)):
        around = itertools.takewhile(lambda each: each not in constructs, _around(parents, branch))
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


def _around(parents: Mapping[gast.AST, gast.AST], node: gast.AST) -> Iterator[Any]:
    while node in parents:
        node = parents[node]
        yield node


def _is_number(value: Value) -> bool:
    return isinstance(value, (Constant, Scalar)) and python_kind(value) in (bool, int, float)
