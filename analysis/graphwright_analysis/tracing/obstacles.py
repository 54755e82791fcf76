"""The constructs that make AutoGraph leave a whole function as it is, nested functions included.

Found by looking; whether anything in the function needed converting is another question.
"""

from __future__ import annotations

from collections.abc import Sequence

import gast

from .facts.python_use import ASYNC, GENERATOR, LOOP_ELSE, MATCH, PRIVATE_NAME, WALRUS


def in_function(function: gast.AST) -> tuple[bool, tuple[str, gast.AST] | None]:
    """Whether a function yields, and the first construct in it that keeps it from being converted."""
    generator, first = False, None
    if isinstance(function, gast.Lambda):
        body: Sequence[gast.AST] = [function.body]
    else:
        body = function.body if isinstance(function, (gast.FunctionDef, gast.AsyncFunctionDef)) else []
    # Defaults and decorators aren't part of what is converted.
    pending: list[tuple[gast.AST, bool]] = [(child, True) for child in reversed(body)]
    while pending:
        node, own = pending.pop()
        if isinstance(node, (gast.Yield, gast.YieldFrom)):
            generator = generator or own
        cause = _cause(node)
        if cause is not None and first is None:
            first = cause, node
        inner = isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef))
        children = [(child, own and not inner) for child in gast.iter_child_nodes(node) if not _is_bare(node, child)]
        pending += reversed(children)
    return generator and not isinstance(function, gast.Lambda), first


def _cause(node: gast.AST) -> str | None:
    if isinstance(node, gast.Attribute):
        return PRIVATE_NAME if node.attr.startswith("__") and not node.attr.endswith("__") else None
    if isinstance(node, (gast.For, gast.While)):
        return LOOP_ELSE if node.orelse else None
    if isinstance(node, gast.Match):
        reads = (child for part in (node.subject, *node.cases) for child in gast.walk(part))
        return MATCH if any(isinstance(child, gast.Name) for child in reads) else None
    if isinstance(node, (gast.Yield, gast.YieldFrom)):
        return GENERATOR
    if isinstance(node, (gast.AsyncFunctionDef, gast.Await)):
        return ASYNC
    return WALRUS if isinstance(node, gast.NamedExpr) else None


def _is_bare(parent: gast.AST, child: gast.AST) -> bool:
    """A walrus that is the whole of a lambda does no harm."""
    return isinstance(parent, gast.Lambda) and isinstance(child, gast.NamedExpr)
