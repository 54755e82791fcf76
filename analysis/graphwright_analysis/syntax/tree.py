"""Parses a piece of source text into gast nodes, or says why it can't be parsed.

It yields what `gast.parse` does, in place, without recursion and at a fraction of the cost.
It repairs nothing, and never raises anything but `Unparsable`.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable
from typing import Any, cast

import gast

# Walkers of the tree recurse, often with several frames a level, under a recursion limit of 1,000.
MAX_DEPTH = 160
TOO_DEEP = "too deeply nested to be analysed"


class Unparsable(Exception):
    """Why a text is no Python; `line` is 1-based and `column` a 1-based code point, both 0 where unknown."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


class BeyondLimits(Unparsable):
    """The text may well be Python, but is too long or too deep to be analysed."""


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


def as_gast(statements: list[ast.stmt], line_shift: int = 0, max_depth: int = MAX_DEPTH) -> list[gast.stmt]:
    """Python's own trees as those of gast: the same nodes, which change their classes."""
    level: list[Any] = list(statements)
    depth = 0
    while level:
        depth += 1
        if depth > max_depth:
            raise BeyondLimits(TOO_DEEP)
        below: list[Any] = []
        for node in level:
            _convert(node, line_shift, below)
        level = below
    return cast("list[gast.stmt]", statements)


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


def _convert(node: Any, line_shift: int, below: list[Any]) -> None:
    """Give a node its gast class and put its children into `below`."""
    fields: dict[str, Any] = node.__dict__
    kind: type[Any] = node.__class__
    for field in _CHILDREN.get(kind, ()):
        value = fields.get(field)
        if isinstance(value, list):
            below += [item for item in cast("list[Any]", value) if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST):
            below.append(value)
    # `ast` shares one instance of each context and operator among all trees: those stay untouched.
    for field in _WITH_SHARED.get(kind, ()):
        value = fields[field]
        fields[field] = [_SHARED[type(item)] for item in value] if field == "ops" else _SHARED[type(value)]
    if line_shift and "lineno" in fields:
        fields["lineno"] += line_shift
        fields["end_lineno"] += line_shift
    adjust = _ADJUSTMENTS.get(kind)
    if adjust is not None:
        adjust(fields)
    node.__class__ = _CLASSES[kind]


def _adjust_name(fields: dict[str, Any]) -> None:
    fields["ctx"] = _SHARED[type(fields["ctx"])]
    fields["annotation"] = None
    fields["type_comment"] = None


def _adjust_argument(fields: dict[str, Any]) -> None:
    fields["id"] = fields.pop("arg")
    fields["ctx"] = _PARAMETER


def _adjust_handler(fields: dict[str, Any]) -> None:
    if fields.get("name"):
        fields["name"] = gast.Name(fields["name"], _SHARED[ast.Store], None, None)


def _adjust_definition(fields: dict[str, Any]) -> None:
    fields.setdefault("type_params", [])


def _adjust_type_parameter(fields: dict[str, Any]) -> None:
    fields.setdefault("default_value", None)


def _subclasses(base: type) -> list[type]:
    below = [kind for kind in base.__subclasses__() if kind.__module__ in ("ast", "_ast")]
    return below + [kind for child in below for kind in _subclasses(child)]


_PARAMETER = gast.Param()
_SHARED: dict[type, Any] = {
    kind: getattr(gast, kind.__name__)()
    for base in (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)
    for kind in _subclasses(base)
}
_CLASSES: dict[type, type] = {
    kind: getattr(gast, kind.__name__) for kind in _subclasses(ast.AST) if hasattr(gast, kind.__name__)
} | {ast.arg: gast.Name}
_OF_SHARED = frozenset({"ctx", "op", "ops"})
_OF_PLAIN = frozenset({"attr", "arg", "id", "asname", "module", "level", "type_comment", "conversion", "simple"})
"""Fields that hold no nodes in any class."""
_FIELDS: dict[type, tuple[str, ...]] = {
    kind: cast(Any, kind)._fields for kind in _CLASSES if kind not in (ast.Constant, ast.Name)
}
_CHILDREN = {kind: tuple(f for f in fields if f not in _OF_SHARED | _OF_PLAIN) for kind, fields in _FIELDS.items()}
_WITH_SHARED = {kind: tuple(f for f in fields if f in _OF_SHARED) for kind, fields in _FIELDS.items()}
_ADJUSTMENTS: dict[type, Callable[[dict[str, Any]], None]] = {
    ast.Name: _adjust_name,
    ast.arg: _adjust_argument,
    ast.ExceptHandler: _adjust_handler,
    ast.FunctionDef: _adjust_definition,
    ast.AsyncFunctionDef: _adjust_definition,
    ast.ClassDef: _adjust_definition,
}
for _name in ("TypeVar", "ParamSpec", "TypeVarTuple"):
    if hasattr(ast, _name):
        _ADJUSTMENTS[getattr(ast, _name)] = _adjust_type_parameter
