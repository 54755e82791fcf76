"""Parses a piece of source text into gast nodes, or says why it can't be parsed.

It yields what `gast.parse` does, without recursion and at a fraction of the cost.
It repairs nothing, and never raises anything but `Unparsable`.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Sequence
from typing import Any, cast

import gast

from .nodes import CLASSES, SHARED

# Walkers of the tree recurse, often with several frames a level, under a recursion limit of 1,000.
MAX_DEPTH = 160
TOO_DEEP = "too deeply nested to be analyzed"


class Unparsable(Exception):
    """Why a text is no Python; `line` is 1-based and `column` a 1-based code point, both 0 where unknown."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


class BeyondLimits(Unparsable):
    """The text may well be Python, but is too long or too deep to be analyzed."""


# Lines that Python names in its messages count from the beginning of what was parsed: a block.
_LINES = re.compile(r" \(detected at line \d+\)| on line \d+")


def parse_source(source: str, line_shift: int = 0, max_depth: int = MAX_DEPTH) -> list[gast.stmt]:
    """The statements of a text, their lines moved by `line_shift`."""
    if source.startswith("\ufeff"):
        # As many bytes, and like the mark they do not indent.
        source = "\f\f\f" + source[1:]
    if "\0" in source:
        source = source.replace("\0", "\1")
    _silence_warnings()
    try:
        tree = _parse(source)
    except SyntaxError as error:
        line = (error.lineno or -line_shift) + line_shift
        raise Unparsable(_LINES.sub("", error.msg), line, error.offset or 0) from None
    except (RecursionError, MemoryError):
        raise BeyondLimits(TOO_DEEP) from None
    except ValueError as error:
        raise Unparsable(str(error)) from None
    return as_gast(tree.body, line_shift, max_depth)


def as_gast(trees: Sequence[Any], line_shift: int = 0, max_depth: int = MAX_DEPTH) -> list[Any]:
    """The nodes of gast for Python's own trees, whose parts they take."""
    lines = _Lines(line_shift)
    level: list[_Pair] = []
    made = [_begun(tree, level) for tree in trees]
    depth = 0
    while level:
        depth += 1
        if depth > max_depth:
            raise BeyondLimits(TOO_DEEP)
        below: list[_Pair] = []
        for tree, node in level:
            _fill(node, tree.__dict__, lines, below)
        level = below
    return made


_FILE_NAME = "<graphwright source>"
_ATTEMPTS = 5
_SURROGATE = re.compile("[\ud800-\udfff]")
_SILENT = ("ignore", None, Warning, re.compile(re.escape(_FILE_NAME)), 0)


def _parse(source: str) -> ast.Module:
    """Python's tree.

    Older Pythons count the depth of all trees under way in one place, so one that another thread makes may fail this
    one with a SystemError.
    """
    for _ in range(_ATTEMPTS):
        try:
            return ast.parse(source, _FILE_NAME)
        except UnicodeEncodeError:
            source = _SURROGATE.sub("\ufffd", source)
        except SystemError:
            continue
    raise Unparsable("Python can't make a tree of this")


def _silence_warnings() -> None:
    """Keep what Python has to say on a user's source (an invalid escape, say) off the user's terminal.

    A filter for this file name alone, put in front again where somebody has put theirs: that is thread-safe and
    costs nothing, unlike `warnings.catch_warnings`.
    """
    if warnings.filters[:1] != [_SILENT]:
        warnings.filterwarnings("ignore", category=Warning, module=re.escape(_FILE_NAME))


class _Lines(dict[int, int]):
    """Line numbers as they are in the whole text, each an object once."""

    def __init__(self, shift: int) -> None:
        self.shift = shift

    def __missing__(self, line: int) -> int:
        moved = self[line] = line + self.shift
        return moved


def _begun(tree: Any, begun: list[_Pair]) -> Any:
    """The node for a tree of Python's, which is filled later."""
    kind = CLASSES[type(tree)]
    node = kind.__new__(kind)
    begun.append((tree, node))
    return node


def _fill(node: Any, fields: dict[str, Any], lines: _Lines, begun: list[_Pair]) -> None:
    """Give a node its fields, and begin its children."""
    adjust = _ADJUSTMENTS.get(type(node).__name__)
    if adjust is not None:
        adjust(fields)
    if "lineno" in fields:
        fields["lineno"], fields["end_lineno"] = lines[fields["lineno"]], lines[fields["end_lineno"]]
    for name, value in fields.items():
        kind: Any = value.__class__
        if kind is list:
            value = [_child(item, begun) for item in cast("list[Any]", value)]
        elif kind in CLASSES or kind in SHARED:
            value = _child(value, begun)
        setattr(node, name, value)


def _child(value: Any, begun: list[_Pair]) -> Any:
    # `ast` shares one instance of each context and operator among all trees, and so do these.
    shared: Any = SHARED.get(value.__class__)
    return shared if shared is not None else _begun(value, begun) if isinstance(value, ast.AST) else value


def _adjust_name(fields: dict[str, Any]) -> None:
    if "arg" in fields:
        fields["id"], fields["ctx"] = fields.pop("arg"), _PARAMETER
    fields.setdefault("annotation", None)
    fields.setdefault("type_comment", None)


def _adjust_handler(fields: dict[str, Any]) -> None:
    if fields.get("name"):
        fields["name"] = CLASSES[ast.Name](fields["name"], SHARED[ast.Store], None, None)


def _adjust_definition(fields: dict[str, Any]) -> None:
    fields.setdefault("type_params", [])


def _adjust_type_parameter(fields: dict[str, Any]) -> None:
    fields.setdefault("default_value", None)


_Pair = tuple[Any, Any]
"""A tree of Python's and the node that stands for it."""
_PARAMETER = gast.Param()
_ADJUSTMENTS: dict[str, Callable[[dict[str, Any]], None]] = {
    "Name": _adjust_name,
    "ExceptHandler": _adjust_handler,
    **dict.fromkeys(("FunctionDef", "AsyncFunctionDef", "ClassDef"), _adjust_definition),
    **dict.fromkeys(("TypeVar", "ParamSpec", "TypeVarTuple"), _adjust_type_parameter),
}
