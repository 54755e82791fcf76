"""Leaves a user's objects as they were before a trace, which may set their attributes and change their lists.

What a trace can reach isn't known beforehand: it is what its arguments and the names in its functions lead to.
"""

from __future__ import annotations

import types
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, cast

from .closures import closure_of
from .libraries import is_library_class, is_library_value
from .twins import codes_below, original_of

_MOST = 20_000


@contextmanager
def undisturbed(function: types.FunctionType, arguments: Iterable[Any]) -> Generator[None, None, None]:
    """While a function is traced: afterwards, what it may have changed is put back."""
    globals_before = dict(function.__globals__)
    before = list(_contents([function, *arguments]))
    try:
        yield
    finally:
        for held, content in before:
            _put_back(held, content)
        _put_back(function.__globals__, globals_before)


def _put_back(held: Any, content: Any) -> None:
    if isinstance(held, list):
        items = cast("list[Any]", held)
        if len(items) != len(content) or any(a is not b for a, b in zip(items, content, strict=True)):
            items[:] = content
    elif isinstance(held, dict):
        known = cast("dict[Any, Any]", held)
        if list(known) != list(content) or any(known[key] is not content[key] for key in content):
            known.clear()
            known.update(content)
    elif isinstance(held, set):
        held.clear()
        cast("set[Any]", held).update(content)


def _contents(roots: list[Any]) -> Iterator[tuple[Any, Any]]:
    """The lists, dicts and sets that objects lead to, each with a copy."""
    waiting, known = list(roots), set[int]()
    while waiting and len(known) < _MOST:
        held = waiting.pop()
        if id(held) in known:
            continue
        known.add(id(held))
        if isinstance(held, (types.FunctionType, types.MethodType)):
            waiting += _read_by(held)
        elif isinstance(held, (list, dict, set)):
            copy: Any = cast(Any, held).copy()
            yield held, copy
            waiting += copy.values() if isinstance(copy, dict) else copy
        elif isinstance(held, tuple):
            waiting += held
        elif not isinstance(held, (type, types.ModuleType)) and not is_library_class(cast(Any, type(held))):
            waiting.append(getattr(held, "__dict__", None))


def _read_by(held: Any) -> list[Any]:
    """What a function or method may read."""
    owner = getattr(held, "__self__", None)
    function = original_of(getattr(held, "__func__", held))
    if not isinstance(function, types.FunctionType) or is_library_value(function):
        return [owner]
    codes = [function.__code__, *codes_below(function.__code__)]
    names = {name for code in codes for name in code.co_names}
    found: list[Any] = [owner, *(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    found += [function.__globals__[name] for name in names if name in function.__globals__]
    return [*found, *closure_of(function).values()]
