"""Python state turned into a `tf.Variable`, and assignments that change a Variable's value."""

from __future__ import annotations

import re

from graphwright_analysis.text import Range
from graphwright_analysis.tracing import Place
from graphwright_analysis.tracing.facts import StateChanged, TensorLeaked, VariableReplaced
from graphwright_analysis.values.domain import Tensor, python_kind

_METHODS = {"+=": "assign_add", "-=": "assign_sub"}


def assign(replaced: VariableReplaced) -> tuple[Place, str] | None:
    """The statement as a call of `assign`, `assign_add` or `assign_sub`."""
    if replaced.operand is None or replaced.statement is None:
        return None
    target, operand = replaced.target, _text(replaced.operand)
    statement = _text(replaced.statement)
    if not re.match(rf"{re.escape(target)}\s*(?:[-+*/]?=)(?!=)", statement) or "\n" in statement:
        return None
    return replaced.statement, _assigned(target, replaced.how, operand)


def counter_to_variable(change: StateChanged, tensorflow: str | None) -> tuple[tuple[Place, str], ...] | None:
    """Edits that make a counter on an instance a Variable, where nothing else in its class uses it."""
    if change.how not in ("=", *_METHODS) or change.operand is None or change.statement is None:
        return None
    return _to_variable(change.target, change.how, change.created, change.statement, change.operand, tensorflow, ())


def leak_to_variable(leak: TensorLeaked, tensorflow: str | None) -> tuple[tuple[Place, str], ...] | None:
    """Edits that keep a tensor in a Variable; each other use of the attribute becomes its value."""
    if not leak.carried or leak.operand is None or leak.statement is None or leak.how not in ("=", *_METHODS):
        return None
    if not isinstance(leak.before, Tensor) and python_kind(leak.before) is not float:
        return None
    uses = _returns(leak.target, leak.statement)
    return _to_variable(leak.target, leak.how, leak.created, leak.statement, leak.operand, tensorflow, uses)


def _to_variable(
    target: str,
    how: str,
    created: Place | None,
    statement: Place,
    operand: Place,
    tensorflow: str | None,
    returned: tuple[tuple[Place, str], ...],
) -> tuple[tuple[Place, str], ...] | None:
    if created is None or created.value is None or tensorflow is None or created.block is not statement.block:
        return None
    if not target.startswith("self.") or not target[5:].isidentifier() or "\n" in _text(statement):
        return None
    block = statement.block
    uses = len(re.findall(rf"{re.escape(target)}\b", block.text))
    here = len(re.findall(rf"{re.escape(target)}\b", _text(statement)))
    if uses != here + 1 + len(returned) or f"{tensorflow}.Variable" in _text(created):
        return None
    value = Place(block, created.value)
    return (
        (value, f"{tensorflow}.Variable({_text(value)})"),
        (statement, _assigned(target, how, _text(operand))),
        *returned,
    )


def _returns(target: str, statement: Place) -> tuple[tuple[Place, str], ...]:
    """The `return self.x` after a statement, which is to give the value."""

    text = statement.block.text
    found = re.compile(rf"\n[ \t]*return ({re.escape(target)})[ \t]*(?=\n|$)").match(text, statement.range.end)
    if found is None:
        rest = text[statement.range.end :]
        comment = re.match(r"[ \t]*#[^\n]*", rest)
        start = statement.range.end + (comment.end() if comment else 0)
        found = re.compile(rf"\n[ \t]*return ({re.escape(target)})[ \t]*(?=\n|$)").match(text, start)
    if found is None:
        return ()
    return ((Place(statement.block, Range(found.start(1), found.end(1))), f"{target}.read_value()"),)


def _assigned(target: str, how: str, operand: str) -> str:
    if how in _METHODS:
        return f"{target}.{_METHODS[how]}({operand})"
    if how != "=":
        return f"{target}.assign({target} {how[:-1]} ({operand}))"
    sums = re.fullmatch(rf"{re.escape(target)}\s*([-+])\s*([\w.]+)", operand)
    if sums:
        return f"{target}.{_METHODS[sums.group(1) + '=']}({sums.group(2)})"
    return f"{target}.assign({operand})"


def _text(place: Place) -> str:
    return place.block.text[place.range.start : place.range.end]
