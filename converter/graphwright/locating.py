"""Finds the function around a place in a file's text, and what the text says of the names around it.

The file may be half typed. Nothing is converted here, and nothing of the user's is imported or run.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import gast
from graphwright_analysis.flow.scopes import build_scopes
from graphwright_analysis.flow.tree import FUNCTIONS, children, parameters_of
from graphwright_analysis.syntax import Block, Module
from graphwright_analysis.text import Range

from .libraries import is_library_module
from .passes.calls import dotted

_CONVERTING = frozenset({"function", "convert", "to_graph", "defun"})
_NOT_CONVERTING = "do_not_convert"
_DEFINITIONS = (*FUNCTIONS, gast.ClassDef)


@dataclass(frozen=True, slots=True)
class LibraryNames:
    """The names of a file that stand for library code, which is never converted.

    With `star`, a library was imported with `*`: then all that is neither Python's nor the file's `own` counts.
    """

    known: frozenset[str]
    own: frozenset[str]
    star: bool
    instead: frozenset[str] = frozenset()
    """The names that stand for something else than the builtin of that name."""

    def used_in(self, function: gast.AST) -> frozenset[str]:
        """Those that a function finds outside of itself."""
        free = build_scopes(function).of(function).free
        if not self.star:
            return self.known & free
        return frozenset(n for n in free if n in self.known or not (n in self.own or hasattr(builtins, n)))


@dataclass(frozen=True, slots=True)
class Located:
    """A function as it stands in a file: the outermost one that is converted as a whole.

    `text` parses on its own if the function does; its first line is line `first_line` (from 0) of the file.
    """

    name: str
    range: Range
    text: str
    first_line: int
    class_name: str | None
    free: frozenset[str]
    library: LibraryNames
    left_alone: bool = False
    """Whether a decorator says that it isn't to be converted."""
    decorated: bool = False
    """Whether a decorator makes it a graph."""


@dataclass(frozen=True, slots=True)
class FunctionHeader:
    """The place of a `def` that a cursor is on: its decorators, its `def` or its name.

    `lines` are all of the function's lines, and `definition` is where its `def` begins.
    """

    range: Range
    lines: range
    definition: int


Lends = Callable[[str, int, str], bool]
"""Whether `from <dots><module> import <name>` lends a library's name from a file of the user's."""


def function_at(module: Module, offset: int, lends: Lends = lambda module, level, name: False) -> Located | None:
    """The function around a place; None outside of any."""
    if not module.blocks:
        return None
    block = module.block_at(offset)
    around = _around(block, offset - module.start_of(block))
    place = _unit_in(around)
    return None if place is None else _located(module, block, around, place, lends)


def header_at(module: Module, offset: int) -> FunctionHeader | None:
    """The innermost definition whose decorators, `def` or name a place is on."""
    if not module.blocks:
        return None
    block = module.block_at(offset)
    start = module.start_of(block)
    inner = next((node for node in reversed(_around(block, offset - start)) if isinstance(node, FUNCTIONS)), None)
    if inner is None:
        return None
    named = _HEADER.match(block.text, block.range_of(inner).start)
    spans = [_with_sign(block, block.range_of(decorator)) for decorator in inner.decorator_list]
    spans += [Range(named.start(), named.end())] if named is not None else []
    span = next((span for span in spans if span.contains(offset - start)), None)
    if span is None:
        return None
    first = module.lines.line_of(start)
    lines = range(first + _first_line(block, inner) - 1, first + block.lines_of(inner)[1])
    return FunctionHeader(span.shifted(start), lines, block.range_of(inner).start + start)


OPENING = "if 1:\n"
"""What an indented definition is put under, so that its text parses."""

_HEADER = re.compile(r"(?:async[ \t]+)?def[ \t]+\w+")
_INDENT = re.compile(r"[ \t\f]*")


def _with_sign(block: Block, span: Range) -> Range:
    sign = block.text.rfind("@", 0, span.start + 1)
    return Range(sign if sign >= 0 else span.start, span.end)


# Which function


def _around(block: Block, offset: int) -> list[Any]:
    """The classes, functions and lambdas that a place is in, from the outermost on."""
    line = block.lines.line_of(offset)
    column = offset - block.lines.starts[line]
    blank = not block.text[slice(*_span(block, line))].strip()
    if blank and column:
        # After the end of a function, but indented like its body: the next line of it is about to be typed.
        above = line
        while above and not block.text[slice(*_span(block, above))].strip():
            above -= 1
        if found := _chain(block, above, None, column):
            return found
    return _chain(block, line, offset, None)


def _span(block: Block, line: int) -> tuple[int, int]:
    span = block.lines.line_range(line)
    return span.start, span.end


def _chain(block: Block, line: int, offset: int | None, deeper_than: int | None) -> list[Any]:
    found: list[Any] = []
    pending: list[Any] = list(block.statements)
    while pending:
        node = pending.pop()
        if hasattr(node, "lineno"):
            first, last = block.lines_of(node)
            if isinstance(node, _DEFINITIONS):
                first = _first_line(block, node)
            if not first - 1 <= line < last:
                continue
            if isinstance(node, gast.Lambda) and (offset is None or not block.range_of(node).contains(offset)):
                continue
        if isinstance(node, gast.Lambda) or (
            isinstance(node, _DEFINITIONS) and (deeper_than is None or node.col_offset < deeper_than)
        ):
            found.append(node)
            pending = []
        pending += children(node)
    return found


def _first_line(block: Block, node: Any) -> int:
    """The line of a definition's first decorator, or its own."""
    return min(block.lines_of(part)[0] for part in (node, *node.decorator_list))


def _unit_in(around: list[Any]) -> int | None:
    """Which of the definitions around a place is converted as a whole."""
    classes = [place for place, node in enumerate(around) if isinstance(node, gast.ClassDef)]
    inside = range(classes[-1] + 1 if classes else 0, len(around))
    functions = [place for place in inside if isinstance(around[place], FUNCTIONS)]
    if not functions:
        return inside[0] if inside else None
    return next((place for place in functions if _says(around[place], _CONVERTING)), functions[0])


def _says(node: Any, words: Iterable[str]) -> bool:
    """Whether a decorator of a function ends in one of these names: `@tf.function(...)`."""
    return any(word in words for decorator in node.decorator_list for word in _last_names(decorator))


def _last_names(decorator: Any) -> list[str]:
    names: list[str] = []
    if isinstance(decorator, gast.Call):
        names += _last_names(decorator.func)
        # `@functools.partial(tf.function, ...)`
        names += [name for part in decorator.args[:1] for name in _last_names(part)]
    elif (name := dotted(decorator)) is not None:
        names.append(name.rpartition(".")[2])
    return names


# What is known of it


def library_names(module: Module) -> frozenset[str]:
    """The names by which a file's top level has library code."""
    return _library(module, (), lambda module, level, name: False).known


def _located(module: Module, block: Block, around: list[Any], place: int, lends: Lends) -> Located:
    node, library = around[place], _library(module, around[:place], lends)
    start = module.start_of(block)
    block_line = module.lines.line_of(start)
    is_lambda = isinstance(node, gast.Lambda)
    names = [getattr(part, "name", "<lambda>") for part in around[: place + 1]]
    outer = around[:place]
    span = block.range_of(node)
    text, shift = _lambda_text(block, span), 0
    first, last = block.lines_of(node)
    if not is_lambda:
        first = _first_line(block, node)
        text, shift = _definition_text(block, first - 1, last)
        span = Range(block.lines.starts[first - 1], span.end)
    return Located(
        name=".".join(names),
        range=span.shifted(start),
        text=text,
        first_line=block_line + first - 1 - shift,
        class_name=next((part.name for part in reversed(outer) if isinstance(part, gast.ClassDef)), None),
        free=library.instead.union(_free(around[0], node) if any(map(_is_function, outer)) else ()),
        library=library,
        left_alone=not is_lambda and _says(node, (_NOT_CONVERTING,)),
        decorated=not is_lambda and _says(node, _CONVERTING),
    )


def _is_function(node: Any) -> bool:
    return not isinstance(node, gast.ClassDef)


def _definition_text(block: Block, first: int, end: int) -> tuple[str, int]:
    """The lines of a definition, under a header of their own if they are indented; and how many lines that takes."""
    stop = block.lines.starts[end] if end < len(block.lines.starts) else len(block.text)
    text = _with_plain_ends(block.text[block.lines.starts[first] : stop])
    indented = _INDENT.match(text)
    return (f"{OPENING}{text}", 1) if indented and indented.end() else (text, 0)


def _lambda_text(block: Block, span: Range) -> str:
    return f"({_with_plain_ends(block.text[span.start : span.end])})\n"


def _with_plain_ends(text: str) -> str:
    """The text as Python reads a file: each line end one character."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _free(outermost: Any, node: Any) -> frozenset[str]:
    """The names that a function takes from functions around it."""
    scopes = build_scopes(outermost)
    scope = scopes.of(node)
    bound: set[str] = set()
    around = scope.parent
    while around is not None and around.parent is not None:
        if around.kind != "class":
            bound |= around.bound
        around = around.parent
    return frozenset(scope.free & bound)


# Names of libraries


def _library(module: Module, outer: Iterable[Any], lends: Lends) -> LibraryNames:
    """The names that stand for library code in a function that is inside of these definitions."""
    found = _Names(lends)
    for block in module.blocks:
        found.read(block.statements)
    for function in outer:
        if isinstance(function, FUNCTIONS):
            for parameter in parameters_of(function):
                found.bind(parameter.id, False)
            found.read(function.body)
    library = frozenset(name for name, is_library in found.names.items() if is_library)
    own = frozenset(found.names.keys() - library) if found.star else frozenset[str]()
    instead = frozenset(name for name in found.names if hasattr(builtins, name))
    return LibraryNames(library, own, found.star, instead)


class _Names:
    """Reads statements in their order, and keeps which names are bound, and whether to library code."""

    def __init__(self, lends: Lends) -> None:
        self.lends = lends
        self.names: dict[str, bool] = {}
        self.star = False

    def read(self, statements: Iterable[Any], certain: bool = True) -> None:
        for statement in statements:
            if isinstance(statement, (gast.Import, gast.ImportFrom)):
                self._import(statement)
            elif isinstance(statement, _DEFINITIONS):
                self.bind(statement.name, False)
            elif isinstance(statement, (gast.Assign, gast.AnnAssign)):
                self._assign(statement, certain)
            else:
                for field in ("body", "orelse", "finalbody"):
                    self.read(getattr(statement, field, None) or (), certain=False)
                for handler in getattr(statement, "handlers", None) or ():
                    self.read(handler.body, certain=False)

    def bind(self, name: str, is_library: bool) -> None:
        self.names[name] = is_library

    def _import(self, statement: Any) -> None:
        source: str = getattr(statement, "module", None) or ""
        level: int = getattr(statement, "level", 0) or 0
        for alias in statement.names:
            is_library = not level and is_library_module(source or alias.name)
            if alias.name == "*":
                self.star = self.star or is_library
                continue
            if not is_library and isinstance(statement, gast.ImportFrom):
                is_library = self.lends(source, level, alias.name)
            self.bind(alias.asname or alias.name.partition(".")[0], is_library)

    def _assign(self, statement: Any, certain: bool) -> None:
        """`relu = tf.nn.relu` is another name for the same."""
        value = dotted(statement.value)
        if value is None:
            own = _is_imported_library(statement.value)
        else:
            own = self.names.get(value.partition(".")[0], False) and not _is_constant(value)
        for target in getattr(statement, "targets", None) or [statement.target]:
            if isinstance(target, gast.Name) and (own or certain):
                self.names[target.id] = own


_CONSTANT = re.compile(
    r"(?:q?u?int|b?float|complex)\d+\w*|bool|string|half|double|resource|variant|[A-Z_\d]+|pi|e|inf|nan|newaxis"
)


def _is_imported_library(value: Any) -> bool:
    """`importlib.import_module("tensorflow")` and the like."""
    if not isinstance(value, gast.Call) or len(value.args) != 1 or not isinstance(value.args[0], gast.Constant):
        return False
    called, name = dotted(value.func) or "", value.args[0].value
    return called.rpartition(".")[2] in _IMPORTERS and isinstance(name, str) and is_library_module(name)


_IMPORTERS = frozenset({"__import__", "import_module", "importorskip"})


def _is_constant(name: str) -> bool:
    """Whether a name of a library's is a value rather than something to call: `tf.float32`, `np.pi`."""
    return _CONSTANT.fullmatch(name.rpartition(".")[2]) is not None
