"""Source in, generated source out: the passes in their order.

It neither reads files nor runs anything; TensorFlow is unknown here.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

import gast


@dataclass(frozen=True, slots=True)
class Source:
    """A function's text: line L of it is line `first_line + L - 1` of the file."""

    text: str
    node: gast.AST
    first_line: int
    file: str
    class_name: str | None
    free: frozenset[str]
    library: frozenset[str]


@dataclass(frozen=True, slots=True)
class Generated:
    """What a function became: `lines[i]` is the line in the user's file that generated line i + 1 stands for."""

    text: str
    lines: tuple[int, ...]
    alias: str = "gw"


def generate(source: Source) -> Generated:
    """The text as it is, without decorators."""
    parsed = ast.parse(source.text)
    kind = ast.Lambda if isinstance(source.node, gast.Lambda) else ast.FunctionDef
    node = next(node for node in ast.walk(parsed) if isinstance(node, kind))
    if isinstance(node, ast.FunctionDef):
        node.decorator_list = []
    text = ast.unparse(node)
    count = text.count("\n") + 1
    lines = [source.first_line + node.lineno - 1] * count
    if isinstance(node, ast.FunctionDef) and not isinstance(node.body[0], ast.Expr):
        copy = ast.parse(text).body[0]
        for new, old in zip(ast.walk(copy), ast.walk(node), strict=True):
            if isinstance(new, ast.stmt) and isinstance(old, ast.stmt):
                first = new.lineno
                lines[first - 1 :] = [source.first_line + old.lineno - 1] * (count - first + 1)
    return Generated(text, tuple(lines))
