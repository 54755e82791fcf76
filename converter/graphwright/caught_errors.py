"""Lets what handles an exception see a traceback without frames of ours, as Python has it."""

from __future__ import annotations

import ast

from .syntax_trees import walk


def clean_in_handlers(function: ast.AST, alias: str) -> None:
    """Begin each `except` in a function with a call that takes frames of ours out of the exception's traceback."""
    for node in walk(function):
        if isinstance(node, ast.ExceptHandler):
            operator = ast.Attribute(ast.Name(alias, ast.Load()), "caught", ast.Load())
            call = ast.Expr(ast.Call(operator, [], []))
            for made in walk(call):
                if isinstance(made, (ast.stmt, ast.expr)):
                    ast.copy_location(made, node)
                    made.end_lineno = made.lineno
            node.body.insert(0, call)
