"""Stands in for code that is nested too deeply to be analyzed: a statement that binds and reads what the code may.

It says nothing about what the code does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

import gast

from graphwright_analysis.text import Range

from .standins import Work, note_broken, placed, salvaged_expression
from .tree import TOO_DEEP, BeyondLimits


def stand_in(work: Work, span: Range, lines: Iterable[str]) -> gast.stmt:
    """A statement that binds the names that any of the code's lines binds, to something unknown."""
    work.failure = BeyondLimits(TOO_DEEP)
    note_broken(work, span)
    names = dict.fromkeys(name for line in lines for name in _bound_in(line))
    if not names:
        return placed(work, gast.Expr(salvaged_expression(work, span)), span)
    targets: list[gast.expr] = [placed(work, gast.Name(name, gast.Store(), None, None), span) for name in names]
    return placed(work, gast.Assign(targets, salvaged_expression(work, span), None), span)


def _bound_in(line: str) -> Iterator[str]:
    """The names that a simple statement or the header of a compound one binds."""
    for source in _complete(line.strip()):
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        yield from _names_stored(tree)
        return


def _complete(code: str) -> Iterator[str]:
    """Texts that may be the line as a statement of its own."""
    code = code.removeprefix("el") if code.startswith("elif") else code
    if code.startswith("case"):
        yield f"match 1:\n {code} pass"
        yield f"match 1:\n {code}"
    yield code
    yield code + " pass"
    for clause in ("else", "try", "finally"):
        if code.startswith(clause):
            yield "if 1" + code.removeprefix(clause)


def _names_stored(tree: ast.AST) -> Iterator[str]:
    pending = [tree]
    while pending:
        node = pending.pop()
        match node:
            case ast.Name(ctx=ast.Store()):
                yield node.id
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
                continue
            case ast.alias():
                yield node.asname or node.name.partition(".")[0]
            case ast.MatchAs() | ast.MatchStar() if node.name:
                yield node.name
            case ast.MatchMapping() if node.rest:
                yield node.rest
            case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                continue
            case _:
                pass
        pending.extend(ast.iter_child_nodes(node))
