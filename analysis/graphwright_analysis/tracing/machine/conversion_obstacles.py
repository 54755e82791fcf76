"""The constructs that make AutoGraph leave a whole function as it is, nested functions included.

Found by looking; whether anything in the function needed converting is another question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import gast

from graphwright_analysis.flow.tree import bodies_below, children, kind_of, walk
from graphwright_analysis.syntax import Block
from graphwright_analysis.text import Range
from graphwright_analysis.tracing.facts.python_use import Cause

_YIELDS = frozenset({"Yield", "YieldFrom"})
_CAUSES = _YIELDS | {"Attribute", "For", "While", "Match", "AsyncFunctionDef", "Await", "NamedExpr"}
_INNER = frozenset({"FunctionDef", "AsyncFunctionDef", "Lambda", "ClassDef"})
_LEAVES = frozenset({"Name", "Constant"})
_HARMLESS_IN_LAMBDA = _LEAVES | {"NamedExpr"}
"""A walrus that is the whole of a lambda does no harm."""


_IN_EXPRESSIONS = re.compile("yield|await|:=|__")
"""Without any of these in a text, no expression in it is an obstacle."""


def in_function(function: gast.AST, text: str) -> tuple[bool, tuple[Cause, gast.AST] | None, int]:
    """Whether a function in a text yields, the first construct in it that keeps it from being converted, and how many
    statements it has."""
    generator, first, statements = False, None, 0
    if isinstance(function, gast.Lambda):
        body: Sequence[gast.AST] = [function.body]
    else:
        body = function.body if isinstance(function, (gast.FunctionDef, gast.AsyncFunctionDef)) else []
    statements_alone = _IN_EXPRESSIONS.search(text) is None
    # Defaults and decorators aren't part of what is converted.
    pending: list[tuple[gast.AST, bool]] = [(child, True) for child in reversed(body)]
    while pending:
        node, own = pending.pop()
        kind = kind_of(node)
        statements += own and isinstance(node, gast.stmt)
        if kind in _CAUSES:
            generator = generator or (own and kind in _YIELDS)
            if first is None and (cause := _cause(node)) is not None:
                first = cause, node
        harmless = _HARMLESS_IN_LAMBDA if kind == "Lambda" else _LEAVES
        own = own and kind not in _INNER
        below = bodies_below(node) if statements_alone else children(node)
        pending += [(child, own) for child in reversed(below) if kind_of(child) not in harmless]
    return generator and not isinstance(function, gast.Lambda), first, statements


def _cause(node: gast.AST) -> Cause | None:
    if isinstance(node, gast.Attribute):
        return Cause.PRIVATE_NAME if node.attr.startswith("__") and not node.attr.endswith("__") else None
    if isinstance(node, (gast.For, gast.While)):
        return Cause.LOOP_ELSE if node.orelse else None
    if isinstance(node, gast.Match):
        return Cause.MATCH if any(isinstance(child, gast.Name) for child in walk(node.subject, *node.cases)) else None
    if isinstance(node, (gast.Yield, gast.YieldFrom)):
        return Cause.GENERATOR
    if isinstance(node, (gast.AsyncFunctionDef, gast.Await)):
        return Cause.ASYNC
    return Cause.WALRUS if isinstance(node, gast.NamedExpr) else None


def twin_of(block: Block, function: gast.AST) -> Range | None:
    """The span of another lambda on the same lines that has the same parameters."""
    if not isinstance(function, gast.Lambda):
        return None
    own, text = block.range_of(function), block.text
    end = text.find("\n", own.start)
    begin = text.rfind("\n", 0, own.start) + 1
    end = len(text) if end < 0 else end
    if text[: max(end, own.end)].count("lambda") < 2 or "lambda" not in text[begin : own.end]:
        return None
    for statement in block.statements:
        for node in walk(statement):
            if not isinstance(node, gast.Lambda) or node is function:
                continue
            span = block.range_of(node)
            # It counts if it spans the line that this one begins on.
            if span.start < end and span.end > begin and _parameters(node) == _parameters(function):
                return span
    return None


def _parameters(node: gast.Lambda) -> tuple[object, ...]:
    arguments = node.args
    names = tuple(getattr(argument, "id", None) for argument in (*arguments.posonlyargs, *arguments.args))
    only = tuple(getattr(argument, "id", None) for argument in arguments.kwonlyargs)
    return names, only, getattr(arguments.vararg, "id", None), getattr(arguments.kwarg, "id", None)
