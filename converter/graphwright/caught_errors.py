"""Lets what handles an exception see a traceback without frames of ours, as Python has it."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from .syntax_trees import walk


def clean_in_handlers(handlers: Iterable[ast.ExceptHandler], alias: str) -> None:
    """Begin each `except` with a call that takes frames of ours out of the exception's traceback."""
    for handler in handlers:
        operator = ast.Attribute(ast.Name(alias, ast.Load()), "caught", ast.Load())
        call = ast.Expr(ast.Call(operator, [], []))
        for made in walk(call):
            if isinstance(made, (ast.stmt, ast.expr)):
                ast.copy_location(made, handler)
                made.end_lineno = made.lineno
        handler.body.insert(0, call)
