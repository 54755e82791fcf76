"""Which attributes, items and outer variables a function reads, and where that may reach its result.

A piece of state is what a chain of attributes and items leads to. It is known by its text.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from .syntax_trees import children_of, is_operator, loaded, walk


@dataclass(frozen=True)
class StateChange:
    """A part of a function that changes a piece of state.

    The mode says how: "counted" by its old value, "grown" in place, "set" or "reset" without its old value,
    "advanced" to the next item, "kept" if it is set only once.
    """

    part: ast.AST
    target: Any
    text: str
    mode: str

    @property
    def line(self) -> int:
        return cast(Any, self.part).lineno


@dataclass
class StateReads:
    """The lines where each piece of state is read, by what it is read for."""

    values: dict[str, set[int]] = field(default_factory=dict[str, set[int]])
    parts: dict[str, set[int]] = field(default_factory=dict[str, set[int]])
    """Only an item with a known key is read."""
    deciding: dict[str, set[int]] = field(default_factory=dict[str, set[int]])
    """It decides what follows, with a result."""
    asked: dict[str, set[int]] = field(default_factory=dict[str, set[int]])
    """It decides what else happens, without a result."""
    kept: dict[str, set[int]] = field(default_factory=dict[str, set[int]])
    """It decides only what else is set."""
    own: dict[str, set[int]] = field(default_factory=dict[str, set[int]])
    """The value that it is set to has it."""
    ordered: dict[str, list[tuple[int, frozenset[str]]]] = field(default_factory=dict[str, Any])
    """It is compared, to decide what else is set."""
    gets: dict[str, set[int]] = field(default_factory=dict[str, set[int]])
    used: set[int] = field(default_factory=set[int])
    """The parts that change something and give what they take out."""

    def of_counted(self, text: str, is_grown: bool) -> bool:
        """Whether something is read anywhere, or what it is in."""
        if text in self.values or text in self.deciding or text in (self.parts if is_grown else self.asked):
            return True
        holder = _holder(text)
        return bool(holder) and holder in self.values

    def before(self, text: str, begin: int | None, last: int) -> bool:
        """Whether the value that something has at first is read, and reaches a result."""
        own, values, deciding = (lines.get(text, set[int]()) for lines in (self.own, self.values, self.deciding))
        lines = (values - own) | deciding | (own if values - own else set[int]())
        return any(line <= last and (begin is None or line <= begin) for line in lines)

    def ordered_before(self, text: str, begin: int | None, last: int) -> bool:
        """Whether the value that something has at first decides whether it is set, and reaches a result then."""
        for line, decided in self.ordered.get(text, ()):
            if line <= last and (begin is None or line <= begin) and any(each in self.values for each in decided):
                return True
        return False

    def tested(self, text: str, begin: int | None, last: int, is_item: bool) -> bool:
        """Whether something is set only if it wasn't yet."""
        holder = _holder(text) if is_item else ""
        lines = {line for known in (self.kept, self.asked, self.deciding) for line in known.get(text, set[int]())}
        for known in (self.kept, self.asked, self.deciding, self.gets) if holder else ():
            lines |= known.get(holder, set())
        return any(line <= last and (begin is None or line <= begin) for line in lines)


def reads_of(function: Any, changes: Iterable[StateChange], alias: str) -> StateReads:
    """All that is read where it may reach a result: not what is only printed or checked."""
    changing = {id(change.part): change for change in changes}
    found = StateReads()
    waiting: list[tuple[Any, dict[str, set[int]]]] = [(part, found.values) for part in reversed(function.body)]
    while waiting:
        part, kind = waiting.pop()
        if isinstance(part, (ast.Assert, ast.JoinedStr)) or _is_report(part):
            continue
        change = changing.get(id(part))
        if isinstance(part, ast.Expr):
            waiting += [(each, kind) for each in _of_statement(part, changing)]
            continue
        if change is not None:
            if change.mode in ("grown", "advanced"):
                found.used.add(id(part))
            waiting += [(each, kind) for each in _of_change(part, change, found, alias)]
            continue
        if isinstance(part, ast.If):
            waiting += _of_if(part, found, kind, changing, alias)
            continue
        _add(part, kind, found, alias)
        waiting += [(below, kind) for below in _below(part, alias)]
    return found


def _of_statement(statement: ast.Expr, changing: dict[int, StateChange]) -> list[Any]:
    """What is read in a call whose result nobody uses."""
    call: Any = statement.value
    function = call.func if isinstance(call, ast.Call) else None
    if isinstance(function, ast.Call) and len(function.args) == 1:
        function = function.args[0]
    if id(function) in changing:
        return [*call.args, *[keyword.value for keyword in call.keywords]]
    return [*call.args[1:]] if id(call) in changing else [call]


def _of_change(part: Any, change: StateChange, found: StateReads, alias: str) -> list[Any]:
    if change.mode == "counted" or isinstance(part, ast.Attribute):
        return []
    if isinstance(part, ast.Call):
        return part.args[1:]
    value = getattr(part, "value", None)
    if value is None:
        return []
    if not isinstance(value, ast.Tuple):
        own = [each.lineno for each in cast(Any, walk(value)) if text_of(each, alias) == change.text]
        found.own.setdefault(change.text, set()).update(own)
    return [value]


def _of_if(
    part: Any, found: StateReads, kind: Any, changing: dict[int, StateChange], alias: str
) -> list[tuple[Any, Any]]:
    """An `if`, or the pair of one that the graph may decide, whose operator says whether it has results."""
    if all(_only_changes(each, changing, alias) for each in [*part.body, *part.orelse]):
        tested = found.kept
    else:
        tested = found.deciding if _has_results(part, alias) else found.asked
    if tested is not found.deciding:
        _add_compared(part, found, changing, alias)
    return [(part.test, tested), *[(each, kind) for each in [*part.body, *part.orelse]]]


def _add_compared(part: Any, found: StateReads, changing: dict[int, StateChange], alias: str) -> None:
    """What a test without results compares, with the state that it decides."""
    compared = [each for each in walk(part.test) if isinstance(each, ast.Compare) and isinstance(each.ops[0], _ORDERS)]
    if compared:
        below = walk(*part.body, *part.orelse)
        decided = frozenset(changing[id(each)].text for each in below if id(each) in changing)
        for each in cast(Any, walk(*compared)):
            if text := text_of(each, alias):
                found.ordered.setdefault(text, []).append((each.lineno, decided))


def _has_results(part: Any, alias: str) -> bool:
    for each in part.body:
        if isinstance(each, (ast.Assign, ast.Return)) and _is_if(each.value, alias):
            return True
        if isinstance(each, ast.Return):
            return True
    return False


def _is_if(value: Any, alias: str) -> bool:
    return isinstance(value, ast.Call) and is_operator(value.func, alias) and cast(Any, value.func).attr == "if_"


def _only_changes(statement: Any, changing: dict[int, StateChange], alias: str) -> bool:
    """Whether a statement only keeps state in order, or prints."""
    if isinstance(statement, ast.FunctionDef):
        return all(_only_changes(each, changing, alias) for each in statement.body)
    if isinstance(statement, ast.If):
        return all(_only_changes(each, changing, alias) for each in [*statement.body, *statement.orelse])
    if isinstance(statement, ast.Expr):
        call = statement.value
        return _is_if(call, alias) or _is_report(call) or any(id(part) in changing for part in walk(call))
    return isinstance(statement, ast.Pass) or id(statement) in changing


def _add(part: Any, kind: dict[str, set[int]], found: StateReads, alias: str) -> None:
    if isinstance(part, ast.Attribute) and part.attr == "get":
        found.gets.setdefault(text_of(part.value, alias), set()).add(part.lineno)
    text = text_of(part, alias) if isinstance(getattr(part, "ctx", None) or ast.Load(), ast.Load) else ""
    if text:
        kind.setdefault(text, set()).add(part.lineno)
        holder = _holder(text)
        if holder:
            found.parts.setdefault(holder, set()).add(part.lineno)


def _below(part: Any, alias: str) -> list[Any]:
    """What is in a part; of an item with a known key, not what it is in."""
    if isinstance(part, ast.Attribute) and part.attr == "get":
        return [part.value.value] if isinstance(part.value, ast.Attribute) else []
    item = item_of(part, alias)
    if item is None or not isinstance(item[1], ast.Constant) or not text_of(part, alias):
        return children_of(part)
    return [] if isinstance(item[0], ast.Call) else children_of(item[0])


def _is_report(part: ast.AST) -> bool:
    """Whether it prints, logs or makes text."""
    function: Any = part.func if isinstance(part, ast.Call) else None
    return (getattr(function, "attr", None) or getattr(function, "id", "")) in _REPORTS


def item_of(part: Any, alias: str) -> tuple[Any, Any] | None:
    """What an item is in and its key, if a part reads or sets one."""
    if isinstance(part, ast.Subscript):
        return part.value, part.slice
    if isinstance(part, ast.Call) and is_operator(part.func, alias) and cast(Any, part.func).attr == "get_item":
        return (part.args[0], part.args[1]) if len(part.args) == 2 else None
    return None


def text_of(part: Any, alias: str) -> str:
    """How a piece of state is written; no text if a part isn't one."""
    if part.__class__ is ast.Name:
        return part.id if part.id != alias else ""
    if part.__class__ is ast.Attribute:
        base = text_of(part.value, alias)
        return base and f"{base}.{part.attr}"
    item = item_of(part, alias)
    if item is None or not isinstance(item[1], (ast.Constant, ast.Name)):
        return ""
    base = text_of(item[0], alias)
    return base and f"{base}[{ast.unparse(item[1])}]"


def root_of(target: Any) -> Any:
    """The name that a chain of attributes and items begins with."""
    while not isinstance(target, ast.Name):
        target = target.args[0] if isinstance(target, ast.Call) else target.value
    return target


def parts_of_piece(target: Any) -> Any:
    """An expression that reads a piece of state."""
    if isinstance(target, ast.Call):
        return ast.Subscript(parts_of_piece(target.args[0]), loaded(target.args[1]), ast.Load())
    if isinstance(target, ast.Subscript):
        return ast.Subscript(parts_of_piece(target.value), loaded(target.slice), ast.Load())
    if isinstance(target, ast.Attribute):
        return ast.Attribute(parts_of_piece(target.value), target.attr, ast.Load())
    return ast.Name(target.id, ast.Load())


def holders_of(text: str) -> Iterator[str]:
    """What a piece of state is in, the nearest first."""
    while "." in text or "[" in text:
        text = text.rpartition("[" if text.endswith("]") else ".")[0]
        yield text


def _holder(text: str) -> str:
    return text.rpartition("[")[0] if text.endswith("]") else ""


_REPORTS = frozenset({"print", "debug", "info", "warning", "error", "warn", "log", "str", "repr", "format"})
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
