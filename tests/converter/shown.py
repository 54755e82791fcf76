"""Executes the text that `to_code` shows in the place of a function, as somebody who copies it would."""

from __future__ import annotations

import ast
import itertools
import linecache
import types
from typing import Any

import graphwright as gw
from graphwright.conversion import converted_function
from graphwright.twins import note_generated

_numbers = itertools.count()


def graph(function: Any, **options: Any) -> Any:
    """Trace the shown text of a function as it stands."""
    made = executed(function)
    note_generated(made.__code__)
    promote = options.pop("promote", False)
    return gw.function(converted_function(made, promote=promote), **options)


def executed(function: types.FunctionType) -> types.FunctionType:
    """Return the function that the shown text defines, with the globals, cells and defaults of the function itself."""
    text = gw.to_code(function)
    [statement] = ast.parse(text).body
    is_lambda = isinstance(statement, ast.Expr)
    # Under its own name it would call itself in here, instead of what has that name outside.
    name = "shown" if is_lambda else f"{statement.name}_as_shown"
    body = f"shown = {text}" if is_lambda else text.replace(f"def {statement.name}(", f"def {name}(", 1)
    free = function.__code__.co_freevars
    operators = {alias: types.CellType(gw) for alias in ("gw", "graphwright") if alias not in free}
    lines = [f"def factory({', '.join((*free, *operators))}):", *_indented(body), f"    return {name}"]
    file = f"<shown {next(_numbers)}>"
    source = "\n".join(lines) + "\n"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    namespace: dict[str, Any] = {}
    exec(compile(source, file, "exec"), function.__globals__, namespace)
    made = namespace["factory"](*free, *operators)
    cells = dict(zip(free, function.__closure__ or (), strict=True)) | operators
    own = dict(zip(made.__code__.co_freevars, made.__closure__ or (), strict=True))
    closure = tuple(cells.get(each, own[each]) for each in made.__code__.co_freevars)
    code = made.__code__.replace(co_name=function.__name__)
    result = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    result.__kwdefaults__ = function.__kwdefaults__
    return result


def _indented(text: str) -> list[str]:
    """The text one level deeper; lines inside strings stay as they are."""
    inside = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.Constant, ast.JoinedStr))
        for line in range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)
    }
    return [line if number in inside else f"    {line}" for number, line in enumerate(text.splitlines(), 1)]
