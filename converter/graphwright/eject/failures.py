"""Exceptions that the graph decides on: an assertion in front of what happens otherwise.

Before:

    for i in range(limit):
        ...
        if error < tolerance:
            return x
    raise ValueError("no convergence")

After the loop:

    tf.debugging.Assert(returned, ["no convergence"])
    return result
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import gast

from graphwright.eject import conditions, seeds
from graphwright.errors import ConversionError
from graphwright.passes import branches
from graphwright.passes.calls import dotted
from graphwright.passes.jumps import completes
from graphwright.passes.simple_statements import rendered

if TYPE_CHECKING:
    from graphwright.passes.expressions import ExpressionRenderer


def choice(lowering: Any, node: Any, rest: Sequence[Any], tail: bool) -> bool:
    """Write an `if` of the graph; where a branch does nothing but raise, the other one follows an assertion."""
    library = lowering.unit.library
    following: list[Any] = [*rest] if tail and not completes(node.body, library) else []
    if _fails(node.body):
        test = _negated(lowering, node)
        failing, other = node.body[0], node.orelse
    elif _fails(node.orelse or following):
        test, other = _condition(lowering, node), node.body
        failing = (node.orelse or following)[0]
    else:
        return branches.branch(lowering, node, rest, tail)
    assert_that(lowering, failing, test, _message_of(lowering.read(failing), failing.exc))
    for number, statement in enumerate(other):
        if lowering.statement(statement, [*other[number + 1 :], *rest], tail):
            return True
    return False


def after_loop(lowering: Any, rest: Sequence[Any], returned: str, result: str) -> bool:
    """Write what follows a loop that the graph may return from, if that is an exception."""
    if not _fails(rest):
        return False
    failing = rest[0]
    assert_that(lowering, failing, returned, _message_of(lowering.read(failing), failing.exc))
    lowering.end("return", result, line=failing.lineno)
    return True


def raised(lowering: Any, node: Any, rest: Sequence[Any], tail: bool) -> bool:
    """Write an exception; in a branch of the graph, what comes back after it has failed is never used."""
    if not lowering.nested:
        rendered(lowering, node)
        return True
    refusal = ConversionError(
        "this branch in the graph raises an exception among other statements: raise it in a separate `if`, "
        "which becomes a `tf.debugging.Assert`",
        line=node.lineno,
    )
    if not _fails([node]):
        raise refusal
    assert_that(lowering, node, "False", _message_of(lowering.read(node), node.exc))
    if lowering.frame.kind != "function":
        lowering.end("end", line=node.lineno)
        return True
    try:
        zero = seeds.zero(lowering.unit.style, lowering)
    except ConversionError:
        raise refusal from None
    lowering.end("return", zero, line=node.lineno)
    return True


def assert_that(lowering: Any, node: gast.stmt, test: str, message: str) -> None:
    """Write an assertion of the graph."""
    rendered(lowering, node, f"{lowering.unit.style.tf}.debugging.Assert({test}, [{message}])")


def _fails(statements: Sequence[Any]) -> bool:
    """Whether the first of some statements raises a new exception."""
    first = statements[0] if statements else None
    return isinstance(first, gast.Raise) and first.exc is not None and first.cause is None


def _condition(lowering: Any, node: gast.If) -> str:
    return conditions.condition(lowering.read(node), node.test)


def _negated(lowering: Any, node: gast.If) -> str:
    """The opposite of a condition; that of `x < 0` isn't `x >= 0` for a NaN."""
    test, text = node.test, _condition(lowering, node)
    if isinstance(test, gast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], gast.Eq):
        read = lowering.read(node)
        first, second = read(test.left), read(test.comparators[0])
        if text == f"{first} == {second}":
            return f"{first} != {second}"
    return f"{lowering.unit.style.tf}.logical_not({text})"


def _message_of(read: ExpressionRenderer, error: gast.AST) -> str:
    """The text of an exception that is made here."""
    if isinstance(error, gast.Call) and error.args:
        return ", ".join(read(argument) for argument in error.args)
    return '"' + (dotted(error.func if isinstance(error, gast.Call) else error) or "failed") + '"'
