"""The syntax tree of the block that a place stands in, for rewrites that a regular expression can't do safely.

Text that doesn't parse has no tree, and no rewrite.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Sequence

from graphwright_analysis.immutability import immutable
from graphwright_analysis.text import LineIndex, Range
from graphwright_analysis.tracing import Place

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Edits = tuple[tuple[Place, str], ...]


@immutable(eq=False, slots=False)
class BlockTree:
    """A block's tree, and for each node the node around it."""

    text: str
    tree: ast.Module
    parents: dict[ast.AST, ast.AST]
    starts: list[int]

    def span(self, node: ast.AST) -> Range:
        first, last = _position(node)
        return Range(self._offset(*first), self._offset(*last))

    def source(self, node: ast.AST) -> str:
        span = self.span(node)
        return self.text[span.start : span.end]

    def at(self, place: Place) -> ast.AST | None:
        """The outermost node that stands at exactly this place."""
        return next((node for node in ast.walk(self.tree) if _placed(node) and self.span(node) == place.range), None)

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, the innermost first."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def function_of(self, node: ast.AST) -> Function | None:
        return next((each for each in self.around(node) if isinstance(each, Function)), None)

    def statement_of(self, node: ast.AST) -> ast.stmt | None:
        return next((each for each in (node, *self.around(node)) if isinstance(each, ast.stmt)), None)

    def siblings(self, statement: ast.AST) -> Sequence[ast.stmt]:
        """The list of statements that a statement stands in."""
        around = self.parents.get(statement)
        for field in ("body", "orelse", "finalbody"):
            found: Sequence[ast.stmt] = getattr(around, field, None) or ()
            if not isinstance(around, (ast.Lambda, ast.IfExp)) and statement in found:
                return found
        return ()

    def _offset(self, line: int, column: int) -> int:
        start = self.starts[line - 1]
        end = self.starts[line] if line < len(self.starts) else len(self.text)
        row = self.text[start:end]
        return start + (column if row.isascii() else len(row.encode()[:column].decode()))


def parsed(place: Place) -> BlockTree | None:
    """The tree of the block that the place stands in."""
    return _parsed(place.block.text)


@functools.lru_cache(maxsize=16)
def _parsed(text: str) -> BlockTree | None:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    return BlockTree(text, tree, parents, LineIndex(text).starts)


def names(node: ast.AST) -> set[str]:
    """All names in a piece of code."""
    return {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}


def stored(node: ast.AST) -> set[str]:
    """The names that a piece of code binds or deletes."""
    return {c.id for c in ast.walk(node) if isinstance(c, ast.Name) and not isinstance(c.ctx, ast.Load)}


def _placed(node: ast.AST) -> bool:
    return isinstance(node, (ast.stmt, ast.expr))


def _position(node: ast.AST) -> tuple[tuple[int, int], tuple[int, int]]:
    assert isinstance(node, (ast.stmt, ast.expr, ast.pattern))
    return (node.lineno, node.col_offset), (node.end_lineno or node.lineno, node.end_col_offset or 0)
