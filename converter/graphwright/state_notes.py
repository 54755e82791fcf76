"""Writes the calls that note which state of Python a function changes, where it reads the old value as well.

Whether that was there before the trace, and differs after it, `runtime.functions.frozen_state` asks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any, cast

from .name_owners import CHANGING
from .operator_functions import CONSTRUCTS
from .state_reads import StateChange, StateReads, holders_of, parts_of_piece, reads_of, root_of, text_of
from .syntax_trees import children_of, is_operator, loaded, operator_at, walk


def note_state(function: Any, parts: list[ast.AST], alias: str) -> None:
    """Insert the calls before the statements that change; `parts` is all that is in the function."""
    if isinstance(function, ast.Lambda) or function.name in _SETTING_UP:
        return
    declared = _declared(parts)
    changes = [change for change in _changes(parts, alias) if change.text and _may_be_outside(change, declared)]
    if changes:
        bound = _bound(parts, alias) - declared
        unknown = _of_lambdas(parts)
        changes = [
            change
            for change in changes
            if root_of(change.target).id not in bound | unknown.get(id(change.part), frozenset())
        ]
    if not changes:
        return
    noted: dict[int, list[StateChange]] = {}
    for change in _that_freeze(function, changes, alias):
        noted.setdefault(id(change.part), []).append(change)
    for block in _blocks(parts) if noted else ():
        block[:] = [each for statement in block for each in _with_notes(statement, noted, alias)]


def _changes(parts: list[ast.AST], alias: str) -> Iterator[StateChange]:
    """All that sets or changes something with a name, an attribute or an item."""
    for part in parts:
        kind = part.__class__
        if kind is ast.AugAssign:
            yield _change(part, cast("ast.AugAssign", part).target, "counted", alias)
        elif kind is ast.Assign:
            yield from _assigned(cast("ast.Assign", part), alias)
        elif kind is ast.Delete:
            for target in cast("ast.Delete", part).targets:
                if isinstance(target, ast.Subscript):
                    whole = isinstance(target.slice, ast.Slice)
                    yield _change(part, target.value, "reset" if whole else "grown", alias)
        elif kind is ast.Attribute:
            method = cast("ast.Attribute", part)
            if method.attr in _METHODS and not isinstance(method.value, ast.Call):
                yield _change(part, method.value, "reset" if method.attr == "clear" else "grown", alias)
        elif kind is ast.Call and is_operator(call := cast(Any, part).func, alias):
            yield from _called(cast("ast.Call", part), call.attr, alias)


def _assigned(statement: ast.Assign, alias: str) -> Iterator[StateChange]:
    waiting: list[Any] = [*statement.targets]
    while waiting:
        target = waiting.pop()
        if isinstance(target, (ast.Tuple, ast.List)):
            waiting += target.elts
        elif isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
            yield _change(statement, target.value, "reset", alias)
        elif not _is_carried(statement.value, target, alias):
            text = text_of(target, alias)
            mode = "counted" if text and _counts(statement.value, target, text, alias) else "set"
            yield StateChange(statement, target, text, mode)


def _called(call: ast.Call, operator: str, alias: str) -> Iterator[StateChange]:
    """What an operator changes in its first argument."""
    if operator in ("set_inside", "set_item") and len(call.args) == 3:
        target = ast.copy_location(ast.Subscript(call.args[0], call.args[1], ast.Load()), call)
        text = text_of(target, alias)
        mode = "counted" if text and _counts(call.args[2], target, text, alias) else "set"
        yield StateChange(call, target, text, mode)
    elif operator in ("update_inside", "update_item") and len(call.args) == 4:
        target = ast.copy_location(ast.Subscript(call.args[0], call.args[1], ast.Load()), call)
        yield _change(call, target, "counted", alias)
    elif operator in CHANGING and call.args:
        yield _change(call, call.args[0], "reset" if operator == "clear" else "grown", alias)
    elif operator == "next" and call.args:
        yield _change(call, call.args[0], "advanced", alias)


def _change(part: ast.AST, target: Any, mode: str, alias: str) -> StateChange:
    return StateChange(part, target, text_of(target, alias), mode)


def _counts(value: ast.AST, target: Any, text: str, alias: str) -> bool:
    """Whether an operation has the old value among its operands; of an item, also as `get` reads it."""
    function: Any = value.func if isinstance(value, ast.Call) else None
    if not (is_operator(function, alias) and function.attr == "changed") and not isinstance(value, ast.BinOp):
        return False
    return any(text_of(part, alias) == text or _gets(part, target, alias) for part in walk(value))


def _gets(part: ast.AST, target: Any, alias: str) -> bool:
    if not isinstance(part, ast.Attribute) or part.attr != "get" or not isinstance(target, ast.Subscript):
        return False
    return text_of(part.value, alias) == text_of(target.value, alias)


def _is_carried(value: Any, target: Any, alias: str) -> bool:
    """Whether a name is only given back what an operator was given for it."""
    function: Any = value.func if isinstance(value, ast.Call) else None
    if not is_operator(function, alias) or function.attr not in CHANGING | CONSTRUCTS:
        return False
    name = getattr(target, "id", None)
    return any(isinstance(each, ast.Name) and each.id == name for each in value.args)


def _bound(parts: list[ast.AST], alias: str) -> set[str]:
    """The names that the function gives values, other than its parameters."""
    carried = {
        id(target)
        for part in parts
        if isinstance(part, ast.Assign)
        for target in walk(*part.targets)
        if _is_carried(part.value, target, alias)
    }
    names = [part for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)]
    inner = {part.name for part in parts[1:] if isinstance(part, (ast.FunctionDef, ast.ClassDef))}
    arguments = cast(Any, parts[0]).args
    new = {argument.arg for argument in (arguments.vararg, arguments.kwarg) if argument is not None}
    return inner | new | {name.id for name in names if id(name) not in carried}


def _of_lambdas(parts: list[ast.AST]) -> dict[int, frozenset[str]]:
    """The parameters of the lambdas around each part, which the statement that makes the lambda doesn't know."""
    found: dict[int, frozenset[str]] = {}
    for each in parts:
        if isinstance(each, ast.Lambda):
            names = frozenset(part.arg for part in walk(each.args) if isinstance(part, ast.arg))
            found.update((id(part), found.get(id(part), frozenset()) | names) for part in walk(each.body))
    return found


def _declared(parts: list[ast.AST]) -> set[str]:
    function: Any = parts[0]
    return {name for part in function.body if isinstance(part, (ast.Global, ast.Nonlocal)) for name in part.names}


def _may_be_outside(change: StateChange, declared: set[str]) -> bool:
    """Whether it isn't a variable of the function's own."""
    return not _is_variable(change) or change.text in declared


def _is_variable(change: StateChange) -> bool:
    return isinstance(change.target, ast.Name) and change.mode in ("counted", "set", "ordered", "kept")


def _that_freeze(function: Any, changes: list[StateChange], alias: str) -> Iterator[StateChange]:
    """The changes of what the function reads such that the next call would read something else."""
    reads = reads_of(function, changes, alias)
    by_text: dict[str, list[StateChange]] = {}
    for change in changes:
        by_text.setdefault(change.text, []).append(change)
    top = {id(statement) for statement in function.body}
    for text, found in by_text.items():
        modes = {change.mode for change in found}
        if any(each.mode in ("set", "reset") for holder in holders_of(text) for each in by_text.get(holder, ())):
            continue
        if "advanced" in modes:
            yield from (change for change in found if id(change.part) in reads.used)
        elif modes <= {"counted", "grown"}:
            found = [change for change in found if _may_give(change) or id(change.part) not in reads.used]
            takes_out = any(id(each.part) in reads.used for each in found)
            if takes_out or reads.of_counted(text, "grown" in modes):
                yield from found
                yield from _changed_items(text, changes) if "grown" in modes else ()
        elif modes == {"set"}:
            yield from _set_after_read(text, found, top, reads)


def _changed_items(text: str, changes: list[StateChange]) -> Iterator[StateChange]:
    """The changes of a container by its items, for what is in it at first."""
    for change in changes:
        if isinstance(change.target, ast.Subscript) and next(holders_of(change.text), "") == text:
            yield StateChange(change.part, change.target.value, text, "grown")


def _may_give(change: StateChange) -> bool:
    """Whether a list, dict or set gives something when it is changed like this."""
    return getattr(change.part, "attr", "pop") in _TAKING_OUT


def _set_after_read(text: str, found: list[StateChange], top: set[int], reads: StateReads) -> Iterator[StateChange]:
    """The statements that set something, if it is read before."""
    begin = min((change.line for change in found if id(change.part) in top), default=None)
    last = max(change.line for change in found)
    if reads.before(text, begin, last):
        yield from found
        return
    is_ordered = reads.ordered_before(text, begin, last)
    if is_ordered or reads.tested(text, begin, last, isinstance(found[0].target, ast.Subscript)):
        mode = "ordered" if is_ordered else "kept"
        yield from (StateChange(each.part, each.target, each.text, mode) for each in found)


def _blocks(parts: Iterable[ast.AST]) -> list[list[Any]]:
    names = ("body", "orelse", "finalbody")
    return [block for part in parts for name in names if isinstance(block := getattr(part, name, None), list)]


def _with_notes(statement: Any, noted: dict[int, list[StateChange]], alias: str) -> list[Any]:
    own = [statement]
    for part in own:  # which grows
        own += [below for below in children_of(part) if not isinstance(below, (ast.stmt, ast.excepthandler))]
    found = {change.text: change for part in own for change in noted.get(id(part), ())}
    return [*[_note(statement, change, alias) for change in found.values()], statement]


def _note(statement: Any, change: StateChange, alias: str) -> ast.Expr:
    is_variable = _is_variable(change)
    piece = parts_of_piece(change.target)
    root = ast.Constant(None) if is_variable else loaded(root_of(change.target))
    arguments: list[ast.expr] = [
        _read_later(piece, is_variable),
        root,
        ast.Constant(change.text),
        ast.Constant(change.mode),
    ]
    if isinstance(piece, ast.Subscript):
        arguments.append(ast.Constant(True))
    call = ast.Expr(ast.Call(operator_at(statement, alias, "changes_state"), arguments, []))
    for part in walk(call):
        ast.copy_location(part, statement)
    return ast.fix_missing_locations(call)


def _read_later(piece: Any, is_variable: bool) -> ast.Lambda:
    """A function that reads a piece of state, also when its names have other values.

    Of an item it gives what has it, and its key: reading it may have an effect.
    """
    names = [] if is_variable else sorted({part.id for part in walk(piece) if isinstance(part, ast.Name)})
    defaults: list[ast.expr] = [ast.Name(name, ast.Load()) for name in names]
    if isinstance(piece, ast.Subscript):
        piece = ast.Tuple([piece.value, piece.slice], ast.Load())
    return ast.Lambda(ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, defaults), piece)


_METHODS = frozenset(
    {"add", "append", "appendleft", "clear", "difference_update", "discard", "extend", "extendleft", "insert"}
    | {"intersection_update", "pop", "popitem", "popleft", "remove", "rotate", "symmetric_difference_update", "update"}
)
_TAKING_OUT = frozenset({"pop", "popitem", "popleft"})
_SETTING_UP = frozenset({"__init__", "__new__", "__post_init__", "build"})
"""Methods that count while an object is made, which happens once."""
