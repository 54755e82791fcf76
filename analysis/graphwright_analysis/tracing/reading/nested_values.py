"""Lists and dicts of the state as plain nested values, for facts in which structures are compared."""

from __future__ import annotations

import ast

from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import State
from graphwright_analysis.values.domain import Entries, Items, Object, Tensor, Tuple, Value, python_kind
from graphwright_analysis.values.structures import Structure, carried

_DEPTH = 4


def opened(state: State, value: Value, depth: int = _DEPTH) -> Value:
    """The value with lists and dicts laid open as far as their content is known."""
    if not depth:
        return value
    if isinstance(value, Tuple):
        return Tuple(tuple(opened(state, item, depth - 1) for item in value.items), value.fields)
    if not isinstance(value, Object):
        return value
    items, entries = state.items(value.id), state.entries(value.id)
    if items is not None and items.known is not None and value.kind == "list" and len(items.known) <= 64:
        return Structure("list", tuple(opened(state, item, depth - 1) for item in items.known))
    if entries is not None and entries.closed and len(entries.known) <= 64:
        held = sorted(((repr(key), content) for key, content in entries.known), key=lambda pair: pair[0])
        return Structure("dict", tuple(opened(state, part, depth - 1) for _, part in held), tuple(k for k, _ in held))
    return value


def changed_in_place(before: Value, after: Value) -> bool:
    """Whether both are one list or dict, whatever it holds by now."""
    return isinstance(before, Object) and before == after


def changed_inside(before: State, first: Value, after: State, second: Value) -> bool:
    """Whether both are one list or dict that doesn't hold the same any more."""
    if not changed_in_place(first, second) or not isinstance(first, Object):
        return False
    return before.items(first.id) != after.items(first.id) or before.entries(first.id) != after.entries(first.id)


def carry(state: State, value: Value, widens: bool, depth: int = _DEPTH) -> Value:
    """Make tensors of the numbers in a list or dict that a loop carries; the value itself where it is a number.

    With `widens` nobody knows which dtype an int gets.
    """
    if widens and python_kind(value) is int:
        return Tensor(None, ())
    if not isinstance(value, Object) or not depth:
        return carried(value)
    items, entries = state.items(value.id), state.entries(value.id)
    if items is not None and items.known is not None and value.kind == "list":
        state.set_content(value.id, Items(tuple(carry(state, item, widens, depth - 1) for item in items.known)))
    elif entries is not None:
        known = tuple((key, carry(state, part, widens, depth - 1)) for key, part in entries.known)
        state.set_content(value.id, Entries(known, entries.closed))
    return value


def carry_entry(state: State, holder: Value, step: str, widens: bool) -> None:
    """The same for one entry such as `['k']` or `[0]`."""
    if not isinstance(holder, Object) or not step.startswith("["):
        return
    key = ast.literal_eval(step[1:-1])
    items, entries = state.items(holder.id), state.entries(holder.id)
    if entries is not None and any(known == key for known, _ in entries.known):
        state.set_content(holder.id, entries.with_entry(key, carry(state, entries.get(key), widens)))
        return
    known = list(items.known) if items is not None and items.known is not None else []
    if isinstance(key, int) and -len(known) <= key < len(known):
        known[key] = carry(state, known[key], widens)
        state.set_content(holder.id, Items(tuple(known)))


def laid_open(run: Run, value: Value, depth: int = 3) -> Value:
    """The value with lists and dicts as tuples of what they hold now, where that is known."""
    if isinstance(value, Tuple):
        return Tuple(tuple(laid_open(run, item, depth) for item in value.items), value.fields) if depth else value
    if not isinstance(value, Object) or not depth:
        return value
    items, entries = run.state.items(value.id), run.state.entries(value.id)
    if items is not None and items.known is not None and len(items.known) <= 64:
        return Tuple(tuple(laid_open(run, item, depth - 1) for item in items.known))
    if entries is not None and entries.closed:
        return Tuple(tuple(laid_open(run, held, depth - 1) for _, held in entries.known))
    return value
