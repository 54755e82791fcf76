"""What sorts by the graph in the middle of a statement: a statement of its own in front, which can be written.

Before:

    for score, place in sorted(zip(scores, places), key=lambda pair: pair[0], reverse=True)[:2]:
        ...
    best = min(points, key=lambda point: tf.norm(point))
    last = max((x for x in xs if x > 0), default=0.0)

After:

    found = list(zip(scores, places))
    ordered = sorted(found, key=lambda pair: pair[0], reverse=True)
    for score, place in ordered[:2]:
        ...
    ordered_2 = sorted(points, key=lambda point: tf.norm(point))
    best = ordered_2[0]
    found_2 = [x for x in xs if x > 0]
    last = max(found_2, default=0.0)

How that statement sorts, and which calls are written so, is decided in `sorting`.
"""

from __future__ import annotations

from typing import Any

import gast
from graphwright_analysis.flow.tree import children, kind_of

from graphwright.eject.flags import FlaggedText
from graphwright.eject.source_edits import SourceEdits, Unsuited, free_name
from graphwright.passes.calls import dotted
from graphwright.passes.unit import walk


def with_order(text: str, function: Any, place: tuple[int, int]) -> FlaggedText | None:
    """The text of a function with the call at a place in front of its statement; None where that can't be done."""
    calls = (part for part in walk(function) if isinstance(part, gast.Call))
    call = next((part for part in calls if (part.lineno, part.col_offset) == place and sorts(part)), None)
    try:
        if call is not None and named_key(call) is not None:
            return _WithLambda(text, function, named_key(call)).result()
        return None if call is None else _Ordering(text, function, call).result()
    except Unsuited:
        return None


def name_of(node: Any) -> str:
    """Which of `sorted`, `max` and `min` a node calls; empty for anything else."""
    name = str(getattr(node.func, "id", "")) if isinstance(node, gast.Call) else ""
    return name if name in ("sorted", "max", "min") else ""


def sorts(node: Any) -> bool:
    """Whether a node calls `sorted`, `max` or `min`, or the `sort` of something."""
    is_method = isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr == "sort"
    return is_method or bool(name_of(node))


def named_key(call: Any) -> Any:
    """The key of a call that sorts, where it is written as the name of a function; None for any other."""
    keys = (keyword.value for keyword in call.keywords if keyword.arg == "key")
    return next((key for key in keys if isinstance(key, (gast.Name, gast.Attribute))), None)


class _WithLambda(SourceEdits):
    """A key with a name, as a lambda that calls it: `key=cost` becomes `key=lambda item: cost(item)`."""

    def __init__(self, text: str, function: Any, key: Any) -> None:
        super().__init__(text, function)
        self.key, self.item = (
            key,
            free_name("item", {part.id for part in walk(function) if isinstance(part, gast.Name)}),
        )

    def replaced(self, node: Any) -> str | None:
        if node is not self.key:
            return None
        start, end = self.span(node)
        return f"lambda {self.item}: {self.text[start:end]}({self.item})"


class _Ordering(SourceEdits):
    """One call, and the statement that it is written in front of."""

    def __init__(self, text: str, function: Any, call: Any) -> None:
        super().__init__(text, function)
        taken = {part.id for part in walk(function) if isinstance(part, gast.Name)}
        self.call: Any = call
        self.statement: Any = self._statement()
        self.found, self.ordered = free_name("found", taken), free_name("ordered", taken)
        start, column = self.starts[int(self.statement.lineno) - 1], int(self.statement.col_offset)
        self.indent = text[start : start + column]
        is_done = isinstance(self.statement, gast.Assign) and self.statement.value is call and name_of(call) == "sorted"
        if self.indent.strip() or (is_done and isinstance(call.args[0], gast.Name)):
            raise Unsuited

    def edits(self, node: Any) -> list[tuple[int, int, str]]:
        """The lines in front, besides what is written instead of the call."""
        if node is not self.statement:
            return super().edits(node)
        start, _ = self.span(node)
        before = "".join(f"{line}\n{self.indent}" for line in self._lines())
        return [(start, start, before), *super().edits(node)]

    def replaced(self, node: Any) -> str | None:
        if node is not self.call:
            return None
        if self._has_default():
            return f"{name_of(node)}({self.found}{self._keywords()})"
        return self.ordered if name_of(node) == "sorted" else f"{self.ordered}[0]"

    def _lines(self) -> list[str]:
        items, lines = self.call.args[0], list[str]()
        name = getattr(items, "id", self.found)
        if not isinstance(items, gast.Name):
            text = self.read(items)
            if isinstance(items, gast.GeneratorExp):
                text = f"[{text[1:-1] if text[0] == '(' else text}]"
            elif not isinstance(items, (gast.List, gast.ListComp)):
                text = f"list({text})"
            lines.append(f"{name} = {text}")
        if self._has_default():
            return lines
        reverse = ", reverse=True" if name_of(self.call) == "max" else ""
        return [*lines, f"{self.ordered} = sorted({name}{self._keywords()}{reverse})"]

    def _has_default(self) -> bool:
        return any(keyword.arg == "default" for keyword in self.call.keywords)

    def _keywords(self) -> str:
        return "".join(f", {keyword.arg}={self.read(keyword.value)}" for keyword in self.call.keywords)

    def _statement(self) -> Any:
        """The statement that evaluates the call before anything that it might change."""
        node: Any = self.call
        while node in self.parents:
            parent = self.parents[node]
            if kind_of(parent) in _STATEMENTS:
                if node is not getattr(parent, _STATEMENTS[kind_of(parent)]) or not self._begins(parent):
                    raise Unsuited
                return parent
            if kind_of(parent) not in _EXPRESSIONS or not _evaluates_first(parent, node):
                raise Unsuited
            node = parent
        raise Unsuited

    def _begins(self, statement: Any) -> bool:
        """Whether a line can be written in front of a statement; an `elif` isn't one."""
        is_plain = not isinstance(statement, gast.AugAssign) or isinstance(statement.target, gast.Name)
        return is_plain and not self.text.startswith("elif", self.span(statement)[0])


def _evaluates_first(parent: Any, node: Any) -> bool:
    """Whether Python always evaluates a part of an expression, and before it only reads names."""
    if isinstance(parent, gast.BoolOp):
        return node is parent.values[0]
    if isinstance(parent, gast.IfExp):
        return node is parent.test
    if isinstance(parent, gast.Compare):
        return node in (parent.left, parent.comparators[0]) and _reads_only(parent.left, node)
    if isinstance(parent, (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)):
        return node is parent.generators[0]
    if isinstance(parent, gast.comprehension):
        return node is parent.iter
    earlier = children(parent)
    return all(_reads_only(each, node) for each in earlier[: earlier.index(node)])


def _reads_only(part: Any, node: Any) -> bool:
    return part is node or all(kind_of(each) in _READS or _is_plain_call(each) for each in walk(part))


def _is_plain_call(node: Any) -> bool:
    called = (dotted(node.func) or "").rpartition(".") if isinstance(node, gast.Call) else None
    is_plain = called is not None and (called[2] == "constant" if called[1] else called[2] in _PLAIN)
    return is_plain or isinstance(node, gast.keyword)


_STATEMENTS = {
    "Assign": "value",
    "AnnAssign": "value",
    "AugAssign": "value",
    "Return": "value",
    "Expr": "value",
    "For": "iter",
    "If": "test",
}
"""The expression of a statement that is evaluated first."""

_EXPRESSIONS = frozenset(
    {"Tuple", "List", "Call", "keyword", "BinOp", "UnaryOp", "Subscript", "Attribute", "Starred"}
    | {"Compare", "BoolOp", "IfExp", "comprehension", "ListComp", "SetComp", "DictComp", "GeneratorExp"}
)
_READS = frozenset(
    {"Name", "Constant", "Load", "Store", "Attribute", "Subscript", "Add", "Sub", "Mult", "Div", "USub", "Not"}
    | {"Tuple", "List", "ListComp", "comprehension", "BinOp", "UnaryOp", "Compare", "Eq", "NotEq"}
    | {"Lt", "LtE", "Gt", "GtE", "Is", "IsNot", "Lambda", "arguments", "Param"}
)
_PLAIN = frozenset({"abs", "len", "max", "min", "sum"})
"""Functions whose calls change nothing."""
