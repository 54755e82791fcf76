"""Methods of lists, deques, dicts and strings: what they give, and what they change.

What they do with tensors is noted by `builtin_uses`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, get_args

from graphwright_analysis.tracing.facts.collections import LengthMethod
from graphwright_analysis.tracing.machine import allocation
from graphwright_analysis.tracing.machine.call import Call
from graphwright_analysis.tracing.machine.run import Run
from graphwright_analysis.tracing.machine.state import common
from graphwright_analysis.tracing.noting.list_changes import list_changed
from graphwright_analysis.tracing.reading import held_values
from graphwright_analysis.values.domain import (
    NONE,
    UNDEFINED,
    UNKNOWN,
    Constant,
    Entries,
    Items,
    Object,
    Scalar,
    Tensor,
    Tuple,
    Value,
)

from . import containers

_LENGTH_METHODS: frozenset[LengthMethod] = frozenset(get_args(LengthMethod))


def list_method(run: Run, receiver: Object, name: str, call: Call) -> Value:
    items = run.state.items(receiver.id) or Items(None)
    first = call.argument(0)
    if name in _LENGTH_METHODS:
        last = call.positional[-1] if call.positional else UNKNOWN
        element = held_values.element_of(run, first) if name == "extend" else last
        list_changed(run, call.frame, call.anchor, receiver, name, element)
    if name == "append":
        if items.known is not None and len(items.known) < 256:
            run.state.set_content(receiver.id, Items((*items.known, first)))
            containers.trim(run, receiver)
        else:
            run.state.set_content(receiver.id, Items(None, common(items, Items((first,)))))
        return NONE
    if name == "extend":
        containers.extend_list(run, receiver, first)
        containers.trim(run, receiver)
        return NONE
    if name == "pop" and items.known:
        index = first.value if isinstance(first, Constant) and isinstance(first.value, int) else -1
        exact = not call.positional or isinstance(first, Constant)
        if exact and -len(items.known) <= index < len(items.known):
            known = list(items.known)
            value = known.pop(index)
            run.state.set_content(receiver.id, Items(tuple(known)))
            return value
    if name in ("copy",):
        return allocation.new_list(run, call.frame, items.known, call.anchor, items.element)
    if name in ("index", "count"):
        return Scalar(int)
    element = common(items)
    run.state.set_content(receiver.id, Items(() if name == "clear" else None, UNKNOWN))
    return element if name in ("pop", "popleft") else NONE


def tensors_put(run: Run, name: str, call: Call) -> Iterable[tuple[Any, Value]]:
    """The tensors that a method puts into a dict, with their keys."""
    first = call.argument(0)
    given: list[tuple[Any, Value]] = list(call.named.items()) if name == "update" else []
    if name == "update" and isinstance(first, Object):
        entries = run.state.entries(first.id)
        given += entries.known if entries is not None else ()
    if name == "setdefault" and len(call.positional) == 2 and isinstance(first, Constant):
        given.append((first.value, call.positional[1]))
    return [(key, value) for key, value in given if isinstance(value, Tensor)]


def dict_method(run: Run, receiver: Object, name: str, call: Call) -> Value:
    entries = run.state.entries(receiver.id) or Entries(closed=False)
    key = call.argument(0)
    if name == "get" and isinstance(key, Constant):
        found = entries.get(key.value)
        missing = call.argument(1, missing=NONE)
        return missing if found is UNDEFINED else found
    if name in ("items", "keys", "values") and entries.closed:
        rows = {
            "items": tuple(Tuple((Constant(k), v)) for k, v in entries.known),
            "keys": tuple(Constant(k) for k, _ in entries.known),
            "values": tuple(v for _, v in entries.known),
        }
        return Tuple(rows[name])
    if name == "copy":
        return allocation.new_dict(run, entries)
    if name == "clear":
        run.state.set_content(receiver.id, Entries())
        return NONE
    if name == "pop" and isinstance(key, Constant):
        run.state.set_content(receiver.id, entries.without(key.value))
        found = entries.get(key.value)
        return UNKNOWN if found is UNDEFINED else found
    if name == "update":
        more = run.state.entries(key.id) if isinstance(key, Object) else Entries(closed=not call.positional)
        added = Entries(closed=False) if more is None else more
        for each, value in (*added.known, *call.named.items()):
            entries = entries.with_entry(each, value)
        run.state.set_content(receiver.id, entries if added.closed else Entries(closed=False))
        return NONE
    if name in ("pop", "popitem", "setdefault"):
        run.state.set_content(receiver.id, Entries(closed=False))
    return UNKNOWN


def string_method(text: str, name: str, arguments: Sequence[Value]) -> Value:
    if name in ("lower", "upper", "strip", "startswith", "endswith", "title", "lstrip", "rstrip"):
        plain = [a.value for a in arguments if isinstance(a, Constant)]
        if len(plain) == len(arguments):
            try:
                return Constant(getattr(text, name)(*plain))
            except Exception:
                return UNKNOWN
    return Scalar(str) if name in ("format", "join", "replace") else UNKNOWN
