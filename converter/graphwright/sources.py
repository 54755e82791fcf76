"""From a live function to its source: the text, the node in it, and what is known of the names around it.

Nothing is converted or run here. A function whose source can't be had, or has changed since it was compiled, is a
`ConversionError` that says why and what to do.
"""

from __future__ import annotations

import ast
import functools
import linecache
import os
import symtable
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gast
from graphwright_analysis.syntax.tree import BeyondLimits, as_gast

from .errors import ConversionError, SourceMissing
from .libraries import library_names, names_from_around
from .matching import at_its_lines, compiled_alone, fingerprint, without_defaults
from .passes.definitions import is_generator
from .passes.unit import walk
from .pipeline import FunctionSource

_REFUSED = {
    0x200: "is an asynchronous generator",
    0x80: "is a coroutine (`async def`)",
    0x100: "is a coroutine (`async def`)",
    0x20: "is a generator (`yield`)",
}
REFUSED_FLAGS = 0x200 | 0x80 | 0x100 | 0x20
"""The flags of code objects that run later than they are called: generators and coroutines."""


@dataclass(frozen=True, slots=True)
class SourcePiece:
    """A part of a file that parses on its own: the node that was sought and the line that the text begins at."""

    text: str
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    first_line: int


def source_of(function: types.FunctionType, *, of_any_kind: bool = False) -> FunctionSource:
    """The source that a function was compiled from; that of a generator or coroutine only if it may be of any kind."""
    code = function.__code__
    if not of_any_kind:
        refuse_unsupported(function)
    class_name = class_around(function)
    piece = _piece_of(function, class_name)
    try:
        node = as_gast([piece.node])[0]
    except BeyondLimits as error:
        reason = f"`{_name_of(function)}` is {error.message}"
        raise ConversionError(reason, code.co_filename, code.co_firstlineno) from None
    return FunctionSource(
        text=piece.text,
        node=node,
        first_line=piece.first_line,
        file=code.co_filename,
        class_name=class_name,
        free=names_from_around(function),
        library=library_names(function),
    )


def definition_of(function: types.FunctionType) -> SourcePiece:
    """The definition that a function was compiled from, even if it can't be converted."""
    return _piece_of(function, class_around(function))


def likely_text(function: types.FunctionType) -> tuple[str, int] | None:
    """The text that a function comes from in nearly all cases, with its first line; whether it does isn't checked."""
    refuse_unsupported(function)
    code, lines = function.__code__, _lines_of(function)
    if code.co_name == "<lambda>":
        return next(((piece.text, piece.first_line) for piece in _lambdas(code, lines)), None)
    return next(_definitions(code, lines), None)


def class_around(function: types.FunctionType) -> str | None:
    """The class whose body a function's source stands in, by its qualified name."""
    name: str = getattr(function.__code__, "co_qualname", function.__qualname__)
    parts = name.split(".")[:-1]
    while parts:
        part = parts.pop()
        if part != "<locals>":
            return part if part.isidentifier() else None
        parts.pop()
    return None


def refusal_of(node: Any) -> ConversionError | None:
    """Why a function can't be converted whose node this is, as far as that is said by what it is; else None."""
    if isinstance(node, gast.Lambda) or (isinstance(node, gast.FunctionDef) and not is_generator(node)):
        return None
    flag = 0x20 if isinstance(node, gast.FunctionDef) else 0x200 if is_generator(node) else 0x80
    line: int = node.lineno
    if flag == 0x20:
        line = next(part.lineno for part in walk(node) if isinstance(part, (gast.Yield, gast.YieldFrom)))
    return ConversionError(_why_unsupported(node.name, flag), line=line)


def refuse_unsupported(function: types.FunctionType) -> None:
    """Raise ConversionError for generators and coroutines."""
    code = function.__code__
    for flag in _REFUSED:
        if code.co_flags & flag:
            line = _line_of_construct(function, flag)
            raise ConversionError(_why_unsupported(code.co_name, flag), code.co_filename, line)


def _why_unsupported(name: str, flag: int) -> str:
    instead = (
        "collect the values in a list and return that"
        if flag == 0x20
        else "a graph can't wait; write an ordinary `def`"
    )
    return (
        f"`{name}` {_REFUSED[flag]}, which can't become part of a graph: {instead}, or decorate it with "
        "`@gw.do_not_convert` to run it unconverted"
    )


def _line_of_construct(function: types.FunctionType, flag: int) -> int:
    """The line of the first `yield`, or of the `async def`."""
    code = function.__code__
    if flag == 0x20:
        try:
            piece = next(_pieces(function, _lines_of(function)), None)
        except ConversionError:
            piece = None
        for node in ast.walk(piece.node) if piece else ():
            if isinstance(node, (ast.Yield, ast.YieldFrom)) and piece:
                return piece.first_line + node.lineno - 1
    return code.co_firstlineno


def _piece_of(function: types.FunctionType, class_name: str | None) -> SourcePiece:
    lines = _lines_of(function)
    for checked in (False, True):
        if checked:
            # The file may have been edited, or its lines may have been kept from an older import.
            linecache.checkcache(function.__code__.co_filename)
            fresh = _lines_of(function)
            if fresh == lines:
                break
            lines = fresh
        found = _matching(function, class_name, lines)
        if found is not None:
            return found
    code = function.__code__
    if code.co_filename == "<string>":
        # From Python 3.13 on, the text of `python -c` goes by the name that everything of `exec` has.
        raise SourceMissing(_why_missing(function), code.co_filename, code.co_firstlineno)
    raise ConversionError(
        f"the source of `{_name_of(function)}` doesn't match its compiled code: the file was edited after the import, "
        "or an import hook rewrote it; import the module again",
        code.co_filename,
        code.co_firstlineno,
    )


def _matching(function: types.FunctionType, class_name: str | None, lines: list[str]) -> SourcePiece | None:
    code = function.__code__
    wanted = fingerprint(code)
    for piece in _pieces(function, lines):
        node = without_defaults(piece.node)
        shift = piece.first_line - 1
        if not isinstance(node, ast.Lambda):
            node.lineno = code.co_firstlineno - shift
        with at_its_lines(node, code, shift) as left:
            for imported in _imported_names(function, lines):
                compiled = compiled_alone(node, code, code.co_freevars, class_name, imported)
                if compiled is None:
                    break
                if fingerprint(compiled, left) == wanted or _rewritten_by_pytest(code, compiled):
                    return piece
    return None


def _imported_names(function: types.FunctionType, lines: list[str]) -> Iterator[frozenset[str]]:
    """Which of a function's names its module imports: by their values, by the file, or none (in a notebook)."""
    names = _all_names(function.__code__)
    given = function.__globals__
    likely = frozenset(name for name in names if name in given and _is_foreign(given[name], given.get("__name__")))
    yield likely
    certain = _imports_of("".join(lines)) & names
    if certain != likely:
        yield certain
    if certain and likely:
        yield frozenset()


def _is_foreign(value: Any, module: Any) -> bool:
    return isinstance(value, types.ModuleType) or getattr(value, "__module__", module) != module


@functools.lru_cache(maxsize=32)
def _imports_of(text: str) -> frozenset[str]:
    try:
        table = symtable.symtable(text, "<source>", "exec")
    except (SyntaxError, ValueError):
        return frozenset()
    return frozenset(symbol.get_name() for symbol in table.get_symbols() if symbol.is_imported())


def _find(tree: ast.AST, kind: type) -> Any:
    return next(node for node in ast.walk(tree) if isinstance(node, kind))


def _rewritten_by_pytest(code: types.CodeType, compiled: types.CodeType) -> bool:
    """pytest compiles the `assert`s of test modules to something else."""
    return (
        "@pytest_ar" in _all_names(code)
        and code.co_varnames[: code.co_argcount] == compiled.co_varnames[: compiled.co_argcount]
    )


def _all_names(code: types.CodeType) -> set[str]:
    # A parameter may be called like an import: Python compiles its calls as those of the import.
    names = {*code.co_names, *code.co_varnames, *code.co_cellvars, *code.co_freevars}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _all_names(constant)
    return names


# --- Lines


def _lines_of(function: types.FunctionType) -> list[str]:
    code = function.__code__
    given = getattr(function, "__source__", None) or function.__globals__.get("__source__")
    if isinstance(given, str):
        return given.splitlines(keepends=True)
    lines = linecache.getlines(code.co_filename, function.__globals__)
    if not lines and not os.path.isabs(code.co_filename):
        own = function.__globals__.get("__file__")
        if isinstance(own, str) and os.path.basename(own) == os.path.basename(code.co_filename):
            lines = linecache.getlines(own, function.__globals__)
    if not lines:
        raise SourceMissing(_why_missing(function), code.co_filename, code.co_firstlineno)
    return lines


def _why_missing(function: types.FunctionType) -> str:
    name, file = _name_of(function), function.__code__.co_filename
    instead = "define it in a file, or assign its source to `__source__` in its globals"
    if file == "<stdin>":
        reason = (
            "it was typed at the Python prompt or read from standard input, which store no source before Python 3.13"
        )
        instead = "define it in a file or a notebook"
    elif file.startswith("<"):
        reason = f"it was created from a string ({file}) by `exec`, `eval` or `python -c`"
    elif os.path.exists(file):
        reason = "its file is empty or can't be read as text"
    else:
        reason = "its file doesn't exist (a compiled module, or one that was moved or deleted)"
        instead = "keep the source next to the compiled file"
    return f"the source of `{name}` isn't available: {reason}; {instead}"


# --- Pieces


def _pieces(function: types.FunctionType, lines: list[str]) -> Iterator[SourcePiece]:
    """The pieces that a function may come from, the likeliest first."""
    code = function.__code__
    if code.co_name == "<lambda>":
        yield from _lambdas(code, lines)
    else:
        piece = _definition(code, lines)
        if piece is not None:
            yield piece


def _definition(code: types.CodeType, lines: list[str]) -> SourcePiece | None:
    """The `def` that begins, with its decorators, in the first line of the code."""
    for text, first_line in _definitions(code, lines):
        try:
            parsed = _parsed(text)
        except (SyntaxError, ValueError):
            continue
        node = parsed.body[0]
        if isinstance(node, ast.If) and first_line < code.co_firstlineno:
            node = node.body[0]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return SourcePiece(text, node, first_line)
        return None
    return None


def _definitions(code: types.CodeType, lines: list[str]) -> Iterator[tuple[str, int]]:
    """The texts that may be the definition, the likeliest first, each with its first line.

    It is cut at a line that isn't indented deeper; if that line belongs to a string or an open bracket, the text
    doesn't parse and the next such line is tried.
    """
    start = code.co_firstlineno - 1
    if not 0 <= start < len(lines):
        return
    indent = _indent(lines[start])
    opening, first_line = ("if 1:\n", start) if indent else ("", start + 1)
    for end in _ends(lines, start, _last_line(code), indent):
        yield opening + "".join(lines[start:end]), first_line


def _ends(lines: list[str], start: int, last: int, indent: int) -> Iterator[int]:
    for index in range(max(start + 1, last), len(lines)):
        line = lines[index]
        text = line.strip()
        if text and not text.startswith("#") and _indent(line) <= indent:
            yield _without_blank_end(lines, start, index)
    yield len(lines)


def _without_blank_end(lines: list[str], start: int, end: int) -> int:
    """Comments and blank lines after a definition belong to what follows."""
    while end > start + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t\f"))


def _last_line(code: types.CodeType) -> int:
    own = max((line for *_, line in code.co_lines() if line is not None), default=code.co_firstlineno)
    return max([own, *(_last_line(inner) for inner in code.co_consts if isinstance(inner, types.CodeType))])


def _lambdas(code: types.CodeType, lines: list[str]) -> Iterator[SourcePiece]:
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    found: list[tuple[int, SourcePiece]] = []
    for line, column, end_line, end_column in _all_lambdas("".join(lines)):
        if line != code.co_firstlineno:
            continue
        text = _between(lines, line, column, end_line, end_column)
        parsed = _parsed(text)
        node = _find(parsed, ast.Lambda)
        arguments: ast.arguments = node.args
        own = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        if len(own) == len(names):
            found.append((column, SourcePiece(text, node, line)))
    found.sort(key=lambda entry: _distance(code, entry[0]))
    yield from (piece for _, piece in found)


def _distance(code: types.CodeType, column: int) -> int:
    """How far before the code's first position a lambda begins: the nearest one is the code's own."""
    positions: Any = getattr(code, "co_positions", None)
    if positions is None:
        return column
    columns = [start for line, _, start, end in positions() if line == code.co_firstlineno and start and end]
    if not columns:
        return column
    return min(columns) - column if min(columns) >= column else 1_000_000


@functools.lru_cache(maxsize=32)
def _all_lambdas(text: str) -> tuple[tuple[int, int, int, int], ...]:
    """Where the lambdas of a file begin and end; columns count bytes."""
    try:
        parsed = _parsed(text)
    except (SyntaxError, ValueError):
        return ()
    return tuple(
        (node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0)
        for node in ast.walk(parsed)
        if isinstance(node, ast.Lambda)
    )


def _between(lines: list[str], line: int, column: int, end_line: int, end_column: int) -> str:
    """A part of a text, in brackets of its own so that it may go over several lines."""
    part = [text.encode() for text in lines[line - 1 : end_line]]
    part[-1] = part[-1][:end_column]
    part[0] = part[0][column:]
    return f"({b''.join(part).decode()})\n"


def _parsed(text: str) -> ast.Module:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _name_of(function: types.FunctionType) -> str:
    return "lambda" if function.__name__ == "<lambda>" else function.__qualname__.rpartition("<locals>.")[2]
