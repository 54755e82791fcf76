"""The nodes at a place: from the statement of the file that holds it down to the innermost expression.

What they mean is others' business.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import gast

from graphwright_analysis.syntax import Block
from graphwright_analysis.text import Range

Function = gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda


def span_of(block: Block, node: gast.AST) -> Range:
    """Where a node is; of a name, which may be a parameter with an annotation, the name alone."""
    span = block.range_of(node)
    return Range(span.start, span.start + len(node.id)) if isinstance(node, gast.Name) else span


def path_to(block: Block, offset: int) -> list[gast.AST]:
    """The nodes that hold an offset, the outermost first; where two meet, the one that begins there."""
    found: list[gast.AST] = []
    children: Sequence[gast.AST] = block.statements
    while True:
        inner = _holding(block, children, offset)
        if inner is None:
            return found
        found.append(inner)
        children = [*gast.iter_child_nodes(inner)]


def function_in(path: Sequence[gast.AST]) -> Function | None:
    """The innermost function around the last node."""
    return next((node for node in reversed(path[:-1]) if isinstance(node, Function)), None)


def functions_in(block: Block) -> Iterator[gast.FunctionDef]:
    """The functions and methods that a block defines, outer ones first."""
    pending: list[gast.AST] = [*reversed(block.statements)]
    while pending:
        node = pending.pop()
        if isinstance(node, gast.FunctionDef):
            yield node
        if isinstance(node, (gast.stmt, gast.ExceptHandler)):
            pending += reversed([*gast.iter_child_nodes(node)])


def name_span(block: Block, function: gast.FunctionDef) -> Range:
    """Where the name of a function stands."""
    start = block.text.find(function.name, block.text.find("def", block.range_of(function).start) + 3)
    return Range(start, start + len(function.name))


def expressions_in(node: gast.AST) -> Iterator[gast.AST]:
    """An expression and all that are part of it."""
    pending = [node]
    while pending:
        child = pending.pop()
        yield child
        pending += gast.iter_child_nodes(child)


def _holding(block: Block, children: Sequence[gast.AST], offset: int) -> gast.AST | None:
    touched: gast.AST | None = None
    for child in children:
        spans = [block.range_of(child), *(block.range_of(each) for each in getattr(child, "decorator_list", ()))]
        if any(span.start <= offset < span.end for span in spans):
            return child
        if any(span.contains(offset) and span.start < span.end for span in spans):
            touched = child
    return touched
