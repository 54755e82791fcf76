"""Errors that Python raises while it traces a branch or a loop body: nobody outside may catch them.

Eagerly they are raised only where the branch is taken, so a handler outside would run where it mustn't.
"""

from __future__ import annotations

import functools
import os
import traceback
from collections.abc import Callable
from contextvars import ContextVar
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

from graphwright.libraries import is_own_file, is_tensorflow_file

Given = ParamSpec("Given")
Result = TypeVar("Result")

_LEFT = "graphwright_left_branch"
"""The attribute of an exception that has left a branch or a loop body while it was traced."""
_left: ContextVar[list[str] | None] = ContextVar("graphwright_left_branches", default=None)
"""Of the user's code that is being traced: the errors that have left its branches and loop bodies, in words."""


def traced_code(code: Callable[[], Result]) -> Result:
    """Run code of the user's, and refuse what it gives if it has caught what left one of its branches.

    A converted `except` refuses that itself; this is for `__exit__` and for handlers in code that isn't converted.
    """
    outer, own = _left.get(), list[str]()
    token = _left.set(own)
    try:
        result = code()
    except Exception:
        if outer is not None:
            outer.extend(own)
        raise
    finally:
        _left.reset(token)
    if own:
        raise _refusal(f"{own[-1]} {_SOURCE}, but code outside catches it, such as a `with`. Put the handler into it")
    return result


def left_branch(branch: Callable[[], Any]) -> Any:
    """What a branch or a loop body gives; an exception that leaves it is marked."""
    try:
        return traced_code(branch)
    except Exception as error:
        error.__dict__[_LEFT] = True
        outer = _left.get()
        if outer is not None:
            outer.append(_in_words(error))
        raise


def settling(construct: Callable[Given, Result]) -> Callable[Given, Result]:
    """Mark a function that builds an `if` or a loop: where it returns, it has dealt with its branches' errors."""

    @functools.wraps(construct)
    def settled(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        outer = _left.get()
        count = len(outer) if outer is not None else 0
        result = construct(*args, **kwargs)
        if outer is not None:
            del outer[count:]
        return result

    return settled


def refuse_from_branch(error: BaseException | None) -> None:
    """Raise the error for an `except` outside of a branch that was left."""
    if error is not None and _LEFT in error.__dict__:
        raise _refusal(f"this `except` catches {_in_words(error)}, which {_SOURCE}. Put the `try` into it") from error


def refusal_of_handler(text: str, instead: str) -> TypeError:
    """The error for a handler that the graph can't have; no handler of the user's may catch it."""
    refusal = TypeError(f"{text}. {instead}")
    refusal.__dict__[_LEFT] = True
    if (outer := _left.get()) is not None:
        outer.append(_in_words(refusal))
    return refusal


_SOURCE = "comes from tracing a branch or a loop that the graph may not run"


def _refusal(text: str) -> TypeError:
    refusal = TypeError(f"{text}, or test before what raises")
    refusal.__dict__[_LEFT] = True
    return refusal


def _in_words(error: BaseException) -> str:
    kind, text = type(error).__name__, str(error).partition("\n")[0]
    place = _place(error.__traceback__)
    words = f"`{kind}: {text}`" if text else f"`{kind}`"
    return f"{words} ({place})" if place else words


def _place(trace: TracebackType | None) -> str:
    """The innermost line of the user's."""
    lines = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(trace)]
    users = [(file, line) for file, line in lines if not (is_own_file(file) or is_tensorflow_file(file))]
    return f"{os.path.basename(users[-1][0])}:{users[-1][1]}" if users else ""
