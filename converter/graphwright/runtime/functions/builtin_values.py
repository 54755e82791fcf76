"""Builtins that reach a call as values (`size = len; size(x)`), and methods of lists and dicts."""

from __future__ import annotations

import functools
from typing import Any

from graphwright.runtime.basis.births import COLLECTIONS, changing, note_new
from graphwright.runtime.basis.older_iterators import refuse_older
from graphwright.runtime.functions import random_draws
from graphwright.runtime.lists.joined_texts import is_join, join
from graphwright.runtime.lists.list_methods import sort_in_place
from graphwright.runtime.state import partial_dicts
from graphwright.runtime.state.noting import is_noting
from graphwright.runtime.text.printing import is_write, write

builtin_operators: dict[Any, Any] = {}
"""What is called instead of a builtin; set by the package."""


def overloaded(function: Any) -> Any:
    """What is called instead of a function in code whose calls aren't converted: builtins work on tensors there too."""
    try:
        return builtin_operators.get(function, function)
    except TypeError:
        return function


def method_of(function: Any) -> Any:
    """What is called instead of a built-in function or a method of a built-in class."""
    owner: Any = function.__self__
    if function.__name__ == "sort" and owner.__class__ is list:
        return functools.partial(sort_in_place, owner)
    if is_join(function):
        return functools.partial(join, owner)
    if is_noting():
        if (instead := done_by_graph(function)) is not None:
            return instead
        if notes_itself(function):
            return functools.partial(_change, owner, function)
        if function.__name__ in ("send", "throw") and hasattr(owner, "__next__"):
            refuse_older(owner, function.__name__)
        if function.__name__ == "copy" and owner.__class__ in (list, dict):
            return functools.partial(_copied, partial_dicts.method_of(function))
    return partial_dicts.method_of(function)


def done_by_graph(method: Any) -> Any:
    """What a branch or loop calls instead of a method that writes, draws or reads a clock whenever it runs, or None."""
    if is_write(method):
        return functools.partial(write, method.__self__)
    return random_draws.told(method) if random_draws.draws(method) else None


def notes_itself(method: Any) -> bool:
    """Whether a method changes a list, a dict or another collection, and is called so that this is noted."""
    return method.__name__ in _CHANGING and isinstance(method.__self__, (list, dict, *COLLECTIONS))


def _change(owner: Any, method: Any, /, *arguments: Any, **options: Any) -> Any:
    """A method that changes what it is of, which may be a list that a graph makes longer by now."""
    now = changing(owner)
    method = partial_dicts.method_of(method) if now is owner else getattr(now, method.__name__)
    return method(*arguments, **options)


def _copied(method: Any) -> Any:
    """A copy of a list or dict, known to be new."""
    made = method()
    note_new(made)
    return made


_CHANGING = frozenset(
    {
        *("append", "extend", "insert", "pop", "remove", "reverse", "clear", "update", "setdefault", "popitem"),
        *("add", "discard", "appendleft", "extendleft", "popleft", "rotate", "__setitem__", "__delitem__"),
    }
)
