"""Runs functions of plain Python as they are written and converted, eagerly and in a trace, and says where they differ.

A function takes part by the decorator `program`. Compared are the result, what the function adds to `events`, and the
exception with its causes and contexts. Each call finds its module's globals as they were. Graphs are no concern here.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import graphwright as gw
import tensorflow as tf
from graphwright.conversion import converted_function

events: list[Any] = []
"""What a program notes while it runs: the order in which things are read, made and set."""


Convert = Callable[[Callable[..., Any]], Callable[..., Any]]


@dataclass(frozen=True)
class Program:
    """A function, and the arguments of each call."""

    function: Callable[..., Any]
    calls: tuple[tuple[Any, ...], ...]

    def __str__(self) -> str:
        return self.function.__name__


class Programs:
    """The programs of one test module."""

    def __init__(self) -> None:
        self.all: list[Program] = []

    def __call__(self, *calls: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """A decorator: the function is called once with each of `calls`, a tuple of arguments or the only one."""

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            each = tuple(call if isinstance(call, tuple) else (call,) for call in calls)
            self.all.append(Program(function, each or ((),)))
            return function

        return register


def differences(program: Program, convert: Convert) -> list[str]:
    """Each call that does something else once the function is converted."""
    found: list[str] = []
    for call in program.calls:
        outcomes: list[Any] = []
        for function in (program.function, convert(program.function)):
            with _same_globals(program.function.__globals__):
                outcomes.append(_outcome(function, call))
        written, converted = outcomes
        if written != converted:
            found.append(f"called with {call!r}: {converted} instead of {written}")
    return found


def eagerly(function: Callable[..., Any]) -> Callable[..., Any]:
    """The converted function as users call it outside of graphs."""
    return lambda *args: gw.to_graph(function)(*args)


def in_a_trace(function: Callable[..., Any]) -> Callable[..., Any]:
    """The converted function with its Python arguments while a graph is built."""

    def call(*args: Any) -> Any:
        results: list[Any] = []
        errors: list[Exception] = []

        def traced() -> None:
            try:
                results.append(converted_function(function)(*args))
            except Exception as error:  # tf.function would take its cause away
                errors.append(error)

        tf.function(traced, autograph=False)()
        if errors:
            raise errors[0]
        return results[0]

    return call


def _outcome(function: Callable[..., Any], call: tuple[Any, ...]) -> tuple[str, list[str]]:
    events.clear()
    try:
        result = repr(function(*copy.deepcopy(call)))
    except Exception as error:
        result = _chain(error)
    return result, [repr(event) for event in events]


@contextlib.contextmanager
def _same_globals(module: dict[str, Any]) -> Iterator[None]:
    before = dict(module)
    try:
        yield
    finally:
        module.clear()
        module.update(before)


def _chain(error: BaseException | None) -> str:
    if error is None:
        return "nothing"
    hidden = ", hidden" if error.__suppress_context__ else ""
    return f"{error!r} from {_chain(error.__cause__)} in {_chain(error.__context__)}{hidden}"
