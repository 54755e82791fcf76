"""A live function with flags for the names that are None at first, in a file of its own while it is looked at."""

from __future__ import annotations

import linecache
import types
from collections.abc import Generator
from contextlib import contextmanager

from graphwright.eject.condition_steps import with_steps
from graphwright.eject.early_ends import with_flag
from graphwright.eject.flags import Flagged, FlaggedText, with_flags
from graphwright.errors import ConversionError
from graphwright.pipeline import FunctionSource


@contextmanager
def made(function: types.FunctionType, source: FunctionSource, flagged: Flagged) -> Generator[types.FunctionType]:
    """The function with flags; what is refused in it is said of the user's lines."""
    if flagged.loop:
        text = with_flag(source.text, source.node, flagged.loop)
    elif flagged.condition:
        text = with_steps(source.text, source.node, flagged.condition)
    else:
        text = with_flags(source.text, source.node, flagged.starts)
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)
    first, count = source.first_line - 1, len(source.text.splitlines())
    is_whole = [line.rstrip() for line in lines[first : first + count]] == [
        line.rstrip() for line in source.text.splitlines()
    ]
    if text is None or not is_whole or code.co_freevars or function.__name__ in code.co_names:
        raise flagged.refusal
    whole = [*lines[:first], *text.text.splitlines(keepends=True), *lines[first + count :]]
    file = f"{code.co_filename} with flags"
    linecache.cache[file] = sum(map(len, whole)), None, whole, file
    try:
        yield _function(function, "".join(whole), file, flagged)
    except ConversionError as error:
        if error.file != file:
            raise
        if flagged.loop or flagged.condition or any(f"has_{name}`" in error.reason for name in flagged.starts):
            raise flagged.refusal from None
        raise ConversionError(error.reason, code.co_filename, _line_of(text, first, error.line)) from None
    finally:
        del linecache.cache[file]


def _line_of(text: FlaggedText, first: int, line: int) -> int:
    """The line of the user's file for one of the other."""
    number = line - first - 1
    if number < 0:
        return line
    return text.lines[number] + first if number < len(text.lines) else line - len(text.lines) + text.lines[-1]


def _function(function: types.FunctionType, text: str, file: str, flagged: Flagged) -> types.FunctionType:
    """The function of the same name in a text, with the same globals and defaults."""
    for constant in compile(text, file, "exec", dont_inherit=True).co_consts:
        same_name = isinstance(constant, types.CodeType) and constant.co_name == function.__name__
        if same_name and constant.co_firstlineno == function.__code__.co_firstlineno:
            made = types.FunctionType(constant, function.__globals__, function.__name__, function.__defaults__)
            made.__kwdefaults__, made.__module__ = function.__kwdefaults__, function.__module__
            return made
    raise flagged.refusal
