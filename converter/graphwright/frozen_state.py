"""Writes the calls that warn of Python state which a function counts up and reads: a graph keeps the traced value.

What the state is while a function is traced, and whether it was there before, is asked by the module of
this name in `runtime.functions`.
"""

from __future__ import annotations

import ast
from typing import Any, cast

from .syntax_trees import children_of, loaded, operator_at, walk


def note_counted_state(function: Any, alias: str) -> None:
    """Insert the calls before the statements that count."""
    if isinstance(function, ast.Lambda) or function.name in _SETTING_UP:
        return
    found = {id(statement): target for statement, target in _counted_state(function)}
    for block in _blocks(function) if found else ():
        block[:] = [each for statement in block for each in _with_note(statement, found.get(id(statement)), alias)]


def _blocks(function: Any) -> list[list[Any]]:
    names = ("body", "orelse", "finalbody")
    parts = walk(function)
    return [block for part in parts for name in names if isinstance(block := getattr(part, name, None), list)]


def _with_note(statement: Any, target: Any, alias: str) -> list[Any]:
    if target is None:
        return [statement]
    owner = ast.Constant(None) if isinstance(target, ast.Name) else _read_later(_root_of(target))
    operator = operator_at(statement, alias, "counts")
    call = ast.Expr(ast.Call(operator, [_read_later(target), owner, ast.Constant(ast.unparse(target))], []))
    for part in walk(call):
        ast.copy_location(part, statement)
    return [ast.fix_missing_locations(call), statement]


def _read_later(target: Any) -> ast.Lambda:
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), loaded(target))


def _counted_state(function: Any) -> list[tuple[ast.stmt, Any]]:
    """The statements that change state of somebody else by its old value, with what they change, if it is read."""
    bound = _bound(function)
    changes: dict[str, list[tuple[ast.stmt, Any]]] = {}
    reset, own = set[str](), set[int]()
    for part in walk(function):
        target, text = _target(part)
        if not text or not _is_outside(target, function, bound):
            continue
        statement = cast("ast.Assign", part)
        if isinstance(part, ast.AugAssign) or _reads(statement.value, text):
            changes.setdefault(text, []).append((statement, target))
            own.update(map(id, walk(part)))
        else:
            reset.add(text)
    read = _texts_read(function, own) if changes else set[str]()
    counted = [found for text, found in changes.items() if text in read - reset]
    return [each for found in counted for each in found]


def _target(part: ast.AST) -> tuple[Any, str]:
    """The attribute or variable that a statement sets, and how the user writes it; no text if it is none."""
    target: Any = part.target if isinstance(part, ast.AugAssign) else None
    if isinstance(part, ast.Assign) and len(part.targets) == 1:
        target = part.targets[0]
    return target, ast.unparse(target) if isinstance(_root_of(target), ast.Name) else ""


def _is_outside(target: Any, function: Any, bound: set[str]) -> bool:
    """Whether what is changed may have been there before the function was called."""
    if isinstance(target, ast.Name):
        return any(isinstance(each, (ast.Global, ast.Nonlocal)) and target.id in each.names for each in function.body)
    return _root_of(target).id not in bound


def _root_of(target: Any) -> Any:
    """What a chain of attributes begins with, such as a name."""
    while isinstance(target, ast.Attribute):
        target = target.value
    return target


def _bound(function: Any) -> set[str]:
    """The names that the function gives values, other than its parameters."""
    return {part.id for part in walk(function) if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}


def _reads(value: ast.AST, text: str) -> bool:
    """Whether an operation has this among its operands."""
    if not isinstance(value, ast.BinOp):
        return False
    return any(isinstance(part, _CHAINS) and ast.unparse(part) == text for part in walk(value))


def _texts_read(function: Any, own: set[int]) -> set[str]:
    """All that is read where it may reach a result: not what is only printed or checked."""
    found: set[str] = set()
    waiting: list[Any] = [*function.body]
    while waiting:
        part = waiting.pop()
        if id(part) in own or isinstance(part, (ast.Assert, ast.JoinedStr)) or _is_report(part):
            continue
        if isinstance(part, _CHAINS) and isinstance(part.ctx, ast.Load):
            found.add(ast.unparse(part))
        waiting += children_of(part)
    return found


def _is_report(part: ast.AST) -> bool:
    """Whether it prints, logs or makes text."""
    function = part.func if isinstance(part, ast.Call) else None
    return (getattr(function, "attr", None) or getattr(function, "id", "")) in _REPORTS


_CHAINS = (ast.Attribute, ast.Name)
_REPORTS = frozenset({"print", "debug", "info", "warning", "error", "warn", "log", "str", "repr", "format"})
_SETTING_UP = frozenset({"__init__", "__new__", "__post_init__", "build"})
"""Methods that count while an object is made, which happens once."""
