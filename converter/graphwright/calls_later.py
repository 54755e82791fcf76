"""Lets generators and coroutines call the converted forms of functions, and go over tensors of known length.

Nothing else in them is converted.
"""

from __future__ import annotations

import ast
import builtins
import types
from collections.abc import Sequence
from typing import Any, cast

from .syntax_trees import children_of, is_operator, operator_at
from .twins import RUNS_LATER, codes_below

_NAMES = "abs bool divmod enumerate float int len max min pow print range reversed round sorted str sum zip"
_ON_TENSORS = frozenset(_NAMES.split())
_AS_WRITTEN = frozenset(dir(builtins)) - _ON_TENSORS
"""Functions that are called as they are: what Python gives a generator, it gives it in a trace."""


def runs_later(code: types.CodeType) -> bool:
    """Whether a function, or one inside it, is a generator or coroutine."""
    return any(each.co_flags & RUNS_LATER and each.co_name != "<genexpr>" for each in (code, *codes_below(code)))


def convert_calls_that_run_later(function: ast.AST, alias: str) -> None:
    """Change the calls in a function, or in functions inside it, that are generators or coroutines."""
    for node in generated_parts(function):
        if isinstance(node, ast.AsyncFunctionDef) or (isinstance(node, ast.FunctionDef) and yields(node)):
            heads = [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]
            for part in own_parts([*heads, *node.body]):
                if isinstance(part, ast.Call):
                    _convert(part, alias)
                elif isinstance(part, (ast.For, ast.comprehension)):
                    part.iter = _for_python(part.iter, alias)


def _convert(call: ast.Call, alias: str) -> None:
    function = call.func
    if isinstance(function, ast.Name) and function.id in _AS_WRITTEN:
        return
    if not is_operator(function, alias):
        made = ast.Call(operator_at(function, alias, "converted"), [function], [])
        call.func = ast.copy_location(made, function)


def _for_python(iterable: ast.expr, alias: str) -> ast.expr:
    """What a loop goes over, where it may be a tensor or made of one."""
    if not isinstance(iterable, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)):
        return iterable
    return ast.copy_location(ast.Call(operator_at(iterable, alias, "for_python"), [iterable], []), iterable)


def generated_parts(function: ast.AST) -> list[ast.AST]:
    """A function and all below it that is compiled in another way than it was written, the nearest first.

    The methods of a class inside stay, because each is found by its code when it is converted; only those that run
    later can't be, and so their calls are converted with the function.
    """
    found = [function]
    for node in found:  # which grows
        below = children_of(node)
        if isinstance(node, ast.ClassDef):
            below = [part for part in below if not isinstance(part, ast.FunctionDef) or yields(part)]
        found += below
    return found


def yields(node: ast.FunctionDef) -> bool:
    """Whether a function is a generator."""
    return any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in own_parts(node.body))


def own_parts(nodes: Sequence[ast.AST]) -> list[ast.AST]:
    """What is in parts of a function, without what is in functions and classes inside."""
    found: list[ast.AST] = []
    waiting: list[Any] = list(nodes)
    while waiting:
        part = waiting.pop()
        found.append(part)
        if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting += cast("list[Any]", list(ast.iter_child_nodes(part)))
    return found
