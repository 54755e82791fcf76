"""Function definitions: their headers, and which of them have no graph at all.

What is inside them isn't looked at, but for `yield`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
from graphwright_analysis.flow.tree import FUNCTIONS

from graphwright.errors import ConversionError
from graphwright.passes.brackets import header_end
from graphwright.passes.unit import Unit, walk


def is_generator(node: gast.AsyncFunctionDef | gast.FunctionDef) -> bool:
    """Whether a function is a generator: it yields at its own level."""
    return any(
        isinstance(part, (gast.Yield, gast.YieldFrom))
        for statement in node.body
        if not isinstance(statement, _CLOSED)
        for part in walk(statement, lambda inner: not isinstance(inner, _CLOSED))
    )


def refuse_what_cannot_be(node: gast.AST) -> None:
    """Raise ConversionError for generators and coroutines."""
    if isinstance(node, gast.AsyncFunctionDef):
        raise ConversionError(
            f"`{node.name}` is an `async def`: a coroutine can't run in a graph. Convert the functions that it calls.",
            line=node.lineno,
        )
    if isinstance(node, gast.FunctionDef) and is_generator(node):
        raise ConversionError(
            f"`{node.name}` is a generator (it has `yield`), and a graph can't pause and resume. Return a tensor or "
            "a list, or use `tf.data.Dataset.from_generator`.",
            line=node.lineno,
        )


def header(unit: Unit, node: Any, read: Callable[[gast.AST], str]) -> str:
    """`def name(...) -> ...:` with default values rendered."""
    start = unit.span(node)[0]
    end = header_end(unit.text, start)
    pieces: list[str] = []
    position = start
    defaults = [*node.args.defaults, *[value for value in node.args.kw_defaults if value is not None]]
    for default in sorted(defaults, key=lambda value: (value.lineno, value.col_offset)):
        default_start, default_end = unit.span(default)
        pieces += [unit.original(position, default_start), read(default)]
        position = default_end
    return "".join([*pieces, unit.original(position, end)])


_CLOSED = (*FUNCTIONS, gast.Lambda, gast.ClassDef)
