"""Live functions with other texts, each in a file of its own while the function that calls them is looked at.

What is written in a text is decided in `flags`, `early_ends`, `condition_steps`, `cases`, `ordered_items`,
`parallel_lists`, `separate_items` and `held_items`.
"""

from __future__ import annotations

import linecache
import types
from dataclasses import dataclass, field
from typing import Any

from graphwright.eject.cases import with_branches
from graphwright.eject.comprehension_loops import with_loop
from graphwright.eject.condition_steps import with_steps
from graphwright.eject.deque_lists import with_list
from graphwright.eject.early_ends import with_flag
from graphwright.eject.flags import Flagged, FlaggedText, flag_of, followed, with_flags
from graphwright.eject.held_items import with_names
from graphwright.eject.ordered_items import with_order
from graphwright.eject.parallel_lists import with_parts
from graphwright.eject.separate_items import with_items
from graphwright.errors import ConversionError
from graphwright.pipeline import FunctionSource
from graphwright.sources import source_of
from graphwright.twins import codes_below


@dataclass(frozen=True, slots=True)
class _Place:
    """Where another text comes from: the file, the lines in front of it, and why it was written."""

    file: str
    first: int
    text: FlaggedText
    flagged: Flagged


@dataclass(slots=True)
class Replacements:
    """The functions that stand for others, by the code of those."""

    functions: dict[types.CodeType, types.FunctionType] = field(default_factory=dict[Any, Any])
    _places: dict[str, _Place] = field(default_factory=dict[str, _Place])
    _originals: dict[types.CodeType, types.FunctionType] = field(default_factory=dict[Any, Any])

    def current(self, function: types.FunctionType) -> types.FunctionType:
        """The function that stands for a function; itself where none does."""
        while function.__code__ in self.functions:
            function = self.functions[function.__code__]
        return function

    def original_of(self, function: types.FunctionType) -> types.FunctionType:
        """The function of the user's that a function stands for; itself where it stands for none."""
        return self._originals.get(function.__code__, function)

    def is_replaced(self, function: types.FunctionType) -> bool:
        """Whether a function stands for another one."""
        return function in self.functions.values()

    def add(self, function: types.FunctionType, flagged: Flagged) -> None:
        """Have a function with flags stand for a function; raise the refusal where that can't be."""
        source = source_of(function)
        text, code = _text_of(source, flagged), function.__code__
        lines = linecache.getlines(code.co_filename, function.__globals__)
        first, count = source.first_line - 1, len(source.text.splitlines())
        is_inner = source.text.startswith("if 1:\n")
        own = [line.rstrip() for line in lines[first : first + count]][int(is_inner) :]
        is_whole = own == [line.rstrip() for line in source.text.splitlines()][int(is_inner) :]
        if text is None or not is_whole or function.__name__ in code.co_names:
            raise flagged.refusal
        written = text.text.splitlines(keepends=True)
        if is_inner:
            written[0] = lines[first]
        whole = [*lines[:first], *written, *lines[first + count :]]
        file = f"{code.co_filename} with flags {len(self._places) + 1}"
        linecache.cache[file] = sum(map(len, whole)), None, whole, file
        self._places[file] = _Place(code.co_filename, first, text, flagged)
        made = _function(function, "".join(whole), file, flagged)
        if made.__code__ == code:
            raise flagged.refusal
        self.functions[code] = made
        self._originals[made.__code__] = self.original_of(function)

    def original(self, error: ConversionError) -> ConversionError:
        """What is said of the user's lines where an error is of another text."""
        while error.file in self._places:
            place = self._places[error.file]
            line = _line_of(place.text, place.first, error.line)
            if place.flagged.concerns(error.reason, line - place.first):
                return place.flagged.refusal
            error = ConversionError(error.reason, place.file, line)
        return error

    def user_lines(self, file: str, lines: tuple[int, ...]) -> tuple[int, ...]:
        """The lines of the user's file for those of another text."""
        while file in self._places:
            place = self._places[file]
            lines = tuple(_line_of(place.text, place.first, line) for line in lines)
            file = place.file
        return lines

    def forget(self) -> None:
        """Take the other texts out of Python's cache of lines."""
        for file in self._places:
            linecache.cache.pop(file, None)


def _text_of(source: FunctionSource, flagged: Flagged) -> FlaggedText | None:
    if flagged.loop:
        return with_flag(source.text, source.node, flagged.loop, flagged.starts)
    if flagged.condition:
        place = source.text, source.node, flagged.condition
        return with_steps(*place) or with_branches(*place)
    if flagged.comprehension[0]:
        return with_loop(source.text, source.node, flagged.comprehension, flagged.tf)
    if flagged.deque:
        return with_list(source.text, source.node, flagged.deque)
    if flagged.tuples[0]:
        text = with_parts(source.text, source.node, *flagged.tuples, flagged.tf, flagged.words)
        return text and followed(text, flagged.following)
    if flagged.dict_of_lists:
        return with_items(source.text, source.node, flagged.dict_of_lists)
    if flagged.order[0]:
        return with_order(source.text, source.node, flagged.order)
    if flagged.branch[0]:
        return with_names(source.text, source.node, flagged.branch)
    return with_flags(source.text, source.node, flagged)


def _line_of(text: FlaggedText, first: int, line: int) -> int:
    """The line of the user's file for one of the other."""
    number = line - first - 1
    if number < 0:
        return line
    return text.lines[number] + first if number < len(text.lines) else line - len(text.lines) + text.lines[-1]


def _function(function: types.FunctionType, text: str, file: str, flagged: Flagged) -> types.FunctionType:
    """The function of the same name in a text, with the same globals, defaults and variables around it."""
    for constant in codes_below(compile(text, file, "exec", dont_inherit=True)):
        code = function.__code__
        same_name = constant.co_name == function.__name__ and constant.co_firstlineno == code.co_firstlineno
        if not same_name or constant.co_freevars != code.co_freevars:
            continue
        closure = function.__closure__
        defaults = _defaults(function, constant, flagged)
        made = types.FunctionType(constant, function.__globals__, function.__name__, defaults, closure)
        made.__kwdefaults__, made.__module__ = function.__kwdefaults__, function.__module__
        made.__qualname__ = function.__qualname__
        return made
    raise flagged.refusal


def _defaults(function: types.FunctionType, code: types.CodeType, flagged: Flagged) -> tuple[Any, ...] | None:
    """The defaults of a function whose parameters that may be None have a flag."""
    given = function.__defaults__
    if not given or not flagged.texts:
        return given
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    known = dict(zip(names[-len(given) :], given, strict=True))
    for name, start in flagged.starts.items():
        if name in known:
            known[name], known[flag_of(name)] = eval(start, function.__globals__), False
    return tuple(known[name] for name in code.co_varnames[: code.co_argcount] if name in known)
