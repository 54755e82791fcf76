"""Generators that converted code has called: which function made them, and from what arguments.

It runs none of them.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import types
import weakref
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from graphwright.runtime.basis.context import is_staging
from graphwright.runtime.basis.older_iterators import readable_here

calling: Callable[[types.FunctionType], tuple[Callable[..., Any], str] | None] | None = None
"""Gives a generator function that calls the body of a loop, and what decides in it; set by `conversion`."""


@dataclass(frozen=True)
class GeneratorCall:
    """A call that has made a generator."""

    function: types.FunctionType
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


_functions: weakref.WeakKeyDictionary[Any, types.FunctionType] = weakref.WeakKeyDictionary()
"""Of each generator, the user's function that has made it. The arguments are in its frame: only that holds them."""


def noting(function: types.FunctionType, twin: types.FunctionType) -> Any:
    """What is called instead of a generator function: its twin, whose calls are known while a graph is built."""
    if not function.__code__.co_flags & inspect.CO_GENERATOR:
        return twin

    @functools.wraps(twin)
    def call(*args: Any, **kwargs: Any) -> Any:
        made = twin(*args, **kwargs)
        if is_staging():
            _functions[made] = function
        return made

    return call


def call_of(generator: Any) -> GeneratorCall | None:
    """The call that has made a generator, if no item of it has been taken."""
    if cast("Any", type(generator)) is not types.GeneratorType:
        return None
    if inspect.getgeneratorstate(generator) != inspect.GEN_CREATED:
        return None
    function = _functions.get(generator)
    return None if function is None else GeneratorCall(function, *_arguments(generator))


def _arguments(generator: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What a generator was made from that hasn't run yet."""
    code, found = generator.gi_code, generator.gi_frame.f_locals
    values = dict(found)
    if isinstance(found, dict):
        found.clear()  # Before Python 3.13 it is a copy, which the frame would keep.
    names, count = iter(code.co_varnames), code.co_argcount
    args = [values[name] for name in itertools.islice(names, count)]
    kwargs = {name: values[name] for name in itertools.islice(names, code.co_kwonlyargcount)}
    if code.co_flags & inspect.CO_VARARGS:
        args += values[next(names)]
    if code.co_flags & inspect.CO_VARKEYWORDS:
        kwargs.update(values[next(names)])
    return tuple(args), kwargs


def enumerated(items: Any, start: Any) -> Any:
    """`enumerate(items, start)` of such a generator."""
    return noting(_enumerated, _enumerated)(items, start)


def mapped(function: Any, items: Any) -> Any:
    """`map(function, items)`."""
    return noting(_mapped, _mapped)(function, items)


def filtered(function: Any, items: Any) -> Any:
    """`filter(function, items)`."""
    return noting(_filtered, _filtered)(function, items)


def taken_while(function: Any, items: Any) -> Any:
    """`itertools.takewhile(function, items)`."""
    readable_here(items)
    if not is_staging():
        return itertools.takewhile(function, items)
    return noting(_taken_while, _taken_while)(function, items)


def sliced(items: Any, *numbers: Any) -> Any:
    """`itertools.islice(items, stop)`."""
    readable_here(items)
    if len(numbers) != 1 or not isinstance(numbers[0], int) or call_of(items) is None:
        return itertools.islice(items, *numbers)
    return noting(_sliced, _sliced)(items, numbers[0])


# What follows is converted, as a user's code would be.


def _enumerated(items: Iterable[Any], start: Any) -> Iterator[Any]:
    for item in items:
        yield start, item
        start += 1


def _mapped(function: Any, items: Iterable[Any]) -> Iterator[Any]:
    for item in items:
        yield function(item)


def _filtered(function: Any, items: Iterable[Any]) -> Iterator[Any]:
    for item in items:
        if function(item) if function is not None else item:
            yield item


def _taken_while(function: Any, items: Iterable[Any]) -> Iterator[Any]:
    for item in items:
        if not function(item):
            return
        yield item


def _sliced(items: Iterable[Any], stop: Any) -> Iterator[Any]:
    if stop > 0:
        for item in items:
            yield item
            stop -= 1
            if stop <= 0:
                return
