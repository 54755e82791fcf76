"""Generators as ordinary functions, which call the body of the loop that goes over them wherever they yield.

A graph can't pause a function, but it can call one. Nothing is run here.
"""

from __future__ import annotations

import ast
import builtins
import copy
import importlib
import types
from collections.abc import Callable
from typing import Any, cast

from graphwright_analysis.syntax.tree import as_gast

from .calls_later import own_parts
from .compiling import compiled, function_from, with_operators
from .errors import ConversionError
from .libraries import library_names, names_from_around
from .pipeline import FunctionSource, Generated, generate
from .sources import class_around, definition_of
from .special_methods import special_names
from .syntax_trees import walk
from .twins import mark_origin, note_generated

BODY = "graphwright_body"
"""The keyword by which such a function is given the body of the loop; the body returns whether the loop is left."""

_BRANCHING = (ast.If, ast.IfExp, ast.Match, ast.YieldFrom)
_SCOPES = (ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp, ast.NamedExpr)
_BUILTINS = frozenset(dir(builtins))
_AROUND = (ast.Try, ast.With, ast.AsyncWith, ast.AsyncFor, getattr(ast, "TryStar", ast.Try))


_known: dict[tuple[int, int], tuple[types.CodeType, dict[str, Any], tuple[types.CodeType, str] | None]] = {}


def calling_twin(function: types.FunctionType) -> tuple[Callable[..., Any], str] | None:
    """The converted form of a generator function that calls the body of a loop, and what may decide in it.

    None if it has no such form.
    """
    key = id(function.__code__), id(function.__globals__)
    if key not in _known:
        # The code object and the globals are kept with it, so that their ids stay theirs.
        _known[key] = function.__code__, function.__globals__, _new_code(function)
    made = _known[key][2]
    if made is None:
        return None
    code, decides = made
    twin = function_from(code, function)
    mark_origin(twin, function)
    return twin, decides


def _new_code(function: types.FunctionType) -> tuple[types.CodeType, str] | None:
    try:
        decides = _deciding(function)
        if decides is None:
            return None
        code = _calling_code(function, special_names(function))
    except ConversionError:
        return None
    code = with_operators(code, importlib.import_module("graphwright"))
    note_generated(code)
    return code, decides


def _deciding(function: types.FunctionType) -> str | None:
    """What may decide whether a generator yields: "itself", "arguments" or "counts" among these.

    None if it can't call the body of a loop: where what the body raises would pass through a `try` or `with`, and
    where it is sent values.
    """
    node = definition_of(function).node
    if not isinstance(node, ast.FunctionDef):
        return None
    parts = own_parts(node.body)
    statements = {part.value for part in parts if isinstance(part, ast.Expr)}
    yields = [part for part in parts if isinstance(part, (ast.Yield, ast.YieldFrom, ast.Await))]
    returns = (part.value for part in parts if isinstance(part, ast.Return))
    if not statements.issuperset(yields) or any(isinstance(part, _AROUND) for part in parts) or any(returns):
        return None
    if any(isinstance(part, (ast.For, ast.YieldFrom)) and _is_lazy(part) for part in parts):
        return None
    if any(isinstance(part, ast.While) for part in parts):
        return "itself"
    return "arguments" if any(isinstance(part, _BRANCHING) or _goes_over_call(part) for part in parts) else "counts"


def _is_lazy(part: ast.For | ast.YieldFrom) -> bool:
    """Whether it goes over a generator expression that stays one."""
    source = part.iter if isinstance(part, ast.For) else part.value
    if not isinstance(source, ast.GeneratorExp):
        return False
    return isinstance(part, ast.For) or any(isinstance(each, _SCOPES) for each in walk(source.elt))


def _goes_over_call(part: ast.AST) -> bool:
    """Whether it is a loop that may go over another generator."""
    calls = [each for each in walk(part.iter) if isinstance(each, ast.Call)] if isinstance(part, ast.For) else []
    return any(not isinstance(call.func, ast.Name) or call.func.id not in _BUILTINS for call in calls)


def _calling_code(function: types.FunctionType, special: frozenset[str]) -> types.CodeType:
    """The converted code of a generator that calls the body of a loop, without the operators that it calls."""
    piece = definition_of(function)
    written = _Calling().visit(copy.deepcopy(piece.node))
    text = ast.unparse(ast.fix_missing_locations(written)) + "\n"
    again = ast.parse(text).body[0]
    class_name = class_around(function)
    surroundings = class_name, names_from_around(function), library_names(function)
    file = function.__code__.co_filename
    generated = generate(FunctionSource(text, as_gast([again])[0], 1, file, *surroundings), pairs=True)
    users = _lines_of(written, again, len(text.splitlines()))
    lines = tuple(users[line - 1] + piece.first_line - 1 for line in generated.lines)
    generated = Generated(generated.text, lines, generated.alias)
    return compiled(generated, function.__code__, class_name, special)


def _lines_of(written: ast.AST, again: ast.AST, count: int) -> list[int]:
    """For each line of the new text, the line of the old one."""
    old, new = ([part for part in walk(tree) if isinstance(part, ast.stmt)] for tree in (written, again))
    lines = [0] * count
    for before, after in zip(old, new, strict=True):
        lines[after.lineno - 1] = lines[after.lineno - 1] or before.lineno
    known = cast("Any", written).lineno
    for place, line in enumerate(lines):
        known = lines[place] = line or known
    return lines


class _Calling(ast.NodeTransformer):
    """Writes `if body(value): return` for `yield value`."""

    def __init__(self) -> None:
        self.is_inside = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        if self.is_inside:
            return node
        self.is_inside = True
        node.decorator_list = []
        node.args.kwonlyargs.append(ast.arg(BODY))
        node.args.kw_defaults.append(None)
        return self.generic_visit(node)

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        return node

    def visit_Expr(self, node: ast.Expr) -> Any:
        value = node.value
        if isinstance(value, ast.Yield):
            return _call(value.value or ast.Constant(None), node)
        if isinstance(value, ast.YieldFrom) and isinstance(value.value, ast.GeneratorExp):
            return _nested(value.value, node)
        if isinstance(value, ast.YieldFrom):
            item = f"{BODY}_item"
            body: list[ast.stmt] = [_call(ast.Name(item, ast.Load()), node)]
            loop = ast.For(ast.Name(item, ast.Store()), value.value, body, [])
            return ast.copy_location(loop, node)
        return node


def _nested(source: ast.GeneratorExp, at: ast.stmt) -> ast.stmt:
    """The loops that a generator expression stands for; its variables are its own."""
    own = {part.id for each in source.generators for part in walk(each.target) if isinstance(part, ast.Name)}
    for part in walk(source):
        if isinstance(part, ast.Name) and part.id in own:
            part.id = f"{BODY}_{part.id}"
    made: ast.stmt = _call(source.elt, at)
    for each in reversed(source.generators):
        for test in reversed(each.ifs):
            made = ast.copy_location(ast.If(test, [made], []), at)
        made = ast.copy_location(ast.For(each.target, each.iter, [made], []), at)
    return made


def _call(value: ast.expr, at: ast.stmt) -> ast.If:
    leave = ast.copy_location(ast.Return(None), at)
    test = ast.Call(ast.Name(BODY, ast.Load()), [value], [])
    return ast.copy_location(ast.If(test, [leave], []), at)
