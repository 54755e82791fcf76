"""Generators and coroutines as converted code calls them: as they are written, but noting what they set.

Nothing in them becomes part of a graph. What they call is converted.
"""

from __future__ import annotations

import ast
import copy
import types

from .compiling import compiled_node
from .errors import ConversionError
from .sources import class_around, definition_of, refuse_unsupported
from .syntax_trees import walk
from .twins import unconverted


def noted_code(function: types.FunctionType, special: frozenset[str]) -> types.CodeType:
    """The code of a generator or coroutine, without the operators that it calls."""
    piece = definition_of(function)
    node = copy.deepcopy(piece.node)
    names = {part.id for part in walk(node) if isinstance(part, ast.Name)}
    alias = "gw"
    while alias in names:
        alias += "_"
    last = max(getattr(part, "end_lineno", 0) for part in walk(node))
    lines = tuple(range(piece.first_line, piece.first_line + last))
    code = compiled_node(node, lines, alias, function.__code__, class_around(function), special)
    try:
        refuse_unsupported(function)
    except ConversionError as error:
        unconverted[function.__code__] = unconverted[code] = error.reason
    return code
